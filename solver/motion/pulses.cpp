#include "solver/motion/pulses.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "solver/motion/knots.hpp"

namespace topple::solver {
namespace {

constexpr double kPi = std::numbers::pi;

void require_positive(double value, const char* name) {
    if (!(std::isfinite(value) && value > 0.0))
        throw std::invalid_argument(std::string(name) + " must be finite and above 0");
}

/// Samples `state(t - tc)` over [-half, half] about tc = half; the ends, where it has died away, are put exactly at
/// rest.
template <class State>
BaseMotion wavelet(double half_s, double spacing_s, const State& state) {
    const auto intervals = static_cast<std::size_t>(std::ceil(2.0 * half_s / spacing_s));
    std::vector<double> time_s(intervals + 1);
    std::vector<BaseState> knots(intervals + 1);
    for (std::size_t i = 0; i <= intervals; ++i) {
        time_s[i] = 2.0 * half_s * static_cast<double>(i) / static_cast<double>(intervals);
        if (i > 0 && i < intervals) knots[i] = state(time_s[i] - half_s);
    }
    return motion_through(time_s, knots);
}

/// One piece over `duration_s` with acceleration w vp cos(w tau + phi).
BaseMotion cosine_of_phase(double velocity_m_s, double w, double phase_rad, double duration_s) {
    MotionPiece piece;
    piece.end_s = duration_s;
    const double a = w * velocity_m_s;
    piece.harmonics.push_back({w, {-a * std::sin(phase_rad), 0.0}, {a * std::cos(phase_rad), 0.0}});
    return BaseMotion({std::move(piece)});
}

}  // namespace

// The knots are 1/128 of a period of the highest frequency of any account, 2 f, apart: the acceleration between them is
// off by less than 1e-7 of the peak.
BaseMotion symmetric_ricker(double amplitude_m_s2, double frequency_hz) {
    require_positive(frequency_hz, "frequency");
    constexpr double kCut = 5.5;
    const double k = kPi * frequency_hz;
    return wavelet(kCut / k, 1.0 / (128.0 * frequency_hz), [&](double t) {
        const double u = k * t, fade = amplitude_m_s2 * std::exp(-u * u);
        return BaseState{-fade / (2.0 * k * k), fade * t, fade * (1.0 - 2.0 * u * u), 0.0};
    });
}

BaseMotion antisymmetric_ricker(double amplitude_m_s2, double frequency_hz) {
    require_positive(frequency_hz, "frequency");
    constexpr double kCut = 7.8;
    const double k = 2.0 * kPi * frequency_hz / std::sqrt(3.0);
    // Peak of |s^3 - 3 s| exp(-s^2/2), at s^2 = 3 - sqrt 6.
    const double square = 3.0 - std::sqrt(6.0);
    const double peak = std::sqrt(6.0) * std::sqrt(square) * std::exp(-0.5 * square);
    return wavelet(kCut / k, 1.0 / (128.0 * frequency_hz), [&](double t) {
        const double s = k * t, fade = amplitude_m_s2 / peak * std::exp(-0.5 * s * s);
        return BaseState{fade * s / (k * k), fade * (1.0 - s * s) / k, fade * s * (s * s - 3.0), 0.0};
    });
}

BaseMotion mavroeidis_papageorgiou(const MavroeidisPapageorgiou& pulse) {
    require_positive(pulse.frequency_hz, "frequency");
    if (!(pulse.gamma > 1.0) || !std::isfinite(pulse.gamma)) throw std::invalid_argument("gamma must be above 1");
    const double w = 2.0 * kPi * pulse.frequency_hz, envelope = w / pulse.gamma;
    MotionPiece piece;
    piece.end_s = pulse.gamma / pulse.frequency_hz;
    // v = A/2 (cos z0 - cos z+ /2 - cos z- /2), z = (w, w +- w/gamma) t + psi; the envelope begins at its zero.
    const double psi = pulse.phase_rad - kPi * pulse.gamma;
    const auto add = [&](double frequency_rad_s, double share) {
        const double a = -0.5 * pulse.velocity_m_s * share * frequency_rad_s;
        piece.harmonics.push_back({frequency_rad_s, {a * std::cos(psi), 0.0}, {a * std::sin(psi), 0.0}});
    };
    add(w, 1.0);
    add(w + envelope, -0.5);
    add(w - envelope, -0.5);
    return BaseMotion({std::move(piece)});
}

BaseMotion cycloidal_a(double velocity_m_s, double frequency_hz) {
    require_positive(frequency_hz, "frequency");
    return sine_acceleration(kPi * frequency_hz * velocity_m_s, 2.0 * kPi * frequency_hz);
}

BaseMotion cycloidal_b(double velocity_m_s, double frequency_hz) {
    require_positive(frequency_hz, "frequency");
    return cosine_of_phase(velocity_m_s, 2.0 * kPi * frequency_hz, 0.0, 1.0 / frequency_hz);
}

BaseMotion cycloidal_c(double velocity_m_s, double frequency_hz, int cycles) {
    require_positive(frequency_hz, "frequency");
    if (cycles < 1) throw std::invalid_argument("cycles must be at least 1");
    const double whole = (2.0 * cycles + 1.0) * kPi;
    double phase_rad = 0.0;  // the iteration contracts by 2/whole^2 at least a step
    for (int i = 0; i < 60; ++i) phase_rad = std::atan(2.0 / (whole - 2.0 * phase_rad));
    const double w = 2.0 * kPi * frequency_hz;
    return cosine_of_phase(velocity_m_s, w, phase_rad, (whole - 2.0 * phase_rad) / w);
}

}  // namespace topple::solver
