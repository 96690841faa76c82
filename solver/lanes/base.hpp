// The base acceleration that one lane feels: piece after piece of the wave.
#pragma once

#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

/// Takes up the base acceleration where the points start. False if that is after the last piece.
bool Kernel::start_piece(int l) {
    LaneBook& b = book_[l];
    double left = p_.start;
    while (b.piece < p_.piece_count && left >= p_.pieces[b.piece].length) {
        left -= p_.pieces[b.piece].length;
        b.pieces_before += p_.pieces[b.piece++].length / b.frequency_ratio;
    }
    if (!enter_piece(l)) {
        b.piece_time = left / b.frequency_ratio;
        return false;
    }
    if (left == 0.0) return true;
    const double passed = left / b.frequency_ratio;
    b.piece_time = passed;
    s_.time_left.lane[l] -= passed;
    if (!p_.pieces[b.piece].oscillator) {
        s_.base.lane[l] = base_at(l, passed);
        return true;
    }
    const double a = s_.base.lane[l], slope = s_.base_slope.lane[l];
    const double f = ::sqrt(s_.frequency_squared.lane[l]), sine = ::sin(f * passed), cosine = ::cos(f * passed);
    s_.base.lane[l] = f > 0.0 ? a * cosine + slope / f * sine : a + slope * passed;
    s_.base_slope.lane[l] = slope * cosine - a * f * sine;
    return true;
}

/// Goes on to the piece after the present one. False if there is none.
bool Kernel::next_piece(int l) {
    LaneBook& b = book_[l];
    b.pieces_before += p_.pieces[b.piece].length / b.frequency_ratio;
    ++b.piece;
    return enter_piece(l);
}

/// Takes up the base acceleration of the present piece. False after the last one.
bool Kernel::enter_piece(int l) {
    LaneBook& b = book_[l];
    b.piece_time = 0.0;
    if (b.piece >= p_.piece_count) return false;
    const ShapePiece& piece = p_.pieces[b.piece];
    s_.time_left.lane[l] = piece.length / b.frequency_ratio;
    s_.frequency_squared.lane[l] = piece.frequency_squared * b.frequency_ratio * b.frequency_ratio;
    s_.base.lane[l] = piece.oscillator ? piece.value * b.amplitude : base_at(l, 0.0);
    s_.base_slope.lane[l] = piece.slope * b.amplitude * b.frequency_ratio;
    const double worst = piece.peak_from_here * b.amplitude + fabs(body(l).seat_sine);
    s_.escape_push.lane[l] = worst;
    s_.escape_energy.lane[l] = ::sqrt(body(l).seat_cosine * body(l).seat_cosine + worst * worst) * (1.0 + 1e-12);
    return true;
}

/// Base acceleration of a piece that is no oscillator.
double Kernel::base_at(int l, double piece_time) const {
    const ShapePiece& piece = p_.pieces[book_[l].piece];
    const double x = piece_time * book_[l].frequency_ratio;
    double w = ((piece.polynomial[3] * x + piece.polynomial[2]) * x + piece.polynomial[1]) * x + piece.polynomial[0];
    for (int i = 0; i < piece.harmonic_count; ++i) {
        const ShapeHarmonic& h = piece.harmonics[i];
        w += (h.sine[0] + h.sine[1] * x) * ::sin(h.frequency * x) +
             (h.cosine[0] + h.cosine[1] * x) * ::cos(h.frequency * x);
    }
    return w * book_[l].amplitude;
}

/// Taylor coefficients in p t of the base acceleration of a piece that is no oscillator, about piece_time.
void Kernel::sum_up_base(int l) {
    const LaneBook& b = book_[l];
    const ShapePiece& piece = p_.pieces[b.piece];
    const double x = b.piece_time * b.frequency_ratio;
    double w[kOrder + 1] = {};
    for (int n = 0; n < 4; ++n) {  // binomial shift of the cubic
        const double c = piece.polynomial[n];
        w[0] += n == 0 ? c : n == 1 ? c * x : n == 2 ? c * x * x : c * x * x * x;
        if (n >= 1) w[1] += n == 1 ? c : n == 2 ? 2.0 * c * x : 3.0 * c * x * x;
        if (n >= 2) w[2] += n == 2 ? c : 3.0 * c * x;
        if (n == 3) w[3] += c;
    }
    for (int i = 0; i < piece.harmonic_count; ++i) {
        const ShapeHarmonic& h = piece.harmonics[i];
        double sine = ::sin(h.frequency * x), cosine = ::cos(h.frequency * x), sine_before = 0.0, cosine_before = 0.0;
        for (int n = 0; n <= kOrder; ++n) {
            w[n] += (h.sine[0] + h.sine[1] * x) * sine + h.sine[1] * sine_before;
            w[n] += (h.cosine[0] + h.cosine[1] * x) * cosine + h.cosine[1] * cosine_before;
            sine_before = sine;
            cosine_before = cosine;
            sine = h.frequency / (n + 1) * cosine_before;
            cosine = -h.frequency / (n + 1) * sine_before;
        }
    }
    double scale = b.amplitude;
    for (int n = 0; n <= kOrder; ++n) {
        c_.base[n].lane[l] = scale * w[n];
        scale *= b.frequency_ratio;
    }
    c_.base[0].lane[l] = s_.base.lane[l] = base_at(l, b.piece_time);
    for (int n = 0; n < kOrder; ++n) c_.slope[n].lane[l] = (n + 1) * c_.base[n + 1].lane[l];
    c_.slope[kOrder].lane[l] = 0.0;
}

}  // namespace
}  // namespace topple::solver
