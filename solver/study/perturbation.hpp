// A specimen a little different from the one that was measured: hidden truths and members of an ensemble.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/specimen.hpp"

namespace topple::solver {

/// Departure of the specimen as it stands there from the one that is described.
struct Perturbation {
    /// Multiplies every ratio of rotation rates, of a foot those of its described faces; the product is held within
    /// 0..1.
    double restitution_factor = 1.0;
    /// Multiply the widths: one per foot (foot_count), or one for all; empty: 1. The mass centre keeps its height, so
    /// that of an asymmetric body R cos(alpha) stays and R sin(alpha) is multiplied, on each side.
    std::vector<double> width_factors{};
    double tilt_rad = 0.0;  ///< added to the slope of the seat, clockwise positive
    /// Multiply the heights, in the same way. A block keeps its mass: mass centre and inertia are those of a block of
    /// the new size. Of an asymmetric body R cos(alpha), the height of the mass centre over the foot of that side, is
    /// multiplied; its inertia about the mass centre stays as given. The first one raises the mass centre of a body
    /// with a foot over the face on which it stands; the foot keeps its shape.
    std::vector<double> height_factors{};
    double impulse_position_factor = 1.0;  ///< multiplies k of the improved law; without effect on other laws
    double friction_factor = 1.0;  ///< multiplies static and kinetic friction; without effect where there is none
    // ---- how a single body stands (standing_pose.hpp); a stack takes none of these ----
    double yaw_rad = 0.0;  ///< added to the yaw: the section is taken anew, or widths are divided by cos(yaw)
    double seat_m = 0.0;   ///< the corners lie so much further to the right under the mass centre
    double wear_m = 0.0;   ///< radius to which every corner is worn round, >= 0
    /// Multiply the ratios of each face, from the left (face_count), beside restitution_factor; empty: 1. Of a section
    /// taken anew with other faces they count from the standing face.
    std::vector<double> face_factors{};
};

/// Widths and heights that can differ on their own: of the blocks from the bottom up; of an asymmetric body and of a
/// foot the left and right side.
std::size_t foot_count(const Specimen& specimen) noexcept;

/// The specimen with the perturbation applied: yaw, sizes, seat, wear; the ratios are those of the perturbed shape and
/// k times the factor. A single body gets them as fixed ones, in each direction its own; a stack gets its material
/// factors multiplied, which cannot exceed 1, so that its ensemble is one-sided near 1. A block that would become wider
/// than the one below is as wide as that: there the contact ends. Throws std::invalid_argument if the result is not a
/// valid specimen (a tilt or width out of range).
Specimen perturbed(const Specimen& specimen, const Perturbation& perturbation);

}  // namespace topple::solver
