// Rest of one lane, and the instant at which the base lifts it again.
#pragma once

#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

/// What counts as exactly at the threshold, over g, as in the scalar solver (opening.hpp).
constexpr double kUpliftTolerance = 1e-12;

/// Base acceleration over g, towards -side, above which the body leaves rest to that side.
double Kernel::base_threshold(int l, int side) const {
    return body(l).seat_cosine * body(l).sides[side].sine / body(l).sides[side].cosine -
           sign_of(side) * body(l).seat_sine;
}

void Kernel::enter_side(int l, int side) {
    const LaneSide& of = body(l).sides[side];
    book_[l].side = side;
    s_.rotation.lane[l] = 0.0;
    s_.sine.lane[l] = -of.sine;
    s_.cosine.lane[l] = of.cosine;
    s_.push.lane[l] = -sign_of(side) * of.stiffness_ratio;
    s_.gravity.lane[l] = of.stiffness_ratio * body(l).seat_cosine;
}

/// Leaves rest: by a jump of the base acceleration, or where it crosses the threshold (there u'' = 0).
void Kernel::lift(int l, int side, bool by_crossing) {
    LaneBook& b = book_[l];
    enter_side(l, side);
    s_.rate.lane[l] = 0.0;
    s_.rate_slope_kept.lane[l] = by_crossing ? 0.0 : 1.0;
    b.impacts = 0;
    b.fresh = b.lifted = true;
}

/// The body rests: go to its next uplift, or to the end of the wave.
void Kernel::rest(int l) {
    while (!find_uplift(l))
        if (!next_piece(l)) return finish(l, book_[l].lifted ? LaneEnd::rocking : LaneEnd::rest, 0);
}

/// Time until an oscillator's acceleration first passes `target`, towards +a for rising, and its slope there;
/// `left` or more if it does not.
inline double Kernel::crossing_time(int l, double target, bool is_rising, double left, double& slope_there) const {
    const double a = s_.base.lane[l], slope = s_.base_slope.lane[l];
    const double f2 = s_.frequency_squared.lane[l], f = ::sqrt(f2);
    if (f2 == 0.0) {
        if (is_rising ? slope <= 0.0 : slope >= 0.0) return left;
        slope_there = slope;
        const double beyond = target + (is_rising ? kUpliftTolerance : -kUpliftTolerance);
        return (beyond - a) / slope < left ? fmax(0.0, (target - a) / slope) : left;
    }
    const double radius = hypot(a, slope / f);
    if (!(radius > fabs(target) + kUpliftTolerance)) return left;
    // a = radius sin(phase)
    const double inside = ::sqrt((radius - fabs(target)) * (radius + fabs(target)));
    double angle = atan2(target, is_rising ? inside : -inside) - atan2(a, slope / f);
    if (angle < -1e-12) angle += 4.0 * kHalfPi;
    slope_there = (is_rising ? f : -f) * inside;
    return fmax(0.0, angle / f);
}

bool Kernel::find_uplift(int l) {
    LaneBook& b = book_[l];
    const double a = s_.base.lane[l];
    const double limit[2] = {base_threshold(l, 0),
                             base_threshold(l, 1)};  // left lifts above limit[0], right below -limit[1]
    if (a > limit[0] + kUpliftTolerance) return lift(l, 0, false), true;
    if (a < -limit[1] - kUpliftTolerance) return lift(l, 1, false), true;
    if (!p_.pieces[b.piece].oscillator) return find_uplift_by_search(l);
    double first = s_.time_left.lane[l];
    int first_side = -1;
    double first_slope = 0.0;
    for (int side = 0; side < 2; ++side) {
        double slope = 0.0;
        const double t = crossing_time(l, -sign_of(side) * limit[side], side == 0, s_.time_left.lane[l], slope);
        if (t < first) first = t, first_side = side, first_slope = slope;
    }
    if (first_side < 0) return false;
    s_.base.lane[l] = -sign_of(first_side) * limit[first_side];
    s_.base_slope.lane[l] = first_slope;
    s_.time_left.lane[l] -= first;
    b.piece_time += first;
    lift(l, first_side, true);
    return true;
}

/// Uplift in a piece that is no oscillator: a scan at 64 instants per period of the fastest harmonic, then
/// bisection.
bool Kernel::find_uplift_by_search(int l) {
    LaneBook& b = book_[l];
    const ShapePiece& piece = p_.pieces[b.piece];
    double fastest = 2.0 * kHalfPi / piece.length;
    for (int i = 0; i < piece.harmonic_count; ++i) fastest = fmax(fastest, piece.harmonics[i].frequency);
    const double length = piece.length / b.frequency_ratio;
    const double stride = 4.0 * kHalfPi / fastest / b.frequency_ratio / 64.0;
    const auto lifting_side = [&](double t) {
        const double a = base_at(l, t);
        return a > base_threshold(l, 0) + kUpliftTolerance ? 0 : a < -base_threshold(l, 1) - kUpliftTolerance ? 1 : -1;
    };
    double low = b.piece_time;
    while (low < length) {
        double high = fmin(low + stride, length);
        if (lifting_side(high) >= 0) {
            while (true) {
                const double middle = 0.5 * (low + high);
                if (!(middle > low && middle < high)) break;
                (lifting_side(middle) >= 0 ? high : low) = middle;
            }
            s_.time_left.lane[l] = length - high;
            b.piece_time = high;
            const int side = lifting_side(high);
            s_.base.lane[l] = -sign_of(side) * base_threshold(l, side);
            lift(l, side, true);
            return true;
        }
        low = high;
    }
    return false;
}

}  // namespace
}  // namespace topple::solver
