#include "hil/plan/motion_plan.hpp"

#include <cmath>
#include <numbers>

#include "hil/drive/run_plan.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

hil::experiment::Experiment example(const std::string& name) {
    return hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples" / name);
}

}  // namespace

TEST_CASE("A planned motion starts and ends at rest on the table, at the feedback rate") {
    const hil::plan::MotionPlan plan = hil::plan::plan_motion(example("b6l_sine.toml"));
    const std::vector<hil::plan::MotionSample> samples = hil::plan::sample_motion(plan.profile, 500.0);
    REQUIRE(samples.size() == 126);  // 0.25 s and both ends
    CHECK(samples.front().time_s == 0.0);
    CHECK(samples.front().position_m == plan.profile.start_position_m);
    CHECK(samples.back().time_s == Approx(0.25));
    CHECK(std::abs(samples.back().velocity_m_s) < 1e-9);
    CHECK(samples[62].acceleration_m_s2 > 0.0);
    CHECK(samples[63].acceleration_m_s2 < 0.0);
}

TEST_CASE("A step of acceleration is two rows at one time, also off the grid") {
    const hil::plan::MotionPlan plan = hil::plan::plan_motion(example("b6l_cosine.toml"));
    const std::vector<hil::plan::MotionSample> samples = hil::plan::sample_motion(plan.profile, 500.0);
    CHECK(samples[0].acceleration_m_s2 == 0.0);
    CHECK(samples[1].acceleration_m_s2 == Approx(4.0));
    CHECK(samples[1].time_s == samples[0].time_s);
    const hil::plan::MotionSample& last = samples.back();
    const hil::plan::MotionSample& before = samples[samples.size() - 2];
    CHECK(last.time_s == before.time_s);  // 1/3 s is no multiple of 2 ms
    CHECK(last.time_s == Approx(1.0 / 3.0));
    CHECK(before.acceleration_m_s2 == Approx(4.0));
    CHECK(last.acceleration_m_s2 == 0.0);
    for (std::size_t i = 1; i < samples.size(); ++i) CHECK(samples[i].time_s >= samples[i - 1].time_s);
}

TEST_CASE("A table at rest has a plan of one row") {
    const hil::plan::MotionPlan plan = hil::plan::plan_motion(example("free_rocking.toml"));
    CHECK(hil::plan::sample_motion(plan.profile, 500.0).size() == 1);
    CHECK(plan.feasibility.feasible());
}

TEST_CASE("A motion that does not end at rest is refused with the reason") {
    hil::experiment::Experiment experiment = example("constant_pulse.toml");
    experiment.excitation.table_motion.reset();
    experiment.excitation.table_motion_missing = "needs deceleration";
    CHECK_THROWS_WITH(hil::plan::plan_motion(experiment), experiment.source.string() + ": needs deceleration");
}

TEST_CASE("A file is whole or not there, and is not overwritten unasked") {
    const tests::TemporaryFolder folder;
    const auto file = folder.path() / "a.txt";
    hil::files::write_file(file, "one");
    CHECK_THROWS_AS(hil::files::write_file(file, "two"), hil::files::InputError);
    CHECK(tests::content_of(file) == "one");
    hil::files::write_file(file, "two", hil::files::Overwrite::allow);
    CHECK(tests::content_of(file) == "two");
    CHECK_THROWS_AS(hil::files::write_file(folder.path() / "none" / "a.txt", "x"), hil::files::OutputError);
    CHECK_THROWS_AS(hil::files::write_file("/dev/full", "x"), hil::files::OutputError);
    CHECK_THROWS_AS(hil::files::write_file(folder.path(), "x"), hil::files::InputError);
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++count;
    CHECK(count == 1);
}

TEST_CASE("Advice for a motion that the table cannot make fits the motion, and following it suffices") {
    hil::experiment::Experiment experiment = example("b6l_sine.toml");
    const auto advice = [&](const char* name) -> std::string {
        for (const auto& check : hil::plan::plan_motion(experiment).feasibility.checks)
            if (check.name == name && !check.passed) return check.advice;
        return "passed";
    };
    const auto set_sine = [&](double amplitude_m_s2, double frequency_hz) {
        const double w = 2.0 * std::numbers::pi * frequency_hz;
        experiment.excitation.motion = solver::sine_acceleration(amplitude_m_s2, w, 1.0);
        experiment.excitation.table_motion = experiment.excitation.motion;
    };
    set_sine(3.0, 1.0);  // ends 0.477 m away: half of it is too far even if centred
    CHECK(advice("stroke").starts_with("lower amplitude_m_s2 to 0.44"));
    CHECK(advice("stroke").find("raise frequency_hz to 1.5") != std::string::npos);
    set_sine(3.0 * 0.44, 1.0);
    CHECK(advice("stroke") == "passed");
    set_sine(3.0, 1.6);  // 0.186 m: centred it fits
    experiment.table.centre = false;
    CHECK(advice("stroke").starts_with("centre the motion"));
    experiment.table.centre = true;
    CHECK(advice("stroke") == "passed");
    experiment.excitation.type = "harmonic";
    experiment.excitation.motion = solver::harmonic_displacement(0.2, 2.0, 1.0, 4.0);
    experiment.excitation.table_motion = experiment.excitation.motion;
    CHECK(advice("stroke").starts_with("lower displacement_m to 0.52"));
    CHECK(advice("stroke").find("frequency") == std::string::npos);  // it does not change the way
    CHECK(advice("stroke with room to stop") == "lower displacement_m; a stop there would leave the stroke");
    experiment.excitation.type = "record";
    CHECK(advice("stroke").starts_with("lower scale to 0.52"));
}

TEST_CASE("A specimen on a seat so steep that it does not stand is refused before anything moves") {
    hil::experiment::Experiment experiment = example("b6l_sine.toml");
    experiment.specimens.front().initial_tilt_rad = 0.25;
    CHECK_THROWS_AS(hil::plan::plan_motion(experiment), hil::files::InputError);
}

TEST_CASE("Who brings a table back by hand learns whether that is gentle for what stands on it") {
    hil::drive::PositioningLimits positioning;  // nothing on the table, or nothing that lifts off below 2.5 m/s2
    CHECK(hil::drive::return_advice(positioning).text() == "`topple table move 0` (of two axes `move 0 0`) returns it");
    positioning.acceleration_m_s2 = 0.2;
    CHECK(hil::drive::return_advice(positioning)
              .text()
              .starts_with("take the specimens off, then `topple table move 0`"));
    CHECK(hil::drive::return_advice(positioning).text().find("0.20 m/s2") != std::string::npos);
}
