// One contact of contact dynamics: its rows of velocity, and the exact solution of its own Signorini-Coulomb problem.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "solver/stack/geometry.hpp"

namespace topple::solver::contact {

/// A rigid rectangle, or the base (inverse mass and inertia 0). Poses and velocities are relative to the base.
struct Body {
    double inverse_mass_1_kg = 0.0, inverse_inertia_1_kg_m2 = 0.0;
    double half_width_m = 0.0, half_height_m = 0.0;
    Vec2 centre_m, velocity_m_s;
    double rotation_rad = 0.0, rate_rad_s = 0.0;  ///< clockwise positive
    double sine = 0.0, cosine = 1.0;              ///< of the rotation at which contacts are sought
    Vec2 sought_m;                                ///< centre at which contacts are sought
};

/// Velocity of the point of a body that lies at `arm` from its centre.
inline Vec2 velocity_at(const Body& body, Vec2 arm) noexcept {
    return body.velocity_m_s + body.rate_rad_s * perpendicular(arm);
}

/// Relative velocity or impulse in the axes of a contact: n from the lower body to the upper one, t to the right of n.
struct Local {
    double n = 0.0, t = 0.0;
};

/// What a contact does during a step.
struct Mode {
    enum class Kind {
        open,   ///< no impulse
        stick,  ///< relative velocity at rest (but for the rebound)
        slip,   ///< impulse along (n, t), normal velocity at rest (but for the rebound)
    };
    Kind kind = Kind::stick;
    double n = 0.0, t = 0.0;
};

/// Rows, Delassus matrix W and law of one contact during one step. Impulses in N s act on the upper body.
struct Contact {
    int lower = 0, upper = 0, slot = 0;
    Vec2 normal, tangent;
    double lower_arm_n = 0.0, lower_arm_t = 0.0;  ///< moment arms of n and t about the lower body's centre, m
    double upper_arm_n = 0.0, upper_arm_t = 0.0;
    double wnn = 0.0, wnt = 0.0, wtt = 0.0;  ///< 1/kg
    double inverse_det = 0.0;
    double friction_ratio = std::numeric_limits<double>::infinity();  ///< infinite: sticks wherever it pushes
    Local before;                                                     ///< relative velocity at the start of the step
    double rebound_m_s = 0.0;                                         ///< e min(Un-, 0)
    Local impulse;
    Mode mode;
};

inline void set_rows(Contact& c, const Body& lower, const Body& upper, Vec2 point, Vec2 normal) noexcept {
    const Vec2 on_lower = point - lower.sought_m, on_upper = point - upper.sought_m;
    c.normal = normal;
    c.tangent = {normal.z, -normal.x};
    c.lower_arm_n = moment(on_lower, c.normal);
    c.lower_arm_t = moment(on_lower, c.tangent);
    c.upper_arm_n = moment(on_upper, c.normal);
    c.upper_arm_t = moment(on_upper, c.tangent);
    const double mass = lower.inverse_mass_1_kg + upper.inverse_mass_1_kg;
    const double il = lower.inverse_inertia_1_kg_m2, iu = upper.inverse_inertia_1_kg_m2;
    c.wnn = mass + il * c.lower_arm_n * c.lower_arm_n + iu * c.upper_arm_n * c.upper_arm_n;
    c.wtt = mass + il * c.lower_arm_t * c.lower_arm_t + iu * c.upper_arm_t * c.upper_arm_t;
    c.wnt = il * c.lower_arm_n * c.lower_arm_t + iu * c.upper_arm_n * c.upper_arm_t;
    c.inverse_det = 1.0 / (c.wnn * c.wtt - c.wnt * c.wnt);
}

inline Local relative_velocity(const Contact& c, const Body& lower, const Body& upper) noexcept {
    const Vec2 v = upper.velocity_m_s - lower.velocity_m_s;
    return {dot(v, c.normal) + c.upper_arm_n * upper.rate_rad_s - c.lower_arm_n * lower.rate_rad_s,
            dot(v, c.tangent) + c.upper_arm_t * upper.rate_rad_s - c.lower_arm_t * lower.rate_rad_s};
}

inline void apply(const Contact& c, Local impulse, Body& lower, Body& upper) noexcept {
    const Vec2 p = impulse.n * c.normal + impulse.t * c.tangent;
    upper.velocity_m_s = upper.velocity_m_s + upper.inverse_mass_1_kg * p;
    lower.velocity_m_s = lower.velocity_m_s - lower.inverse_mass_1_kg * p;
    upper.rate_rad_s += upper.inverse_inertia_1_kg_m2 * (c.upper_arm_n * impulse.n + c.upper_arm_t * impulse.t);
    lower.rate_rad_s -= lower.inverse_inertia_1_kg_m2 * (c.lower_arm_n * impulse.n + c.lower_arm_t * impulse.t);
}

/// A base that gives way: what its own motion does at the contacts of the lowest block (slots 0 and 1).
struct GivingBase {
    bool is_on = false;
    std::array<Local, 2> velocity{};                             ///< of the base at the contacts, in their axes
    std::array<std::array<std::array<double, 4>, 2>, 2> give{};  ///< of contact i by an impulse at j: nn, nt, tn, tt
};

inline Local relative_velocity(const Contact& c, const std::vector<Body>& bodies, const GivingBase& base) noexcept {
    const Local u =
        relative_velocity(c, bodies[static_cast<std::size_t>(c.lower)], bodies[static_cast<std::size_t>(c.upper)]);
    if (!base.is_on || c.lower != 0) return u;
    const Local& of_base = base.velocity[static_cast<std::size_t>(c.slot)];
    return {u.n - of_base.n, u.t - of_base.t};
}

inline void apply(const Contact& c, Local impulse, std::vector<Body>& bodies, GivingBase& base) noexcept {
    apply(c, impulse, bodies[static_cast<std::size_t>(c.lower)], bodies[static_cast<std::size_t>(c.upper)]);
    if (!base.is_on || c.lower != 0) return;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& give = base.give[i][static_cast<std::size_t>(c.slot)];
        base.velocity[i].n -= give[0] * impulse.n + give[1] * impulse.t;
        base.velocity[i].t -= give[2] * impulse.n + give[3] * impulse.t;
    }
}

/// Impulse of the contact alone; notes its mode. `u`: relative velocity without this impulse, the rebound added along
/// n. Open if it parts, else stick if the cone holds it, else slip against the sliding velocity that it leaves. Of two
/// admissible slips the one on the side of the sticking impulse is taken. Without a limit of friction a contact that
/// would have to pull in order to stick is taken as smooth: it loses energy, too, and the iteration stays bounded.
inline Local solve_alone(Contact& c, Local u) noexcept {
    if (u.n >= 0.0) {
        c.mode = {Mode::Kind::open, 0.0, 0.0};
        return {};
    }
    const Local stick{-(c.wtt * u.n - c.wnt * u.t) * c.inverse_det, -(c.wnn * u.t - c.wnt * u.n) * c.inverse_det};
    const bool is_rough = !std::isfinite(c.friction_ratio);
    if (stick.n >= 0.0 && (is_rough || std::abs(stick.t) <= c.friction_ratio * stick.n)) {
        c.mode = {Mode::Kind::stick, 0.0, 0.0};
        return stick;
    }
    if (is_rough) {
        c.mode = {Mode::Kind::slip, 1.0, 0.0};
        return {-u.n / c.wnn, 0.0};
    }
    Local slip;
    for (const double side : {stick.t < 0.0 ? -1.0 : 1.0, stick.t < 0.0 ? 1.0 : -1.0}) {
        const double across = side * c.friction_ratio, pushed = c.wnn + across * c.wnt;
        if (!(pushed > 0.0)) continue;
        slip = {-u.n / pushed, -u.n / pushed * across};
        c.mode = {Mode::Kind::slip, 1.0, across};
        if (side * (u.t + c.wnt * slip.n + c.wtt * slip.t) <= 0.0) return slip;
    }
    return slip;
}

}  // namespace topple::solver::contact
