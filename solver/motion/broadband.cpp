#include "solver/motion/broadband.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "solver/motion/knots.hpp"
#include "solver/numerics/random_sequence.hpp"

namespace topple::solver {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kKnotsPerCycle = 64.0;

/// A function of time with two derivatives.
struct Jet {
    double value = 0.0, rate = 0.0, second = 0.0;
};

Jet operator*(const Jet& a, const Jet& b) noexcept {
    return {a.value * b.value, a.rate * b.value + a.value * b.rate,
            a.second * b.value + 2.0 * a.rate * b.rate + a.value * b.second};
}

/// 10 s^3 - 15 s^4 + 6 s^5 of s = time/duration, held within 0..1.
Jet smooth_step(double time_s, double duration_s) noexcept {
    const double s = time_s / duration_s;
    if (s <= 0.0) return {};
    if (s >= 1.0) return {1.0, 0.0, 0.0};
    return {s * s * s * (10.0 + s * (-15.0 + 6.0 * s)), 30.0 * s * s * (1.0 - s) * (1.0 - s) / duration_s,
            60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / (duration_s * duration_s)};
}

/// Up over `rise_s`, down over the last `fall_s` of `duration_s`.
Jet ramps(double time_s, double duration_s, double rise_s, double fall_s) noexcept {
    const Jet down = smooth_step(duration_s - time_s, fall_s);
    return smooth_step(time_s, rise_s) * Jet{down.value, -down.rate, down.second};
}

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

void require_positive(double value, const char* name) {
    if (!(std::isfinite(value) && value > 0.0))
        throw std::invalid_argument(std::string(name) + " must be finite and above 0");
}

std::vector<double> even_times(double duration_s, double frequency_max_hz) {
    const double intervals = std::ceil(kKnotsPerCycle * frequency_max_hz * duration_s);
    if (intervals + 1.0 > static_cast<double>(kBroadbandKnotsMax))
        throw std::invalid_argument("the motion needs " + std::to_string(static_cast<long long>(intervals + 1.0)) +
                                    " knots (64 a cycle); at most " + std::to_string(kBroadbandKnotsMax) +
                                    " are allowed: make it shorter or its highest frequency lower");
    std::vector<double> time_s(static_cast<std::size_t>(intervals) + 1);
    for (std::size_t i = 0; i < time_s.size(); ++i) time_s[i] = duration_s * static_cast<double>(i) / intervals;
    return time_s;
}

BaseState state_of(const Jet& displacement) noexcept {
    return {displacement.value, displacement.rate, displacement.second, 0.0};
}

/// Phase, its rate w and the two derivatives of w of a sweep.
struct Phase {
    double phase_rad = 0.0, w = 0.0, w_rate = 0.0, w_second = 0.0;
};

Phase phase_at(const Sweep& s, double time_s) noexcept {
    const double octave = std::log(s.end_frequency_hz / s.start_frequency_hz) / s.duration_s;
    if (!s.logarithmic || octave == 0.0) {
        const double slope = (s.end_frequency_hz - s.start_frequency_hz) / s.duration_s;
        return {kTwoPi * time_s * (s.start_frequency_hz + 0.5 * slope * time_s),
                kTwoPi * (s.start_frequency_hz + slope * time_s), kTwoPi * slope, 0.0};
    }
    const double start = kTwoPi * s.start_frequency_hz;
    const double w = start * std::exp(octave * time_s);
    return {start * std::expm1(octave * time_s) / octave, w, octave * w, octave * octave * w};
}

}  // namespace

BaseMotion sweep(const Sweep& s) {
    require_positive(s.start_frequency_hz, "start frequency");
    require_positive(s.end_frequency_hz, "end frequency");
    require_positive(s.duration_s, "duration");
    require_positive(s.ramp_cycles, "ramp cycles");
    require(std::isfinite(s.amplitude_m_s2), "amplitude must be finite");
    const double rise_s = s.ramp_cycles / s.start_frequency_hz, fall_s = s.ramp_cycles / s.end_frequency_hz;
    require(rise_s + fall_s <= s.duration_s, "the two ramps are longer than the motion");
    const std::vector<double> time_s = even_times(s.duration_s, std::max(s.start_frequency_hz, s.end_frequency_hz));
    std::vector<BaseState> knots(time_s.size());
    for (std::size_t i = 1; i + 1 < knots.size(); ++i) {
        const Phase p = phase_at(s, time_s[i]);
        const double w2 = p.w * p.w, sine = std::sin(p.phase_rad), cosine = std::cos(p.phase_rad);
        const Jet size{-s.amplitude_m_s2 / w2, 2.0 * s.amplitude_m_s2 * p.w_rate / (w2 * p.w),
                       s.amplitude_m_s2 * (2.0 * p.w_second / (w2 * p.w) - 6.0 * p.w_rate * p.w_rate / (w2 * w2))};
        const Jet wave{sine, p.w * cosine, p.w_rate * cosine - w2 * sine};
        knots[i] = state_of(ramps(time_s[i], s.duration_s, rise_s, fall_s) * size * wave);
    }
    return motion_through(time_s, knots);
}

BaseMotion band_limited_noise(const BandLimitedNoise& n) {
    require_positive(n.low_hz, "lowest frequency");
    require_positive(n.high_hz, "highest frequency");
    require_positive(n.duration_s, "duration");
    require_positive(n.ramp_s, "ramp");
    require(std::isfinite(n.rms_m_s2) && n.rms_m_s2 >= 0.0, "rms must be finite and not below 0");
    require(2.0 * n.ramp_s <= n.duration_s, "the two ramps are longer than the motion");
    constexpr double kRounding = 1e-9;  // a border of the band that is a multiple of 1/duration belongs to it
    const double first = std::max(1.0, std::ceil(n.low_hz * n.duration_s * (1.0 - kRounding)));
    const double last = std::floor(n.high_hz * n.duration_s * (1.0 + kRounding));
    require(last >= first, "no multiple of 1/duration lies within the band: make the motion longer or the band wider");
    const std::vector<double> time_s = even_times(n.duration_s, n.high_hz);
    constexpr double kTermsMax = 1e9;  // some seconds
    require((last - first + 1.0) * static_cast<double>(time_s.size()) <= kTermsMax,
            "the motion is a sum of too many sines: make it shorter or the band narrower");
    const double amplitude_m_s2 = n.rms_m_s2 * std::sqrt(2.0 / (last - first + 1.0));
    std::vector<Jet> sum(time_s.size());
    SplitMix64 random(n.seed);
    for (double line = first; line <= last; line += 1.0) {
        const double w = kTwoPi * line / n.duration_s, phase_rad = kTwoPi * random.uniform();
        const double step_rad = kTwoPi * line / static_cast<double>(time_s.size() - 1);
        std::complex<double> turn = std::polar(amplitude_m_s2, phase_rad);
        const std::complex<double> step = std::polar(1.0, step_rad);
        constexpr std::size_t kFresh = 1024;  // steps after which the rounding of the product is cleared
        for (std::size_t i = 0; i < sum.size(); ++i, turn *= step) {
            if (i % kFresh == 0) turn = std::polar(amplitude_m_s2, phase_rad + step_rad * static_cast<double>(i));
            sum[i].value -= turn.imag() / (w * w);
            sum[i].rate -= turn.real() / w;
            sum[i].second += turn.imag();
        }
    }
    std::vector<BaseState> knots(time_s.size());
    for (std::size_t i = 1; i + 1 < knots.size(); ++i)
        knots[i] = state_of(ramps(time_s[i], n.duration_s, n.ramp_s, n.ramp_s) * sum[i]);
    return motion_through(time_s, knots);
}

}  // namespace topple::solver
