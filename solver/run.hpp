// The rocking solver: a specimen advanced along a base motion, event by event; whole or in pieces.
#pragma once

#include <memory>

#include "solver/motion/base_motion.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

struct RunImpl;  // opaque

/// Incremental solver for one specimen: used whole by `predict`, tick by tick by the predictor and by the
/// simulated table. Steps are noexcept; a failure is latched in status() and further steps do nothing.
/// Copying forks the future: the predictor copies the present and runs the copy to the end.
class RockingRun {
  public:
    /// Throws std::invalid_argument for a specimen or option that validate() refuses.
    RockingRun(const Specimen& specimen, const SolverOptions& options);
    RockingRun(const RockingRun&);
    RockingRun(RockingRun&&) noexcept;
    RockingRun& operator=(const RockingRun&);
    RockingRun& operator=(RockingRun&&) noexcept;
    ~RockingRun();

    /// Model::rocking whatever friction the specimen has: its contacts are watched, a slip is a breach of validity.
    static RockingRun watched(const Specimen& specimen, const SolverOptions& options);
    /// Contact dynamics from where `rocking`, of the same specimen, stands at present; blocks that have fallen are left
    /// out. The options' model is not used. Throws std::invalid_argument as the constructor does.
    static RockingRun contact_dynamics_from(const RockingRun& rocking, Specimen specimen, SolverOptions options);

    /// Advance through base acceleration `piece` from time_s() to min(until_s, piece.end_s). Jumps of
    /// acceleration between calls are seen as breaks; a gap before the piece's start is coasted through.
    /// Advancing by an empty or past interval does nothing.
    void advance(const MotionPiece& piece, double until_s) noexcept;
    /// Advance with the base at constant velocity along x (zero acceleration).
    void coast(double until_s) noexcept;
    /// Coast until at rest, overturned (every block decided) or `until_s`; not before the vertical motion has ended.
    /// What still moves at `until_s` is decided by its energy, or the status says undecided.
    void settle(double until_s) noexcept;

    double time_s() const noexcept;
    SolverStatus status() const noexcept;
    bool at_rest() const noexcept;   ///< all interfaces full, nothing moves
    bool uplifted() const noexcept;  ///< has any interface opened since the start
    bool decided() const noexcept;   ///< no later change of the outcome is possible at constant base velocity along x
    std::size_t block_count() const noexcept;
    double rotation_rad(std::size_t block) const noexcept;  ///< absolute, clockwise positive; +-pi/2 once fallen
    double rotation_rate_rad_s(std::size_t block) const noexcept;
    Support support(std::size_t block) const noexcept;
    double slip_m() const noexcept;         ///< of the foot along +x since the start; 0 where nothing slips
    double slip_rate_m_s() const noexcept;  ///< relative to the base
    /// Reaction on the base at the present state if the base accelerates at base_acceleration_m_s2 along x. Affine in
    /// it while the support state holds, which the simulated table uses.
    BaseReaction base_reaction(double base_acceleration_m_s2) const noexcept;
    /// Mass and momentum of what base_reaction() is the reaction of.
    StandingLoad standing_load() const noexcept;
    /// What is known so far (outcome by what happened until now; settled_time_s only if at rest).
    Prediction result() const;

  private:
    explicit RockingRun(std::unique_ptr<RunImpl> impl);
    std::unique_ptr<RunImpl> impl_;
};

}  // namespace topple::solver
