// Symmetries of a test on a table of two axes that are equal.
#include <cmath>
#include <numbers>
#include <random>

#include "hil/experiment/axis_motions.hpp"
#include "hil/plan/motion_plan.hpp"
#include "hil/plan/prediction.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;
using hil::experiment::Experiment;

namespace {

constexpr double kPi = std::numbers::pi;

Experiment sine(double amplitude_m_s2, double frequency_hz) {
    Experiment experiment;
    experiment.name = "symmetry";
    experiment.specimens = {test::b6l()};
    experiment.excitation.type = "sine";
    experiment.excitation.amplitude_m_s2 = amplitude_m_s2;
    experiment.excitation.angular_frequency_rad_s = 2 * kPi * frequency_hz;
    experiment.excitation.motion = solver::sine_acceleration(amplitude_m_s2, 2 * kPi * frequency_hz);
    experiment.excitation.table_motion = experiment.excitation.motion;
    experiment.table.description = firmware_iface::quanser_st_iii();
    return experiment;
}

Experiment turned(Experiment experiment, double direction_rad, double plane_rad) {
    experiment.table.description.y = experiment.table.description;
    experiment.direction_rad = direction_rad;
    experiment.plane_angle_rad = {plane_rad};
    return experiment;
}

solver::Prediction predicted(const Experiment& experiment) {
    return hil::plan::predict_experiment(experiment, {}).specimens.at(0).prediction;
}

}  // namespace

TEST_CASE("In the plane of its motion a specimen does what it does on one axis, whatever the direction") {
    const tests::RandomRuns runs(41, 20);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> angle(-kPi, kPi), amplitude(1.0, 8.0), frequency(2.0, 8.0);
    for (int i = 0; i < runs.count(); ++i) {
        const Experiment one = sine(amplitude(random), frequency(random));
        const double direction_rad = angle(random);
        const solver::Prediction on_x = predicted(one), on_both = predicted(turned(one, direction_rad, direction_rad));
        CHECK(on_both.outcome == on_x.outcome);
        CHECK(on_both.peak_rotation_rad == on_x.peak_rotation_rad);  // the same bits
        CHECK(on_both.impacts.size() == on_x.impacts.size());
        // What the axes do adds up to the motion again.
        const auto axes = hil::experiment::axis_motions(turned(one, direction_rad, direction_rad));
        const auto sum = hil::experiment::motion_along(axes, direction_rad);
        const auto across = hil::experiment::motion_along(axes, direction_rad + 0.5 * kPi);
        for (const double share : {0.1, 0.33, 0.8}) {
            const double t = share * one.excitation.motion.end_s();
            CHECK(sum.at(t).acceleration_m_s2 == Approx(one.excitation.motion.at(t).acceleration_m_s2).margin(1e-9));
            CHECK(across.at(t).acceleration_m_s2 == Approx(0.0).margin(1e-9));
        }
    }
}

TEST_CASE("The opposite direction is the mirrored test, and a plane between is the motion times its cosine") {
    const tests::RandomRuns runs(42, 20);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> angle(-1.5, 1.5), amplitude(1.0, 8.0), frequency(2.0, 8.0);
    for (int i = 0; i < runs.count(); ++i) {
        const double a = amplitude(random), f = frequency(random), between_rad = angle(random);
        const solver::Prediction there = predicted(turned(sine(a, f), 0.0, 0.0)),
                                 back = predicted(turned(sine(a, f), kPi, 0.0));
        CHECK(back.outcome == there.outcome);
        CHECK(back.peak_rotation_rad.at(0) == Approx(there.peak_rotation_rad.at(0)).epsilon(1e-9));
        if (there.direction) CHECK(back.direction != there.direction);

        const solver::Prediction aside = predicted(turned(sine(a, f), 0.3, 0.3 + between_rad)),
                                 weaker = predicted(sine(a * std::cos(between_rad), f));
        CHECK(aside.outcome == weaker.outcome);
        CHECK(aside.peak_rotation_rad.at(0) == Approx(weaker.peak_rotation_rad.at(0)).epsilon(1e-6).margin(1e-9));
    }
}

TEST_CASE("The plan of a turned motion reaches cosine and sine of what one axis reaches") {
    const auto one = hil::plan::plan_motion(sine(3.0, 4.0)),
               both = hil::plan::plan_motion(turned(sine(3.0, 4.0), 0.6, 0.6));
    REQUIRE(both.profile_y);
    CHECK(both.feasibility.feasible());
    CHECK(both.profile.start_position_m == Approx(one.profile.start_position_m * std::cos(0.6)));
    CHECK(both.profile_y->start_position_m == Approx(one.profile.start_position_m * std::sin(0.6)));
    const auto samples = hil::plan::sample_axes(both.axes(), 500.0);
    REQUIRE(samples.size() == 2);
    CHECK(samples[0].size() == samples[1].size());
    CHECK(hil::plan::motion_csv(samples).starts_with(
        "time_s,position_x_m,velocity_x_m_s,acceleration_x_m_s2,position_y_m,velocity_y_m_s,acceleration_y_m_s2\n"));
}
