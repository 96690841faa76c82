// The members of one specimen's ensemble on the measured base: carried along, and run ahead along any motion.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "hil/drive/motion_ahead.hpp"
#include "solver/lanes/lane_ensemble.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "solver/options.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::drive {

/// How members are run ahead.
struct RunAhead {
    std::span<const std::size_t> which;         ///< members
    std::span<const double> amplitude_factors;  ///< of the motion still to come, one for each of `which`
    double delay_s = 0.0;                       ///< by which the base comes later than the motion says
};

/// Two kinds: in lanes (single blocks, hundreds in a millisecond), and one RockingRun each (all that the solver knows).
class CarriedMembers {
  public:
    virtual ~CarriedMembers() = default;
    virtual std::size_t count() const noexcept = 0;
    /// On to the end of `line`, a straight line of measured base acceleration.
    virtual void follow(const solver::MotionPiece& line) = 0;
    virtual std::vector<solver::BodyEnd> ends_along(const MotionAhead& motion, const RunAhead& how) const = 0;
    virtual double rotation_rad(std::size_t member, std::size_t block) const noexcept = 0;

    /// Members become their parents, a little different each (docs/physics.md#live-forecast). False where members
    /// cannot be made to differ: then nothing has changed.
    virtual bool resample(std::span<const std::size_t> parents, std::span<const double> weights,
                          solver::SplitMix64& random) = 0;
    /// The others are given up.
    virtual void keep_only(std::span<const std::size_t> members) = 0;
};

bool carried_in_lanes(const solver::Specimen& specimen, const solver::SolverOptions& options);
bool carried_in_lanes(const std::vector<solver::Specimen>& members, const solver::SolverOptions& options);
/// Lanes where they cover all of the specimens, else runs. Throws std::invalid_argument for an invalid specimen.
std::unique_ptr<CarriedMembers> carry(const std::vector<solver::Specimen>& members,
                                      const solver::SolverOptions& options);

}  // namespace topple::hil::drive
