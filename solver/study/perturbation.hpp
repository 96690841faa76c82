// A specimen a little different from the one that was measured: hidden truths and members of an ensemble.
#pragma once

#include <cstdint>

#include "solver/specimen.hpp"

namespace topple::solver {

/// Departure of the specimen as it stands there from the one that is described.
struct Perturbation {
    double restitution_factor = 1.0;  ///< multiplies every ratio of rotation rates; the product is held within 0..1
    double width_factor = 1.0;        ///< multiplies every width (asymmetric bodies: both angles alpha)
    double tilt_rad = 0.0;            ///< added to the slope of the seat, clockwise positive
};

/// The specimen with the perturbation applied. A single block gets the perturbed ratio as a fixed one; a stack gets
/// its material factors multiplied, which cannot exceed 1, so that its ensemble is one-sided near 1.
/// Throws std::invalid_argument if the result is not a valid specimen (a tilt or width out of range).
Specimen perturbed(const Specimen& specimen, const Perturbation& perturbation);

/// Standard deviations of independent normal distributions about the described specimen.
struct PerturbationSpread {
    double restitution_ratio = 0.015;  ///< of restitution_factor about 1
    double width_ratio = 0.005;        ///< of width_factor about 1, hence of alpha
    double tilt_rad = 0.002;
};

/// Member `index` of the ensemble of `seed`: a pure function of its arguments, the same on every machine
/// with IEEE arithmetic up to the last digit of log, sin and cos. Draws are cut at 4 standard deviations.
Perturbation ensemble_member(const PerturbationSpread& spread, std::uint64_t seed, std::uint64_t index) noexcept;

}  // namespace topple::solver
