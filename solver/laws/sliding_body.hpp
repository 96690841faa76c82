// One rigid body on a base with Coulomb friction: contact forces and accelerations in each of its modes. A body on a
// polygon foot is such a body on each of its faces, in axes turned with the face.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "solver/stack/specimen_stack.hpp"

namespace topple::solver {

/// Body, impact ratios and friction. Index 0: left side, 1: right side.
struct SlidingBody {
    double mass_kg = 0.0, inertia_kg_m2 = 0.0;  ///< inertia about the mass centre
    std::array<double, 2> reach_m{};   ///< horizontal distance mass centre - corner; of a foot's face < 0 where the
                                       ///< mass centre is beyond that corner
    std::array<double, 2> height_m{};  ///< mass centre above that corner
    std::array<double, 2> sticking_ratio{};  ///< rate ratio of an impact that leaves this corner, without slip
    RandomRatio random;                      ///< where in use: draws the sticking ratio of each impact
    double p_rad_s = 1.0;
    Friction friction;
    double slope_rad = 0.0;  ///< rotation of the body when this face lies on a level base; rotations count from there
    std::array<double, 2> until_rad{kHalfPi, kHalfPi};  ///< turned so far over that corner the next face comes down,
    std::array<bool, 2> rolls_on{};                     ///< if there is one, or the body has overturned

    /// The body with the ratio of its next impact.
    SlidingBody at_impact() noexcept {
        SlidingBody now = *this;
        if (random.in_use()) now.sticking_ratio.fill(random.next());
        return now;
    }
};

/// Sign of the corner about which the body turns (0: full contact) and of the foot's slip velocity (0: it sticks).
/// rest = {0, 0}, slide = {0, +-1}, rock = {+-1, 0}, slide-rock = {+-1, +-1}.
struct SlideRockMode {
    int support = 0, slip = 0;
    friend bool operator==(const SlideRockMode&, const SlideRockMode&) = default;
};

/// Foot coordinate x (slip along +x from where it stood; the same for both corners while theta = 0) and rotation.
struct SlideRockState {
    double rotation_rad = 0.0, rate_rad_s = 0.0, slip_m = 0.0, slip_rate_m_s = 0.0;
};

struct SlideRockResponse {
    double rotation_rad_s2 = 0.0, slip_m_s2 = 0.0;
    double friction_m_s2 = 0.0, normal_m_s2 = 0.0;  ///< forces of the base on the body per mass, +x and +z
};

inline int sign_of(double value) noexcept { return value > 0.0 ? 1 : value < 0.0 ? -1 : 0; }
inline std::size_t side_index(int support) noexcept { return support > 0 ? 1 : 0; }

/// Vector corner -> mass centre of a body turned by rotation_rad about the corner `support`.
inline Vec2 centre_from_corner(const SlidingBody& body, int support, double rotation_rad) noexcept {
    const double x = -support * body.reach_m[side_index(support)], z = body.height_m[side_index(support)];
    const double s = std::sin(rotation_rad), c = std::cos(rotation_rad);
    return {x * c + z * s, z * c - x * s};
}

/// Forces at a foot that stays in place while the body turns with this acceleration; `r`: corner to mass centre. 002
/// (10), (11) with this product's signs.
inline SlideRockResponse held_response(const Vec2& r, double rate_rad_s, double rotation_rad_s2,
                                       const Drive& drive) noexcept {
    const double a = rotation_rad_s2, w2 = rate_rad_s * rate_rad_s;
    return {a, 0.0, drive.horizontal_m_s2 + r.z * a - r.x * w2, drive.vertical_m_s2 - r.x * a - r.z * w2};
}

/// Forces that keep the foot in place, with the acceleration that they give the body: thesis (3.4), (3.5).
inline SlideRockResponse sticking_response(const SlidingBody& body, int support, const SlideRockState& state,
                                           const Drive& drive) noexcept {
    if (support == 0) return {0.0, 0.0, drive.horizontal_m_s2, drive.vertical_m_s2};
    const Vec2 r = centre_from_corner(body, support, state.rotation_rad);
    const double about_corner = body.inertia_kg_m2 / body.mass_kg + dot(r, r);
    const double a = (r.x * drive.vertical_m_s2 - r.z * drive.horizontal_m_s2) / about_corner;
    return held_response(r, state.rate_rad_s, a, drive);
}

/// Angular acceleration with which a body that stands on the corner `support` alone, without rotation, comes down on
/// the other one; not positive: it lifts.
inline double closing_rad_s2(const SlidingBody& body, int support, const Drive& drive) noexcept {
    return -support * sticking_response(body, support, {}, drive).rotation_rad_s2;
}

/// Factor of theta'' in the slipping foot's equation, Yang (21), per mass. Not positive: friction wedges the foot and
/// no slip in that direction exists (a rectangle: only with mu_k > 4/3).
inline double slipping_inertia_m2(const SlidingBody& body, const Vec2& r, int slip) noexcept {
    return body.inertia_kg_m2 / body.mass_kg + r.x * (r.x + slip * body.friction.kinetic_ratio * r.z);
}

/// Foot slipping with the sign `slip`: Yang (20) as corrected (theta'^2, not theta''^2) and (21). While the foot would
/// have to be pulled down (a jump, which the model has not) it is guided without friction.
inline SlideRockResponse slipping_response(const SlidingBody& body, SlideRockMode mode, const SlideRockState& state,
                                           const Drive& drive) noexcept {
    const double mu = body.friction.kinetic_ratio;
    if (mode.support == 0) {
        const double friction = -mode.slip * mu * drive.vertical_m_s2;
        return {0.0, friction - drive.horizontal_m_s2, friction, drive.vertical_m_s2};
    }
    const Vec2 r = centre_from_corner(body, mode.support, state.rotation_rad);
    const double w2 = state.rate_rad_s * state.rate_rad_s;
    const double weight = drive.vertical_m_s2 - r.z * w2;
    const double rubbing = weight > 0.0 ? mode.slip * mu : 0.0;
    const double inertia = body.inertia_kg_m2 / body.mass_kg + r.x * (r.x + rubbing * r.z);
    const double a = (r.x + rubbing * r.z) * weight / inertia;
    const double normal = weight - r.x * a;
    const double friction = -rubbing * normal;
    return {a, friction - drive.horizontal_m_s2 - r.z * a + r.x * w2, friction, normal};
}

inline SlideRockResponse response(const SlidingBody& body, SlideRockMode mode, const SlideRockState& state,
                                  const Drive& drive) noexcept {
    return mode.slip == 0 ? sticking_response(body, mode.support, state, drive)
                          : slipping_response(body, mode, state, drive);
}

/// Whole energy relative to the base at constant velocity (gravity across the seat only), J.
inline double slide_rock_energy_j(const SlidingBody& body, int support, const SlideRockState& state,
                                  double vertical_m_s2) noexcept {
    Vec2 r = centre_from_corner(body, support, state.rotation_rad);
    double rest_height = body.height_m[side_index(support)];
    if (support == 0) r.x = 0.0;
    const double vx = state.slip_rate_m_s + r.z * state.rate_rad_s, vz = -r.x * state.rate_rad_s;
    return 0.5 * body.mass_kg * (vx * vx + vz * vz) + 0.5 * body.inertia_kg_m2 * state.rate_rad_s * state.rate_rad_s +
           body.mass_kg * vertical_m_s2 * (r.z - rest_height);
}

/// One validated body; of a foot the face on which it stands.
SlidingBody make_sliding_body(const Specimen& specimen, double gravity_m_s2);
/// A body with a foot on each of its faces, from left to right.
std::vector<SlidingBody> faces_of_sliding_body(const Specimen& specimen, double gravity_m_s2);

}  // namespace topple::solver
