// One step of all lanes: the Taylor series of order 16 of u', sin u, cos u (no trigonometric call: (sin u)' =
// u' cos u and so on) and of a (a'' = -frequency^2 a, or summed up for other pieces). The step is chosen from
// the last coefficients (Jorba & Zou 2005).
#pragma once

#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

/// The recurrences: coefficient n + 1 from those up to n.
void Kernel::expand() {
    const Lanes push = Lanes::load(s_.push);
    const Lanes minus_f2 = Lanes::all(0.0) - Lanes::load(s_.frequency_squared);
    Lanes a = Lanes::load(s_.base), da = Lanes::load(s_.base_slope);
    a.store(c_.base[0]);
    da.store(c_.slope[0]);
    for (int n = 0; n < kOrder; ++n) {
        const double inverse = 1.0 / (n + 1);
        const Lanes next = da * inverse;
        da = minus_f2 * a * inverse;
        a = next;
        a.store(c_.base[n + 1]);
        da.store(c_.slope[n + 1]);
    }
    for (int l = 0; l < kLanes; ++l)
        if (book_[l].busy && !p_.pieces[book_[l].piece].oscillator) sum_up_base(l);
    LaneArray force[kOrder + 1];  // -s k (a - sin(seat))
    (push * (Lanes::load(c_.base[0]) - Lanes::load(s_.seat_sine))).store(force[0]);
    for (int n = 1; n <= kOrder; ++n) (push * Lanes::load(c_.base[n])).store(force[n]);

    c_.rate[0] = s_.rate;
    c_.sine[0] = s_.sine;
    c_.cosine[0] = s_.cosine;
    c_.rotation[0] = s_.rotation;
    c_.rotation[1] = s_.rate;
#pragma GCC unroll 8
    for (int n = 0; n < kOrder; n += 2)
#pragma GCC unroll 4
        for (int part = 0; part < kRegisters; ++part) expand_by_two(force, n, part);
}

/// Coefficients n + 1 and n + 2 together: their convolutions share what they load.
inline void Kernel::expand_by_two(const LaneArray* force, int n, int part) {
    const auto of = [part](const LaneArray* series, int index) { return part_of(series[index], part); };
    Register force1{}, sine1{}, cosine1{}, force2{}, sine2{}, cosine2{};  // sums of c f, c w, s w
    Register w = of(c_.rate, n), f = of(force, n);
#pragma GCC unroll 16
    for (int j = 1; j <= n; ++j) {
        const Register cj = of(c_.cosine, j), sj = of(c_.sine, j);
        force2 += f * cj;
        sine2 += w * cj;
        cosine2 += w * sj;
        f = of(force, n - j);
        w = of(c_.rate, n - j);
        force1 += f * cj;
        sine1 += w * cj;
        cosine1 += w * sj;
    }
    const Register c0 = of(c_.cosine, 0), s0 = of(c_.sine, 0), w0 = of(c_.rate, 0), f0 = of(force, 0);
    const Register gravity = of(&s_.gravity, 0);
    const double inverse1 = 1.0 / (n + 1), inverse2 = 1.0 / (n + 2);
    const Register wn = of(c_.rate, n);
    Register rate1 = (force1 + of(force, n) * c0 + gravity * of(c_.sine, n)) * inverse1;
    if (n == 0) rate1 *= of(&s_.rate_slope_kept, 0);
    const Register s1 = (sine1 + wn * c0) * inverse1, c1 = (cosine1 + wn * s0) * -inverse1;
    const Register rate2 = (force2 + of(force, n + 1) * c0 + f0 * c1 + gravity * s1) * inverse2;
    part_of(c_.rate[n + 1], part) = rate1;
    part_of(c_.sine[n + 1], part) = s1;
    part_of(c_.cosine[n + 1], part) = c1;
    part_of(c_.rotation[n + 2], part) = rate1 * inverse2;
    part_of(c_.rate[n + 2], part) = rate2;
    part_of(c_.sine[n + 2], part) = (sine2 + rate1 * c0 + w0 * c1) * inverse2;
    part_of(c_.cosine[n + 2], part) = (cosine2 + rate1 * s0 + w0 * s1) * -inverse2;
    part_of(c_.rotation[n + 3], part) = rate2 * (1.0 / (n + 3));
}

/// h such that the last terms of the rate are at the tolerance; cut at the end of the piece, and for a lane
/// that has just left its seat at 1.5 times the duration of a parabolic hop, so that the series resolves the
/// hop.
void Kernel::choose_step() {
    const Lanes last = max(abs(Lanes::load(c_.rate[kOrder])), abs(Lanes::load(c_.rate[kOrder - 1])));
    const Lanes h = root16(Lanes::all(kTolerance) / (last + 1e-30)) * 0.92;
    min(h, Lanes::load(s_.time_left)).store(step_);
    for (int l = 0; l < kLanes; ++l) {
        const double rate = s_.rate.lane[l], bend = c_.rate[1].lane[l];
        if (book_[l].fresh && rate > 0.0 && bend < 0.0) {
            const double hop = -3.0 * rate / bend;
            if (hop < step_.lane[l]) step_.lane[l] = hop;
        }
    }
}

inline Lanes horner(const LaneArray* c, int order, const Lanes& t) {
    Lanes r = Lanes::load(c[order]);
#pragma GCC unroll 20
    for (int n = order - 1; n >= 0; --n) r = r * t + Lanes::load(c[n]);
    return r;
}

/// Values at the end of the step, and `doubt` > 0 where the rotation might leave (0, pi/2) inside it.
void Kernel::advance() {
    const Lanes h = Lanes::load(step_), zero = Lanes::all(0.0);
    horner(c_.rotation, kOrder + 1, h).store(end_rotation_);
    horner(c_.rate, kOrder, h).store(end_rate_);
    horner(c_.sine, kOrder, h).store(end_sine_);
    horner(c_.cosine, kOrder, h).store(end_cosine_);
    horner(c_.base, kOrder, h).store(end_base_);
    horner(c_.slope, kOrder, h).store(end_slope_);
    Lanes rest = abs(Lanes::load(c_.rotation[kOrder + 1]));
#pragma GCC unroll 20
    for (int n = kOrder; n >= 5; --n) rest = rest * h + abs(Lanes::load(c_.rotation[n]));
    const Lanes h2 = h * h, h4 = h2 * h2;
    rest = rest * h4 * h;
    rest.store(rest_);
    const Lanes first = Lanes::load(c_.rotation[1]) * h, second = Lanes::load(c_.rotation[2]) * h2;
    const Lanes bound = rest + abs(Lanes::load(c_.rotation[3])) * h2 * h + abs(Lanes::load(c_.rotation[4])) * h4;
    const Lanes least = Lanes::load(s_.rotation) + min(zero, first) + min(zero, second) - bound;
    const Lanes most = Lanes::load(s_.rotation) + max(zero, first) + max(zero, second) + bound;
    max(zero - least, most - kHalfPi).store(doubt_);
}

}  // namespace
}  // namespace topple::solver
