// Logs of real runs of the executable, opened by the foreign libraries.
#include <signal.h>

#include "hil/run_log/run_log_reader.hpp"
#include "tests/integration/run_cases.hpp"
#include "tests/interop/foreign_reader.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::tests;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

void check_counts(const json& found, const hil::run_log::RunData& run) {
    INFO(found.value("error", ""));
    REQUIRE_FALSE(found.contains("error"));
    const json& topics = found.at("topics");
    CHECK(topics.at("/feedback").at("messages").size() == run.feedback.size());
    CHECK(topics.at("/setpoint").at("messages").size() == run.setpoints.size());
    CHECK(topics.at("/timing").at("messages").size() == run.timing.size());
    CHECK(topics.at("/event").at("messages").size() == run.events.size());
    const json& last = topics.at("/feedback").at("messages").back().at("value");
    CHECK(std::stoull(last.at("device_time_us").get<std::string>()) == run.feedback.back().device_time_us);
}

}  // namespace

TEST_CASE("foreign libraries open the log of a run and find what our reader finds") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    REQUIRE(run_topple({"run", file, "--out", folder.path() / "run"}).exit_code == 0);
    const hil::run_log::RunData run = hil::run_log::read_run_log(folder.path() / "run");
    const json found = read_with_foreign_libraries(folder.path() / "run/run.mcap");
    REQUIRE(found.is_object());
    check_counts(found.at("indexed"), run);
    check_counts(found.at("streaming"), run);
}

TEST_CASE("foreign libraries stream the log of a run that was killed, and index it once it is mended") {
    const TemporaryFolder folder;
    const std::string file = folder.write("case.toml", rocking_case());
    const fs::path run = folder.path() / "run";
    Emulator emulator(file, {"--listen", "0"});
    BackgroundTopple program({"run", file, "--device", emulator.uri(), "--out", run});
    REQUIRE(eventually([&] {
        std::error_code error;
        return fs::file_size(run / "run.mcap", error) > 300'000 && !error;
    }));
    program.signal(SIGKILL);
    program.wait();
    const hil::run_log::RunData torn = hil::run_log::read_run_log(run);
    CHECK(torn.torn);
    const json found = read_with_foreign_libraries(run / "run.mcap");
    REQUIRE(found.is_object());
    check_counts(found.at("streaming"), torn);
    REQUIRE(run_topple({"recover", run}).exit_code == 0);
    const json mended = read_with_foreign_libraries(run / "run.mcap");
    REQUIRE(mended.is_object());
    check_counts(mended.at("indexed"), torn);
}
