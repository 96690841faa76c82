// Events inside a step of one lane: roots of the series itself, so that an impact costs no accuracy.
#pragma once

#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

/// A lane that has just left its seat, where the rotation starts at 0: true if its leading term outweighs the
/// others over the whole step, so that it neither comes back nor falls.
bool Kernel::stays_up(int l) const {
    const double h = step_.lane[l], rest = rest_.lane[l];
    double term[5];
    double power = 1.0;
    for (int n = 1; n < 5; ++n) {
        power *= h;
        term[n] = c_.rotation[n].lane[l] * power;
    }
    int lead = 1;
    while (lead < 4 && term[lead] == 0.0) ++lead;
    double least = term[lead] - rest, most = fabs(term[lead]) + rest;
    for (int n = lead + 1; n < 5; ++n) {
        least += n == lead + 1 ? fmin(0.0, term[n]) : -fabs(term[n]);
        most += fabs(term[n]);
    }
    return least > 0.0 && most < kHalfPi;
}

/// Value and slope of a polynomial.
struct Tangent {
    double value, slope;
};

inline Tangent tangent(const LaneArray* c, int order, int l, double t) {
    double value = c[order].lane[l], slope = 0.0;
    for (int n = order - 1; n >= 0; --n) {
        slope = slope * t + value;
        value = value * t + c[n].lane[l];
    }
    return {value, slope};
}

/// Zero of sign * (polynomial - level) in [low, high], positive at low and not at high: Newton from the far end, by
/// bisection where that leaves the bracket. To rounding of t.
inline double falling_root(const LaneArray* c, int order, int l, double sign, double low, double high,
                           double level = 0.0) {
    double t = high;
    for (int i = 0; i < 200; ++i) {
        Tangent f = tangent(c, order, l, t);
        f.value -= level;
        if (sign * f.value > 0.0)
            low = t;
        else
            high = t;
        double next = t - f.value / f.slope;
        const bool is_settled = fabs(next - t) <= 4e-16 * high;
        if (is_settled) return t;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (!(next > low && next < high)) return high;
        t = next;
    }
    return t;
}

/// Where the rate passes through zero, from -direction to direction, between t0 and t1; t1 if it does not. Its signs at
/// the ends show it, and where they agree its own turn does: the acceleration is all but a straight line over an eighth
/// of a step.
double Kernel::turn_of_rate(int l, double direction, const Instant& from, const Instant& to) const {
    double low = from.time, high = to.time;
    if (direction * from.rate > 0.0) {  // away from it and back: the rate has its extreme between
        if (!(direction * from.acceleration < 0.0 && direction * to.acceleration > 0.0)) return high;
        low = falling_root(c_.acceleration, kOrder - 1, l, -direction, low, high);
    } else if (!(direction * to.rate > 0.0)) {
        if (!(direction * from.acceleration > 0.0 && direction * to.acceleration < 0.0)) return high;
        high = falling_root(c_.acceleration, kOrder - 1, l, direction, low, high);
    }
    if (direction * tangent(c_.rate, kOrder, l, low).value >= 0.0) return to.time;
    if (direction * tangent(c_.rate, kOrder, l, high).value <= 0.0) return to.time;
    return falling_root(c_.rate, kOrder, l, -direction, low, high);
}

/// The first time in (0, step] at which the body meets its seat or falls. Eighths of the step, and the
/// extremes of the rotation inside them, so that no dip is missed.
Kernel::Event Kernel::first_event(int l, double& time) {
    for (int n = 0; n < kOrder; ++n) c_.acceleration[n].lane[l] = (n + 1) * c_.rate[n + 1].lane[l];
    LaneArray at, rotation, rate, acceleration;
    for (int i = 0; i < kLanes; ++i) at.lane[i] = step_.lane[l] * (i + 1) / kLanes;
    const Lanes t = Lanes::load(at);
    Lanes value = Lanes::all(c_.rotation[kOrder + 1].lane[l]), slope = Lanes::all(0.0), bend = Lanes::all(0.0);
    for (int n = kOrder; n >= 0; --n) {
        bend = bend * t + slope;
        slope = slope * t + value;
        value = value * t + c_.rotation[n].lane[l];
    }
    value.store(rotation);
    slope.store(rate);
    (bend * 2.0).store(acceleration);
    Instant from{0.0, s_.rate.lane[l], c_.rate[1].lane[l]};
    for (int i = 0; i < kLanes; ++i) {
        const Instant to{at.lane[i], rate.lane[i], acceleration.lane[i]};
        const bool bends = (from.rate > 0.0) != (to.rate > 0.0) || (from.acceleration > 0.0) != (to.acceleration > 0.0);
        double touch = to.time;
        if (bends && rotation.lane[i] > 0.0) touch = turn_of_rate(l, 1.0, from, to);
        if (rotation.lane[i] <= 0.0 || (touch < to.time && tangent(c_.rotation, kOrder + 1, l, touch).value <= 0.0)) {
            time = falling_root(c_.rotation, kOrder + 1, l, 1.0, from.time, touch);
            return Event::impact;
        }
        const double highest = bends ? turn_of_rate(l, -1.0, from, to) : to.time;
        if (rotation.lane[i] >= kHalfPi ||
            (highest < to.time && tangent(c_.rotation, kOrder + 1, l, highest).value >= kHalfPi)) {
            if (p_.tells_times) time = falling_root(c_.rotation, kOrder + 1, l, -1.0, from.time, highest, kHalfPi);
            return Event::fallen;
        }
        from = to;
    }
    return Event::none;
}

}  // namespace
}  // namespace topple::solver
