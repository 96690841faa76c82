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

/// From s to another, `turns`: away from it first, to where it turns. Times sqrt(k); `integral`: one of the two above.
template <class Integral>
inline double time_between(Integral&& integral, double q, double from, double to, bool turns) {
    if (q >= 0.0) return fabs(integral(q, to) - integral(q, from));
    const double turn = ::sqrt(-q);
    const double away = integral(q, fmax(fabs(from), turn)), back = integral(q, fmax(fabs(to), turn));
    const bool is_over = from * to < 0.0;  // by a hair's breadth
    return turns || is_over ? back + away : fabs(back - away);
}

/// One of the two corners between which a body hops until it rests on the face that joins them.
struct WellSide {
    double seat;  ///< from the face to the barrier, rad
    double stiffness, restitution;
};

/// From an impact after which the body leaves on this side with this rate, and passes no barrier any more.
inline double rest_after_wave(const WellSide (&sides)[2], int side, double half_rate_squared, bool is_series) {
    constexpr double kSmall = 0.02;  // rate^2 over that of the barrier: from here on the hops are summed up as a series
    const double both = sides[0].restitution * sides[1].restitution;
    if (both >= 1.0) return 1e300;
    double seats[2], least = 1e300;
    for (int i = 0; i < 2; ++i) {
        seats[i] = ::sin(0.5 * sides[i].seat);
        least = fmin(least, sides[i].stiffness * seats[i] * seats[i]);
    }
    double time = 0.0;
    for (int hop = 0; hop < 10000 && half_rate_squared >= 2.0 * kSmall * least; ++hop) {
        const double seat = seats[side], k = sides[side].stiffness, q = 0.5 * half_rate_squared / k - seat * seat;
        time += 2.0 * (is_series ? passage(q, seat) : long_passage(q, seat)) / ::sqrt(k);
        half_rate_squared *= sides[side].restitution * sides[side].restitution;
        side = 1 - side;
    }
    // The two sides in turn, each a geometric series of hops: with S, C = sine, cosine of the way to the barrier and
    // z = w^2/k S^2, a hop lasts 2 w/(k S) (1 + C z/3 + (C^2/5 + S^2/15) z^2 + O(z^3)).
    for (int i = 0; i < 2; ++i) {
        const double sine = ::sin(sides[side].seat), cosine = ::cos(sides[side].seat), k = sides[side].stiffness,
                     z = 2.0 * half_rate_squared / (k * sine * sine);
        const double both3 = both * both * both;
        time += 2.0 * ::sqrt(2.0 * half_rate_squared) / (k * sine) *
                (1.0 / (1.0 - both) + cosine * z / (3.0 * (1.0 - both3)) +
                 (cosine * cosine / 5.0 + sine * sine / 15.0) * z * z / (1.0 - both3 * both * both));
        half_rate_squared *= sides[side].restitution * sides[side].restitution;
        side = 1 - side;
    }
    return time;
}

}  // namespace
}  // namespace topple::solver
