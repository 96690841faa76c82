// topple import and topple plan with an acceleration that cannot be trusted and a displacement beside it.
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::tests;

namespace {

const std::string kExamples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";
constexpr double kStart_s = 1.0, kStep_s = 0.002;
constexpr int kRows = 2500;

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

bool done(const ProgramResult& result) {  // 1: only gnuplot is missing
    return result.exit_code == 0 || (result.exit_code == 1 && has(result.err, "gnuplot"));
}

/// What two sensors say of the motion of b6l_sine.toml.
struct Sensors {
    double signed_gain = 1.0, bias_m_s2 = 0.0, noise_m_s2 = 0.02;
    std::string unit = "m_s2";
    bool has_displacement = true, has_acceleration = true;
    double step_s = kStep_s;
};

std::string table_of(const Sensors& sensors) {
    std::mt19937_64 random(4);
    std::normal_distribution<double> normal;
    const solver::BaseMotion motion = b6l_sine().excitation.planned_motion();
    std::string csv = "time_s";
    if (sensors.has_displacement) csv += ",displacement_mm";
    if (sensors.has_acceleration) csv += ",acceleration_" + sensors.unit;
    csv += "\n";
    for (double t = 0.0; t < kRows * kStep_s; t += sensors.step_s) {
        const solver::BaseState state = motion.at(t - kStart_s);
        const double x_mm = 1e3 * state.displacement_m + 0.01 * normal(random);
        const double reading =
            (state.acceleration_m_s2 + sensors.noise_m_s2 * normal(random)) / sensors.signed_gain + sensors.bias_m_s2;
        csv += std::to_string(t);
        if (sensors.has_displacement) csv += "," + std::to_string(x_mm);
        if (sensors.has_acceleration) csv += "," + std::to_string(reading);
        csv += "\n";
    }
    return csv;
}

struct Imported {
    ProgramResult result;
    nlohmann::json summary;  ///< null if nothing was made
};

Imported import(const TemporaryFolder& work, const Sensors& sensors, const std::vector<std::string>& more = {}) {
    const std::filesystem::path out = work.path() / "run";
    std::filesystem::remove_all(out);
    std::vector<std::string> arguments{"import",   kExamples + "b6l_sine.toml",
                                       "--motion", work.write("table.csv", table_of(sensors)).string(),
                                       "--start",  "1",
                                       "--out",    out.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Imported imported{run_topple(arguments), nullptr};
    if (std::filesystem::exists(out / "summary.json"))
        imported.summary = nlohmann::json::parse(content_of(out / "summary.json"));
    return imported;
}

double number(const nlohmann::json& json, const char* key) { return json.at(key).get<double>(); }

}  // namespace

TEST_CASE("topple import finds a sound acceleration sound and says that the outcome stands") {
    const TemporaryFolder work;
    const Imported imported = import(work, {});
    INFO(imported.result.err);
    REQUIRE(done(imported.result));
    const nlohmann::json& fusion = imported.summary.at("motion_fusion");
    CHECK(fusion.at("sign") == 1);
    CHECK(fusion.at("close_to_unity") == true);
    CHECK(number(fusion, "gain") == Approx(1.0).margin(4.0 * number(fusion, "gain_standard_error")));
    CHECK(number(fusion, "residual_m") == Approx(1e-5).epsilon(0.3));
    const nlohmann::json& outcomes = fusion.at("outcome_sensitivity").at(0);
    CHECK(outcomes.at("stands") == true);
    CHECK(outcomes.at("motions").size() == 10);
    CHECK(outcomes.at("motions").at(0).at("outcome") == "rocking");
    CHECK(has(imported.result.out, "the acceleration agrees with the displacement"));
    CHECK(has(imported.result.out, "the outcome stands"));
    CHECK(has(content_of(work.path() / "run/report.html"), "agrees with the displacement"));
    CHECK(number(imported.summary.at("identified"), "amplitude_m_s2") == Approx(3.0).epsilon(0.01));
}

TEST_CASE("topple import turns a reversed acceleration round and says so plainly") {
    const TemporaryFolder work;
    const Imported imported = import(work, {.signed_gain = -1.0});
    REQUIRE(done(imported.result));
    CHECK(imported.summary.at("motion_fusion").at("sign") == -1);
    CHECK(has(imported.result.out, "the acceleration is REVERSED"));
    CHECK(number(imported.summary.at("identified"), "amplitude_m_s2") == Approx(3.0).epsilon(0.01));
    CHECK(imported.summary.at("predicted").at("achieved").at("outcome") == "rocking");
}

TEST_CASE("topple import finds the bias of an acceleration and what it would have made of the outcome") {
    const TemporaryFolder work;
    const Imported imported = import(work, {.signed_gain = 1.1, .bias_m_s2 = 2.5});
    REQUIRE(done(imported.result));
    const nlohmann::json& fusion = imported.summary.at("motion_fusion");
    CHECK(number(fusion, "bias_m_s2") == Approx(1.1 * 2.5).margin(4.0 * number(fusion, "bias_standard_error_m_s2")));
    CHECK(fusion.at("outcome_sensitivity").at(0).at("stands") == true);
    CHECK(fusion.at("outcome_sensitivity").at(0).at("holds_as_given") == false);
    CHECK(has(imported.result.out, "the acceleration as it was given: overturning"));
    CHECK(has(imported.result.out, "the outcome stands ONLY with the calibration"));
    CHECK(has(imported.result.out, "zero of the reading as stated, +2.5"));
    CHECK(has(imported.result.out, "table.csv: the acceleration"));
}

TEST_CASE("topple import recognises values in m/s2 where g is stated") {
    const TemporaryFolder work;
    const Imported imported = import(work, {.unit = "g"});
    REQUIRE(done(imported.result));
    CHECK(number(imported.summary.at("motion_fusion"), "gain") == Approx(1.0 / 9.80665).epsilon(0.01));
    CHECK(imported.summary.at("motion_fusion").at("unit_mixed_up") == "m/s2 where g is stated");
    CHECK(number(imported.summary.at("identified"), "amplitude_m_s2") == Approx(3.0).epsilon(0.01));
}

TEST_CASE("topple import refuses an acceleration that does not fit the displacement and makes no folder") {
    const TemporaryFolder work;
    for (const Sensors& bad : {Sensors{.noise_m_s2 = 100.0}, Sensors{.signed_gain = 0.25}}) {
        const Imported imported = import(work, bad);
        CHECK(imported.result.exit_code == 2);
        CHECK(has(imported.result.err, "--displacement-check off"));
        CHECK_FALSE(std::filesystem::exists(work.path() / "run"));
    }
    const Imported off = import(work, {.noise_m_s2 = 100.0}, {"--displacement-check", "off"});
    REQUIRE(done(off.result));
    CHECK_FALSE(off.summary.contains("motion_fusion"));
}

TEST_CASE("topple import of one channel is as before") {
    const TemporaryFolder work;
    for (const Sensors& one : {Sensors{.has_acceleration = false}, Sensors{.has_displacement = false}}) {
        const Imported imported = import(work, one);
        REQUIRE(done(imported.result));
        CHECK_FALSE(imported.summary.contains("motion_fusion"));
        CHECK_FALSE(has(imported.result.out, "the displacement:"));
    }
}

TEST_CASE("topple import takes the displacement of another file at another rate") {
    const TemporaryFolder work;
    const std::string other = work.write("camera.csv", table_of({.has_acceleration = false, .step_s = 0.01})).string();
    const Imported imported = import(work, {.signed_gain = -1.2, .has_displacement = false}, {"--displacement", other});
    INFO(imported.result.err);
    REQUIRE(done(imported.result));
    const nlohmann::json& fusion = imported.summary.at("motion_fusion");
    CHECK(fusion.at("sign") == -1);
    CHECK(number(fusion, "gain") == Approx(1.2).margin(4.0 * number(fusion, "gain_standard_error")));
    CHECK(number(imported.summary.at("identified"), "amplitude_m_s2") == Approx(3.0).epsilon(0.01));
    CHECK(import(work, {}, {"--displacement", other}).result.exit_code == 2);  // two displacements
}

TEST_CASE("topple plan calibrates a record by the displacement beside it and says whether the outcome stands") {
    const TemporaryFolder work;
    const std::string experiment =
        "name = \"x\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
        "[excitation]\ntype = \"record\"\nfile = \"table.csv\"\n";
    const auto plan = [&](const Sensors& sensors, const std::string& keys) {
        work.write("table.csv", table_of(sensors));
        return run_topple({"plan", work.write("test.toml", experiment + keys).string(), "--json"});
    };
    const std::string column = "displacement_channel = \"displacement_mm\"\n";
    const ProgramResult reversed = plan({.signed_gain = -1.0}, column);
    INFO(reversed.err);
    REQUIRE(reversed.exit_code == 0);
    const nlohmann::json json = nlohmann::json::parse(reversed.out);
    CHECK(json.at("motion_fusion").at("sign") == -1);
    CHECK(json.at("motion_fusion").at("outcome_sensitivity").at(0).at("stands") == true);
    CHECK(number(json.at("record").at("as_used"), "pga_m_s2") == Approx(3.0).margin(0.15));
    const ProgramResult any = plan({.signed_gain = 0.3}, column + "channel = \"acceleration_m_s2\"\nunits = \"any\"\n");
    CHECK(any.exit_code == 2);  // the column states a unit
    CHECK(plan({.signed_gain = 0.3}, column).exit_code == 2);
    CHECK(plan({.signed_gain = 0.3}, column + "displacement_check = \"off\"\n").exit_code == 0);
    const ProgramResult volts =
        plan({.signed_gain = 0.3, .unit = "v"}, column + "channel = \"acceleration_v\"\nunits = \"any\"\n");
    REQUIRE(volts.exit_code == 0);
    CHECK(number(nlohmann::json::parse(volts.out).at("motion_fusion"), "gain") == Approx(0.3).epsilon(0.01));
    CHECK_FALSE(nlohmann::json::parse(plan({}, "").out).contains("motion_fusion"));
}

TEST_CASE("The example of a measured motion is reversed and planned the right way round") {
    const ProgramResult planned = run_topple({"plan", kExamples + "measured_motion.toml"});
    INFO(planned.err);
    CHECK(planned.exit_code == 0);
    CHECK(has(planned.out, "the acceleration is REVERSED"));
    CHECK(has(planned.out, "the outcome stands"));
}

TEST_CASE("topple import of a record's own recording is complete without what was appended to the record") {
    const TemporaryFolder work;
    const std::string out = (work.path() / "run").string();
    const ProgramResult result = run_topple(
        {"import", kExamples + "measured_motion.toml", "--motion", kExamples + "measured_motion.csv", "--out", out});
    INFO(result.out << result.err);
    REQUIRE(done(result));
    CHECK_FALSE(has(result.out, "NOT COMPLETED"));
}

TEST_CASE("topple import takes an acceleration of unknown gain with a displacement beside it, and only then") {
    const TemporaryFolder work;
    const std::vector<std::string> both{"--channel", "time=1,unit=s",          "--channel", "displacement=2,unit=mm",
                                        "--channel", "acceleration=3,unit=any"};
    const Imported imported = import(work, {.signed_gain = 0.3, .unit = "v"}, both);
    INFO(imported.result.err);
    REQUIRE(done(imported.result));
    CHECK(number(imported.summary.at("motion_fusion"), "gain") == Approx(0.3).epsilon(0.01));
    CHECK(imported.summary.at("motion_fusion").at("outcome_sensitivity").at(0).at("motions").size() == 9);
    const Imported alone = import(work, {.signed_gain = 0.3, .unit = "v"},
                                  {"--channel", "time=1,unit=s", "--channel", "acceleration=3,unit=any"});
    CHECK(alone.result.exit_code == 2);
    CHECK(has(alone.result.err, "needs a displacement"));
    CHECK_FALSE(std::filesystem::exists(work.path() / "run"));
}
