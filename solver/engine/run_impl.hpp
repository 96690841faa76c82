// What stands behind RockingRun: an engine with its law, whichever it is.
#pragma once

#include <memory>
#include <vector>

#include "solver/engine/law.hpp"
#include "solver/motion/vertical_motion.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"

namespace topple::solver {

namespace contact {
struct Posture;
}

/// Contract of every method as that of RockingRun; `run` takes no piece where the base keeps its velocity, and both
/// pieces cover the interval. `decided` is asked only where no vertical motion is to come.
struct RunImpl {
    virtual ~RunImpl() = default;
    virtual std::unique_ptr<RunImpl> clone() const = 0;
    virtual void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept = 0;
    /// The time allowed is over and the base keeps its velocity: settle what can be known, else status undecided.
    virtual void conclude() noexcept = 0;
    virtual double time_s() const noexcept = 0;
    virtual SolverStatus status() const noexcept = 0;
    virtual bool at_rest() const noexcept = 0;
    virtual bool uplifted() const noexcept = 0;
    virtual bool decided() const noexcept = 0;
    virtual double rotation_rad(std::size_t block) const noexcept = 0;
    virtual double rate_rad_s(std::size_t block) const noexcept = 0;
    virtual Support support(std::size_t block) const noexcept = 0;
    virtual double slip_m() const noexcept = 0;
    virtual double slip_rate_m_s() const noexcept = 0;
    virtual BaseReaction base_reaction(const BaseAcceleration& base) const noexcept = 0;
    virtual StandingLoad standing_load() const noexcept = 0;
    virtual Prediction prediction() const = 0;

    /// `run` along this piece of the horizontal motion, cut where the vertical motion has its breaks.
    void run_along(const MotionPiece* horizontal, double until_s, bool stop_when_decided) noexcept;

    std::size_t block_count = 0;
    std::vector<double> restitution;
    VerticalCursor vertical;
};

/// Engines for a validated specimen; model_for() has said which.
std::unique_ptr<RunImpl> make_stack_run(const Specimen& specimen, const SolverOptions& options);
std::unique_ptr<RunImpl> make_foot_run(const Specimen& specimen, const SolverOptions& options);
std::unique_ptr<RunImpl> make_slide_rock_run(const Specimen& specimen, const SolverOptions& options);
std::unique_ptr<RunImpl> make_small_rotation_run(const Specimen& specimen, const SolverOptions& options);
std::unique_ptr<RunImpl> make_impulsive_force_run(const Specimen& specimen, const SolverOptions& options);
std::unique_ptr<RunImpl> make_multiple_impact_run(const Specimen& specimen, const SolverOptions& options);
std::unique_ptr<RunImpl> make_contact_run(const Specimen& specimen, const SolverOptions& options);
/// From a posture of the specimen's blocks at another instant than t = 0.
std::unique_ptr<RunImpl> make_contact_run(const Specimen& specimen, const SolverOptions& options,
                                          const contact::Posture& posture);

}  // namespace topple::solver
