#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/compare/identify.hpp"
#include "hil/compare/tracking.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using namespace topple::hil::experiment;
using tests::SyntheticRun;

namespace {

IdentifiedExcitation identified(const SyntheticRun& run) {
    return identify_excitation(identify_achieved_motion(tests::record(run), run.experiment.table.description),
                               run.experiment.excitation);
}

// The sine of the experiment clipped at `share` of its peak, from rest to (nearly) rest, by straight lines.
solver::BaseMotion clipped_sine(double share) {
    std::vector<double> time_s, acceleration;
    for (int i = 0; i <= 500; ++i) {
        time_s.push_back(0.25 * i / 500.0 + 0.004);
        acceleration.push_back(
            std::clamp(3.0 * std::sin(8.0 * std::numbers::pi * 0.25 * i / 500.0), -3.0 * share, 3.0 * share));
    }
    return solver::sampled_acceleration(time_s, acceleration);
}

}  // namespace

TEST_CASE("Amplitude, frequency and delay of a sine are fitted to better than half a percent") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.achieved = solver::sine_acceleration(2.85, 2.0 * std::numbers::pi * 4.1).shifted(0.007);
    const IdentifiedExcitation result = identified(run);
    REQUIRE(result.evaluated);
    CHECK(*result.amplitude_m_s2 == Approx(2.85).epsilon(0.005));
    CHECK(*result.frequency_hz == Approx(4.1).epsilon(0.005));
    CHECK(result.delay_s == Approx(0.007).margin(5e-4));
    CHECK(result.residual_ratio < 0.1);
    CHECK_FALSE(result.double_constant);
    CHECK_FALSE(result.sign_reversed);
}

TEST_CASE("A platen that moves the other way is called sign reversed, not a poor match") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.scale = -1.0;
    const IdentifiedExcitation result = identified(run);
    CHECK(result.sign_reversed);
    CHECK(*result.amplitude_m_s2 == Approx(3.0).epsilon(0.01));
}

TEST_CASE("Flattened peaks are called a double constant, full ones are not") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.achieved = clipped_sine(0.75);
    CHECK(identified(run).double_constant);
    run.achieved = clipped_sine(0.97);
    CHECK_FALSE(identified(run).double_constant);
}

TEST_CASE("A test without base motion has no identified excitation") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.experiment.excitation = Excitation{};
    CHECK_FALSE(identified(run).evaluated);
}

TEST_CASE("Tracking finds the error, the lag and the loss of peak acceleration") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.scale = 0.95;
    run.delay_s = 0.006;
    const AchievedMotion motion = identify_achieved_motion(tests::record(run), run.experiment.table.description);
    const Tracking tracking = assess_tracking(motion, 0.25);
    REQUIRE(tracking.evaluated);
    CHECK(tracking.lag_s == Approx(0.006).margin(5e-4));
    CHECK(tracking.acceleration_peak_error_ratio == Approx(-0.05).margin(0.02));
    CHECK(tracking.velocity_peak_error_ratio == Approx(-0.05).margin(0.01));
    double worst = 0.0;
    const solver::BaseMotion& planned = run.experiment.excitation.planned_motion();
    for (double t = 0.0; t < 0.35; t += 0.002)
        worst = std::max(worst, std::abs(0.95 * planned.at(t - 0.006).displacement_m - planned.at(t).displacement_m));
    CHECK(tracking.displacement_peak_error_m == Approx(worst).margin(5e-6));
    CHECK_FALSE(tracking.sign_reversed);
}

TEST_CASE("A wave quicker than the measurement of the platen shows has no amplitude and no frequency") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.experiment.excitation.angular_frequency_rad_s = 2.0 * std::numbers::pi * 1000.0;
    const IdentifiedExcitation result = identified(run);
    CHECK(result.above_bandwidth);
    CHECK_FALSE(result.evaluated);
    CHECK_FALSE(result.amplitude_m_s2.has_value());
    CHECK_FALSE(result.frequency_hz.has_value());
}

TEST_CASE(
    "A record whose content lies above the bandwidth is not identified, one that holds some of it is remarked on") {
    const auto of_mix = [](double slow_m_s2, double quick_m_s2) {
        std::vector<double> time_s, acceleration_m_s2;
        for (int i = 0; i <= 4000; ++i) {
            const double t = 2.0 * i / 4000.0, window = std::pow(std::sin(std::numbers::pi * t / 2.0), 2);
            time_s.push_back(t);
            acceleration_m_s2.push_back(window * (slow_m_s2 * std::sin(2 * std::numbers::pi * 4.0 * t) +
                                                  quick_m_s2 * std::sin(2 * std::numbers::pi * 150.0 * t)));
        }
        SyntheticRun run{.experiment = tests::b6l_sine()};
        Excitation& excitation = run.experiment.excitation;
        excitation = Excitation{};
        excitation.type = "record";
        excitation.motion = solver::sampled_acceleration(time_s, acceleration_m_s2);
        excitation.table_motion = excitation.motion;
        return identified(run);
    };
    const IdentifiedExcitation half = of_mix(3.0, 1.0);
    CHECK(half.evaluated);
    CHECK(half.unseen_ratio == Approx(0.1).epsilon(0.05));  // 1 of 1 + 9
    const IdentifiedExcitation quick = of_mix(0.5, 3.0);
    CHECK(quick.above_bandwidth);
    CHECK_FALSE(quick.evaluated);
    CHECK(quick.why_not.find("above the 60 Hz") != std::string::npos);
    CHECK(of_mix(3.0, 0.0).unseen_ratio < 0.01);
}
