#include "solver/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "solver/engine/run_impl.hpp"

namespace topple::solver {

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
    if (options.vertical) require_weight(*options.vertical, options.gravity_m_s2);
}

namespace {

std::unique_ptr<RunImpl> make_impl(const Specimen& specimen, const SolverOptions& options) {
    switch (model_for(specimen, options.model)) {
        case Model::automatic:
        case Model::rocking: break;
        case Model::slide_rock: return make_slide_rock_run(specimen, options);
        case Model::linearised:
        case Model::quasi_linear: return make_small_rotation_run(specimen, options);
        case Model::impulsive_force: return make_impulsive_force_run(specimen, options);
    }
    return make_stack_run(specimen, options);
}

}  // namespace

Model model_for(const Specimen& specimen, Model asked) {
    const bool single = specimen.blocks.size() == 1;
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
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
    impl_ = make_impl(specimen, options);
    impl_->block_count = specimen.blocks.size();
    impl_->restitution = restitution_ratios(specimen);
    impl_->vertical = VerticalCursor(options.vertical);
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
