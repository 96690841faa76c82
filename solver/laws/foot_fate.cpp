#include "solver/laws/foot_fate.hpp"

#include <cmath>

namespace topple::solver {
namespace {

constexpr int kImpactsMax = 20000;
constexpr double kStillRatio = 1e-3;  // of the rate that ends a decaying sequence: below, nothing is left

/// All energies per mass, relative to the seat: g times the height of the mass centre along the weight.
class Landscape {
  public:
    Landscape(const FootBody& body, const Drive& still) noexcept
        : body_(body), still_(still), weight_m_s2_(std::hypot(still.horizontal_m_s2, still.vertical_m_s2)) {}

    /// Of a body whose mass centre lies at r from its corner, over that corner.
    double energy(Vec2 r) const noexcept { return still_.vertical_m_s2 * r.z + still_.horizontal_m_s2 * r.x; }
    /// Moment of the weight, clockwise.
    double drives(Vec2 r) const noexcept { return still_.vertical_m_s2 * r.x - still_.horizontal_m_s2 * r.z; }
    /// Does the body about this corner, on its way from r in this direction to that side's limit, pass over a top?
    bool has_top(const FootBody::Corner& corner, Vec2 from, int way) const noexcept {
        return way * drives(from) < 0.0 && way * drives(limit(corner, way)) > 0.0;
    }
    double top(const FootBody::Corner& corner) const noexcept { return weight_m_s2_ * corner.radius_m; }
    static Vec2 limit(const FootBody::Corner& corner, int way) noexcept { return corner.at_limit_m[way > 0 ? 1 : 0]; }

    /// Side towards which a body that lies still on a face leaves it; 0: it rests.
    int leaves(std::size_t face) const noexcept {
        if (drives(body_.arm_m(face, 1)) > 0.0) return 1;
        return drives(body_.arm_m(face, -1)) < 0.0 ? -1 : 0;
    }
    /// Can so much energy above a face, none lost on the way, lift the body over every top on that side, or over the
    /// first one?
    bool passes_all(std::size_t face, int side, double energy_above) const noexcept {
        return passes(face, side, energy_above, false);
    }
    bool passes_first(std::size_t face, int side, double energy_above) const noexcept {
        return passes(face, side, energy_above, true);
    }
    /// Does so much energy bring the body back to the face before it reaches the next one on that side?
    bool returns(std::size_t face, int side, double energy_above) const noexcept {
        const FootBody::Corner& corner = body_.corner(face, side);
        const Vec2 from = body_.arm_m(face, side);
        const double highest = has_top(corner, from, side) ? top(corner) : energy(limit(corner, side));
        return energy_above < highest - energy(from);
    }
    /// The face at the bottom of the well, from a face in it.
    std::size_t bottom(std::size_t face) const noexcept;

  private:
    bool passes(std::size_t face, int side, double energy_above, bool only_first) const noexcept;

    const FootBody& body_;
    const Drive still_;
    double weight_m_s2_;
};

bool Landscape::passes(std::size_t face, int side, double energy_above, bool only_first) const noexcept {
    for (double climbed = 0.0;; face += static_cast<std::size_t>(side)) {
        const FootBody::Corner& corner = body_.corner(face, side);
        const Vec2 from = body_.arm_m(face, side);
        if (has_top(corner, from, side)) {
            if (climbed + top(corner) - energy(from) > energy_above) return false;
            if (only_first) return true;
        }
        climbed += energy(limit(corner, side)) - energy(from);
        if (climbed > energy_above) return false;
        if (!body_.has_next(face, side)) return true;
    }
}

std::size_t Landscape::bottom(std::size_t face) const noexcept {
    const int first = leaves(face);
    for (int way = first; way != 0 && way == first && body_.has_next(face, way); way = leaves(face))
        face += static_cast<std::size_t>(way);
    return face;
}

/// A body that goes from impact to impact by what energy leaves it.
class Follower {
  public:
    Follower(const FootBody& body, const FootPlace& place, double rate_rad_s, const Drive& still) noexcept
        : land_(body, still), face_(place.face), body_(body), side_(place.side), rate2_(rate_rad_s * rate_rad_s) {
        if (side_ == 0) side_ = land_.leaves(face_);
        from_ = turned(body.arm_m(face_, side_), std::sin(place.from_face_rad), std::cos(place.from_face_rad));
        way_ = rate_rad_s > 0.0 ? 1 : rate_rad_s < 0.0 ? -1 : side_ * land_.drives(from_) < 0.0 ? -side_ : side_;
        still2_ = kStillRatio * kRestRate * body.p_rad_s;
        still2_ *= still2_;
    }

    std::size_t face() const noexcept { return face_; }
    bool rests() const noexcept { return side_ == 0; }
    int fallen() const noexcept { return fallen_; }       ///< side over which it has gone; 0: it has not
    bool has_turned() const noexcept { return turned_; }  ///< on the way to the last impact
    /// Will it never get over every top on either side? Tells it late where stated ratios may add energy.
    bool stays_up() const noexcept {
        if (!body_.is_passive) return bounces_here();
        const double above = energy_above(side_, rate2_);
        return !land_.passes_all(face_, -1, above) && !land_.passes_all(face_, 1, above);
    }
    /// The face on which it will rest, if it cannot get over the next top on either side.
    std::optional<std::size_t> resting_face() const noexcept {
        if (!body_.is_passive) return bounces_here() ? std::optional(face_) : std::nullopt;
        const double above = energy_above(side_, rate2_);
        if (land_.passes_first(face_, -1, above) || land_.passes_first(face_, 1, above)) return std::nullopt;
        return land_.bottom(face_);
    }

    /// To the next impact and through it, to rest or until it has overturned.
    void advance() noexcept {
        const FootBody::Corner& corner = body_.corner(face_, side_);
        auto reached = rate2_at_limit(corner);
        turned_ = !reached;
        if (turned_) {  // it comes back with what it had
            way_ = -way_;
            reached = rate2_at_limit(corner);
        }
        if (way_ == side_) {
            if (!body_.has_next(face_, side_)) {
                fallen_ = way_;
                return;
            }
            face_ += static_cast<std::size_t>(side_);
        }
        const double ratio = body_.faces[face_].ratio[way_ > 0 ? 0 : 1];
        rate2_ = ratio * ratio * reached.value_or(0.0);
        side_ = way_;
        if (rate2_ <= still2_) {
            rate2_ = 0.0;
            side_ = way_ = land_.leaves(face_);
            turned_ = true;
        }
        from_ = body_.arm_m(face_, side_);
    }

  private:
    double energy_above(int side, double rate2) const noexcept {
        return 0.5 * body_.corner(face_, side).inertia_m2 * rate2;
    }
    /// It comes back from both sides of this face, and no pair of bounces grows.
    bool bounces_here() const noexcept {
        const auto& ratio = body_.faces[face_].ratio;
        const double back = ratio[side_ > 0 ? 1 : 0];
        return ratio[0] * ratio[1] <= 1.0 && land_.returns(face_, side_, energy_above(side_, rate2_)) &&
               land_.returns(face_, -side_, energy_above(-side_, back * back * rate2_));
    }
    /// Squared rate with which it reaches the face ahead; empty if it turns before.
    std::optional<double> rate2_at_limit(const FootBody::Corner& corner) const noexcept {
        const double energy = 0.5 * corner.inertia_m2 * rate2_ + land_.energy(from_);
        if (land_.has_top(corner, from_, way_) && energy < land_.top(corner)) return std::nullopt;
        const double left = energy - land_.energy(Landscape::limit(corner, way_));
        return left >= 0.0 ? std::optional(2.0 * left / corner.inertia_m2) : std::nullopt;
    }

    Landscape land_;
    std::size_t face_;
    const FootBody& body_;
    int side_, way_ = 0;  // corner of the face; direction
    double rate2_, still2_;
    Vec2 from_;  // corner to mass centre
    int fallen_ = 0;
    bool turned_ = true;
};

}  // namespace

EnergyVerdict foot_verdict(const FootBody& body, const FootPlace& place, double rate_rad_s,
                           const Drive& still) noexcept {
    Follower follower(body, place, rate_rad_s, still);
    // Only what has turned, or has just begun, is looked at: while the body rolls on it goes over the tops ahead
    // anyway.
    bool looks = true;
    for (int impact = 0; impact < kImpactsMax; ++impact) {
        if (follower.rests()) return EnergyVerdict::stable;
        follower.advance();
        if (follower.fallen() != 0)
            return follower.fallen() < 0 ? EnergyVerdict::falls_left : EnergyVerdict::falls_right;
        looks = looks || follower.has_turned();
        if (!looks || follower.rests()) continue;
        looks = false;
        if (follower.stays_up()) return EnergyVerdict::stable;
    }
    return EnergyVerdict::undecided;
}

std::optional<std::size_t> foot_resting_face(const FootBody& body, const FootPlace& place, double rate_rad_s,
                                             const Drive& still) noexcept {
    Follower follower(body, place, rate_rad_s, still);
    for (int impact = 0; impact < kImpactsMax; ++impact) {
        if (follower.rests()) return follower.face();
        follower.advance();
        if (follower.fallen() != 0) return std::nullopt;
        if (follower.rests() || !follower.has_turned()) continue;
        if (const auto face = follower.resting_face()) return face;
    }
    return std::nullopt;
}

}  // namespace topple::solver
