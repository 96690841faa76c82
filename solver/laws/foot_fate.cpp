#include "solver/laws/foot_fate.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace topple::solver {
namespace {

constexpr int kImpactsMax = 20000;

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
    /// May `energy` above a face lift the body over the next barrier on that side? Without any loss on the way.
    bool may_escape(std::size_t face, int side, double energy_above) const noexcept;
    /// The face at the bottom of the well, from a face in it.
    std::size_t bottom(std::size_t face) const noexcept;

  private:
    const FootBody& body_;
    const Drive still_;
    double weight_m_s2_;
};

bool Landscape::may_escape(std::size_t face, int side, double energy_above) const noexcept {
    for (double climbed = 0.0;; face += static_cast<std::size_t>(side)) {
        const FootBody::Corner& corner = body_.corner(face, side);
        const Vec2 from = body_.arm_m(face, side);
        if (has_top(corner, from, side)) return climbed + top(corner) - energy(from) <= energy_above;
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

}  // namespace

FootFate foot_fate(const FootBody& body, const FootPlace& place, double rate_rad_s, const Drive& still) noexcept {
    const Landscape land(body, still);
    const auto falls = [](int way) {
        return FootFate{way < 0 ? EnergyVerdict::falls_left : EnergyVerdict::falls_right, 0};
    };
    std::size_t face = place.face;
    int side = place.side;
    if (side == 0) {
        side = land.leaves(face);
        if (side == 0) return {EnergyVerdict::stable, face};
    }
    Vec2 from = body.arm_m(face, side);
    if (place.from_face_rad != 0.0) from = turned(from, std::sin(place.from_face_rad), std::cos(place.from_face_rad));
    int way = rate_rad_s > 0.0 ? 1 : rate_rad_s < 0.0 ? -1 : side * land.drives(from) < 0.0 ? -side : side;
    double rate2 = rate_rad_s * rate_rad_s;
    // Rates so small say nothing: the impact's own rest is later.
    const double still2 = kRestRate * kRestRate * body.p_rad_s * body.p_rad_s * 1e-6;
    for (int impact = 0; impact < kImpactsMax; ++impact) {
        // About the corner on `side` of `face`, at `from`, moving in the direction `way`.
        const FootBody::Corner& corner = body.corner(face, side);
        const double energy = 0.5 * corner.inertia_m2 * rate2 + land.energy(from);
        const auto rate2_at_limit = [&](int to) -> std::optional<double> {
            if (land.has_top(corner, from, to) && energy < land.top(corner)) return std::nullopt;
            const double left = energy - land.energy(Landscape::limit(corner, to));
            return left >= 0.0 ? std::optional(2.0 * left / corner.inertia_m2) : std::nullopt;
        };
        auto reached = rate2_at_limit(way);
        if (!reached) {  // it turns and comes back with what it had
            way = -way;
            reached = rate2_at_limit(way);
            if (!reached) reached = 0.0;
        }
        // `way` decides the face ahead: the corner's own face on that side.
        if (way == side) {
            if (!body.has_next(face, side)) return falls(way);
            face += static_cast<std::size_t>(side);
        }
        const double ratio = body.faces[face].ratio[way > 0 ? 0 : 1];
        rate2 = ratio * ratio * *reached;
        side = way;
        if (rate2 <= still2) {
            rate2 = 0.0;
            side = land.leaves(face);
            if (side == 0) return {EnergyVerdict::stable, face};
            way = side;
        }
        from = body.arm_m(face, side);
        const double above = 0.5 * body.corner(face, side).inertia_m2 * rate2;
        if (body.is_passive && !land.may_escape(face, -1, above) && !land.may_escape(face, 1, above))
            return {EnergyVerdict::stable, land.bottom(face)};
    }
    return {};
}

}  // namespace topple::solver
