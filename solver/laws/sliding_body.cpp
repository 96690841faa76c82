#include "solver/laws/sliding_body.hpp"

#include "solver/laws/foot_body.hpp"

namespace topple::solver {

std::vector<SlidingBody> faces_of_sliding_body(const Specimen& specimen, double gravity_m_s2) {
    const FootBody foot = make_foot_body(specimen, gravity_m_s2);
    std::vector<SlidingBody> faces;
    faces.reserve(foot.faces.size());
    for (std::size_t i = 0; i < foot.faces.size(); ++i) {
        const FootBody::Face& face = foot.faces[i];
        SlidingBody body;
        body.mass_kg = foot.mass_kg;
        body.inertia_kg_m2 = foot.inertia_kg_m2;
        body.reach_m = {face.arm_m[0], -face.arm_m[1]};
        body.height_m = {face.height_m, face.height_m};
        body.sticking_ratio = face.ratio;
        body.p_rad_s = foot.p_rad_s;
        if (specimen.friction) body.friction = *specimen.friction;
        body.slope_rad = face.slope_rad;
        body.until_rad = face.to_next_rad;
        body.rolls_on = {foot.has_next(i, -1), foot.has_next(i, 1)};
        faces.push_back(body);
    }
    return faces;
}

SlidingBody make_sliding_body(const Specimen& specimen, double gravity_m_s2) {
    if (specimen.foot) return faces_of_sliding_body(specimen, gravity_m_s2)[standing_face(*specimen.foot)];
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
