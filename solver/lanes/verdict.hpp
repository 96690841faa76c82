// The end of a wave: what becomes of one lane follows from its energy.
#pragma once

#include "solver/lanes/after_wave.hpp"
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
    const double s = ::sin(0.5 * u);
    const auto falls = [&](int to, double after, double from_s, double with_rate, double half_excess) {
        if (p_.tells_times) b.since = now(l) + after + fall_after_wave(l, to, from_s, with_rate, half_excess);
        finish(l, LaneEnd::overturning, to);
    };
    if (u >= 0.0 && (rate >= 0.0 || excess < 0.0)) return falls(side, 0.0, s, rate, 0.5 * excess);
    if (u < 0.0 && rate > 0.0 && excess >= 0.0) return falls(side, 0.0, s, rate, 0.5 * excess);
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
    double after = p_.tells_times ? first_flight(l, side, s, rate, 0.5 * excess) : 0.0;
    const auto restituted = [&](int from) {
        const double r = fmax(body(l).sides[from].restitution, 0.0);
        return half_rate_squared * r * r;
    };
    for (int hop = 0; hop < 10000 && half_rate_squared > needed; ++hop) {
        half_rate_squared = restituted(side);
        side = 1 - side;
        ++b.impacts;
        const double k = body(l).sides[side].stiffness_ratio, seat_s = ::sqrt(0.5 * depth[side]);
        const double half_excess = 0.5 * (half_rate_squared / k - depth[side]);
        if (half_rate_squared >= k * depth[side]) return falls(side, after, -seat_s, 1.0, half_excess);
        if (p_.tells_times) after += 2.0 * passage(half_excess, seat_s) / ::sqrt(k);
    }
    if (p_.tells_times) b.since = now(l) + after + rest_after_wave(l, 1 - side, restituted(side));
    finish(l, LaneEnd::rocking, 0);
}

}  // namespace
}  // namespace topple::solver
