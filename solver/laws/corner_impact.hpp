// Impacts of one rigid body with one or both of its corners, with Coulomb friction and energetic restitution.
//
// The LZB multiple-impact law for a planar block (Zhang, Brogliato, Liu, docs/physics/multiple_impact.md): positions
// are frozen, the velocities follow over the impulse. One corner: pieces of constant slope, closed form. Both: over the
// deformation of two power-law springs.
#pragma once

#include <array>
#include <cstddef>

namespace topple::solver {

/// Mass centre and rotation; relative to the base. z up, rotation rate clockwise.
struct PlanarVelocity {
    double x_m_s = 0.0, z_m_s = 0.0, rate_rad_s = 0.0;
};

/// From the mass centre to a corner.
struct CornerArm {
    double x_m = 0.0, z_m = 0.0;
};

struct ImpactBody {
    double mass_kg = 0.0, inertia_kg_m2 = 0.0;  ///< inertia about the mass centre
};

struct ImpactRule {
    double restitution = 0.0;  ///< energetic, per contact, 0..1
    double static_ratio = 0.0, kinetic_ratio = 0.0;
    double stiffness_ratio = 1.0;  ///< right corner over left corner
    double exponent = 1.5;         ///< of the force over the deformation
};

/// -1, 0 or 1: the direction of a slip.
inline double sign(double value) noexcept { return value > 0.0 ? 1.0 : value < 0.0 ? -1.0 : 0.0; }

/// Velocity of a corner, normal (up) and tangential (+x).
struct CornerVelocity {
    double normal_m_s = 0.0, tangential_m_s = 0.0;
};
inline CornerVelocity at_corner(const PlanarVelocity& v, const CornerArm& r) noexcept {
    return {v.z_m_s - v.rate_rad_s * r.x_m, v.x_m_s + v.rate_rad_s * r.z_m};
}

/// Velocity that a unit impulse at one corner gives another, 1/kg: W = H M^-1 H^T.
struct Compliance {
    double nn = 0.0, nt = 0.0, tn = 0.0, tt = 0.0;
};
inline Compliance compliance(const ImpactBody& body, const CornerArm& at, const CornerArm& by) noexcept {
    const double m = 1.0 / body.mass_kg, i = 1.0 / body.inertia_kg_m2;
    return {m + at.x_m * by.x_m * i, -at.x_m * by.z_m * i, -at.z_m * by.x_m * i, m + at.z_m * by.z_m * i};
}
inline void push(PlanarVelocity& v, const ImpactBody& body, const CornerArm& r, double normal_n_s,
                 double tangential_n_s) noexcept {
    v.x_m_s += tangential_n_s / body.mass_kg;
    v.z_m_s += normal_n_s / body.mass_kg;
    v.rate_rad_s += (r.z_m * tangential_n_s - r.x_m * normal_n_s) / body.inertia_kg_m2;
}

struct CornerImpact {
    PlanarVelocity after;
    std::array<double, 2> normal_n_s{}, tangential_n_s{};    ///< impulses; [0] left corner, [1] right
    std::array<double, 2> compression_j{}, restitution_j{};  ///< works of the normal impulses, both >= 0
    double friction_j = 0.0;                                 ///< work of friction, <= 0
    bool other_approached = false;  ///< of one corner's impact: the other one came down meanwhile
};

/// The corner `side` (0 left, 1 right) approaches; the other one is free.
CornerImpact single_impact(const ImpactBody& body, const std::array<CornerArm, 2>& arms, std::size_t side,
                           const PlanarVelocity& before, const ImpactRule& rule) noexcept;
/// Both corners touch, and at least one approaches. `steps`: of the pseudo-time over the first compression.
CornerImpact double_impact(const ImpactBody& body, const std::array<CornerArm, 2>& arms, const PlanarVelocity& before,
                           const ImpactRule& rule, int steps = 20000) noexcept;

}  // namespace topple::solver
