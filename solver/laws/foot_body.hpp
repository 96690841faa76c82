// A body on a polygon foot, prepared for its law: faces and corners with what they do to the motion.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/specimen.hpp"
#include "solver/stack/geometry.hpp"

namespace topple::solver {

/// Faces and corners from left to right; index 0 of a pair: left or leftwards, 1: right or rightwards. On one face the
/// body is a block with two pivots, in axes turned with the face; the next faces limit that (docs/physics/
/// irregular_bodies.md).
struct FootBody {
    struct Face {
        double slope_rad = 0.0;               ///< rotation at which it lies on the base
        double height_m = 0.0;                ///< of the mass centre over it
        std::array<double, 2> arm_m{};        ///< along the face, from its corner to the mass centre; inside: > 0, < 0
        std::array<double, 2> ratio{};        ///< of the rates of an impact on it that leaves its left, right corner
        std::array<double, 2> to_next_rad{};  ///< rotation to the next face on that side, at the ends of the
                                              ///< roll to where the body has overturned
    };
    struct Corner {
        double inertia_m2 = 0.0;           ///< about the corner, per mass
        double radius_m = 0.0;             ///< to the mass centre
        std::array<Vec2, 2> at_limit_m{};  ///< corner to mass centre when its left, right face lies on the base
    };

    double mass_kg = 0.0, inertia_kg_m2 = 0.0;  ///< about the mass centre
    double p_rad_s = 1.0;                       ///< largest of all corners
    std::size_t stands = 0;                     ///< face on which the body stands at rotation 0
    FaceRange roll;                             ///< on the others it never comes down: it has overturned before
    bool is_passive = true;                     ///< no impact adds energy (a stated ratio may)
    std::vector<Face> faces;                    ///< all, so that a face keeps its number
    std::vector<Corner> corners;

    /// The corner of a face on the given side, -1 or +1.
    const Corner& corner(std::size_t face, int side) const noexcept { return corners[face + (side > 0 ? 1 : 0)]; }
    Vec2 arm_m(std::size_t face, int side) const noexcept {
        return {faces[face].arm_m[side > 0 ? 1 : 0], faces[face].height_m};
    }
    bool has_next(std::size_t face, int side) const noexcept {
        return side < 0 ? face > roll.first : face + 1 < roll.end;
    }
    /// The body as a block that stands on this face.
    BlockGeometry on_face(std::size_t face) const noexcept;
};

/// Of a validated specimen with a foot.
FootBody make_foot_body(const Specimen& specimen, double gravity_m_s2);

/// Where a body on a foot is: about the corner on `side` (-1, +1) of a face, turned by so much from it; 0: on the face.
struct FootPlace {
    std::size_t face = 0;
    int side = 0;
    double from_face_rad = 0.0;
};

/// At an absolute rotation; exactly on a face it is on the corner towards which `rate_rad_s` turns it.
FootPlace place_at(const FootBody& body, double rotation_rad, double rate_rad_s) noexcept;

}  // namespace topple::solver
