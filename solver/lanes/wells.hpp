// The landscape of a body on a still base: heights of its mass centre over corners and faces, and the wells between.
#pragma once

#include "solver/lanes/body_corners.hpp"

namespace topple::solver {
namespace {

/// A corner as seen from one of its faces. v: rotation away from the face, 0 with the mass centre above the corner: on
/// the barrier.
struct HopSide {
    int corner, side;  ///< index among all; that of the side to which the body leans
    bool is_low;       ///< the face is its lower end
    bool is_last;      ///< beyond its other end there is no face, but the fall
    double stiffness, restitution;
    double seat, depth;  ///< from the face to the barrier, rad, <= 0: past it; height of the barrier over the face
    double far;          ///< v at the other end
    double pass;         ///< height over the barrier of what is to be passed on the way there: <= 0
    double seat_sine() const { return copysign(::sqrt(0.5 * depth), seat); }
    double needed() const { return seat > 0.0 ? stiffness * (depth + pass) : -1.0; }  // rate^2/2 to get there
};

/// Heights are over the corner's radius.
class Wells {
  public:
    Wells(const LaneBody& body, double slowness_squared)
        : body_(body), slowness_squared_(slowness_squared), slope_(asin(body.seat_sine)) {}
    double slope() const { return slope_; }  // of the seat, rad

    HopSide hop_of(int corner, bool is_low) const {
        const LaneSide& of = corners_of(body_)[corner];
        HopSide hop;
        hop.corner = corner;
        hop.side = side_of(body_, corner);
        hop.is_low = is_low;
        hop.is_last = is_low && (corner == 0 || corner == body_.corner_count - 1);
        hop.stiffness = of.stiffness_ratio / slowness_squared_;
        hop.restitution = fmax(is_low ? of.restitution : of.restitution_high, 0.0);
        const double tilt = sign_of(hop.side) * slope_;
        const double low = (of.slenderness_rad - tilt) - of.low_rad, high = of.high_rad - of.slenderness_rad + tilt;
        hop.seat = is_low ? low : high;
        hop.far = is_low ? high : low;
        hop.depth = height(hop.seat);
        hop.pass = hop.far > 0.0 ? 0.0 : -height(hop.far);
        return hop;
    }
    /// Of the corner at this place of a face.
    HopSide hop_side(int face, int place) const { return hop_of(face + place, side_of(body_, face + place) == place); }

    /// A body that comes to the face from the corner at this place of it cannot pass a barrier on either side, even if
    /// it loses nothing on the way.
    bool holds(int face, int place, double half_rate_squared) const {
        if (!body_.is_passive) return false;
        const HopSide from = hop_side(face, place);
        const double above_m = half_rate_squared / from.stiffness * corners_of(body_)[from.corner].radius_m;
        return !may_leave(face, 0, above_m) && !may_leave(face, 1, above_m);
    }
    /// The face at the bottom of the well to which a face belongs.
    int bottom(int face) const {
        for (int steps = 0; steps < body_.corner_count; ++steps) {
            const bool left = hop_side(face, 0).seat <= 0.0, right = hop_side(face, 1).seat <= 0.0;
            const int next = left ? face - 1 : right ? face + 1 : face;
            if (next == face || next < 0 || next > body_.corner_count - 2) break;
            face = next;
        }
        return face;
    }

    /// Of the barrier over a place that is so far from it.
    static double height(double angle) {
        const double sine = ::sin(0.5 * angle);
        return 2.0 * sine * sine;
    }

  private:
    bool may_leave(int face, int place, double above_m) const {
        for (double climbed_m = 0.0;; face += place == 0 ? -1 : 1) {
            const HopSide on = hop_side(face, place);
            const double radius_m = corners_of(body_)[on.corner].radius_m;
            if (on.seat > 0.0 && on.far > 0.0) return climbed_m + radius_m * on.depth <= above_m;
            climbed_m += radius_m * (on.depth - height(on.far));
            if (climbed_m > above_m) return false;
            if (on.is_last) return true;
        }
    }

    const LaneBody& body_;
    double slowness_squared_, slope_;
};

}  // namespace
}  // namespace topple::solver
