// The impact of one lane, and whether the hops that follow it end in rest.
#pragma once

#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

void Kernel::impact(int l, double rate_before) {
    LaneBook& b = book_[l];
    ++b.impacts;
    const double rate = body(l).sides[b.side].restitution * (rate_before < 0.0 ? -rate_before : 0.0);
    enter_side(l, 1 - b.side);
    if (rate <= kRateFloor || settles(l, rate)) {
        b.since = now(l);
        return rest(l);
    }
    s_.rate.lane[l] = rate;
    b.fresh = true;
}

/// True if the hops that follow an impact with this rate end before the base can lift the body again. With
/// the downward acceleration staying above K/2 all hops last less than 4 rate / (K (1 - r)) together.
bool Kernel::settles(int l, double rate) const {
    const LaneBook& b = book_[l];
    double down = 1e300;
    for (int side = 0; side < 2; ++side)
        down = fmin(down, body(l).sides[side].stiffness_ratio * body(l).sides[side].cosine *
                              (base_threshold(l, side) + sign_of(side) * s_.base.lane[l]));
    const double r = fmax(body(l).sides[0].restitution, body(l).sides[1].restitution);
    if (down <= 0.0 || r >= 1.0) return false;
    const double duration = 4.0 * rate / (down * (1.0 - r));
    const double stiffness = fmax(body(l).sides[0].stiffness_ratio, body(l).sides[1].stiffness_ratio);
    const double drift = stiffness * b.amplitude * b.frequency_ratio * p_.pieces[b.piece].slope_peak * duration;
    const double lowering = 2.0 * stiffness * rate * rate / down;  // of the weight's moment by the rotation itself
    return duration < s_.time_left.lane[l] && drift + lowering < 0.25 * down;
}

}  // namespace
}  // namespace topple::solver
