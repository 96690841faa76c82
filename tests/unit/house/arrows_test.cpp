#include "tests/unit/house/arrows.hpp"
#include "tests/support/catch.hpp"

using namespace topple::house;

namespace {
bool is_allowed(const std::string& file, const std::string& include) {
    return violations(file, "#pragma once\n#include " + include + "\n").empty();
}
}  // namespace

TEST_CASE("every include in the tree follows the arrows between the rooms") {
    const auto found = violations_of_tree(TOPPLE_SOURCE_DIR);
    INFO(text(found));
    CHECK(found.empty());
    CHECK(source_file_count(TOPPLE_SOURCE_DIR) > 10);
}

TEST_CASE("the solver sees Eigen and the standard library, and no clock, thread, file or print") {
    CHECK(is_allowed("solver/identify/a.cpp", "<Eigen/Dense>"));
    CHECK(is_allowed("solver/identify/a.cpp", "<vector>"));
    CHECK_FALSE(is_allowed("solver/identify/a.cpp", "\"hil/experiment/experiment.hpp\""));
    CHECK_FALSE(is_allowed("solver/identify/a.cpp", "\"firmware_iface/clock.hpp\""));
    CHECK_FALSE(is_allowed("solver/laws/a.cpp", "<boost/asio.hpp>"));
    CHECK_FALSE(is_allowed("solver/identify/a.cpp", "<fmt/format.h>"));
    CHECK_FALSE(is_allowed("solver/identify/a.cpp", "<unistd.h>"));
    CHECK_FALSE(is_allowed("solver/identify/a.cpp", "<chrono>"));
    CHECK_FALSE(is_allowed("solver/identify/a.cpp", "<thread>"));
    CHECK_FALSE(is_allowed("solver/identify/a.cpp", "<iostream>"));
}

TEST_CASE("inside the solver the arrows go from motion and numerics by engine, laws and face to the studies") {
    CHECK(is_allowed("solver/engine/a.hpp", "\"solver/numerics/dop853.hpp\""));
    CHECK_FALSE(is_allowed("solver/engine/a.hpp", "\"solver/stack/stack_law.hpp\""));
    CHECK_FALSE(is_allowed("solver/engine/a.hpp", "\"solver/run.hpp\""));
    CHECK_FALSE(is_allowed("solver/stack/a.hpp", "\"solver/laws/slide_rock.hpp\""));
    CHECK(is_allowed("solver/laws/a.hpp", "\"solver/stack/stack_state.hpp\""));
    CHECK_FALSE(is_allowed("solver/laws/a.hpp", "\"solver/predict.hpp\""));
    CHECK(is_allowed("solver/predict.cpp", "\"solver/lanes/outcomes_in_lanes.hpp\""));
    CHECK_FALSE(is_allowed("solver/predict.cpp", "\"solver/study/stability_map.hpp\""));
    CHECK_FALSE(is_allowed("solver/lanes/a.hpp", "\"solver/engine/engine.hpp\""));
    CHECK_FALSE(is_allowed("solver/motion/a.hpp", "\"solver/specimen.hpp\""));
    CHECK_FALSE(violations("solver/a.cpp", "").empty());
}

TEST_CASE("the wire knows neither solver, controller nor hil, and its device part no library either") {
    CHECK(is_allowed("firmware_iface/a.cpp", "<boost/asio.hpp>"));
    CHECK(is_allowed("firmware_iface/a.cpp", "\"firmware_iface/wire/table.pb.h\""));
    CHECK_FALSE(is_allowed("firmware_iface/a.cpp", "\"solver/motion/base_motion.hpp\""));
    CHECK_FALSE(is_allowed("firmware_iface/a.cpp", "\"controller/feasibility.hpp\""));
    CHECK_FALSE(is_allowed("firmware_iface/a.cpp", "<hil/experiment/experiment.hpp>"));
    CHECK_FALSE(is_allowed("firmware_iface/device/a.cpp", "<boost/asio.hpp>"));
    CHECK_FALSE(is_allowed("firmware_iface/device/a.cpp", "<sys/socket.h>"));
}

TEST_CASE("of the solver the controller sees the base motion only") {
    CHECK(is_allowed("controller/a.cpp", "\"solver/motion/base_motion.hpp\""));
    CHECK(is_allowed("controller/rt/a.cpp", "<sched.h>"));
    CHECK(is_allowed("controller/rt/a.hpp", "<boost/lockfree/spsc_queue.hpp>"));
    CHECK_FALSE(is_allowed("controller/rt/a.hpp", "<boost/asio.hpp>"));
    CHECK_FALSE(is_allowed("controller/a.cpp", "\"solver/run.hpp\""));
    CHECK_FALSE(is_allowed("controller/a.cpp", "\"hil/experiment/experiment.hpp\""));
    CHECK_FALSE(is_allowed("controller/a.cpp", "<google/protobuf/message.h>"));
}

TEST_CASE("nothing outside tests includes tests, and nothing is included by a relative path") {
    CHECK(is_allowed("hil/drive/a.cpp", "\"solver/run.hpp\""));
    CHECK_FALSE(is_allowed("hil/drive/a.cpp", "\"tests/support/catch.hpp\""));
    CHECK_FALSE(is_allowed("solver/identify/a.cpp", "\"../tests/support/catch.hpp\""));
    CHECK_FALSE(is_allowed("hil/cli/a.cpp", "\"experiment.hpp\""));
    CHECK_FALSE(violations("hil/drive/a.cpp", "  #  include   \"tests/x.hpp\"\n").empty());
    CHECK_FALSE(violations("utils/a.cpp", "").empty());
}

TEST_CASE("the rooms of hil see what is below them, and none sees the executable") {
    CHECK(is_allowed("hil/report/a.cpp", "\"hil/compare/conclusion.hpp\""));
    CHECK_FALSE(is_allowed("hil/compare/a.cpp", "\"hil/report/html.hpp\""));
    CHECK_FALSE(is_allowed("hil/files/a.cpp", "\"hil/experiment/experiment.hpp\""));
    CHECK_FALSE(is_allowed("hil/drive/a.cpp", "\"hil/cli/consent.hpp\""));
    CHECK_FALSE(is_allowed("hil/plan/a.cpp", "<CLI/CLI.hpp>"));
    CHECK_FALSE(violations("hil/a.cpp", "").empty());
    CHECK_FALSE(violations("hil/another_room/a.cpp", "").empty());
    CHECK(rows_out_of_order() == std::vector<std::string>{});
}

TEST_CASE("the comparison touches no file, and the container knows nothing of what is in it") {
    CHECK(is_allowed("hil/compare/a.cpp", "\"hil/run_log/records.hpp\""));
    CHECK_FALSE(is_allowed("hil/compare/a.cpp", "\"hil/run_log/run_log_reader.hpp\""));
    CHECK_FALSE(is_allowed("hil/compare/a.cpp", "\"hil/files/input_file.hpp\""));
    CHECK_FALSE(is_allowed("hil/compare/a.cpp", "<filesystem>"));
    CHECK_FALSE(is_allowed("hil/mcap/a.cpp", "\"hil/run_log/records.hpp\""));
    CHECK_FALSE(is_allowed("hil/mcap/a.cpp", "\"firmware_iface/samples.hpp\""));
}

TEST_CASE("what a room links to, it may see") {
    const auto found = link_violations_of_tree(TOPPLE_SOURCE_DIR);
    INFO(text(found));
    CHECK(found.empty());
    const std::string good = "target_link_libraries(topple_hil_report PUBLIC topple::hil_compare PRIVATE fmt::fmt)\n";
    CHECK(link_violations("hil/report/CMakeLists.txt", good).empty());
    CHECK_FALSE(link_violations("hil/compare/CMakeLists.txt", "PRIVATE topple::hil_report").empty());
    CHECK_FALSE(link_violations("hil/files/CMakeLists.txt", "topple::hil_text topple::solver").empty());
}
