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
    CHECK(is_allowed("solver/a.cpp", "\"solver/block.hpp\""));
    CHECK(is_allowed("solver/a.cpp", "<Eigen/Dense>"));
    CHECK(is_allowed("solver/a.cpp", "<vector>"));
    CHECK_FALSE(is_allowed("solver/a.cpp", "\"hil/experiment.hpp\""));
    CHECK_FALSE(is_allowed("solver/a.cpp", "\"firmware_iface/clock.hpp\""));
    CHECK_FALSE(is_allowed("solver/models/a.cpp", "<boost/asio.hpp>"));
    CHECK_FALSE(is_allowed("solver/a.cpp", "<fmt/format.h>"));
    CHECK_FALSE(is_allowed("solver/a.cpp", "<unistd.h>"));
    CHECK_FALSE(is_allowed("solver/a.cpp", "<chrono>"));
    CHECK_FALSE(is_allowed("solver/a.cpp", "<thread>"));
    CHECK_FALSE(is_allowed("solver/a.cpp", "<iostream>"));
}

TEST_CASE("the wire knows neither solver, controller nor hil, and its device part no library either") {
    CHECK(is_allowed("firmware_iface/a.cpp", "<boost/asio.hpp>"));
    CHECK(is_allowed("firmware_iface/a.cpp", "\"firmware_iface/wire/table.pb.h\""));
    CHECK_FALSE(is_allowed("firmware_iface/a.cpp", "\"solver/motion/base_motion.hpp\""));
    CHECK_FALSE(is_allowed("firmware_iface/a.cpp", "\"controller/feasibility.hpp\""));
    CHECK_FALSE(is_allowed("firmware_iface/a.cpp", "<hil/experiment.hpp>"));
    CHECK_FALSE(is_allowed("firmware_iface/device/a.cpp", "<boost/asio.hpp>"));
    CHECK_FALSE(is_allowed("firmware_iface/device/a.cpp", "<sys/socket.h>"));
}

TEST_CASE("of the solver the controller sees the base motion only") {
    CHECK(is_allowed("controller/a.cpp", "\"solver/motion/base_motion.hpp\""));
    CHECK(is_allowed("controller/rt/a.cpp", "<sched.h>"));
    CHECK(is_allowed("controller/rt/a.hpp", "<boost/lockfree/spsc_queue.hpp>"));
    CHECK_FALSE(is_allowed("controller/rt/a.hpp", "<boost/asio.hpp>"));
    CHECK_FALSE(is_allowed("controller/a.cpp", "\"solver/run.hpp\""));
    CHECK_FALSE(is_allowed("controller/a.cpp", "\"hil/experiment.hpp\""));
    CHECK_FALSE(is_allowed("controller/a.cpp", "<google/protobuf/message.h>"));
}

TEST_CASE("nothing outside tests includes tests, and nothing is included by a relative path") {
    CHECK(is_allowed("hil/a.cpp", "\"solver/run.hpp\""));
    CHECK_FALSE(is_allowed("hil/a.cpp", "\"tests/support/catch.hpp\""));
    CHECK_FALSE(is_allowed("solver/a.cpp", "\"../tests/support/catch.hpp\""));
    CHECK_FALSE(is_allowed("hil/cli/a.cpp", "\"experiment.hpp\""));
    CHECK_FALSE(violations("hil/a.cpp", "  #  include   \"tests/x.hpp\"\n").empty());
    CHECK_FALSE(violations("utils/a.cpp", "").empty());
}
