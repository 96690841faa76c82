#include "solver/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "solver/contact_dynamics/start.hpp"
#include "solver/engine/run_impl.hpp"
#include "solver/foot_roll.hpp"

namespace topple::solver {

void validate(const ContactDynamics& contact) {
    const auto require = [](bool allowed, const char* what) {
        if (!allowed) throw std::invalid_argument(what);
    };
    require(contact.time_step_s >= 0.5e-7 && contact.time_step_s <= 0.01,
            "contact_dynamics.time_step_s must be from 1e-7 to 0.01");
    require(contact.theta >= 0.5 && contact.theta <= 1.0, "contact_dynamics.theta must be from 0.5 to 1");
    require(contact.activation >= 0.0 && contact.activation <= 1.0, "contact_dynamics.activation must be from 0 to 1");
    require(contact.restitution >= 0.0 && contact.restitution <= 1.0,
            "contact_dynamics.restitution must be from 0 to 1");
    require(contact.tolerance >= 1e-14 && contact.tolerance <= 1e-4,
            "contact_dynamics.tolerance must be from 1e-14 to 1e-4");
    require(contact.sweeps_max >= 1, "contact_dynamics.sweeps_max must be >= 1");
}

void validate(const MultipleImpact& impact) {
    const auto require = [](bool allowed, const char* what) {
        if (!allowed) throw std::invalid_argument(what);
    };
    require(impact.restitution >= 0.0 && impact.restitution <= 1.0, "multiple_impact.restitution must be from 0 to 1");
    require(impact.stiffness_ratio >= 1e-6 && impact.stiffness_ratio <= 1e6,
            "multiple_impact.stiffness_ratio must be from 1e-6 to 1e6");
    require(impact.exponent >= 1.0 && impact.exponent <= 10.0, "multiple_impact.exponent must be from 1 to 10");
}

void validate(const SolverOptions& options) {
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    if (!(std::isfinite(options.gravity_m_s2) && options.gravity_m_s2 > 0.0))
        refuse("gravity_m_s2 must be finite and > 0");
    if (!(std::isfinite(options.newmark_step_s) && options.newmark_step_s > 0.0))
        refuse("newmark_step_s must be finite and > 0");
    if (!(options.settle_limit_s >= 0.0)) refuse("settle_limit_s must be >= 0");
    if (!(std::isfinite(options.history_step_s) && options.history_step_s >= 0.0))
        refuse("history_step_s must be finite and >= 0");
    if (!(options.impulse_width_ratio >= 1e-9 && options.impulse_width_ratio <= 0.01))
        refuse("impulse_width_ratio must be from 1e-9 to 0.01");
    validate(options.contact);
    validate(options.multiple_impact);
    if (options.vertical && options.model != Model::contact_dynamics)
        require_weight(*options.vertical, options.gravity_m_s2);
}

namespace {

/// Refuses a step of contact dynamics that does not resolve the specimen's own motion.
void require_resolved(const Specimen& specimen, const SolverOptions& options) {
    if (options.model != Model::contact_dynamics || specimen.pivots) return;
    double p_rad_s = 0.0;
    if (specimen.foot) {
        p_rad_s = quickest_p_rad_s(*specimen.foot, specimen.blocks.front().mass_kg, options.gravity_m_s2);
    } else {
        for (const Block& block : specimen.blocks)
            p_rad_s = std::max(p_rad_s, block.frequency_parameter_rad_s(options.gravity_m_s2));
    }
    if (options.contact.time_step_s * p_rad_s <= kContactStepMax) return;
    throw std::invalid_argument("contact_dynamics.time_step_s = " + std::to_string(options.contact.time_step_s) +
                                " does not resolve a block: at most " + std::to_string(kContactStepMax / p_rad_s) +
                                " s is allowed here (0.05/p)");
}

/// Without slip, the friction that this needs watched.
std::unique_ptr<RunImpl> make_rocking_run(const Specimen& specimen, const SolverOptions& options) {
    return specimen.foot ? make_foot_run(specimen, options) : make_stack_run(specimen, options);
}

std::unique_ptr<RunImpl> make_impl(const Specimen& specimen, const SolverOptions& options) {
    switch (model_for(specimen, options.model)) {
        case Model::automatic:
        case Model::rocking: break;
        case Model::slide_rock: return make_slide_rock_run(specimen, options);
        case Model::linearised:
        case Model::quasi_linear: return make_small_rotation_run(specimen, options);
        case Model::impulsive_force: return make_impulsive_force_run(specimen, options);
        case Model::multiple_impact: return make_multiple_impact_run(specimen, options);
        case Model::contact_dynamics: return make_contact_run(specimen, options);
    }
    return make_rocking_run(specimen, options);
}

}  // namespace

Model model_for(const Specimen& specimen, Model asked) {
    const bool single = specimen.blocks.size() == 1;
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    if (specimen.foot && asked != Model::contact_dynamics) {
        require_rocking(specimen);
        if (asked == Model::automatic) return specimen.friction ? Model::slide_rock : Model::rocking;
        if (asked == Model::rocking) return asked;
        if (asked != Model::slide_rock)
            refuse(
                "foot: this model is for bodies with two corners: a foot goes with the full model, slide_rock and "
                "contact_dynamics");
    }
    if (asked == Model::contact_dynamics) {
        if (specimen.pivots) refuse("pivots: contact_dynamics is for rectangular blocks: write width_m and height_m");
        if (specimen.foot && specimen.beam) refuse("base: a flexible base is for rectangular blocks, not for a foot");
        return specimen.blocks.empty() ? Model::rocking : asked;
    }
    if (asked == Model::multiple_impact) {
        if (specimen.blocks.empty()) return Model::rocking;
        if (!single || specimen.pivots) refuse("multiple_impact is for a single rectangular block");
        if (!specimen.friction) refuse("friction is missing: multiple_impact needs it");
        if (specimen.beam) refuse("base: multiple_impact is for a rigid base");
        return asked;
    }
    require_rocking(specimen);
    if (asked == Model::automatic) return specimen.friction && single ? Model::slide_rock : Model::rocking;
    if (asked == Model::rocking) {
        if (specimen.friction && single) refuse("friction: this model does not slide; omit friction or use slide_rock");
        return asked;
    }
    if (!single && !specimen.blocks.empty()) refuse("this model is for a single block");
    if (specimen.blocks.empty()) return Model::rocking;
    if (asked == Model::slide_rock && !specimen.friction) refuse("friction is missing: slide_rock needs it");
    if (asked != Model::slide_rock && specimen.friction)
        refuse("friction: this model does not slide; omit friction or use slide_rock");
    if (asked == Model::impulsive_force) {
        const std::vector<double> ratios = restitution_ratios(specimen);
        if (!(*std::min_element(ratios.begin(), ratios.end()) > 0.0))
            refuse(
                "restitution: impulsive_force needs a ratio above 0; no finite force brings the block to rest at once");
    }
    return asked;
}

RockingRun::RockingRun(const Specimen& specimen, const SolverOptions& options) {
    validate(specimen);
    validate(options);
    require_resolved(specimen, options);
    impl_ = make_impl(specimen, options);
    impl_->block_count = specimen.blocks.size();
    const Model used = model_for(specimen, options.model);
    if (used != Model::contact_dynamics && used != Model::multiple_impact)
        impl_->restitution = restitution_ratios(specimen);
    impl_->vertical = VerticalCursor(options.vertical);
}

RockingRun::RockingRun(std::unique_ptr<RunImpl> impl) : impl_(std::move(impl)) {}

RockingRun RockingRun::watched(const Specimen& specimen, const SolverOptions& options) {
    validate(specimen);
    require_rocking(specimen);
    validate(options);
    RockingRun run(make_rocking_run(specimen, options));
    run.impl_->block_count = specimen.blocks.size();
    run.impl_->restitution = restitution_ratios(specimen);
    run.impl_->vertical = VerticalCursor(options.vertical);
    return run;
}

RockingRun RockingRun::contact_dynamics_from(const RockingRun& rocking, Specimen specimen, SolverOptions options) {
    options.model = Model::contact_dynamics;
    validate(specimen);
    validate(options);
    model_for(specimen, options.model);
    require_resolved(specimen, options);
    contact::Posture posture;
    posture.time_s = rocking.time_s();
    for (std::size_t i = 0; i < rocking.block_count() && std::abs(rocking.rotation_rad(i)) < kHalfPi; ++i) {
        posture.rotation_rad.push_back(rocking.rotation_rad(i));
        posture.rate_rad_s.push_back(rocking.rotation_rate_rad_s(i));
        posture.support.push_back(rocking.support(i));
    }
    specimen.blocks.resize(posture.rotation_rad.size());
    RockingRun run(make_contact_run(specimen, options, posture));
    run.impl_->block_count = specimen.blocks.size();
    run.impl_->vertical = VerticalCursor(options.vertical);
    return run;
}

RockingRun::RockingRun(const RockingRun& other) : impl_(other.impl_->clone()) {}
RockingRun::RockingRun(RockingRun&&) noexcept = default;
RockingRun& RockingRun::operator=(const RockingRun& other) {
    if (this != &other) impl_ = other.impl_->clone();
    return *this;
}
RockingRun& RockingRun::operator=(RockingRun&&) noexcept = default;
RockingRun::~RockingRun() = default;

void RunImpl::run_along(const MotionPiece* horizontal, double until_s, bool stop_when_decided) noexcept {
    if (!vertical.moves()) return run({horizontal, nullptr}, until_s, stop_when_decided);
    while (time_s() < until_s && status() == SolverStatus::ok) {
        const VerticalCursor::Stretch stretch = vertical.stretch_from(time_s());
        const double end_s = std::min(until_s, stretch.until_s);
        run({horizontal, stretch.piece}, end_s, stop_when_decided && !vertical.goes_on_after(time_s()));
        if (time_s() < end_s) return;  // decided, or failed
    }
}

void RockingRun::advance(const MotionPiece& piece, double until_s) noexcept {
    // A gap before the piece is a base at constant velocity; rounding of the caller's clock is not a gap.
    if (piece.start_s - time_s() > 1e-9) impl_->run_along(nullptr, std::min(until_s, piece.start_s), false);
    impl_->run_along(&piece, std::min(until_s, piece.end_s), false);
}
void RockingRun::coast(double until_s) noexcept { impl_->run_along(nullptr, until_s, false); }
void RockingRun::settle(double until_s) noexcept {
    impl_->run_along(nullptr, until_s, true);
    if (time_s() >= until_s && !impl_->vertical.goes_on_after(time_s())) impl_->conclude();
}

double RockingRun::time_s() const noexcept { return impl_->time_s(); }
SolverStatus RockingRun::status() const noexcept { return impl_->status(); }
bool RockingRun::at_rest() const noexcept { return impl_->at_rest(); }
bool RockingRun::uplifted() const noexcept { return impl_->uplifted(); }
bool RockingRun::decided() const noexcept {
    return impl_->decided() && !impl_->vertical.goes_on_after(impl_->time_s());
}
std::size_t RockingRun::block_count() const noexcept { return impl_->block_count; }
double RockingRun::rotation_rad(std::size_t block) const noexcept { return impl_->rotation_rad(block); }
double RockingRun::rotation_rate_rad_s(std::size_t block) const noexcept { return impl_->rate_rad_s(block); }
Support RockingRun::support(std::size_t block) const noexcept { return impl_->support(block); }
double RockingRun::slip_m() const noexcept { return impl_->slip_m(); }
double RockingRun::slip_rate_m_s() const noexcept { return impl_->slip_rate_m_s(); }
BaseReaction RockingRun::base_reaction(double base_acceleration_m_s2) const noexcept {
    return impl_->base_reaction({base_acceleration_m_s2, impl_->vertical.acceleration_m_s2(impl_->time_s())});
}
StandingLoad RockingRun::standing_load() const noexcept { return impl_->standing_load(); }

Prediction RockingRun::result() const {
    Prediction prediction = impl_->prediction();
    prediction.restitution = impl_->restitution;
    return prediction;
}

}  // namespace topple::solver
