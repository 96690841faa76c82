#include "hil/compare/accelerometer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/signal/statistics.hpp"
#include "hil/signal/zero_phase.hpp"

namespace topple::hil::compare {
namespace {

using signal::EvenGrid;
using signal::Samples;

struct Match {
    double delay_s = 0.0, gain = 1.0, correlation = 0.0;
};

// Correlation (about zero: both are accelerations from rest) of the encoder at t and the accelerometer at t +
// delay.
Match match_at(double delay_s, const EvenGrid& grid, std::span<const double> encoder,
               std::span<const double> measured) {
    double product = 0.0, encoder_square = 0.0, measured_square = 0.0;
    for (std::size_t i = 0; i < grid.count; ++i) {
        const double later = signal::interpolate(grid, measured, grid.time_s(i) + delay_s);
        product += encoder[i] * later;
        encoder_square += encoder[i] * encoder[i];
        measured_square += later * later;
    }
    const double scale = std::sqrt(encoder_square * measured_square);
    return {delay_s, measured_square > 0.0 ? product / measured_square : 1.0, scale > 0.0 ? product / scale : 0.0};
}

Match best_match(const EvenGrid& grid, std::span<const double> encoder, std::span<const double> measured) {
    const double step_s = 0.25 * std::min(grid.step_s, 0.002);
    const int reach = static_cast<int>(std::round(kAccelerometerDelayMax_s / step_s));
    Match best;
    for (int i = -reach; i <= reach; ++i) {
        const Match match = match_at(i * step_s, grid, encoder, measured);
        if (std::abs(match.correlation) > std::abs(best.correlation)) best = match;
    }
    const double before = std::abs(match_at(best.delay_s - step_s, grid, encoder, measured).correlation);
    const double after = std::abs(match_at(best.delay_s + step_s, grid, encoder, measured).correlation);
    const double bend = before - 2.0 * std::abs(best.correlation) + after;
    if (bend < 0.0) return match_at(best.delay_s + 0.5 * step_s * (before - after) / bend, grid, encoder, measured);
    return best;
}

// The level at which the sensor clips: it repeats its extreme reading, while the encoder's peak is clearly higher.
// A coarse sensor repeats its peak too, but reaches it.
double clip_level_m_s2(const Samples& accelerometer, double encoder_peak_m_s2) {
    const auto& values = accelerometer.value;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    for (const double extreme : {*low, *high}) {
        if (std::abs(extreme) * kAccelerometerClipped_ratio > encoder_peak_m_s2) continue;
        std::size_t run = 0;
        for (const double value : values) {
            run = value == extreme ? run + 1 : 0;
            if (run >= kAccelerometerClippedSamples) return std::abs(extreme);
        }
    }
    return 0.0;
}

void judge(AccelerometerAssessment& a, double clip_m_s2) {
    if (a.correlation < -kAccelerometerCorrelationMin)
        a.remark =
            fmt::format("accelerometer sign reversed (correlation with the encoder {:.3f}): not used", a.correlation);
    else if (a.correlation < kAccelerometerCorrelationMin)
        a.remark =
            fmt::format("accelerometer does not follow the encoder (correlation {:.3f}): not used", a.correlation);
    else if (clip_m_s2 > 0.0)
        a.remark = fmt::format("accelerometer saturates at {:.2f} m/s2 (after its bias): not used", clip_m_s2);
    else if (std::abs(a.gain - 1.0) > kAccelerometerGainError_ratio)
        a.remark =
            fmt::format("accelerometer scale is wrong by a factor of {:.3f} against the encoder: not used", a.gain);
    else
        a.used = true;
}

}  // namespace

void remove_rest_reading(Samples& samples, const MotionWindow& window, AccelerometerAssessment& assessment) {
    if (!window.has_rest()) return;
    const std::vector<double> resting = within(samples.time_s, samples.value, window.rest_start_s, window.rest_end_s);
    if (resting.size() < 10) return;
    assessment.bias_m_s2 = signal::mean(resting);
    assessment.noise_m_s2 = signal::standard_deviation(resting);
    for (double& value : samples.value) value -= assessment.bias_m_s2;
}

void compare_with_encoder(const Samples& accelerometer, const EvenGrid& grid, std::span<const double> encoder_m_s2,
                          AccelerometerAssessment& assessment) {
    if (accelerometer.time_s.size() < 8) {
        assessment.remark = "accelerometer has no usable samples: not used";
        return;
    }
    const double rate_hz = 1.0 / grid.step_s;
    const std::vector<double> encoder = signal::zero_phase_low_pass(encoder_m_s2, rate_hz, kAccelerometerBand_hz);
    const std::vector<double> measured =
        signal::zero_phase_low_pass(signal::resample_linear(accelerometer, grid), rate_hz, kAccelerometerBand_hz);
    const double quiet_m_s2 = std::max(0.05, 5.0 * assessment.noise_m_s2);
    if (signal::largest_magnitude(encoder) < quiet_m_s2) {
        assessment.used = true;
        return;
    }
    const Match match = best_match(grid, encoder, measured);
    assessment.delay_s = match.delay_s;
    assessment.gain = match.gain;
    assessment.correlation = match.correlation;
    judge(assessment, clip_level_m_s2(accelerometer, signal::largest_magnitude(encoder)));
}

}  // namespace topple::hil::compare
