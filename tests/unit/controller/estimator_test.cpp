#include "controller/estimator.hpp"

#include <cmath>
#include <optional>
#include <random>
#include <stdexcept>

#include "solver/motion/base_motion.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;
using controller::MotionEstimate;
using controller::MotionEstimator;
using firmware_iface::Feedback;

namespace {

constexpr double kTwoPi = 6.283185307179586;

/// A table whose sensors see a given motion, with everything a real one adds.
struct Sensors {
    firmware_iface::MachineDescription machine = firmware_iface::quanser_st_iii();
    double bias_m_s2 = 0.2, noise_m_s2 = 0.05, gain = 1.0;
    bool accelerometer = true;
    tests::RandomRuns runs{29};
    std::mt19937 random{runs.seed()};

    Feedback read(std::uint64_t time_us, const solver::BaseState& state) {
        Feedback feedback;
        feedback.device_time_us = time_us;
        feedback.axes[0].encoder_count =
            std::llround(machine.encoder_sign * state.displacement_m * machine.counts_per_m);
        const double noise = std::normal_distribution<double>(0.0, noise_m_s2)(random);
        if (accelerometer)
            feedback.acceleration_x_m_s2 = machine.accelerometer_sign *
                                           (gain * state.acceleration_m_s2 + bias_m_s2 + noise) /
                                           machine.accelerometer_scale;
        return feedback;
    }
};

/// Largest error of acceleration, velocity and position over three sines after a rest of one second.
struct Errors {
    double acceleration_m_s2 = 0.0, velocity_m_s = 0.0, position_m = 0.0;
};
Errors follow(Sensors& sensors, double amplitude_m_s2, double frequency_hz) {
    MotionEstimator estimator(sensors.machine);
    for (std::uint64_t i = 0; i < 500; ++i) estimator.observe_rest(sensors.read(2000 * i, {}));
    const auto motion = solver::sine_acceleration(amplitude_m_s2, kTwoPi * frequency_hz, 3.0).shifted(2.0);
    Errors worst;
    for (std::uint64_t t = 1'000'000; t < 4'000'000; t += 2000) {
        const auto estimate = estimator.update(sensors.read(t, motion.at(static_cast<double>(t) * 1e-6)));
        if (!estimate) continue;
        CHECK(estimate->device_time_us == t - 10'000);
        const auto truth = motion.at(static_cast<double>(estimate->device_time_us) * 1e-6);
        worst.acceleration_m_s2 =
            std::max(worst.acceleration_m_s2, std::abs(estimate->acceleration_m_s2 - truth.acceleration_m_s2));
        worst.velocity_m_s = std::max(worst.velocity_m_s, std::abs(estimate->velocity_m_s - truth.velocity_m_s));
        worst.position_m = std::max(worst.position_m, std::abs(estimate->position_m - truth.displacement_m));
    }
    return worst;
}

}  // namespace

TEST_CASE("the estimate follows a 4 Hz sine in position, velocity and acceleration at its stated time") {
    Sensors sensors;
    const Errors errors = follow(sensors, 3.0, 4.0);
    CHECK(errors.acceleration_m_s2 < 0.1);
    CHECK(errors.velocity_m_s < 1e-3);
    CHECK(errors.position_m < 2e-6);
}

TEST_CASE("signs and scales of encoder and accelerometer are taken out") {
    Sensors sensors;
    sensors.machine.encoder_sign = -1;
    sensors.machine.accelerometer_sign = -1;
    sensors.machine.accelerometer_scale = 9.81;
    sensors.machine.counts_per_m = 2e6;
    CHECK(follow(sensors, 3.0, 4.0).acceleration_m_s2 < 0.1);
    CHECK(controller::encoder_position_m(sensors.machine, 20000) == Approx(-0.01));
}

TEST_CASE("a two per cent gain error of the accelerometer hardly reaches the estimate: the encoder leads") {
    Sensors sensors;
    sensors.noise_m_s2 = 0.0;
    sensors.gain = 1.02;
    CHECK(follow(sensors, 3.0, 4.0).acceleration_m_s2 < 0.06);
}

TEST_CASE("without an accelerometer the encoder alone serves") {
    Sensors sensors;
    sensors.accelerometer = false;
    CHECK(follow(sensors, 3.0, 4.0).acceleration_m_s2 < 0.2);
}

TEST_CASE("bandwidth and flatness are what the description says") {
    const MotionEstimator estimator(firmware_iface::quanser_st_iii());
    CHECK(estimator.delay_s() == Approx(0.010));
    CHECK(estimator.bandwidth_hz() == Approx(84.0).margin(3.0));
    CHECK(estimator.bandwidth_hz(false) == Approx(104.5).margin(3.0));
    for (double f = 0.5; f <= 40.0; f += 0.5) CHECK(estimator.acceleration_gain(f) == Approx(1.0).margin(0.01));
}

TEST_CASE("bias and noise at rest are learnt, and a bias beyond the machine file's limit is reported") {
    Sensors sensors;
    MotionEstimator estimator(sensors.machine);
    CHECK(estimator.rest().sample_count == 0);
    for (std::uint64_t i = 0; i < 2000; ++i) estimator.observe_rest(sensors.read(2000 * i, {}));
    CHECK(estimator.rest().bias_m_s2 == Approx(0.2).margin(0.005));
    CHECK(estimator.rest().noise_m_s2 == Approx(0.05).epsilon(0.1));
    CHECK(estimator.bias_acceptable());
    MotionEstimator wrong(sensors.machine);
    sensors.bias_m_s2 = 9.8;
    wrong.observe_rest(sensors.read(0, {}));
    CHECK_FALSE(wrong.bias_acceptable());
}

TEST_CASE("a gap in the feedback restarts the window and a repeated sample is passed over") {
    Sensors sensors;
    MotionEstimator estimator(sensors.machine);
    std::uint64_t t = 0;
    const auto feed = [&] { return estimator.update(sensors.read(t += 2000, {})); };
    for (int i = 0; i < 10; ++i) CHECK_FALSE(feed());
    CHECK(feed());
    CHECK_FALSE(estimator.update(sensors.read(t, {})));
    CHECK(feed());
    t += 4000;
    for (int i = 0; i < 10; ++i) CHECK_FALSE(feed());
    CHECK(feed());
}

TEST_CASE("a machine that cannot be converted is refused") {
    auto machine = firmware_iface::quanser_st_iii();
    machine.feedback_rate_hz = 0.0;
    CHECK_THROWS_AS(MotionEstimator(machine), std::invalid_argument);
    machine = firmware_iface::quanser_st_iii();
    machine.counts_per_m = 0.0;
    CHECK_THROWS_AS(MotionEstimator(machine), std::invalid_argument);
}
