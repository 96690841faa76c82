#include "hil/signal/response_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::hil::signal {
namespace {

constexpr double kLooksPerPeriod = 60.0;  // a peak between two looks is at most 0.14 % higher

/// One oscillator of unit mass under a base acceleration that is a straight line within each step.
class Oscillator {
  public:
    Oscillator(double angular_frequency_rad_s, double damping_ratio, double step_s)
        : w_(angular_frequency_rad_s), zeta_(damping_ratio), step_s_(step_s) {
        const double damped = w_ * std::sqrt(1.0 - zeta_ * zeta_), decay = std::exp(-zeta_ * w_ * step_s_);
        const double sine = decay * std::sin(damped * step_s_) / damped, cosine = decay * std::cos(damped * step_s_);
        from_position_[0] = cosine + zeta_ * w_ * sine;
        from_position_[1] = -w_ * w_ * sine;
        from_velocity_[0] = sine;
        from_velocity_[1] = cosine - zeta_ * w_ * sine;
    }

    /// One step under a(0) = left, a(step) = right; the particular solution is a straight line too.
    void step(double left, double right) {
        const double slope = -(right - left) / (step_s_ * w_ * w_);
        const double line = -left / (w_ * w_) - 2.0 * zeta_ * slope / w_;
        const double x = x_ - line, v = v_ - slope;
        x_ = from_position_[0] * x + from_velocity_[0] * v + line + slope * step_s_;
        v_ = from_position_[1] * x + from_velocity_[1] * v + slope;
        peak_ = std::max(peak_, std::abs(x_));
    }
    double pseudo_acceleration() const { return w_ * w_ * peak_; }

  private:
    double w_, zeta_, step_s_;
    double from_position_[2], from_velocity_[2];  // what position and velocity become after a step without load
    double x_ = 0.0, v_ = 0.0, peak_ = 0.0;
};

}  // namespace

std::vector<double> response_spectrum(std::span<const double> acceleration, double step_s,
                                      std::span<const double> frequency_hz, double damping_ratio) {
    std::vector<double> spectrum;
    spectrum.reserve(frequency_hz.size());
    for (const double f_hz : frequency_hz) {
        const int parts = std::max(1, static_cast<int>(std::ceil(kLooksPerPeriod * f_hz * step_s)));
        Oscillator oscillator(2.0 * std::numbers::pi * f_hz, damping_ratio, step_s / parts);
        for (std::size_t i = 0; i + 1 < acceleration.size(); ++i) {
            const double rise = (acceleration[i + 1] - acceleration[i]) / parts;
            for (int k = 0; k < parts; ++k)
                oscillator.step(acceleration[i] + k * rise, acceleration[i] + (k + 1) * rise);
        }
        const int after = static_cast<int>(std::ceil(parts / (f_hz * step_s)));
        for (int k = 0; k < after; ++k) oscillator.step(0.0, 0.0);
        spectrum.push_back(oscillator.pseudo_acceleration());
    }
    return spectrum;
}

std::vector<double> frequencies_in_equal_ratios(double low_hz, double high_hz, std::size_t count) {
    std::vector<double> frequencies(count);
    for (std::size_t i = 0; i < count; ++i)
        frequencies[i] =
            count < 2 ? low_hz
                      : low_hz * std::pow(high_hz / low_hz, static_cast<double>(i) / static_cast<double>(count - 1));
    return frequencies;
}

}  // namespace topple::hil::signal
