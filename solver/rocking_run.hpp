// The rocking solver: a specimen advanced along a base motion, event by event; whole or in pieces.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "solver/base_motion.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

enum class Integrator {
    high_order,  ///< default: embedded high-order method with dense output, event times to 1e-9 s
    newmark,     ///< Newmark beta = 1/4, gamma = 1/2 with Newton and event stepping, as in the thesis
};

/// Which equations; docs/physics.md has a section on each.
enum class Model {
    automatic,        ///< slide_rock for a single block with friction, else rocking
    rocking,          ///< full nonlinear, the feet never slip (a stack's friction is watched); every specimen
    slide_rock,       ///< full nonlinear with Coulomb friction at the foot; a single block with friction
    linearised,       ///< thesis (3.21): slender block, small rotations; a single block
    quasi_linear,     ///< thesis (3.18): any slenderness, small rotations; a single block
    impulsive_force,  ///< full nonlinear, impacts by a concentrated force (Prieto et al. (65)); a single block
};

struct SolverOptions {
    double gravity_m_s2 = kStandardGravity_m_s2;
    Model model = Model::automatic;
    Integrator integrator = Integrator::high_order;  ///< of Model::rocking; the others have one method each
    double newmark_step_s = 1e-3;
    double impulse_width_ratio = 1e-5;  ///< of Model::impulsive_force: width of the force over alpha (n), 1e-9..0.01
    double settle_limit_s = 60.0;       ///< decided at rest or this long after the excitation's end
    double history_step_s = 0.0;        ///< > 0: record history at this step and at every event; 0: none
    std::size_t impacts_max = 10000;    ///< recorded; the sequence goes on silently
    std::size_t events_max = 1000000;   ///< budget of a run
    /// Acceleration of the base along z (upwards), besides the motion along x and from the same t = 0; null: none. It
    /// must leave the specimen some weight: the base may not fall freely.
    std::shared_ptr<const BaseMotion> vertical;
    /// Tell outcome, direction and blocks_overturned and stop as soon as they are certain (energy decision). Of the
    /// rest predict() then tells what it met on the way; peak_rotation_rad is NaN where rocking was not followed.
    bool outcome_only = false;
};

/// Throws std::invalid_argument naming the option and what is allowed; for a base in free fall also when that is.
void validate(const SolverOptions& options);

/// Resultant of the specimen's contact on the base (what loads the table).
struct BaseReaction {
    double horizontal_n = 0.0;  ///< force of the specimen on the base along +x
    double vertical_n = 0.0;    ///< along +z (negative: it presses down)
};

/// The blocks that still stand, as a load on the base along x. Fallen ones have left with what they had.
struct StandingLoad {
    double mass_kg = 0.0;
    double momentum_kg_m_s = 0.0;       ///< relative to the base, slip included
    double lost_momentum_kg_m_s = 0.0;  ///< relative to the base, with which blocks have fallen off since the start
};

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

    struct Impl;  ///< opaque

  private:
    std::unique_ptr<Impl> impl_;
};

/// The model that `asked` means for this specimen. Throws std::invalid_argument if it does not cover it.
Model model_for(const Specimen& specimen, Model asked);

/// Predict from t = 0 (specimen released there) along the motion and on until settled, overturned or
/// options.settle_limit_s after the end of both motions. With several pieces every break is honoured exactly. Where
/// only the outcome is asked for and the maps' method covers the case, that method tells it: the same outcome, several
/// times faster.
Prediction predict(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options = {});
/// Of each specimen what predict() tells with outcome_only, all along one motion at once: much faster than one by one.
std::vector<Prediction> predict_outcomes(std::span<const Specimen> specimens, const BaseMotion& motion,
                                         SolverOptions options = {});
/// predict(), always step by step.
Prediction follow(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options = {});

}  // namespace topple::solver
