// A specimen a little different from the one that was measured: hidden truths and members of an ensemble.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "solver/specimen.hpp"

namespace topple::solver {

/// Departure of the specimen as it stands there from the one that is described.
struct Perturbation {
    double restitution_factor = 1.0;  ///< multiplies every ratio of rotation rates; the product is held within 0..1
    /// Multiply the widths: one per foot (foot_count), or one for all; empty: 1. The mass centre keeps its height, so
    /// that of an asymmetric body R cos(alpha) stays and R sin(alpha) is multiplied, on each side.
    std::vector<double> width_factors;
    double tilt_rad = 0.0;  ///< added to the slope of the seat, clockwise positive
};

/// Widths that can differ on their own: the blocks from the bottom up; of an asymmetric body its left and right side.
std::size_t foot_count(const Specimen& specimen) noexcept;

/// The specimen with the perturbation applied; the ratio is that of the perturbed width times the factor. A single
/// block gets it as a fixed one; a stack gets its material factors multiplied, which cannot exceed 1, so that its
/// ensemble is one-sided near 1. A block that would become wider than the one below is as wide as that: there the
/// contact ends. Throws std::invalid_argument if the result is not a valid specimen (a tilt or width out of range).
Specimen perturbed(const Specimen& specimen, const Perturbation& perturbation);

/// Standard deviations of independent normal distributions about the described specimen.
struct PerturbationSpread {
    double restitution_ratio = 0.015;  ///< of restitution_factor about 1
    double width_ratio = 0.005;        ///< of each of width_factors about 1, hence of tan(alpha)
    double tilt_rad = 0.002;
};

/// Member `index` of the ensemble of `seed` for a specimen with so many feet: a pure function of its arguments, the
/// same on every machine with IEEE arithmetic up to the last digit of log, sin and cos. Draws are cut at 4 standard
/// deviations.
Perturbation ensemble_member(const PerturbationSpread& spread, std::uint64_t seed, std::uint64_t index,
                             std::size_t feet);

}  // namespace topple::solver
