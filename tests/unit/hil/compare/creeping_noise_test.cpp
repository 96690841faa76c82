// How quiet the acceleration from the encoder is while the platen creeps at 5 mm/s.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "hil/compare/achieved_motion.hpp"
#include "hil/signal/differences.hpp"
#include "hil/signal/statistics.hpp"
#include "hil/signal/zero_phase.hpp"
#include "tests/support/catch.hpp"

using namespace topple;

namespace {

constexpr double kRate_hz = 500.0, kCounts_per_m = 1e6;
constexpr double kRequired_m_s2 = 0.004;  // rms in 30 Hz

/// Error of the encoder's interpolation within one period of its grating, as the stage of the simulation has it.
struct Interpolation {
    double amplitude_counts = 0.0, period_counts = 1.0;
};

std::vector<double> counted_m(double velocity_m_s, const Interpolation& error) {
    std::vector<double> position_m;
    for (int i = 0; i < 5000; ++i) {
        const double exact = velocity_m_s * i / kRate_hz * kCounts_per_m;
        const double ripple = error.amplitude_counts * std::sin(2.0 * std::numbers::pi * exact / error.period_counts);
        position_m.push_back(std::round(exact + ripple) / kCounts_per_m);
    }
    return position_m;
}

// The ends, where filters see no neighbours, are left out.
double rms_of_middle(const std::vector<double>& values) {
    const auto edge = values.begin() + 500;
    return hil::signal::root_mean_square(std::vector<double>(edge, values.end() - 500));
}

double rms_at_m_s2(double bandwidth_hz, const std::vector<double>& position_m) {
    return rms_of_middle(hil::signal::zero_phase_low_pass(hil::signal::second_difference(position_m, 1.0 / kRate_hz),
                                                          kRate_hz, bandwidth_hz));
}

double rms_of_achieved_motion(const std::vector<double>& position_m) {
    hil::run_log::RunData run;
    for (std::size_t i = 0; i < position_m.size(); ++i) {
        firmware_iface::Feedback feedback;
        feedback.device_time_us = 1'000'000 + 2000 * i;
        feedback.axes[0].encoder_count = std::llround(position_m[i] * kCounts_per_m);
        feedback.state = firmware_iface::DeviceState::running;
        run.feedback.push_back(feedback);
    }
    const auto motion = hil::compare::identify_achieved_motion(run, firmware_iface::quanser_st_iii());
    REQUIRE(motion.bandwidth_hz == hil::compare::kMotionBandwidth_hz);
    return rms_of_middle(motion.achieved.acceleration_m_s2);
}

/// Root mean square over the speeds, and the noisiest speed.
struct Noise {
    double rms_m_s2 = 0.0, worst_m_s2 = 0.0;
};

// Speeds around 5 mm/s: at exactly 10 counts a sample nothing is rounded and nothing would be measured; close to it the
// rounding beats slowly, and the beat is louder than white rounding noise if it falls just below the bandwidth.
template <class Rms>
Noise noise_over_speeds(const Interpolation& error, Rms rms) {
    Noise noise;
    double square = 0.0;
    int count = 0;
    for (double velocity_m_s = 4.75e-3; velocity_m_s < 5.25e-3; velocity_m_s += 5.1e-6, ++count) {
        const double one = rms(counted_m(velocity_m_s, error));
        square += one * one;
        noise.worst_m_s2 = std::max(noise.worst_m_s2, one);
    }
    noise.rms_m_s2 = std::sqrt(square / count);
    return noise;
}

}  // namespace

TEST_CASE("while the platen creeps at 5 mm/s the encoder's acceleration is quiet to 0.004 m/s2 rms in 30 Hz") {
    const Interpolation none, stage{0.4, 20.0};
    for (const Interpolation& error : {none, stage}) {
        const Noise in_30_hz = noise_over_speeds(error, [](const auto& x) { return rms_at_m_s2(30.0, x); });
        INFO("interpolation error of " << error.amplitude_counts << " counts: " << in_30_hz.rms_m_s2 << " m/s2, worst "
                                       << in_30_hz.worst_m_s2);
        CHECK(in_30_hz.rms_m_s2 <= kRequired_m_s2);
        CHECK(in_30_hz.rms_m_s2 > 0.001);                   // white rounding noise of 0.29 um: 0.0016
        CHECK(in_30_hz.worst_m_s2 < 2.0 * kRequired_m_s2);  // at single speeds the requirement is not met
    }
}

TEST_CASE("the achieved motion, 60 Hz wide, is noisier than that at the same speed") {
    const Noise achieved = noise_over_speeds({0.4, 20.0}, [](const auto& x) { return rms_of_achieved_motion(x); });
    INFO(achieved.rms_m_s2 << " m/s2, worst " << achieved.worst_m_s2);
    CHECK(achieved.rms_m_s2 > kRequired_m_s2);
    CHECK(achieved.rms_m_s2 < 0.02);
}
