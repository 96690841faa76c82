// The end of a wave: what becomes of one lane follows from its energy.
#pragma once

#include "solver/lanes/kernel.hpp"

namespace topple::solver {
namespace {

/// The base moves at constant velocity for good: the energy rate^2/2k + cos(u + s seat) is kept between
/// impacts and the barrier is 1 on either side. Impact by impact until the body falls or cannot pass any
/// barrier.
void Kernel::decide(int l) {
    LaneBook& b = book_[l];
    int side = b.side;
    double tilt = sign_of(side) * asin(body(l).seat_sine);
    double u = s_.rotation.lane[l] - body(l).sides[side].slenderness_rad + tilt;  // 0: on the barrier
    double rate = s_.rate.lane[l];
    double excess = 0.5 * rate * rate / body(l).sides[side].stiffness_ratio - 2.0 * ::sin(0.5 * u) * ::sin(0.5 * u);
    if (u >= 0.0 && (rate >= 0.0 || excess < 0.0)) return finish(l, LaneEnd::overturning, side);
    if (u < 0.0 && rate > 0.0 && excess >= 0.0) return finish(l, LaneEnd::overturning, side);
    const double seat[2] = {body(l).sides[0].slenderness_rad + asin(body(l).seat_sine),
                            body(l).sides[1].slenderness_rad - asin(body(l).seat_sine)};
    double needed = 1e300;  // rate^2/2 below which no barrier is passed any more
    double depth[2];
    for (int i = 0; i < 2; ++i) {
        if (seat[i] <= 0.0) return finish(l, LaneEnd::overturning, i);  // the seat is steeper than the body is slender
        depth[i] = 2.0 * ::sin(0.5 * seat[i]) * ::sin(0.5 * seat[i]);
        needed = fmin(needed, body(l).sides[i].stiffness_ratio * depth[i]);
    }
    double half_rate_squared = body(l).sides[side].stiffness_ratio * (excess + depth[side]);
    for (int hop = 0; hop < 10000 && half_rate_squared > needed; ++hop) {
        const double r = fmax(body(l).sides[side].restitution, 0.0);
        side = 1 - side;
        ++b.impacts;
        half_rate_squared *= r * r;
        if (half_rate_squared >= body(l).sides[side].stiffness_ratio * depth[side])
            return finish(l, LaneEnd::overturning, side);
    }
    finish(l, LaneEnd::rocking, 0);
}

}  // namespace
}  // namespace topple::solver
