// How a specimen is solved: which equations, which method, what is kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "solver/motion/base_motion.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

enum class Integrator {
    high_order,  ///< default: embedded high-order method with dense output, event times to 1e-9 s
    newmark,     ///< Newmark beta = 1/4, gamma = 1/2 with Newton and event stepping, as in the thesis
};

/// Which equations; docs/physics.md has a section on each.
enum class Model {
    automatic,         ///< slide_rock for a single body with friction, else rocking
    rocking,           ///< full nonlinear, no slip (friction of a stack or foot is watched); every specimen
    slide_rock,        ///< full nonlinear with Coulomb friction at the foot; a single body with friction
    linearised,        ///< thesis (3.21): slender block, small rotations; a single block
    quasi_linear,      ///< thesis (3.18): any slenderness, small rotations; a single block
    impulsive_force,   ///< full nonlinear, impacts by a concentrated force (Prieto et al. (65)); a single block
    multiple_impact,   ///< corners that bounce, slip and fly, by the LZB law of impact; a single block with friction
    contact_dynamics,  ///< corners and faces with friction, slip and flight; blocks, stacks, feet (contact_dynamics/)
};

/// Of Model::contact_dynamics: Moreau-Jean time stepping (docs/physics/contact_dynamics.md).
struct ContactDynamics {
    double time_step_s = 1e-5;  ///< 1e-7..0.01, and at most kContactStepMax over the quickest block's p
    double theta = 1.0;         ///< share of the new velocity in the displacement of a step, 0.5..1
    double activation = 1.0;    ///< contacts are sought at q + activation * time_step_s * v, 0..1
    double restitution = 0.0;   ///< Newton's, along the normal, 0..1
    double tolerance = 1e-10;   ///< of the iteration over contacts: sum |dP| <= tolerance * sum Pn, 1e-14..1e-4
    int sweeps_max = 2000;      ///< of that iteration in one step
    std::uint64_t steps_max = 2'000'000'000;  ///< budget of a run
};
inline constexpr double kContactStepMax = 0.05;  ///< time step times p: longer ones do not resolve a block

/// Of Model::multiple_impact (docs/physics/multiple_impact.md).
struct MultipleImpact {
    double restitution = 0.0;      ///< energetic, per contact, 0..1
    double stiffness_ratio = 1.0;  ///< right corner over left corner, 1e-6..1e6
    double exponent = 1.5;         ///< of the contact force over the deformation, 1..10
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
    ContactDynamics contact;            ///< of Model::contact_dynamics
    MultipleImpact multiple_impact;     ///< of Model::multiple_impact
    /// Acceleration of the base along z (upwards), besides the motion along x and from the same t = 0; null: none. It
    /// must leave the specimen some weight: the base may not fall freely, except with Model::contact_dynamics.
    std::shared_ptr<const BaseMotion> vertical;
    /// Give outcome, direction and blocks_overturned and stop as soon as they are certain (energy decision). The
    /// other results then cover only the time until then; peak_rotation_rad is NaN where rocking was not followed.
    bool outcome_only = false;
};

void validate(const ContactDynamics& contact);  ///< throws as the last one
void validate(const MultipleImpact& impact);    ///< likewise
/// Throws std::invalid_argument naming the option and what is allowed; for a base in free fall also when that is.
void validate(const SolverOptions& options);

/// The model that `asked` means for this specimen. Throws std::invalid_argument if it does not cover it.
Model model_for(const Specimen& specimen, Model asked);

}  // namespace topple::solver
