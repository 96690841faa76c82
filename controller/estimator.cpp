#include "controller/estimator.hpp"

#include <Eigen/QR>
#include <cmath>
#include <stdexcept>

namespace topple::controller {
namespace {

constexpr int kDegree = 7;                        // keeps 40 Hz within 1 % over a window of 20 ms
constexpr double kAccelerometerNoise_m_s2 = 0.1;  // noise plus gain error of a table's sensor; bounds its weight
constexpr double kTwoPi = 6.283185307179586;

}  // namespace

double encoder_position_m(const firmware_iface::MachineDescription& machine, std::int64_t count) noexcept {
    return machine.encoder_sign * static_cast<double>(count) / machine.counts_per_m;
}

MotionEstimator::MotionEstimator(const firmware_iface::MachineDescription& machine, std::size_t axis)
    : machine_(axis_of(machine, axis)), axis_(axis), period_s_(1.0 / machine.feedback_rate_hz) {
    if (!(std::isfinite(period_s_) && period_s_ > 0.0))
        throw std::invalid_argument("estimator: the feedback rate is not a positive number");
    if (!(std::isfinite(machine_.counts_per_m) && machine_.counts_per_m > 0.0))
        throw std::invalid_argument("estimator: counts per metre is not a positive number");
    const double quantisation_m = 1.0 / (std::sqrt(12.0) * machine_.counts_per_m);  // of a uniform error of one count
    both_ = design(period_s_, quantisation_m, true);
    encoder_only_ = design(period_s_, quantisation_m, false);
}

/// Rows: positions and second derivatives of sum_k c_k u^k at u = -1 .. 1 (u = t / half window), each over its noise.
/// The pseudo-inverse then gives c_0, c_1 and c_2 as weighted sums of the samples.
MotionEstimator::Filter MotionEstimator::design(double period_s, double position_noise_m, bool with_accelerometer) {
    constexpr int kRows = static_cast<int>(kWindow), kTerms = kDegree + 1;
    const double half_s = static_cast<double>(kDelaySamples) * period_s;
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(with_accelerometer ? 2 * kRows : kRows, kTerms);
    for (int i = 0; i < kRows; ++i) {
        const double u = (i - static_cast<int>(kDelaySamples)) / static_cast<double>(kDelaySamples);
        for (int k = 0; k < kTerms; ++k) {
            rows(i, k) = std::pow(u, k) / position_noise_m;
            if (with_accelerometer && k >= 2)
                rows(kRows + i, k) = k * (k - 1) * std::pow(u, k - 2) / (half_s * half_s * kAccelerometerNoise_m_s2);
        }
    }
    const Eigen::VectorXd column_scale = rows.colwise().norm().cwiseInverse();
    const Eigen::MatrixXd scaled = rows * column_scale.asDiagonal();
    const Eigen::MatrixXd inverse =
        column_scale.asDiagonal() * scaled.completeOrthogonalDecomposition().pseudoInverse();
    const auto weights = [&](int term, double factor) {
        Weights result;
        for (int i = 0; i < kRows; ++i) {
            result.position[i] = factor * inverse(term, i) / position_noise_m;
            if (with_accelerometer)
                result.acceleration[i] = factor * inverse(term, kRows + i) / kAccelerometerNoise_m_s2;
        }
        return result;
    };
    return {weights(0, 1.0), weights(1, 1.0 / half_s), weights(2, 2.0 / (half_s * half_s))};
}

std::optional<double> MotionEstimator::true_acceleration_m_s2(const firmware_iface::Feedback& feedback) const noexcept {
    const auto& reported = axis_ == 0 ? feedback.acceleration_x_m_s2 : feedback.acceleration_y_m_s2;
    if (!reported || !std::isfinite(*reported)) return std::nullopt;
    return machine_.accelerometer_sign * machine_.accelerometer_scale * *reported;
}

void MotionEstimator::observe_rest(const firmware_iface::Feedback& feedback) noexcept {
    const std::optional<double> reading = true_acceleration_m_s2(feedback);
    if (!reading) return;
    ++rest_.sample_count;
    const double before = *reading - rest_.bias_m_s2;
    rest_.bias_m_s2 += before / static_cast<double>(rest_.sample_count);
    rest_squares_ += before * (*reading - rest_.bias_m_s2);
}

RestReading MotionEstimator::rest() const noexcept {
    RestReading reading = rest_;
    if (rest_.sample_count > 1)
        reading.noise_m_s2 = std::sqrt(rest_squares_ / static_cast<double>(rest_.sample_count - 1));
    return reading;
}

bool MotionEstimator::bias_acceptable() const noexcept {
    return std::abs(rest_.bias_m_s2) <= machine_.accelerometer_offset_max_m_s2;
}

const MotionEstimator::Sample& MotionEstimator::sample(std::size_t age_from_oldest) const noexcept {
    return ring_[(next_ + age_from_oldest) % kWindow];
}

double MotionEstimator::apply(const Weights& weights, bool with_accelerometer) const noexcept {
    // Positions are taken relative to the middle one: the weights of derivatives cancel it, rounding would not.
    const double middle_m = sample(kDelaySamples).position_m;
    double sum = 0.0;
    for (std::size_t i = 0; i < kWindow; ++i) {
        sum += weights.position[i] * (sample(i).position_m - middle_m);
        if (with_accelerometer) sum += weights.acceleration[i] * (*sample(i).acceleration_m_s2 - rest_.bias_m_s2);
    }
    return sum;
}

std::optional<MotionEstimate> MotionEstimator::update(const firmware_iface::Feedback& feedback) noexcept {
    if (filled_ > 0) {
        const std::uint64_t newest_us = sample(kWindow - 1).device_time_us;
        if (feedback.device_time_us == newest_us) return std::nullopt;
        const double step_s = (static_cast<double>(feedback.device_time_us) - static_cast<double>(newest_us)) * 1e-6;
        if (std::abs(step_s - period_s_) > 0.25 * period_s_) filled_ = 0;
    }
    ring_[next_] = {feedback.device_time_us, encoder_position_m(machine_, feedback.axes[axis_].encoder_count),
                    true_acceleration_m_s2(feedback)};
    next_ = (next_ + 1) % kWindow;
    if (filled_ < kWindow) ++filled_;
    if (filled_ < kWindow) return std::nullopt;

    bool with_accelerometer = rest_.sample_count > 0;  // without a known bias the sensor would pull the estimate aside
    for (const Sample& one : ring_) with_accelerometer = with_accelerometer && one.acceleration_m_s2.has_value();
    const Filter& filter = with_accelerometer ? both_ : encoder_only_;
    const Sample& middle = sample(kDelaySamples);
    return MotionEstimate{middle.device_time_us, middle.position_m + apply(filter.position, with_accelerometer),
                          apply(filter.velocity, with_accelerometer), apply(filter.acceleration, with_accelerometer)};
}

double MotionEstimator::acceleration_gain(double frequency_hz, bool with_accelerometer) const noexcept {
    const Weights& weights = (with_accelerometer ? both_ : encoder_only_).acceleration;
    const double w = kTwoPi * frequency_hz;
    double gain = 0.0;
    for (std::size_t i = 0; i < kWindow; ++i) {
        const double phase = w * period_s_ * (static_cast<double>(i) - static_cast<double>(kDelaySamples));
        // cos(phase) - 1: the constant displacement drops out of the weights, and small w keeps its digits.
        const double shape = -2.0 * std::pow(std::sin(0.5 * phase), 2);
        gain += -weights.position[i] * shape / (w * w) + weights.acceleration[i] * std::cos(phase);
    }
    return gain;
}

double MotionEstimator::bandwidth_hz(bool with_accelerometer) const noexcept {
    const double nyquist_hz = 0.5 / period_s_, step_hz = nyquist_hz / 1000.0;
    for (double f = step_hz; f < nyquist_hz; f += step_hz)
        if (std::abs(acceleration_gain(f, with_accelerometer)) < std::sqrt(0.5)) return f;
    return nyquist_hz;
}

}  // namespace topple::controller
