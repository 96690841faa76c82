// What becomes of a body on a base that moves at constant velocity for good: its energy says it.
#pragma once

#include "solver/lanes/after_wave.hpp"

namespace topple::solver {
namespace {

struct Coasting {
    bool falls = false;
    int side = 0;             ///< of a fall: index into LaneBody::sides
    unsigned impacts = 0;     ///< until then
    double duration = 0.0;    ///< to the fall or to rest, if details are asked for
    double peak_ratio = 0.0;  ///< largest rotation still to come over alpha of its side, likewise
};

/// A body in flight over one side, and what its energy says.
class Coast {
  public:
    Coast(const LaneBody& body, bool has_details) : body_(body), has_details_(has_details) {
        const double slope = asin(body.seat_sine);
        for (int i = 0; i < 2; ++i) {
            seat_[i] = body.sides[i].slenderness_rad - sign_of(i) * slope;
            depth_[i] = 2.0 * ::sin(0.5 * seat_[i]) * ::sin(0.5 * seat_[i]);
        }
    }

    /// The energy rate^2/2k + cos(u + s seat) is kept between impacts and the barrier is 1 on either side. Impact by
    /// impact until the body falls or cannot pass any barrier.
    Coasting from(int side, double rotation, double rate) {
        const double u = rotation - seat_[side];  // 0: on the barrier
        const double s = ::sin(0.5 * u), k = body_.sides[side].stiffness_ratio;
        const double excess = 0.5 * rate * rate / k - 2.0 * s * s;
        if (u >= 0.0 && (rate >= 0.0 || excess < 0.0)) return fall(side, s, rate, 0.5 * excess);
        if (u < 0.0 && rate > 0.0 && excess >= 0.0) return fall(side, s, rate, 0.5 * excess);
        double needed = 1e300;  // rate^2/2 below which no barrier is passed any more
        for (int i = 0; i < 2; ++i) {
            if (seat_[i] <= 0.0) return steep(i);  // the seat is steeper than the body is slender
            needed = fmin(needed, body_.sides[i].stiffness_ratio * depth_[i]);
        }
        if (has_details_ && rate > 0.0) note_peak(side, excess);
        double half_rate_squared = k * (excess + depth_[side]);
        if (has_details_) end_.duration = first_flight(body_, side, s, rate, 0.5 * excess);
        for (int hop = 0; hop < 10000 && half_rate_squared > needed; ++hop) {
            half_rate_squared = restituted(half_rate_squared, side);
            side = 1 - side;
            ++end_.impacts;
            const double stiffness = body_.sides[side].stiffness_ratio, seat = ::sqrt(0.5 * depth_[side]);
            const double half_excess = 0.5 * (half_rate_squared / stiffness - depth_[side]);
            if (half_rate_squared >= stiffness * depth_[side]) return fall(side, -seat, 1.0, half_excess);
            if (!has_details_) continue;
            note_peak(side, 2.0 * half_excess);
            end_.duration += 2.0 * passage(half_excess, seat) / ::sqrt(stiffness);
        }
        if (!has_details_) return end_;
        const double left = restituted(half_rate_squared, side);
        end_.duration += rest_after_wave(body_, 1 - side, left);
        note_two_hops(1 - side, left);
        return end_;
    }

  private:
    Coasting fall(int side, double s, double rate, double half_excess) {
        end_.falls = true;
        end_.side = side;
        if (has_details_) end_.duration += fall_after_wave(body_, side, s, rate, half_excess);
        end_.peak_ratio = fmax(end_.peak_ratio, kHalfPi / body_.sides[side].slenderness_rad);
        return end_;
    }
    Coasting steep(int side) {
        end_.falls = true;
        end_.side = side;
        end_.peak_ratio = kHalfPi / body_.sides[side].slenderness_rad;
        return end_;
    }
    /// Where a flight that does not pass the barrier turns.
    void note_peak(int side, double excess) {
        const double turn = seat_[side] - 2.0 * asin(fmin(1.0, ::sqrt(fmax(0.0, -0.5 * excess))));
        end_.peak_ratio = fmax(end_.peak_ratio, turn / body_.sides[side].slenderness_rad);
    }
    /// Later hops of either side are lower.
    void note_two_hops(int side, double half_rate_squared) {
        for (int i = 0; i < 2; ++i) {
            note_peak(side, half_rate_squared / body_.sides[side].stiffness_ratio - depth_[side]);
            half_rate_squared = restituted(half_rate_squared, side);
            side = 1 - side;
        }
    }
    double restituted(double half_rate_squared, int from) const {
        const double r = fmax(body_.sides[from].restitution, 0.0);
        return half_rate_squared * r * r;
    }

    const LaneBody& body_;
    bool has_details_;
    double seat_[2], depth_[2];  // slope of the way to the barrier, rad; height of the barrier over the seat
    Coasting end_;
};

}  // namespace
}  // namespace topple::solver
