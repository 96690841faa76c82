// What the device makes of the setpoints is the profile: a quintic through position, velocity and acceleration of both
// neighbours reproduces every waveform.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "controller/profile/profile.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;
using firmware_iface::AxisSetpoint;
using firmware_iface::Setpoint;

namespace {

constexpr double kTwoPi = 6.283185307179586;

/// Position and acceleration of the quintic between two knots at tau after the first, independent of the device's code.
struct Interpolated {
    double position_m, acceleration_m_s2;
};
Interpolated quintic(const Setpoint& from, const Setpoint& to, double tau_s) {
    const double h = static_cast<double>(to.device_time_us - from.device_time_us) * 1e-6;
    const AxisSetpoint a = from.axes[0], b = to.axes[0];
    const double gap = b.position_m - (a.position_m + h * (a.velocity_m_s + h * a.acceleration_m_s2 / 2));
    const double gap_v = (b.velocity_m_s - (a.velocity_m_s + h * a.acceleration_m_s2)) * h;
    const double gap_a = (b.acceleration_m_s2 - a.acceleration_m_s2) * h * h;
    const double c3 = 10 * gap - 4 * gap_v + gap_a / 2, c4 = -15 * gap + 7 * gap_v - gap_a;
    const double c5 = 6 * gap - 3 * gap_v + gap_a / 2;
    const double s = tau_s / h;
    return {a.position_m + tau_s * (a.velocity_m_s + tau_s * a.acceleration_m_s2 / 2) +
                s * s * s * (c3 + s * (c4 + s * c5)),
            a.acceleration_m_s2 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5)) / (h * h)};
}

struct Worst {
    double position_m = 0.0, acceleration_m_s2 = 0.0;
};

Worst interpolation_error(const controller::Profile& profile) {
    const std::uint64_t start_us = 123'456'789;
    const auto knots = controller::setpoints(profile, start_us, 2000);
    Worst worst;
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
        REQUIRE(knots[i + 1].device_time_us >= knots[i].device_time_us);
        if (knots[i + 1].device_time_us == knots[i].device_time_us) continue;
        REQUIRE(knots[i + 1].device_time_us - knots[i].device_time_us <= 2501);
        const double h = static_cast<double>(knots[i + 1].device_time_us - knots[i].device_time_us) * 1e-6;
        const double t0 = static_cast<double>(knots[i].device_time_us - start_us) * 1e-6;
        for (double part : {0.01, 0.25, 0.5, 0.75, 0.99}) {
            const Interpolated got = quintic(knots[i], knots[i + 1], part * h);
            const auto wanted = profile.at(t0 + part * h);
            worst.position_m = std::max(worst.position_m, std::abs(got.position_m - wanted.displacement_m));
            worst.acceleration_m_s2 =
                std::max(worst.acceleration_m_s2, std::abs(got.acceleration_m_s2 - wanted.acceleration_m_s2));
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("sines and cosines of 25 m/s2 come out of the device's quintic within 0.1 micrometre") {
    const topple::tests::RandomRuns runs(17, 60);
    std::mt19937 random(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        const double f = std::uniform_real_distribution<double>(2.0, 20.0)(random);
        const double w = kTwoPi * f;
        INFO("frequency " << f << " Hz");
        const Worst sine = interpolation_error(controller::place(solver::sine_acceleration(25.0, w, 1 + i % 3), true));
        CHECK(sine.position_m < 1e-7);
        CHECK(sine.acceleration_m_s2 < 0.05);
        const Worst cosine = interpolation_error(controller::place(solver::cosine_acceleration(25.0, w), true));
        CHECK(cosine.position_m < 1e-7);
        CHECK(cosine.acceleration_m_s2 < 0.1);
    }
}

TEST_CASE("jumps at any time, also next to a grid time, disturb the interpolated acceleration by less than 0.1 m/s2") {
    const topple::tests::RandomRuns runs(19, 200);
    std::mt19937 random(runs.seed());
    for (int i = 0; i < runs.count(); ++i) {
        const double duration = 0.05 + 1e-6 * std::uniform_real_distribution<double>(-3.0, 3.0)(random);
        INFO("duration " << duration << " s");
        const Worst worst =
            interpolation_error(controller::place(solver::constant_acceleration_and_stop(20.0, duration, 24.7), true));
        CHECK(worst.position_m < 1e-7);
        CHECK(worst.acceleration_m_s2 < 0.1);
    }
}

TEST_CASE("a record at 200 Hz comes out within a micrometre and a harmonic within 0.1") {
    std::vector<double> times, samples;
    const topple::tests::RandomRuns runs(23);
    std::mt19937 random(runs.seed());
    for (int i = 0; i <= 100; ++i)
        times.push_back(0.005 * i), samples.push_back(std::normal_distribution<double>(0, 5)(random));
    samples.front() = samples.back() = 0.0;
    auto record = solver::sampled_acceleration(times, samples);
    const double drift = record.at(record.end_s()).velocity_m_s;
    record = record.then(solver::constant_acceleration(-drift / 0.1, 0.1));
    CHECK(interpolation_error(controller::place(record, true)).position_m < 1e-6);
    CHECK(interpolation_error(controller::place(solver::harmonic_displacement(0.01, 40.0, 1.5, 6.0), true)).position_m <
          1e-7);
}
