#include <algorithm>
#include <cmath>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/motion_window.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using namespace topple::hil::run_log;
using tests::SyntheticRun;

namespace {

// Largest difference from the true acceleration away from t = 0 and the end of the motion, m/s2.
double acceleration_error(const SyntheticRun& run, const AchievedMotion& motion) {
    const solver::BaseMotion truth = run.experiment.excitation.planned_motion().scaled(run.scale).shifted(run.delay_s);
    double worst = 0.0;
    for (std::size_t i = 0; i < motion.grid.count; ++i) {
        const double t = motion.grid.time_s(i);
        if (std::abs(t - truth.start_s()) < 0.01 || std::abs(t - truth.end_s()) < 0.01) continue;
        worst = std::max(worst, std::abs(motion.achieved.acceleration_m_s2[i] - truth.at(t).acceleration_m_s2));
    }
    return worst;
}

}  // namespace

TEST_CASE("The achieved acceleration of a noisy single sine is right within 2 percent of its peak") {
    for (const bool accelerometer : {true, false}) {
        SyntheticRun run{.experiment = tests::b6l_sine()};
        run.accelerometer = accelerometer;
        run.scale = 0.97;
        const AchievedMotion motion = identify_achieved_motion(tests::record(run), run.experiment.table.description);
        INFO("accelerometer " << accelerometer);
        REQUIRE_FALSE(motion.empty());
        CHECK(motion.accelerometer.used == accelerometer);
        CHECK(acceleration_error(run, motion) < 0.02 * 3.0);
        CHECK(motion.rest_noise_m_s2 < 0.1);
    }
}

TEST_CASE("Bias, noise, delay and gain of the accelerometer are found and taken out") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.accelerometer_gain = 1.04;
    run.accelerometer_delay_s = 0.003;
    const AchievedMotion motion = identify_achieved_motion(tests::record(run), run.experiment.table.description);
    CHECK(motion.accelerometer.bias_m_s2 == Approx(0.1).margin(0.01));
    CHECK(motion.accelerometer.noise_m_s2 == Approx(0.05).margin(0.01));
    CHECK(motion.accelerometer.delay_s == Approx(0.003).margin(5e-4));
    CHECK(motion.accelerometer.gain == Approx(1.0 / 1.04).epsilon(0.01));
    CHECK(acceleration_error(run, motion) < 0.02 * 3.0);
}

TEST_CASE(
    "The base rests before and after the achieved motion: no drift of velocity, far below the uplift "
    "threshold") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    const AchievedMotion motion = identify_achieved_motion(tests::record(run), run.experiment.table.description);
    const solver::BaseMotion base = motion.base_motion(-0.03);
    for (double t = 0.5; t < 8.9; t += 0.1) {
        CHECK(std::abs(base.at(t).velocity_m_s) < 2e-3);
        CHECK(std::abs(base.at(t).acceleration_m_s2) < 0.2);
    }
    CHECK(base.at(8.9).displacement_m ==
          Approx(run.experiment.excitation.planned_motion().at(1.0).displacement_m).margin(2e-3));
}

TEST_CASE("Positioning before the motion is not part of the test and not of the rest window") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    const MotionWindow window = find_motion_window(tests::record(run));
    CHECK(window.start_s >= -run.rest_s - 1e-9);
    CHECK(window.rest_start_s == Approx(-run.rest_s + kRestSettling_s).margin(0.005));
    CHECK(window.rest_end_s == Approx(-kRestGuard_s));
    CHECK(window.motion_end_s == Approx(0.25));
}

TEST_CASE("Missing, repeated and non-finite samples are dropped, counted and bridged") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    RunData data = tests::record(run);
    const std::size_t start = 750;  // t = 0
    data.feedback[start + 30].acceleration_x_m_s2 = std::nan("");
    data.feedback[start + 40].acceleration_x_m_s2.reset();
    data.feedback.insert(data.feedback.begin() + start + 60, data.feedback[start + 59]);
    data.feedback.erase(data.feedback.begin() + start + 80, data.feedback.begin() + start + 82);
    const AchievedMotion motion = identify_achieved_motion(data, run.experiment.table.description);
    CHECK(motion.encoder_gaps.dropped == 1);
    CHECK(motion.encoder_gaps.gap_count == 1);
    CHECK(motion.encoder_gaps.longest_gap_s == Approx(0.006));
    CHECK(motion.accelerometer_gaps.dropped == 3);
    CHECK(acceleration_error(run, motion) < 0.04 * 3.0);
    CHECK_FALSE(motion.remarks.empty());
}

TEST_CASE("An accelerometer mounted the wrong way round is found and not used") {
    SyntheticRun run{.experiment = tests::b6l_sine()};
    run.accelerometer_gain = -1.0;
    const AchievedMotion motion = identify_achieved_motion(tests::record(run), run.experiment.table.description);
    CHECK_FALSE(motion.accelerometer.used);
    CHECK(motion.accelerometer.remark.find("sign reversed") != std::string::npos);
    CHECK(acceleration_error(run, motion) < 0.02 * 3.0);
}

TEST_CASE("A run without feedback has no achieved motion and says so") {
    const AchievedMotion motion = identify_achieved_motion(RunData{}, firmware_iface::quanser_st_iii());
    CHECK(motion.empty());
    CHECK(motion.remarks.size() == 1);
    CHECK(motion.base_motion(0.0).empty());
}
