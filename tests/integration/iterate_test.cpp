// Drive iteration through the real executable, on the simulated table in lockstep.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "hil/run_log/run_log_reader.hpp"
#include "tests/integration/run_cases.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

/// A strong sine over a broad block that stays; `table` is the body of [table].
std::string standing_case(const std::string& table = "", const std::string& width_m = "0.4",
                          const std::string& simulation = "seed = 1\ntruth = \"exact\"\n") {
    return "name = \"iterated\"\n[[specimen]]\nkind = \"block\"\nwidth_m = " + width_m +
           "\nheight_m = 0.27\nmass_kg = 5.0\nrestitution = { model = \"housner\" }\n"
           "[excitation]\ntype = \"sine\"\namplitude_g = 0.8\nfrequency_hz = 2.5\ncycles = 1\n[table]\n" +
           table + "[simulation]\n" + simulation;
}

struct Iterated {
    TemporaryFolder folder;
    fs::path out = folder.path() / "out";

    ProgramResult run(const std::string& text, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"run", folder.write("case.toml", text), "--out", out};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_topple(arguments);
    }
    nlohmann::json summary() const { return nlohmann::json::parse(content_of(out / "summary.json")); }
    fs::path store() const { return folder.path() / "case.learned_drive.json"; }
};

}  // namespace

TEST_CASE("a drive is learned in two passes, drives the test, and is used again while everything matches") {
    Iterated test;
    const auto first = test.run(standing_case(), {"--iterate", "2"});
    INFO(first.out << first.err);
    REQUIRE(first.exit_code == 0);
    CHECK_THAT(first.err, ContainsSubstring("at most 2 passes") && ContainsSubstring("a dummy mass of 5 kg") &&
                              ContainsSubstring("pass 1:"));
    CHECK_THAT(first.out, ContainsSubstring("drive learned with a dummy mass of 5 kg"));
    const auto iteration = test.summary()["iteration"];
    REQUIRE(iteration["passes"].size() >= 1);
    CHECK(iteration["corrected"] == true);
    CHECK(iteration["reused_from"].is_null());
    CHECK(fs::exists(test.out / "learned_drive.json"));
    CHECK(test.summary()["sha256"].contains("learned_drive.json"));
    CHECK_THAT(content_of(test.out / "report.html"), ContainsSubstring("Drive iteration"));

    // Each pass is a log of its own, with nothing on the platen that has a sensor, and the prediction came before it.
    for (std::size_t pass = 1; pass <= iteration["passes"].size(); ++pass) {
        const auto log = hil::run_log::read_run_log(test.out / ("pass_" + std::to_string(pass) + ".mcap"));
        CHECK_FALSE(log.torn);
        CHECK(log.event_time_us(hil::run_log::EventKind::motion_done).has_value());
        CHECK(log.event_time_us(hil::run_log::EventKind::return_done).has_value());
        CHECK(log.metadata.at("learning_pass") == std::to_string(pass));
    }
    // Tracking is against the planned motion, and better than the first pass was.
    const double first_m = iteration["passes"][0]["peak_error_m"].get<double>();
    CHECK(test.summary()["tracking"]["displacement_peak_error_m"].get<double>() < 2.0 * first_m + 1e-4);
    CHECK(test.summary()["blind_record"]["proven"] == true);

    // Again: no pass.
    const fs::path learned_out = test.out;
    test.out = test.folder.path() / "again";
    const auto second = test.run(standing_case(), {"--iterate", "2"});
    INFO(second.out << second.err);
    REQUIRE(second.exit_code == 0);
    CHECK_THAT(second.err, ContainsSubstring("used again"));
    CHECK_FALSE(fs::exists(test.out / "pass_1.mcap"));
    CHECK(test.summary()["iteration"]["reused_from"] == test.store().string());
    const auto log = hil::run_log::read_run_log(learned_out), repeated = hil::run_log::read_run_log(test.out);
    CHECK(counts_by_time(log) == counts_by_time(repeated));

    // Without --iterate the planned motion is driven.
    test.out = test.folder.path() / "plain";
    REQUIRE(test.run(standing_case()).exit_code == 0);
    CHECK(test.summary()["iteration"].is_null());
    CHECK(counts_by_time(hil::run_log::read_run_log(test.out)) != counts_by_time(log));

    // What differs is named, and it is learned anew.
    test.out = test.folder.path() / "other";
    std::string other = standing_case();
    other.replace(other.find("mass_kg = 5.0"), 13, "mass_kg = 6.0");
    const auto third = test.run(other, {"--iterate", "1"});
    INFO(third.err);
    CHECK(third.exit_code == 0);
    CHECK_THAT(third.err, ContainsSubstring("what stands on the platen") && ContainsSubstring("learned anew"));
    CHECK(fs::exists(test.out / "pass_1.mcap"));
}

TEST_CASE("both axes of a table are learned in the same passes, one that rests is not") {
    const std::string examples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";
    const TemporaryFolder folder;
    for (const char* part : {"machines/two_axes.toml", "specimens/b6l.toml"}) {
        fs::create_directories((folder.path() / part).parent_path());
        folder.write(part, content_of(examples + part));
    }
    const auto run = [&](const std::string& file, const std::string& out) {
        return run_topple({"run", file, "--iterate", "3", "--out", folder.path() / out});
    };
    const std::string text = content_of(examples + "two_motions.toml");
    const auto file = folder.write("case.toml", text);
    const auto first = run(file, "first");
    INFO(first.out << first.err);
    REQUIRE(first.exit_code == 0);
    CHECK_THAT(first.err, ContainsSubstring("pass 1: axis x: largest error") && ContainsSubstring("; axis y: largest"));
    CHECK_THAT(first.out, ContainsSubstring("goal: largest error at most 0.050 mm") &&
                              ContainsSubstring("axis x, ended: ") && ContainsSubstring("axis y, pass 2: "));
    const auto summary = nlohmann::json::parse(content_of(folder.path() / "first" / "summary.json"));
    const auto& axes = summary["iteration"]["axes"];
    REQUIRE(axes.size() == 2);
    for (const auto& axis : axes) {
        INFO(axis.dump());
        CHECK(axis["corrected"] == true);
        REQUIRE(axis["passes"].size() == 3);
        CHECK(axis["passes"][2]["acceleration_nrmse"] < 0.75 * axis["passes"][0]["acceleration_nrmse"].get<double>());
        CHECK(axis["passes"][2]["peak_error_m"] < axis["passes"][0]["peak_error_m"]);
        CHECK(axis["passes"][2]["cross_axis_ratio"].get<double>() == Approx(-0.02).margin(0.007));
        CHECK_FALSE(axis["text"].get<std::string>().empty());
    }
    const std::string report = content_of(folder.path() / "first" / "report.html");
    CHECK_THAT(report, ContainsSubstring("<h3>Axis x</h3>") && ContainsSubstring("<h3>Axis y</h3>"));
    // Each pass is a log of both.
    const auto log = hil::run_log::read_run_log(folder.path() / "first" / "pass_2.mcap");
    CHECK(log.event_time_us(hil::run_log::EventKind::motion_done).has_value());
    CHECK(log.feedback.front().axis_count == 2);

    const auto second = run(file, "second");
    INFO(second.err);
    REQUIRE(second.exit_code == 0);
    CHECK_THAT(second.err, ContainsSubstring("used again") && ContainsSubstring("axis y: largest error"));
    CHECK_FALSE(fs::exists(folder.path() / "second" / "pass_1.mcap"));

    // Without the motion of y the drive is another one, and y rests.
    std::string only_x = text;
    only_x.erase(only_x.find("[excitation_y]"), only_x.find("[table]") - only_x.find("[excitation_y]"));
    const auto third = run(folder.write("case.toml", only_x), "third");
    INFO(third.out << third.err);
    REQUIRE(third.exit_code == 0);
    CHECK_THAT(third.err, ContainsSubstring("the waveform differs") && ContainsSubstring("learned anew"));
    CHECK_THAT(third.out, ContainsSubstring("axis y, ended: the axis rests"));
    const auto resting = nlohmann::json::parse(content_of(folder.path() / "third" / "summary.json"))["iteration"];
    CHECK(resting["axes"][1]["end"] == "at_rest");
    CHECK(resting["axes"][1]["passes"].empty());
    CHECK(resting["axes"][0]["passes"].size() >= 1);
}

TEST_CASE("a damaged store is told and learned anew") {
    Iterated test;
    test.folder.write("case.learned_drive.json", "{ \"schema\": \"topple.learned_drive/1\" ");
    const auto result = test.run(standing_case("iterate = 1\n"));
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.err, ContainsSubstring("not a learned drive"));
    CHECK(nlohmann::json::parse(content_of(test.store()))["passes"].size() == 1);
}

TEST_CASE("specimens that topple by the blind prediction are not used for learning, nothing moves") {
    Iterated test;
    const auto result = test.run(standing_case("iterate = 2\niterate_payload = \"specimen\"\n", "0.03"));
    INFO(result.err);
    CHECK(result.exit_code == 2);
    CHECK_THAT(result.err, ContainsSubstring("topples in this motion with a probability of") &&
                               ContainsSubstring("iterate_payload = \"dummy\""));
    CHECK_FALSE(fs::exists(test.out));
}

TEST_CASE("a specimen that stands may be learned with") {
    Iterated test;
    const auto result = test.run(standing_case("iterate = 1\niterate_payload = \"specimen\"\n"));
    INFO(result.out << result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, ContainsSubstring("the specimens"));
    CHECK(test.summary()["measured"]["outcome"] == "translation");
}

TEST_CASE("a specimen about to fall is saved in a test whose drive was learned, and not in its passes") {
    Iterated test;
    std::string text = standing_case("iterate = 2\nprotect = 0.9\n", "0.06");
    text.replace(text.find("amplitude_g = 0.8"), 17, "amplitude_m_s2 = 3.5");
    const auto result = test.run(text);
    INFO(result.out << result.err);
    REQUIRE(result.exit_code == 0);
    const auto log = hil::run_log::read_run_log(test.out);
    CHECK(log.event_time_us(hil::run_log::EventKind::protective_ending).has_value());
    CHECK(log.event_time_us(hil::run_log::EventKind::motion_done).has_value());
    double largest_rad = 0.0;
    for (const auto& feedback : log.feedback) largest_rad = std::max(largest_rad, std::abs(feedback.rotation_rad[0]));
    CHECK(largest_rad < 0.5);
    // The ending leaves the learned drive without a jump.
    const auto& sent = log.setpoints;
    for (std::size_t i = 1; i < sent.size(); ++i) {
        if (sent[i].device_time_us <= sent[i - 1].device_time_us) continue;
        const double h = 1e-6 * static_cast<double>(sent[i].device_time_us - sent[i - 1].device_time_us);
        if (h > 0.0021) continue;
        const double mean_m_s = 0.5 * (sent[i].axes[0].velocity_m_s + sent[i - 1].axes[0].velocity_m_s);
        CHECK(std::abs(sent[i].axes[0].position_m - sent[i - 1].axes[0].position_m - h * mean_m_s) < 2e-5);
    }
    const std::size_t passes = test.summary()["iteration"]["passes"].size();
    REQUIRE(passes >= 1);
    for (std::size_t pass = 1; pass <= passes; ++pass)
        CHECK_FALSE(hil::run_log::read_run_log(test.out / ("pass_" + std::to_string(pass) + ".mcap"))
                        .event_time_us(hil::run_log::EventKind::protective_ending)
                        .has_value());
}

TEST_CASE("keys and numbers of drive iteration that are not allowed are refused") {
    for (const char* table : {"iterate = 21\n", "iterate = -1\n", "iterate = 1.5\n", "iterate = true\n",
                              "iterate_payload = \"brick\"\n", "iterate_payload = 3\n"}) {
        Iterated test;
        const auto result = test.run(standing_case(table), {"--dry-run"});
        INFO(table << result.err);
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, ContainsSubstring("iterate"));
    }
    for (const char* number : {"21", "-1", "1e", "", "two"}) {
        Iterated test;
        CHECK(test.run(standing_case(), {"--dry-run", "--iterate", number}).exit_code == 2);
    }
}

TEST_CASE("an emulated table cannot be learned without its specimens, a real one ends after the passes") {
    Iterated test;
    Emulator simulated(test.folder.write("emulated.toml", standing_case()), {"--listen", "0"});
    const auto refused = test.run(standing_case("iterate = 1\n"), {"--device", simulated.uri()});
    INFO(refused.err);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("cannot be taken off"));
    CHECK_FALSE(fs::exists(test.out));

    Emulator real(test.folder.write("emulated.toml", standing_case()), {"--listen", "0", "--as-real"});
    const auto learned = test.run(standing_case("iterate = 1\n"), {"--device", real.uri(), "--yes"});
    INFO(learned.err);
    CHECK(learned.exit_code == 0);
    CHECK_THAT(learned.err, ContainsSubstring("TEST WAS NOT MADE"));
    CHECK(fs::exists(test.out / "pass_1.mcap"));
    CHECK_FALSE(fs::exists(test.out / "run.mcap"));
    test.out = test.folder.path() / "test";
    const auto made = test.run(standing_case("iterate = 1\n"), {"--device", real.uri(), "--yes"});
    INFO(made.err);
    CHECK(made.exit_code == 0);
    CHECK_THAT(made.err, ContainsSubstring("used again"));
    CHECK(fs::exists(test.out / "run.mcap"));
}
