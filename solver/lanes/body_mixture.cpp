#include "solver/lanes/body_mixture.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {

LaneBody mixture(std::span<const WeightedBody> of) noexcept {
    LaneBody mixed;
    double slope_rad = 0.0;
    for (LaneSide& side : mixed.sides) side = {0.0, 0.0, 0.0, 0.0, 0.0};
    for (const WeightedBody& part : of) {
        slope_rad += part.weight * std::asin(part.body->seat_sine);
        mixed.initial_rotation_rad += part.weight * part.body->initial_rotation_rad;
        for (int i = 0; i < 2; ++i) {
            const LaneSide& from = part.body->sides[i];
            mixed.sides[i].slenderness_rad += part.weight * from.slenderness_rad;
            mixed.sides[i].stiffness_ratio += part.weight * from.stiffness_ratio;
            mixed.sides[i].restitution += part.weight * from.restitution;
        }
    }
    mixed.seat_sine = std::sin(slope_rad);
    mixed.seat_cosine = std::cos(slope_rad);
    for (LaneSide& side : mixed.sides) {
        side.sine = std::sin(side.slenderness_rad);
        side.cosine = std::cos(side.slenderness_rad);
        side.restitution = std::clamp(side.restitution, 0.0, 1.0);
    }
    return mixed;
}

}  // namespace topple::solver
