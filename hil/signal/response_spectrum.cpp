#include "hil/signal/response_spectrum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace topple::hil::signal {
namespace {

/// Oscillators that are carried along at once: their recursions do not wait for one another.
constexpr std::size_t kLanes = 4;
/// A step spans at most this part of a radian of the oscillator; longer ones are divided.
constexpr double kAngleMax_rad = 1.0;

/// What one step of an oscillator of unit mass needs, under a base acceleration that is a straight line within it.
struct Coefficients {
    double w = 0.0, zeta_w = 0.0, damped = 0.0, step_s = 0.0;
    double xx = 0.0, xv = 0.0, vx = 0.0, vv = 0.0;  ///< position and velocity after a step, from those before it
    double xa = 0.0, xb = 0.0, va = 0.0, vb = 0.0;  ///< from the base acceleration at its beginning and end
    double arch_s2 = 0.0;  ///< |x| exceeds its ends by at most this times the larger |acceleration| at the ends

    Coefficients(double angular_frequency_rad_s, double damping_ratio, double step)
        : w(angular_frequency_rad_s),
          zeta_w(damping_ratio * w),
          damped(w * std::sqrt(1 - damping_ratio * damping_ratio)),
          step_s(step) {
        const double decay = std::exp(-zeta_w * step), cosine = decay * std::cos(damped * step),
                     sine = decay * std::sin(damped * step) / damped;
        xx = cosine + zeta_w * sine;
        xv = sine;
        vx = -w * w * sine;
        vv = cosine - zeta_w * sine;
        // Particular solution: x = line + slope t with slope = -(b - a)/(step w^2), line = -a/w^2 - 2 zeta slope/w.
        const double of_slope = 1.0 / (step * w * w), of_line = 2.0 * damping_ratio / w * of_slope;
        const double line_a = -1.0 / (w * w) - of_line, line_b = of_line, slope_a = of_slope, slope_b = -of_slope;
        xa = line_a * (1.0 - xx) + slope_a * (step - xv);
        xb = line_b * (1.0 - xx) + slope_b * (step - xv);
        va = -line_a * vx + slope_a * (1.0 - vv);
        vb = -line_b * vx + slope_b * (1.0 - vv);
        // x'' vibrates freely, as the load has no curvature: over an angle p it is at most its larger end, undamped, by
        // cos(p/2); and an arch of that curvature rises step^2/8 times it above its chord.
        arch_s2 = step * step * std::exp(zeta_w * step) / (8.0 * std::cos(damped * step / 2.0));
    }
};

/// x(t), v(t) and x''(t) inside of a step, in closed form.
class InsideStep {
  public:
    InsideStep(const Coefficients& c, double x, double v, double a, double b) : c_(c) {
        const double w2 = c.w * c.w;
        slope_ = -(b - a) / (c.step_s * w2);
        line_ = -a / w2 - 2.0 * c.zeta_w * slope_ / w2;
        cosine_ = x - line_;
        sine_ = (v - slope_ + c.zeta_w * cosine_) / c.damped;
    }
    double position(double t) const {
        return std::exp(-c_.zeta_w * t) * (cosine_ * std::cos(c_.damped * t) + sine_ * std::sin(c_.damped * t)) +
               line_ + slope_ * t;
    }
    double velocity(double t) const {
        const double p = c_.damped * sine_ - c_.zeta_w * cosine_, q = -c_.damped * cosine_ - c_.zeta_w * sine_;
        return std::exp(-c_.zeta_w * t) * (p * std::cos(c_.damped * t) + q * std::sin(c_.damped * t)) + slope_;
    }
    /// Where x'' = 0, the velocity turns; at most once in a step, which is shorter than half a period. Negative:
    /// nowhere.
    double turn_of_velocity() const {
        const double p = c_.damped * sine_ - c_.zeta_w * cosine_, q = -c_.damped * cosine_ - c_.zeta_w * sine_;
        double angle = std::atan2(c_.damped * q - c_.zeta_w * p, c_.damped * p + c_.zeta_w * q);
        if (angle < 0.0) angle += std::numbers::pi;
        return angle / c_.damped;
    }
    /// |x| where v = 0 between two times between which v is monotone; 0 if v has no zero there.
    double extreme_between(double left, double right) const {
        double at_left = velocity(left);
        if (at_left * velocity(right) > 0.0) return 0.0;
        for (int i = 0; i < 60 && right - left > 1e-12 * c_.step_s; ++i) {
            const double middle = (left + right) / 2.0, at_middle = velocity(middle);
            const bool in_right = at_left * at_middle > 0.0;
            if (in_right) at_left = at_middle;
            (in_right ? left : right) = middle;
        }
        return std::abs(position((left + right) / 2.0));
    }
    double peak() const {
        const double turn = turn_of_velocity();
        if (!(turn > 0.0 && turn < c_.step_s)) return extreme_between(0.0, c_.step_s);
        return std::max(extreme_between(0.0, turn), extreme_between(turn, c_.step_s));
    }

  private:
    const Coefficients& c_;
    double line_, slope_, cosine_, sine_;
};

/// Without load the first extreme is the largest: v = 0 at tan(wd t) = v / (zeta w v + w^2 x) * wd.
double peak_of_free_vibration(const Coefficients& c, double x, double v) {
    double angle = std::atan2(c.damped * v, c.zeta_w * v + c.w * c.w * x);
    if (angle < 0.0) angle += std::numbers::pi;
    const double sine = (v + c.zeta_w * x) / c.damped;
    return std::max(std::abs(x),
                    std::exp(-c.zeta_w * angle / c.damped) * std::abs(x * std::cos(angle) + sine * std::sin(angle)));
}

/// kLanes oscillators whose steps are divided into as many parts.
class Lanes {
  public:
    Lanes(const std::vector<Coefficients>& all, std::size_t first) {
        for (std::size_t i = 0; i < kLanes; ++i) {
            const Coefficients& c = all[std::min(first + i, all.size() - 1)];
            one_[i] = &c;
            xx_[i] = c.xx;
            xv_[i] = c.xv;
            vx_[i] = c.vx;
            vv_[i] = c.vv;
            xa_[i] = c.xa;
            xb_[i] = c.xb;
            va_[i] = c.va;
            vb_[i] = c.vb;
            w2_[i] = c.w * c.w;
            damping_[i] = 2.0 * c.zeta_w;
            arch_[i] = c.arch_s2;
        }
    }

    void step(double a, double b) {
        std::array<double, kLanes> x, v, y, bound;
        for (std::size_t i = 0; i < kLanes; ++i) {
            x[i] = xx_[i] * x_[i] + xv_[i] * v_[i] + xa_[i] * a + xb_[i] * b;
            v[i] = vx_[i] * x_[i] + vv_[i] * v_[i] + va_[i] * a + vb_[i] * b;
            y[i] = std::abs(b + damping_[i] * v[i] + w2_[i] * x[i]);
            bound[i] = std::max(std::abs(x_[i]), std::abs(x[i])) + arch_[i] * std::max(y_[i], y[i]) - peak_[i];
        }
        bool may_exceed = false;
        for (std::size_t i = 0; i < kLanes; ++i) may_exceed = may_exceed || bound[i] > 0.0;
        if (may_exceed) look_inside(x, v, bound, a, b);
        x_ = x;
        v_ = v;
        y_ = y;
    }

    double pseudo_acceleration(std::size_t lane) const {
        return w2_[lane] * std::max(peak_[lane], peak_of_free_vibration(*one_[lane], x_[lane], v_[lane]));
    }
    void begin(double a) {
        for (double& y : y_) y = std::abs(a);
    }

  private:
    using Row = std::array<double, kLanes>;

    void look_inside(const Row& x, const Row& v, const Row& bound, double a, double b) {
        for (std::size_t i = 0; i < kLanes; ++i) {
            if (!(bound[i] > 0.0)) continue;
            peak_[i] = std::max(peak_[i], std::abs(x[i]));
            const double before = -(a + damping_[i] * v_[i] + w2_[i] * x_[i]);
            const double after = -(b + damping_[i] * v[i] + w2_[i] * x[i]);
            if (v_[i] * v[i] > 0.0 && before * after > 0.0) continue;  // the velocity has no zero
            if (std::max(std::abs(x_[i]), std::abs(x[i])) + arch_[i] * std::max(y_[i], std::abs(after)) > peak_[i])
                peak_[i] = std::max(peak_[i], InsideStep(*one_[i], x_[i], v_[i], a, b).peak());
        }
    }

    std::array<const Coefficients*, kLanes> one_{};
    Row xx_{}, xv_{}, vx_{}, vv_{}, xa_{}, xb_{}, va_{}, vb_{}, w2_{}, damping_{}, arch_{};
    Row x_{}, v_{}, y_{}, peak_{};
};

int parts_of(double angular_frequency_rad_s, double step_s) {
    return std::max(1, static_cast<int>(std::ceil(angular_frequency_rad_s * step_s / kAngleMax_rad)));
}

}  // namespace

std::vector<double> response_spectrum(std::span<const double> acceleration, double step_s,
                                      std::span<const double> frequency_hz, double damping_ratio) {
    std::vector<double> spectrum;
    spectrum.reserve(frequency_hz.size());
    for (std::size_t first = 0; first < frequency_hz.size();) {
        const auto rad_s = [&](std::size_t i) { return 2.0 * std::numbers::pi * frequency_hz[i]; };
        const int parts = parts_of(rad_s(first), step_s);
        std::vector<Coefficients> group;
        for (std::size_t i = first; i < frequency_hz.size() && group.size() < kLanes; ++i) {
            if (parts_of(rad_s(i), step_s) != parts) break;
            group.emplace_back(rad_s(i), damping_ratio, step_s / parts);
        }
        Lanes lanes(group, 0);
        if (!acceleration.empty()) lanes.begin(acceleration.front());
        for (std::size_t i = 0; i + 1 < acceleration.size(); ++i) {
            if (parts == 1) {
                lanes.step(acceleration[i], acceleration[i + 1]);
                continue;
            }
            const double rise = (acceleration[i + 1] - acceleration[i]) / parts;
            for (int k = 0; k < parts; ++k) lanes.step(acceleration[i] + k * rise, acceleration[i] + (k + 1) * rise);
        }
        for (std::size_t i = 0; i < group.size(); ++i) spectrum.push_back(lanes.pseudo_acceleration(i));
        first += group.size();
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
