#include "solver/lanes/wave_shape.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {
namespace {

/// |c0 + c1 x| on [0, length], at most.
double linear_peak(const double (&c)[2], double length) {
    return std::max(std::abs(c[0]), std::abs(c[0] + c[1] * length));
}

void set_bounds(ShapePiece& piece) {
    if (piece.oscillator) {
        const double k = std::sqrt(piece.frequency_squared);
        if (k == 0.0) {
            piece.peak_from_here = linear_peak({piece.value, piece.slope}, piece.length);
            piece.slope_peak = std::abs(piece.slope);
        } else {
            piece.peak_from_here = std::hypot(piece.value, piece.slope / k);
            piece.slope_peak = k * piece.peak_from_here;
        }
        return;
    }
    double power = 1.0;
    for (int n = 0; n < 4; ++n) {
        piece.peak_from_here += std::abs(piece.polynomial[n]) * power;
        if (n < 3) piece.slope_peak += (n + 1) * std::abs(piece.polynomial[n + 1]) * power;
        power *= piece.length;
    }
    for (int i = 0; i < piece.harmonic_count; ++i) {
        const ShapeHarmonic& h = piece.harmonics[i];
        const double peak = linear_peak(h.sine, piece.length) + linear_peak(h.cosine, piece.length);
        piece.peak_from_here += peak;
        piece.slope_peak += h.frequency * peak + std::abs(h.sine[1]) + std::abs(h.cosine[1]);
    }
}

void set_oscillator(ShapePiece& piece) {
    const double(&p)[4] = piece.polynomial;
    const bool is_line = p[2] == 0.0 && p[3] == 0.0 && piece.harmonic_count == 0;
    const bool is_harmonic = p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0 && p[3] == 0.0 && piece.harmonic_count == 1 &&
                             piece.harmonics[0].sine[1] == 0.0 && piece.harmonics[0].cosine[1] == 0.0;
    piece.oscillator = is_line || is_harmonic;
    if (is_line) {
        piece.value = p[0];
        piece.slope = p[1];
    } else if (is_harmonic) {
        const ShapeHarmonic& h = piece.harmonics[0];
        piece.value = h.cosine[0];
        piece.slope = h.frequency * h.sine[0];
        piece.frequency_squared = h.frequency * h.frequency;
    }
}

}  // namespace

WaveShape::WaveShape(const BaseMotion& motion, double angular_frequency_rad_s, double amplitude_m_s2) {
    const double w = angular_frequency_rad_s;
    std::size_t harmonic_count = 0;
    for (const MotionPiece& from : motion.pieces()) harmonic_count += from.harmonics.size();
    harmonics_.reserve(harmonic_count);  // the pieces keep pointers
    pieces_.reserve(motion.pieces().size() + 1);
    // The specimen is released at t = 0; a motion that starts later is preceded by rest.
    if (motion.start_s() > 0.0) pieces_.push_back({.length = motion.start_s() * w});
    for (const MotionPiece& from : motion.pieces()) {
        ShapePiece piece;
        piece.length = (from.end_s - from.start_s) * w;
        for (int n = 0; n < 4; ++n) piece.polynomial[n] = from.polynomial[n] / (amplitude_m_s2 * std::pow(w, n));
        piece.harmonics = harmonics_.data() + harmonics_.size();
        piece.harmonic_count = static_cast<int>(from.harmonics.size());
        for (const HarmonicTerm& h : from.harmonics)
            harmonics_.push_back({h.angular_frequency_rad_s / w,
                                  {h.sine_m_s2[0] / amplitude_m_s2, h.sine_m_s2[1] / (amplitude_m_s2 * w)},
                                  {h.cosine_m_s2[0] / amplitude_m_s2, h.cosine_m_s2[1] / (amplitude_m_s2 * w)}});
        set_oscillator(piece);
        set_bounds(piece);
        pieces_.push_back(piece);
    }
    for (std::size_t i = pieces_.size(); i-- > 1;)
        pieces_[i - 1].peak_from_here = std::max(pieces_[i - 1].peak_from_here, pieces_[i].peak_from_here);
}

}  // namespace topple::solver
