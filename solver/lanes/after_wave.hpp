// How long it takes, on a base that moves at constant velocity, until the body has fallen or rests.
//
// With u = 0 on the barrier, s = sin(u/2) and 2 q = rate^2/2k - 2 s^2 (kept between impacts):
//   dt = ds / (sqrt(k) sqrt(s^2 + q) sqrt(1 - s^2))
// The last root as 1 + s^2/2 + 3 s^4/8 + 5 s^6/16 for rocking; for a fall, where s grows, by Carlson's RF.
#pragma once

#include <math.h>

#include "solver/lanes/lane_state.hpp"

namespace topple::solver {
namespace {

/// The integral of the above up to s, times sqrt(k). s >= sqrt(-q) where q < 0.
inline double passage(double q, double s) {
    constexpr double kLeast = 1e-24;  // exactly on the barrier it would never end
    if (fabs(q) < kLeast) q = q < 0.0 ? -kLeast : kLeast;
    const double m = ::sqrt(fabs(q)), w = ::sqrt(fmax(0.0, s * s + q));
    const double i0 = q > 0.0 ? asinh(s / m) : ::log((s + w) / m);
    const double i2 = 0.5 * (s * w - q * i0);
    const double i4 = 0.25 * (s * s * s * w - 3.0 * q * i2);
    const double i6 = (s * s * s * s * s * w - 5.0 * q * i4) / 6.0;
    return i0 + 0.5 * i2 + 0.375 * i4 + 0.3125 * i6;
}

/// Carlson's elliptic integral RF, by duplication (Carlson 1995), to 1e-14. At most one argument 0.
inline double carlson_rf(double x, double y, double z) {
    for (int i = 0; i < 100; ++i) {
        const double mean = (x + y + z) / 3.0, dx = 1.0 - x / mean, dy = 1.0 - y / mean, dz = 1.0 - z / mean;
        if (fmax(fabs(dx), fmax(fabs(dy), fabs(dz))) < 2e-3) {
            const double e2 = dx * dy + dy * dz + dz * dx, e3 = dx * dy * dz;
            return (1.0 - 0.1 * e2 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0) / ::sqrt(mean);
        }
        const double rx = ::sqrt(x), ry = ::sqrt(y), rz = ::sqrt(z), lambda = rx * ry + ry * rz + rz * rx;
        x = 0.25 * (x + lambda), y = 0.25 * (y + lambda), z = 0.25 * (z + lambda);
    }
    return 0.0;
}

/// passage() without its series.
inline double long_passage(double q, double s) {
    constexpr double kLeast = 1e-24;  // as there
    if (fabs(q) < kLeast) q = q < 0.0 ? -kLeast : kLeast;
    const double s2 = s * s;
    if (q > 0.0) return s * carlson_rf(q, q + s2, q * (1.0 - s2));
    return ::sqrt(fmax(0.0, s2 + q)) * carlson_rf(s2 * (1.0 + q), -q * (1.0 + q), -q * (1.0 - s2));
}

/// From s (0 on the barrier) with this rate to pi/2 on the same side.
inline double fall_after_wave(const LaneBody& body, int side, double s, double rate, double half_excess) {
    const double k = body.sides[side].stiffness_ratio;
    const double tilt = sign_of(side) * asin(body.seat_sine);
    const double end = ::sin(0.5 * (kHalfPi - body.sides[side].slenderness_rad + tilt));
    const double to_here = long_passage(half_excess, half_excess < 0.0 ? fmax(s, ::sqrt(-half_excess)) : s);
    const double to_end = long_passage(half_excess, fmax(s, end));
    return (rate >= 0.0 ? to_end - to_here : to_end + to_here) / ::sqrt(k);
}

/// From s with this rate to the seat of this side, which the body does reach.
inline double first_flight(const LaneBody& body, int side, double s, double rate, double half_excess) {
    const double tilt = sign_of(side) * asin(body.seat_sine);
    const double seat = ::sin(0.5 * (body.sides[side].slenderness_rad - tilt));
    const double root = ::sqrt(body.sides[side].stiffness_ratio);
    if (half_excess >= 0.0) return (passage(half_excess, seat) + passage(half_excess, s)) / root;
    const double turn = ::sqrt(-half_excess), here = passage(half_excess, fmax(-s, turn));
    return (passage(half_excess, fmax(seat, turn)) + (rate > 0.0 ? here : -here)) / root;
}

/// From an impact after which the body leaves on this side with this rate, and passes no barrier any more.
inline double rest_after_wave(const LaneBody& of, int side, double half_rate_squared) {
    constexpr double kSmall = 0.02;  // rate^2 over that of the barrier: from here on the hops are summed up as a series
    const double tilt = asin(of.seat_sine);
    const double both = fmax(of.sides[0].restitution, 0.0) * fmax(of.sides[1].restitution, 0.0);
    if (both >= 1.0) return 1e300;
    double seats[2], least = 1e300;
    for (int i = 0; i < 2; ++i) {
        seats[i] = ::sin(0.5 * (of.sides[i].slenderness_rad - sign_of(i) * tilt));
        least = fmin(least, of.sides[i].stiffness_ratio * seats[i] * seats[i]);
    }
    double time = 0.0;
    for (int hop = 0; hop < 10000 && half_rate_squared >= 2.0 * kSmall * least; ++hop) {
        const double seat = seats[side], k = of.sides[side].stiffness_ratio;
        time += 2.0 * passage(0.5 * half_rate_squared / k - seat * seat, seat) / ::sqrt(k);
        const double r = fmax(of.sides[side].restitution, 0.0);
        half_rate_squared *= r * r;
        side = 1 - side;
    }
    // The two sides in turn, each a geometric series of hops: with S, C = sine, cosine of the way to the barrier and
    // z = w^2/k S^2, a hop lasts 2 w/(k S) (1 + C z/3 + (C^2/5 + S^2/15) z^2 + O(z^3)).
    for (int i = 0; i < 2; ++i) {
        const double seat = of.sides[side].slenderness_rad - sign_of(side) * tilt, sine = ::sin(seat);
        const double cosine = ::cos(seat), k = of.sides[side].stiffness_ratio,
                     z = 2.0 * half_rate_squared / (k * sine * sine);
        const double both3 = both * both * both;
        time += 2.0 * ::sqrt(2.0 * half_rate_squared) / (k * sine) *
                (1.0 / (1.0 - both) + cosine * z / (3.0 * (1.0 - both3)) +
                 (cosine * cosine / 5.0 + sine * sine / 15.0) * z * z / (1.0 - both3 * both * both));
        const double r = fmax(of.sides[side].restitution, 0.0);
        half_rate_squared *= r * r;
        side = 1 - side;
    }
    return time;
}

}  // namespace
}  // namespace topple::solver
