#include "solver/laws/sliding_body.hpp"

namespace topple::solver {

SlidingBody make_sliding_body(const Specimen& specimen, double gravity_m_s2) {
    const StackState<1> block = make_stack_state<1>(specimen, gravity_m_s2);
    const BlockGeometry& geometry = block.stack.block[0];
    SlidingBody body;
    body.mass_kg = geometry.mass_kg;
    body.inertia_kg_m2 = geometry.inertia_kg_m2;
    for (const int support : {-1, 1}) {
        const std::size_t side = side_index(support);
        const Vec2& centre = geometry.centre_m[side == 0 ? 0 : 2];
        body.reach_m[side] = std::abs(centre.x);
        body.height_m[side] = centre.z;
        body.sticking_ratio[side] = block.single_ratio(support);
    }
    body.p_rad_s = block.p_rad_s;
    body.random = block.random;
    if (specimen.friction) body.friction = *specimen.friction;
    return body;
}

}  // namespace topple::solver
