// Drive iteration through the real executable, on the simulated table in lockstep.
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

TEST_CASE("a damaged store is told and learned anew") {
    Iterated test;
    test.folder.write("case.learned_drive.json", "{ \"schema\": \"topple.learned_drive/1\" ");
    const auto result = test.run(standing_case("iterate = 1\n"));
    INFO(result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.err, ContainsSubstring("not a learned drive"));
    CHECK(nlohmann::json::parse(content_of(test.store()))["passes"].size() == 1);
}

TEST_CASE("specimens that topple by the blind prediction are not used for learning; nothing moves") {
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
