// The main job through the real executable, on the simulated table in lockstep.
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "hil/experiment/experiment.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/integration/run_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/pictures.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

ProgramResult run(const fs::path& experiment, const fs::path& out, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"run", experiment, "--out", out};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_topple(arguments);
}

nlohmann::json summary_of(const fs::path& run) { return nlohmann::json::parse(content_of(run / "summary.json")); }

void replace(std::string& text, const std::string& what, const std::string& by) {
    text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("the demo experiment is predicted, driven, logged, compared and reported") {
    const TemporaryFolder folder;
    const auto result = run(fs::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml", folder.path() / "run");
    INFO(result.out << result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.err, ContainsSubstring("predicted 100 % rocking"));  // before anything moves
    for (const char* file :
         {"experiment.toml", "machine.toml", "prediction.json", "run.mcap", "summary.json", "report.html"})
        CHECK(fs::file_size(folder.path() / "run" / file) > 0);
    const auto summary = summary_of(folder.path() / "run");
    CHECK(summary["measured"]["outcome"] == "rocking");
    CHECK(summary["measured"]["source"] == "simulated");
    CHECK(summary["predicted"]["planned"]["outcome"] == "rocking");
    // Tracking of the demo: at most 1 mm, amplitude within 3 %.
    const hil::run_log::RunData log = hil::run_log::read_run_log(folder.path() / "run");
    CHECK_FALSE(log.torn);
    double worst_m = 0.0;
    for (const auto& feedback : log.feedback)
        worst_m = std::max(worst_m, std::abs(static_cast<double>(feedback.axes[0].encoder_count) * 1e-6 -
                                             feedback.axes[0].setpoint_position_m));
    CHECK(worst_m < 1e-3);
    const auto& clock = summary["timing"]["clock"];
    CHECK(std::abs(clock["skew_ppm"].get<double>() - 40.0) <= clock["skew_bound_ppm"].get<double>());
    CHECK(clock["bound_s"].get<double>() < 0.005);
    CHECK(clock["jumps"].empty());
    CHECK(summary["timing"]["round_trip_us"] == 250);
    CHECK(summary["flight_files"].empty());
    CHECK(summary["blind_record"]["proven"] == true);
    CHECK(summary["blind_record"]["prediction_sha256"] == summary["sha256"]["prediction.json"]);
    CHECK(summary["identified"]["amplitude_m_s2"].get<double>() == Approx(3.0).epsilon(0.03));
    CHECK(summary["identified"]["frequency_hz"].get<double>() == Approx(4.0).epsilon(0.01));
    // What explains the verdict.
    CHECK(summary["why"]["cause"] == "as_predicted");
    CHECK(summary["attribution"]["parts"].size() == 4);
    CHECK(summary["attribution"]["decisive"].is_null());
    CHECK(summary["models"]["predictions"].size() >= 4);
    // The stage's accelerometer is too slow for the impacts of so light a block, and the report says so.
    const auto& accelerometer = summary["impacts_found"]["accelerometer"];
    CHECK(accelerometer["visible"] == false);
    CHECK(accelerometer["expected_m_s2"].get<double>() < accelerometer["threshold_m_s2"].get<double>());
    CHECK(accelerometer["times_s"].is_null());
    CHECK(summary["impacts_found"]["rotation"]["times_s"].size() > 10);
    CHECK(summary["impacts_found"]["contradictions"].empty());
    CHECK(summary["numbers"]["values"][0]["achieved"]["median"].get<double>() == Approx(0.105).margin(0.003));
    const std::string page = content_of(folder.path() / "run" / "report.html");
    for (const char* part :
         {"Which part of the tracking error matters", "Impacts found by the sensors", "Other models on the achieved",
          "Predicted and measured", "As predicted: rocking", "role=\"img\" aria-label=\"Three curves", "@page"})
        CHECK_THAT(page, ContainsSubstring(part));
}

TEST_CASE("two simulated runs of one seed leave the same log but for one wall-clock record") {
    const TemporaryFolder folder;
    const auto file = folder.write("case.toml", rocking_case("seed = 7\n"));
    REQUIRE(run(file, folder.path() / "a").exit_code == 0);
    REQUIRE(run(file, folder.path() / "b").exit_code == 0);
    const std::string a = content_of(folder.path() / "a/run.mcap"), b = content_of(folder.path() / "b/run.mcap");
    REQUIRE(a.size() == b.size());
    REQUIRE(a.size() > 100'000);
    std::size_t first = a.size(), last = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] != b[i]) {
            first = std::min(first, i);
            last = i;
        }
    const std::size_t record = a.find("topple.clock");
    REQUIRE(record != std::string::npos);
    CHECK(first > record);
    CHECK(last < record + 200);
    CHECK(content_of(folder.path() / "a/prediction.json") == content_of(folder.path() / "b/prediction.json"));
}

TEST_CASE("a wrong truth makes the report disagree, the exact truth does not") {
    const TemporaryFolder folder;
    const auto wrong = folder.write("wrong.toml", rocking_case("seed = 1\ntruth = { restitution_factor = 0.95 }\n"));
    REQUIRE(run(wrong, folder.path() / "wrong").exit_code == 0);
    CHECK_THAT(content_of(folder.path() / "wrong/report.html"), ContainsSubstring("inconsistent"));
    CHECK(summary_of(folder.path() / "wrong")["agreement"]["verdict"] == "inconsistent");

    const auto exact = folder.write("exact.toml", rocking_case());
    REQUIRE(run(exact, folder.path() / "exact").exit_code == 0);
    CHECK(summary_of(folder.path() / "exact")["agreement"]["verdict"] == "consistent");
}

TEST_CASE("trigger and auxiliary channels go from the files through the run to summary and export") {
    const TemporaryFolder folder;
    const std::string machine = hil::experiment::machine_toml(firmware_iface::quanser_st_iii()) +
                                "[[aux]]\nname = \"drive\"\nunit = \"N\"\nscale = 100.0\n"
                                "[[aux]]\nname = \"spare\"\nunit = \"V\"\nscale = 1.0\n";
    folder.write("machine.toml", machine);
    const auto file =
        folder.write("case.toml", rocking_case() + "[table]\nmachine = \"machine.toml\"\ntrigger = true\n");
    const fs::path run_folder = folder.path() / "run";
    REQUIRE(run_topple({"run", file, "--out", run_folder}).exit_code == 0);
    const auto trigger = summary_of(run_folder)["trigger"];
    CHECK(trigger["asked"] == true);
    CHECK(trigger["rose_at_s"] == 0.0);
    CHECK(trigger["fell_at_s"].get<double>() == Approx(0.25).margin(0.0021));  // one cycle of 4 Hz
    REQUIRE(run_topple({"export", run_folder}).exit_code == 0);
    const std::string table = content_of(run_folder / "csv" / "feedback.csv");
    CHECK_THAT(table.substr(0, table.find('\n')), ContainsSubstring(",motion_done,trigger,aux_drive_N,aux_spare_V"));
}

TEST_CASE("after overturning the table stays where it is") {
    const TemporaryFolder folder;
    std::string text = rocking_case();
    replace(text, "amplitude_m_s2 = 3.0", "amplitude_m_s2 = 9.0");
    replace(text, "frequency_hz = 4.0", "frequency_hz = 3.0");
    const auto file = folder.write("fall.toml", text);
    const auto result = run(file, folder.path() / "run");
    INFO(result.out << result.err);
    REQUIRE(result.exit_code == 0);
    const auto summary = summary_of(folder.path() / "run");
    CHECK(summary["measured"]["outcome"] == "overturning");
    CHECK(summary["measured"]["side"] == summary["predicted"]["planned"]["direction"]);
    const hil::run_log::RunData log = hil::run_log::read_run_log(folder.path() / "run");
    CHECK_FALSE(log.event_time_us(hil::run_log::EventKind::return_start).has_value());
    CHECK_THAT(result.err, ContainsSubstring("stays where it is"));
}

TEST_CASE("free rocking, an empty table and a base too gentle to lift the block are tests too") {
    const TemporaryFolder folder;
    std::string free = rocking_case();
    replace(free, "mass_kg = 2.5692\n", "mass_kg = 2.5692\ninitial_rotation_rad = 0.1\n");
    replace(free, "type = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\ncycles = 1\n", "type = \"none\"\n");
    REQUIRE(run(folder.write("free.toml", free), folder.path() / "free").exit_code == 0);
    CHECK(summary_of(folder.path() / "free")["measured"]["outcome"] == "rocking");

    std::string gentle = rocking_case();
    replace(gentle, "amplitude_m_s2 = 3.0", "amplitude_m_s2 = 1.0");
    REQUIRE(run(folder.write("gentle.toml", gentle), folder.path() / "gentle").exit_code == 0);
    CHECK(summary_of(folder.path() / "gentle")["measured"]["outcome"] == "translation");

    const std::string empty =
        "name = \"empty\"\n[[specimen]]\nkind = \"none\"\n[excitation]\ntype = \"sine\"\n"
        "amplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";
    REQUIRE(run(folder.write("empty.toml", empty), folder.path() / "empty").exit_code == 0);
    CHECK(summary_of(folder.path() / "empty")["measured"]["outcome"].is_null());
    CHECK(summary_of(folder.path() / "empty")["agreement"].is_null());
}

TEST_CASE("an infeasible motion is refused with place and amount, and leaves nothing behind") {
    const TemporaryFolder folder;
    std::string text = rocking_case();
    replace(text, "frequency_hz = 4.0", "frequency_hz = 1.0");
    const auto result = run(folder.write("far.toml", text), folder.path() / "run");
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, ContainsSubstring("stroke"));
    CHECK_THAT(result.err, ContainsSubstring("t = "));
    CHECK_FALSE(fs::exists(folder.path() / "run"));
}

TEST_CASE("a run folder is not overwritten and a missing device is reported") {
    const TemporaryFolder folder;
    const auto file = folder.write("case.toml", rocking_case());
    fs::create_directory(folder.path() / "there");
    CHECK(run(file, folder.path() / "there").exit_code == 2);
    const auto missing = run(file, folder.path() / "run", {"--device", "serial:/dev/no-such-port"});
    CHECK(missing.exit_code == 3);
    CHECK_THAT(missing.err, ContainsSubstring("/dev/no-such-port"));
    CHECK(run(file, folder.path() / "run", {"--device", "tcp:127.0.0.1:1"}).exit_code == 3);
    CHECK_FALSE(fs::exists(folder.path() / "run"));
}

TEST_CASE("a dry run refuses what names no device") {
    const TemporaryFolder folder;
    const auto file = folder.write("case.toml", rocking_case());
    for (const char* device : {"nan", "5mm", "0x10", "serial:", "tcp:", "serial:/dev/ttyACM0?baud=12"})
        CHECK(run(file, folder.path() / "run", {"--dry-run", "--device", device}).exit_code == 2);
}

TEST_CASE("a dry run opens no table and writes nothing") {
    const TemporaryFolder folder;
    const auto file = folder.write("case.toml", rocking_case());
    const auto result = run(file, folder.path() / "run", {"--dry-run", "--device", "serial:/dev/no-such-port"});
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, ContainsSubstring("rocking"));
    CHECK_FALSE(fs::exists(folder.path() / "run"));
}

TEST_CASE("a log that cannot grow any more stops the table and says so") {
    const TemporaryFolder folder;
    const auto file = folder.write("case.toml", rocking_case());
    const fs::path run = folder.path() / "run", said = folder.path() / "said";
    // 300 kB are enough for the prediction and some seconds of the log. In units of 512 bytes.
    const std::string command = "ulimit -f 600; exec " TOPPLE_EXECUTABLE " run " + file.string() + " --out " +
                                run.string() + " > /dev/null 2> " + said.string();
    const int status = std::system(("sh -c '" + command + "'").c_str());
    INFO(content_of(said));
    CHECK(WEXITSTATUS(status) == 1);
    CHECK_THAT(content_of(said), ContainsSubstring("File too large"));
    const hil::run_log::RunData log = hil::run_log::read_run_log(run);
    CHECK(log.event_time_us(hil::run_log::EventKind::recording_start).has_value());
    CHECK(log.feedback.size() > 500);
    // The flight recorder does not go through the log.
    const auto flights = hil::files::find_flight_files(run);
    REQUIRE(flights.size() == 1);
    CHECK_THAT(content_of(said), ContainsSubstring(flights[0]));
    const std::string csv = content_of(run / flights[0]);
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 501);
    CHECK(summary_of(run)["flight_files"][0] == flights[0]);
    CHECK_THAT(content_of(run / "report.html"), ContainsSubstring(flights[0]));
}

TEST_CASE("a photograph is copied and shown, one that is missing or no picture is refused before anything moves") {
    const TemporaryFolder folder;
    std::string text = content_of(fs::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
    replace(text, "purpose =", "photo = \"setup.jpg\"\npurpose =");
    const fs::path file = folder.write("photo.toml", text);
    const auto refused = run(file, folder.path() / "missing");
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("photo"));
    CHECK_FALSE(fs::exists(folder.path() / "missing"));
    folder.write("setup.jpg", "not a picture");
    CHECK(run(file, folder.path() / "none").exit_code == 2);
    folder.write("setup.jpg", small_jpeg());
    REQUIRE(run(file, folder.path() / "run").exit_code == 0);
    CHECK(content_of(folder.path() / "run/referenced/1_setup.jpg") == small_jpeg());
    CHECK_THAT(content_of(folder.path() / "run/report.html"), ContainsSubstring("src=\"data:image/jpeg;base64,/9j/"));
}
