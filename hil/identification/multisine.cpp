#include "hil/identification/multisine.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace topple::hil::identification {
namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;

// Displacement A sin(w (start + tau) + phase): its acceleration as a term of a piece, factor -w^2.
solver::HarmonicTerm term(double angular_frequency_rad_s, double displacement_m, double phase_rad) {
    const double w = angular_frequency_rad_s, a = -w * w * displacement_m;
    return {w, {a * std::cos(phase_rad), 0.0}, {a * std::sin(phase_rad), 0.0}};
}

/// How the amplitude runs over one piece: level + side cos(pi t / ramp_s + side_phase), t = 0 at the piece's start.
struct Envelope {
    double level = 1.0, side = 0.0, rate_rad_s = 0.0, side_phase_rad = 0.0;
};

solver::MotionPiece piece(const Multisine& m, double start_s, double end_s, double phase_zero_s, const Envelope& e) {
    solver::MotionPiece piece{start_s, end_s, {}, {}};
    for (std::size_t k = 0; k < m.frequency_hz.size(); ++k) {
        const double w = kTwoPi * m.frequency_hz[k], amplitude_m = m.acceleration_m_s2[k] / (w * w);
        const double phase = m.phase_rad[k] + w * (start_s - phase_zero_s);
        piece.harmonics.push_back(term(w, e.level * amplitude_m, phase));
        if (e.side == 0.0) continue;
        // sin(a) cos(b) = (sin(a + b) + sin(a - b)) / 2
        piece.harmonics.push_back(term(w + e.rate_rad_s, 0.5 * e.side * amplitude_m, phase + e.side_phase_rad));
        piece.harmonics.push_back(term(w - e.rate_rad_s, 0.5 * e.side * amplitude_m, phase - e.side_phase_rad));
    }
    return piece;
}

}  // namespace

Multisine drawn_multisine(double period_s, double low_hz, double high_hz, std::uint64_t seed) {
    Multisine m;
    m.period_s = period_s;
    std::mt19937_64 random(seed);
    const auto first = static_cast<long>(std::ceil(low_hz * period_s - 1e-9));
    for (long multiple = first; static_cast<double>(multiple) / period_s <= high_hz * (1.0 + 1e-9);) {
        const double frequency_hz = static_cast<double>(multiple) / period_s;
        m.frequency_hz.push_back(frequency_hz);
        m.acceleration_m_s2.push_back(std::min(1.0, frequency_hz / kFlat_hz));
        m.phase_rad.push_back(kTwoPi * static_cast<double>(random() >> 11) * 0x1p-53);
        multiple += frequency_hz < kDense_hz ? 1 : 2;
    }
    return m;
}

Multisine Multisine::scaled(double factor) const {
    Multisine result = *this;
    for (double& amplitude : result.acceleration_m_s2) amplitude *= factor;
    return result;
}

Multisine::Peaks Multisine::peaks() const {
    Peaks peaks;
    if (frequency_hz.empty()) return peaks;
    constexpr double kLooks = 16.0;
    const auto looks = static_cast<std::size_t>(std::ceil(kLooks * frequency_hz.back() * period_s));
    for (std::size_t i = 0; i < looks; ++i) {
        const double time_s = period_s * static_cast<double>(i) / static_cast<double>(looks);
        double x = 0.0, v = 0.0, a = 0.0;
        for (std::size_t k = 0; k < frequency_hz.size(); ++k) {
            const double w = kTwoPi * frequency_hz[k], amplitude = acceleration_m_s2[k];
            const double sine = std::sin(w * time_s + phase_rad[k]), cosine = std::cos(w * time_s + phase_rad[k]);
            x += amplitude / (w * w) * sine;
            v += amplitude / w * cosine;
            a -= amplitude * sine;
        }
        peaks.displacement_m = std::max(peaks.displacement_m, std::abs(x));
        peaks.velocity_m_s = std::max(peaks.velocity_m_s, std::abs(v));
        peaks.acceleration_m_s2 = std::max(peaks.acceleration_m_s2, std::abs(a));
    }
    return peaks;
}

solver::BaseMotion ramped(const Multisine& m, double ramp_s, double hold_s, double phase_zero_s) {
    const double rate = std::numbers::pi / ramp_s, held_s = ramp_s + hold_s;
    // At its start x is 0, but not its phase: the velocity there is 0 because the ramp begins flat.
    return solver::BaseMotion({piece(m, 0.0, ramp_s, phase_zero_s, {0.5, -0.5, rate, 0.0}),
                               piece(m, ramp_s, held_s, phase_zero_s, {}),
                               piece(m, held_s, held_s + ramp_s, phase_zero_s, {0.5, 0.5, rate, 0.0})});
}

}  // namespace topple::hil::identification
