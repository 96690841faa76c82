// Events inside a step of one record lane: roots of the series itself.
#pragma once

#include "solver/lanes/record_kernel.hpp"
#include "solver/lanes/record_rest.hpp"

namespace topple::solver {
namespace {

/// A polynomial of one step, over [0, length]. A step is so short that its second derivative passes zero once at most.
struct StepPolynomial {
    double c[kRecordOrder + 2];
    int degree;

    struct Jet {
        double value, slope, bend;
    };
    Jet at(double t) const {
        double value = c[degree], slope = 0.0, half_bend = 0.0;
        for (int n = degree - 1; n >= 0; --n) {
            half_bend = half_bend * t + slope;
            slope = slope * t + value;
            value = value * t + c[n];
        }
        return {value, slope, 2.0 * half_bend};
    }
    StepPolynomial derivative() const {
        StepPolynomial d;
        d.degree = degree - 1;
        for (int n = 0; n < degree; ++n) d.c[n] = (n + 1) * c[n + 1];
        return d;
    }
    /// Without the powers of t that all terms have: of a body that has just left its seat.
    StepPolynomial deflated() const {
        int zeros = 0;
        while (zeros < degree && c[zeros] == 0.0) ++zeros;
        StepPolynomial rest;
        rest.degree = degree - zeros;
        for (int n = 0; n <= rest.degree; ++n) rest.c[n] = c[n + zeros];
        return rest;
    }
    /// Zero in [low, high] of sign * (polynomial - level), positive at low and not at high: Newton from the far end, by
    /// bisection where that leaves the bracket. To rounding.
    double zero(double low, double high, double sign = 1.0, double level = 0.0) const {
        double t = high;
        for (int i = 0; i < 200; ++i) {
            const Jet f = at(t);
            (sign * (f.value - level) > 0.0 ? low : high) = t;
            double next = t - (f.value - level) / f.slope;
            if (fabs(next - t) <= 4e-16 * high) return t;
            if (!(next > low && next < high)) next = 0.5 * (low + high);
            if (!(next > low && next < high)) return high;
            t = next;
        }
        return t;
    }
    /// Where it turns within (0, length): from falling to rising for sign 1, the other way for -1; `length` if nowhere.
    double turn(double sign, double length, const Jet& from, const Jet& to) const {
        const bool has_two = sign * from.slope >= 0.0 && sign * to.slope >= 0.0;
        if (sign * to.slope <= 0.0 && !(sign * from.slope < 0.0 && sign * from.bend > 0.0 && sign * to.bend < 0.0))
            return length;
        if (has_two && !(sign * from.bend < 0.0 && sign * to.bend > 0.0)) return length;
        const StepPolynomial slope = derivative();
        double low = 0.0, high = length;
        if (has_two) low = slope.derivative().zero(0.0, length, -sign);
        if (sign * to.slope <= 0.0) high = slope.derivative().zero(0.0, length, sign);
        if (sign * slope.at(low).value >= 0.0 || sign * slope.at(high).value <= 0.0) return length;
        return slope.zero(low, high, -sign);
    }
    /// First time in (0, length] at which a polynomial that starts above zero is no longer so; negative: it stays.
    double first_fall(double length) const {
        const StepPolynomial p = deflated();
        if (!(p.c[0] > 0.0)) return 0.0;
        const Jet from = p.at(0.0), to = p.at(length);
        const bool bends = (from.slope > 0.0) != (to.slope > 0.0) || (from.bend > 0.0) != (to.bend > 0.0);
        const double touch = bends ? p.turn(1.0, length, from, to) : length;
        if (touch < length && p.at(touch).value <= 0.0) return p.zero(0.0, touch);
        return to.value <= 0.0 ? p.zero(0.0, length) : -1.0;
    }
    /// Highest value in [0, until], and where.
    double highest(double until, double& time) const {
        const Jet from = at(0.0), to = at(until);
        time = from.value > to.value ? 0.0 : until;
        double most = fmax(from.value, to.value);
        const double top = turn(-1.0, until, from, to);
        if (top < until && at(top).value > most) most = at(top).value, time = top;
        return most;
    }
};

/// A lane that might have met its seat or fallen in this step, or has turned.
void RecordKernel::look(int l) {
    RecordBook& b = book_[l];
    const double length = step_.length.lane[l];
    StepPolynomial rotation;
    rotation.degree = kRecordOrder + 1;
    rotation.c[0] = step_.rotation.lane[l];
    for (int n = 0; n <= kRecordOrder; ++n) rotation.c[n + 1] = step_.rate[n].lane[l] / (n + 1);
    if (++b.looks > kLooksMax || !(fabs(s_.rotation.lane[l]) < 10.0)) {
        finish(l, LaneEnd::unsolved, 0);
        return refill(l);
    }
    const double seat = rotation.first_fall(length);
    double top_time;
    const double top = rotation.highest(seat >= 0.0 ? seat : length, top_time);
    if (top >= kHalfPi) {
        // Its passage of pi/2: on the way up to the top.
        const double fall = rotation.c[0] < kHalfPi ? rotation.zero(0.0, top_time, -1.0, kHalfPi) : 0.0;
        b.since = track_.pieces[b.piece].start_s + step_.passed.lane[l] + fall;
        s_.peak.lane[l] = fmax(s_.peak.lane[l], kHalfPi * s_.inverse_alpha.lane[l]);
        finish(l, LaneEnd::overturning, b.side);
        return refill(l);
    }
    s_.peak.lane[l] = fmax(s_.peak.lane[l], top * s_.inverse_alpha.lane[l]);
    if (seat < 0.0) return;
    s_.passed.lane[l] = step_.passed.lane[l] + seat;
    s_.left.lane[l] = step_.left.lane[l] - seat;
    impact(l, rotation.at(seat).slope);
    if (!b.busy) refill(l);
}

/// The body has met its seat: it leaves on the other side, or rests.
void RecordKernel::impact(int l, double rate_before) {
    RecordBook& b = book_[l];
    const double rate = b.body.sides[b.side].restitution * (rate_before < 0.0 ? -rate_before : 0.0);
    enter_side(l, 1 - b.side);
    if (rate <= kRateFloor * s_.rate_unit.lane[l] || settles(l, rate)) {
        b.since = now(l) + hops_after(l, rate);
        return rest(l);
    }
    s_.rate.lane[l] = rate;
}

/// Downward acceleration of the body on its seat, towards either side.
inline double weight_on(const LaneBody& body, int side, double base_ratio) {
    return body.sides[side].stiffness_ratio * body.sides[side].cosine *
           (lifting_ratio(body, side) + sign_of(side) * base_ratio);
}

/// True if the hops that follow an impact with this rate end before the base can lift the body again, by the bound of
/// Kernel::settles().
bool RecordKernel::settles(int l, double rate) const {
    const RecordBook& b = book_[l];
    const LaneBody& body = b.body;
    const double base_ratio = b.amplitude * base_at(l, s_.passed.lane[l]);
    const double down = fmin(weight_on(body, 0, base_ratio), weight_on(body, 1, base_ratio));
    const double r = fmax(body.sides[0].restitution, body.sides[1].restitution);
    if (down <= 0.0 || r >= 1.0) return false;
    const double duration = 4.0 * rate / (down * (1.0 - r));
    const double stiffness = fmax(body.sides[0].stiffness_ratio, body.sides[1].stiffness_ratio);
    const double drift = stiffness * fabs(b.amplitude) * track_.pieces[b.piece].slope_peak * duration;
    const double lowering = 2.0 * stiffness * rate * rate / down;  // of the weight's moment by the rotation itself
    return duration < s_.left.lane[l] && drift + lowering < 0.25 * down;
}

/// How long the hops last that begin with this rate on the present side, the base standing still meanwhile.
double RecordKernel::hops_after(int l, double rate) const {
    const RecordBook& b = book_[l];
    const double base_ratio = b.amplitude * base_at(l, s_.passed.lane[l]);
    const double here = weight_on(b.body, b.side, base_ratio), there = weight_on(b.body, 1 - b.side, base_ratio);
    const double r = fmax(b.body.sides[b.side].restitution, 0.0);
    const double both = r * fmax(b.body.sides[1 - b.side].restitution, 0.0);
    if (!(here > 0.0 && there > 0.0 && both < 1.0)) return 0.0;
    return (2.0 * rate / here + 2.0 * r * rate / there) / (1.0 - both);
}

}  // namespace
}  // namespace topple::solver
