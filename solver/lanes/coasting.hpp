// What becomes of a body on a base that moves at constant velocity for good: its energy says it.
#pragma once

#include "solver/lanes/after_wave.hpp"
#include "solver/lanes/wells.hpp"

namespace topple::solver {
namespace {

struct Coasting {
    bool falls = false;
    int side = 0;             ///< of a fall: index into LaneBody::sides
    int face = 0;             ///< else: on which it comes to rest; -1: after so many hops that nobody counts them
    unsigned impacts = 0;     ///< until then
    double duration = 0.0;    ///< to the fall or to rest, if details are asked for
    double peak_ratio = 0.0;  ///< largest rotation still to come over alpha of its side, likewise
};

/// A body in flight over one corner, and what its energy says. Between impacts rate^2/2k + cos(u + s seat) is kept, and
/// is 1 at rest with the mass centre above the corner: on the barrier. Flight by flight, until the body falls or cannot
/// leave the corners of a face any more.
class Coast {
  public:
    /// `slowness_squared`: the body's p^2 is so many times smaller than it says.
    Coast(const LaneBody& body, bool has_details, double slowness_squared = 1.0)
        : body_(body),
          has_details_(has_details),
          hops_max_(body.corner_count == 2 ? 10000
                    : body.is_passive      ? 100000
                                           : 20000),
          is_series_(body.corner_count == 2),
          wells_(body, slowness_squared) {}

    Coasting from(int corner, double rotation, double rate) {
        const int side = side_of(body_, corner);
        const HopSide hop = wells_.hop_of(corner, true);
        const double u = rotation - (corners_of(body_)[corner].slenderness_rad - sign_of(side) * wells_.slope());
        const double s = ::sin(0.5 * u), excess = 0.5 * rate * rate / hop.stiffness - 2.0 * s * s;
        const double inwards = hop.seat > 0.0 ? 0.0 : -hop.depth;  // excess with which it gets to the lower end
        const bool is_outward = u >= 0.0 ? rate >= 0.0 || excess < inwards : rate > 0.0 && excess >= hop.pass;
        const bool turns = is_outward ? rate < 0.0 : rate > 0.0;
        if (is_outward && hop.is_last) return fall(hop, s, turns, 0.5 * excess);
        if (has_details_ && turns && !is_outward) note_turn(hop, excess);
        const double goal = is_outward ? ::sin(0.5 * hop.far) : -::sin(0.5 * hop.seat);
        if (has_details_) end_.duration = duration(0.5 * excess, s, goal, turns) / ::sqrt(hop.stiffness);
        const double half_rate_squared = hop.stiffness * (excess + (is_outward ? 2.0 * goal * goal : hop.depth));
        if (is_outward) note_ratio(corners_of(body_)[corner].high_rad, side);
        const bool goes_right = (side == 1) == is_outward;
        return arrive(goes_right ? corner : corner - 1, goes_right ? 0 : 1, fmax(half_rate_squared, 0.0));
    }

  private:
    /// Both corners of a face, and the rate^2/2 below which none is left any more.
    void enter(int face) {
        end_.face = face;
        double livelier = 1.0;
        needed_ = 1e300;
        for (int place = 0; place < 2; ++place) {
            hops_[place] = wells_.hop_side(face, place);
            needed_ = fmin(needed_, hops_[place].needed());
            livelier = fmax(livelier, hops_[place].restitution);
        }
        if (livelier > 1.0 && needed_ > 0.0) needed_ /= livelier * livelier;
    }

    /// At a face, from the corner at this place of it.
    Coasting arrive(int face, int place, double half_rate_squared) {
        enter(face);
        int hop = 0;
        for (; hop < hops_max_ && half_rate_squared > needed_; ++hop) {
            const bool is_time_to_look = hop >= 8 && (hop & (hop - 1)) == 0 && !has_details_ && !is_series_;
            if (is_time_to_look && wells_.holds(face, place, half_rate_squared)) {
                end_.face = wells_.bottom(face);
                return end_;
            }
            half_rate_squared = restituted(half_rate_squared, place);
            place = 1 - place;
            ++end_.impacts;
            const HopSide& to = hops_[place];
            const double half_excess = 0.5 * (half_rate_squared / to.stiffness - to.depth);
            if (half_rate_squared >= to.needed()) {
                if (to.is_last) return fall(to, -to.seat_sine(), false, half_excess);
                half_rate_squared = pass_over(to, half_excess);
                face += place == 0 ? -1 : 1;
                enter(face);
                place = 1 - place;
                continue;
            }
            if (!has_details_) continue;
            note_turn(to, 2.0 * half_excess);
            end_.duration += 2.0 * passage_of(half_excess, to.seat_sine()) / ::sqrt(to.stiffness);
        }
        if (hop == hops_max_ && !is_series_) {  // all but without loss
            end_.face = wells_.holds(face, place, half_rate_squared) ? wells_.bottom(face) : -1;
            end_.duration = 1e300;
        } else if (has_details_)
            come_to_rest(1 - place, restituted(half_rate_squared, place));
        return end_;
    }

    /// From one end of a corner to the other; rate^2/2 there.
    double pass_over(const HopSide& on, double half_excess) {
        const double goal = ::sin(0.5 * on.far);
        if (has_details_) end_.duration += duration(half_excess, -on.seat_sine(), goal, false) / ::sqrt(on.stiffness);
        const LaneSide& corner = corners_of(body_)[on.corner];
        note_ratio(on.is_low ? corner.high_rad : corner.low_rad, on.side);
        return fmax(0.0, on.stiffness * 2.0 * (half_excess + goal * goal));
    }

    void come_to_rest(int place, double half_rate_squared) {
        const WellSide sides[2] = {well_side(hops_[0]), well_side(hops_[1])};
        end_.duration += rest_after_wave(sides, place, half_rate_squared, is_series_);
        for (int i = 0; i < 2; ++i) {  // later hops of either side are lower
            note_turn(hops_[place], half_rate_squared / hops_[place].stiffness - hops_[place].depth);
            half_rate_squared = restituted(half_rate_squared, place);
            place = 1 - place;
        }
    }
    static WellSide well_side(const HopSide& hop) { return {hop.seat, hop.stiffness, hop.restitution}; }

    Coasting fall(const HopSide& over, double s, bool turns, double half_excess) {
        end_.falls = true;
        end_.side = over.side;
        if (has_details_) {
            const double end = fmax(s, ::sin(0.5 * over.far));
            end_.duration += time_between(long_passage, half_excess, s, end, turns) / ::sqrt(over.stiffness);
        }
        note_ratio(kHalfPi, over.side);
        return end_;
    }

    bool is_short(double s) const { return is_series_ || fabs(s) < kSeriesMost; }
    double passage_of(double q, double s) const { return is_short(s) ? passage(q, s) : long_passage(q, s); }
    double duration(double q, double from, double to, bool turns) const {
        const bool is_series = is_short(fmax(fabs(from), fabs(to)));
        return time_between(is_series ? passage : long_passage, q, from, to, turns);
    }
    /// Where a flight that does not get to the other end turns; on the way to smaller rotations it is no peak.
    void note_turn(const HopSide& on, double excess) {
        if (!on.is_low) return;
        const double turn = on.seat - 2.0 * asin(fmin(1.0, ::sqrt(fmax(0.0, -0.5 * excess))));
        note_ratio(corners_of(body_)[on.corner].low_rad + turn, on.side);
    }
    void note_ratio(double rotation, int side) {
        end_.peak_ratio = fmax(end_.peak_ratio, rotation / body_.sides[side].slenderness_rad);
    }
    double restituted(double half_rate_squared, int place) const {
        const double r = hops_[place].restitution;
        return half_rate_squared * r * r;
    }

    const LaneBody& body_;
    bool has_details_;
    static constexpr double kSeriesMost = 0.06;  // sin(angle/2) up to which the series is good for 1e-10
    int hops_max_;
    bool is_series_;  // all passages by the series: of a body that rocks on one face
    Wells wells_;
    HopSide hops_[2]{};
    double needed_ = 0.0;
    Coasting end_;
};

}  // namespace
}  // namespace topple::solver
