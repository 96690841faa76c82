// Events inside a step of one record lane: roots of the series itself.
#pragma once

#include "solver/lanes/record_kernel.hpp"
#include "solver/lanes/record_rest.hpp"

namespace topple::solver {
namespace {

/// A polynomial of one step, over [0, length]. A step is so short that its second derivative passes zero once at most.
struct StepPolynomial {
    static constexpr int kTop = kRecordOrder + 1;
    double c[kTop + 1];

    struct Jet {
        double value, slope, bend;
    };
    Jet at(double t) const {
        double value = c[kTop], slope = 0.0, half_bend = 0.0;
#pragma GCC unroll 8
        for (int n = kTop - 1; n >= 0; --n) {
            half_bend = half_bend * t + slope;
            slope = slope * t + value;
            value = value * t + c[n];
        }
        return {value, slope, 2.0 * half_bend};
    }
    StepPolynomial derivative() const {
        StepPolynomial d;
        for (int n = 0; n < kTop; ++n) d.c[n] = (n + 1) * c[n + 1];
        d.c[kTop] = 0.0;
        return d;
    }
    /// Less `level`, without the powers of t that all terms then have: of a body that has just left the face there.
    StepPolynomial over(double level) const {
        StepPolynomial rest = *this;
        rest.c[0] -= level;
        for (int zeros = 0; zeros < kTop && rest.c[0] == 0.0; ++zeros) {
            for (int n = 0; n < kTop; ++n) rest.c[n] = rest.c[n + 1];
            rest.c[kTop] = 0.0;
        }
        return rest;
    }
    StepPolynomial reversed() const {
        StepPolynomial reversed;
        for (int n = 0; n <= kTop; ++n) reversed.c[n] = -c[n];
        return reversed;
    }
    /// Bounds of the terms after the first over [0, length]: the negative ones and the positive ones.
    void bounds(double length, double& down, double& up) const {
        double power = 1.0;
        down = up = 0.0;
#pragma GCC unroll 8
        for (int n = 1; n <= kTop; ++n) {
            power *= length;
            const double term = c[n] * power;
            down += term < 0.0 ? term : 0.0;
            up += term > 0.0 ? term : 0.0;
        }
    }
    /// Zero in [low, high] of sign * (polynomial - level), positive at low and not at high: Newton from `guess`, by
    /// bisection where that leaves the bracket. Once a step is below 1e-9 of t the next error is below rounding.
    double zero(double low, double high, double sign, double level, double guess) const {
        double t = guess > low && guess < high ? guess : high;
        for (int i = 0; i < 200; ++i) {
            const Jet f = at(t);
            (sign * (f.value - level) > 0.0 ? low : high) = t;
            double next = t - (f.value - level) / f.slope;
            if (fabs(next - t) <= 1e-9 * t && next >= 0.0) return next;
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            if (!(next > low && next < high)) return high;
            t = next;
        }
        return t;
    }
    /// Where it turns within (0, length): from falling to rising for sign 1, the other way for -1; `length` if nowhere.
    double turn(double sign, double length, const Jet& from, const Jet& to) const {
        const bool starts_falling = sign * from.slope<0.0, ends_rising = sign * to.slope> 0.0;
        const bool bends_up = sign * from.bend < 0.0 && sign * to.bend > 0.0;
        const bool bends_down = sign * from.bend > 0.0 && sign * to.bend < 0.0;
        if (!(starts_falling && ends_rising) && !(ends_rising && bends_up) && !(starts_falling && bends_down))
            return length;
        const StepPolynomial slope = derivative();
        double low = 0.0, high = length;
        if (!starts_falling) low = slope.derivative().zero(0.0, length, -sign, 0.0, length);
        if (!ends_rising) high = slope.derivative().zero(0.0, length, sign, 0.0, length);
        if (sign * slope.at(low).value >= 0.0 || sign * slope.at(high).value <= 0.0) return length;
        return slope.zero(low, high, -sign, 0.0, high);
    }
    /// First time in (0, length] at which a polynomial that starts above `level`, or at it and rising, is no longer so;
    /// negative: it stays. (Inlined: that saves a fifth of the time of a lively block.)
    [[gnu::always_inline]] double first_fall(double length, double level) const {
        const StepPolynomial p = over(level);
        if (!(p.c[0] > 0.0)) return 0.0;
        double down, up;
        p.bounds(length, down, up);
        if (p.c[0] + down > 0.0) return -1.0;
        const Jet from{p.c[0], p.c[1], 2.0 * p.c[2]}, to = p.at(length);
        const bool bends = (from.slope > 0.0) != (to.slope > 0.0) || (from.bend > 0.0) != (to.bend > 0.0);
        const double touch = bends ? p.turn(1.0, length, from, to) : length;
        if (!(touch < length && p.at(touch).value <= 0.0) && to.value > 0.0) return -1.0;
        // The zero of its first three terms is all but there.
        const double under_root = p.c[1] * p.c[1] - 4.0 * p.c[0] * p.c[2];
        const double guess = under_root > 0.0 ? 2.0 * p.c[0] / (::sqrt(under_root) - p.c[1]) : touch;
        return p.zero(0.0, touch, 1.0, 0.0, guess);
    }
    /// Highest value in [0, until], and where.
    double highest(double until, double& time) const {
        const Jet from{c[0], c[1], 2.0 * c[2]}, to = at(until);
        time = from.value > to.value ? 0.0 : until;
        double most = from.value > to.value ? from.value : to.value;
        const double top = turn(-1.0, until, from, to);
        if (top < until && at(top).value > most) most = at(top).value, time = top;
        return most;
    }
};

/// A lane that might have met a face or fallen in this step, or has turned.
void RecordKernel::look(int l) {
    RecordBook& b = book_[l];
    const double length = step_.length.lane[l];
    StepPolynomial rotation;
    rotation.c[0] = step_.rotation.lane[l];
#pragma GCC unroll 8
    for (int n = 0; n <= kRecordOrder; ++n) rotation.c[n + 1] = step_.rate[n].lane[l] * (1.0 / (n + 1));
    if (++b.looks > kLooksMax || !(fabs(s_.rotation.lane[l]) < 10.0)) {
        finish(l, LaneEnd::unsolved, 0);
        return refill(l);
    }
    const double seat = rotation.first_fall(length, s_.low.lane[l]), until = seat >= 0.0 ? seat : length;
    const double high = s_.high.lane[l], origin = s_.origin.lane[l];
    double down, up;
    rotation.bounds(until, down, up);
    const double bound = rotation.c[0] + up;
    if (bound >= high || (bound + origin) * s_.inverse_alpha.lane[l] > s_.peak.lane[l]) {
        double top_time;
        const double top = rotation.highest(until, top_time);
        if (!is_on_last_corner(l)) {
            if (bound >= high && meets_upper_face(l, rotation, until)) return;
        } else if (top >= high) {
            return fall(l, rotation.c[0] < high ? rotation.zero(0.0, top_time, -1.0, high, top_time) : 0.0);
        }
        const double ratio = (top + origin) * s_.inverse_alpha.lane[l];
        if (ratio > s_.peak.lane[l]) s_.peak.lane[l] = ratio;
    }
    if (seat >= 0.0) impact(l, false, seat, rotation.at(seat).slope);
}

/// True if it does within [0, until]; the impact is done then.
[[gnu::noinline]] bool RecordKernel::meets_upper_face(int l, const StepPolynomial& rotation, double until) {
    const double time = rotation.reversed().first_fall(until, -s_.high.lane[l]);
    if (time < 0.0) return false;
    s_.peak.lane[l] = fmax(s_.peak.lane[l], (s_.high.lane[l] + s_.origin.lane[l]) * s_.inverse_alpha.lane[l]);
    impact(l, true, time, rotation.at(time).slope);
    return true;
}

bool RecordKernel::is_on_last_corner(int l) const {
    const RecordBook& b = book_[l];
    return b.corner == 0 || b.corner == b.body->corner_count - 1;
}

/// The body passes pi/2 so long after the start of this step.
void RecordKernel::fall(int l, double time) {
    RecordBook& b = book_[l];
    b.since = track_.pieces[b.piece].start_s + step_.passed.lane[l] + time;
    s_.peak.lane[l] = fmax(s_.peak.lane[l], kHalfPi * s_.inverse_alpha.lane[l]);
    finish(l, LaneEnd::overturning, b.side);
    refill(l);
}

/// The body has met a face so long after the start of this step: it leaves on the face's other corner, or rests.
void RecordKernel::impact(int l, bool is_outward, double time, double rate_before) {
    RecordBook& b = book_[l];
    s_.passed.lane[l] = step_.passed.lane[l] + time;
    s_.left.lane[l] = step_.left.lane[l] - time;
    ++b.impacts;
    const bool goes_right = (b.side == 1) == is_outward;
    enter_face(l, goes_right ? b.corner : b.corner - 1);
    const double before = is_outward ? rate_before : -rate_before;
    const double rate = b.restitution[goes_right ? 0 : 1] * (before > 0.0 ? before : 0.0);
    enter_corner(l, goes_right ? 1 : 0);
    if (rate <= kRateFloor * s_.rate_unit.lane[l] || settles(l, rate)) {
        b.since = now(l) + hops_after(l, rate);
        rest(l);
        if (!b.busy) refill(l);
        return;
    }
    s_.rate.lane[l] = (b.side == 1) == goes_right ? rate : -rate;
}

/// Acceleration of the body towards its face, on its way to either corner.
double RecordKernel::weight_on(int l, int place, double base_ratio) const {
    return book_[l].seat_push[place] * (book_[l].lifting_ratio[place] + sign_of(place) * base_ratio);
}

/// True if the hops that follow an impact with this rate end before the base can lift the body again, by the bound of
/// Kernel::settles(), and none of them is as high as another face.
bool RecordKernel::settles(int l, double rate) const {
    const RecordBook& b = book_[l];
    const double base_ratio = b.amplitude * base_at(l, s_.passed.lane[l]);
    const double left = weight_on(l, 0, base_ratio), right = weight_on(l, 1, base_ratio);
    const double down = left < right ? left : right;
    if (down <= 0.0 || 4.0 * rate >= s_.left.lane[l] * down * b.lost_ratio) return false;
    if (rate * rate >= down * b.reach_rad) return false;
    const double duration = 4.0 * rate / (down * b.lost_ratio);
    const double drift = b.stiffness * fabs(b.amplitude) * track_.pieces[b.piece].slope_peak * duration;
    const double lowering = 2.0 * b.stiffness * rate * rate / down;  // of the weight's moment by the rotation itself
    return drift + lowering < 0.25 * down;
}

/// How long the hops last that begin with this rate on the present corner, the base standing still meanwhile.
double RecordKernel::hops_after(int l, double rate) const {
    const RecordBook& b = book_[l];
    const double base_ratio = b.amplitude * base_at(l, s_.passed.lane[l]);
    const double here = weight_on(l, b.place, base_ratio), there = weight_on(l, 1 - b.place, base_ratio);
    const double r = fmax(b.restitution[b.place], 0.0);
    const double both = r * fmax(b.restitution[1 - b.place], 0.0);
    if (!(here > 0.0 && there > 0.0 && both < 1.0)) return 0.0;
    return (2.0 * rate / here + 2.0 * r * rate / there) / (1.0 - both);
}

}  // namespace
}  // namespace topple::solver
