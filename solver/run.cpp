#include "solver/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "solver/engine/event_loop.hpp"
#include "solver/engine/rocking_engine.hpp"
#include "solver/stack/specimen_stack.hpp"

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
        refuse("impulse_width_ratio must lie in 1e-9..0.01");
    require_weight(options);
}

namespace {

template <int N>
struct Engine final : RockingRun::Impl {
    EventLoop<N> loop;

    Engine(const Specimen& specimen, const SolverOptions& options)
        : loop(make_stack_state<N>(specimen, options.gravity_m_s2), options, specimen.initial_tilt_rad,
               specimen.friction ? specimen.friction->static_ratio : std::numeric_limits<double>::infinity()) {}

    std::unique_ptr<Impl> clone() const override { return std::make_unique<Engine>(*this); }
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept override {
        loop.run(pieces, until_s, stop_when_decided);
    }
    void conclude() noexcept override { loop.conclude(); }
    double time_s() const noexcept override { return loop.state().time_s; }
    SolverStatus status() const noexcept override { return loop.status(); }
    bool at_rest() const noexcept override { return loop.state().standing == 0 || loop.state().all_full(); }
    bool uplifted() const noexcept override { return loop.uplifted(); }
    bool decided() const noexcept override { return loop.verdict() == EnergyVerdict::stable; }

    bool stands(std::size_t block) const noexcept { return static_cast<int>(block) < loop.state().standing; }
    double rotation_rad(std::size_t block) const noexcept override {
        const int i = static_cast<int>(block);
        return stands(block) ? loop.state().rotation_rad(i) : loop.trace().fallen_side(i) * kHalfPi;
    }
    double rate_rad_s(std::size_t block) const noexcept override {
        return stands(block) ? loop.state().rate_rad_s(static_cast<int>(block)) : 0.0;
    }
    Support support(std::size_t block) const noexcept override {
        const int i = static_cast<int>(block);
        return support_name(stands(block) ? loop.state().table.s[i] : loop.trace().fallen_side(i));
    }
    BaseReaction base_reaction(const BaseAcceleration& base) const noexcept override {
        const StackState<N>& state = loop.state();
        if (state.standing == 0) return {};
        const Vec2 on_block = contact_forces(state.stack, state.table, state.motion, loop.drive(base)).force_n[0];
        return {-on_block.x, -on_block.z};
    }
    StandingLoad standing_load() const noexcept override {
        const StackState<N>& state = loop.state();
        StandingLoad load{0.0, state.momentum_above_kg_m_s(0), state.lost_momentum_kg_m_s};
        for (int i = 0; i < state.standing; ++i) load.mass_kg += state.stack.block[i].mass_kg;
        return load;
    }
    void fill(Prediction& prediction) const override;
    void fill_outcome(Prediction& prediction) const;
};

template <int N>
void Engine<N>::fill_outcome(Prediction& prediction) const {
    const Trace<N>& trace = loop.trace();
    prediction.outcome = loop.uplifted() ? Outcome::rocking : Outcome::translation;
    const int fallen = trace.fallen_count();
    for (int i = 0; i < fallen; ++i) prediction.blocks_overturned.push_back(static_cast<std::size_t>(trace.fallen(i)));
    if (fallen > 0) {
        prediction.overturn_time_s = trace.first_fall_s();
        prediction.direction = side_name(trace.fallen_side(trace.fallen(0)));
    }
    // Energy may have told that the one block left falls too.
    const EnergyVerdict told = loop.told();
    if (told == EnergyVerdict::falls_left || told == EnergyVerdict::falls_right) {
        if (fallen == 0) prediction.direction = told == EnergyVerdict::falls_left ? Side::left : Side::right;
        prediction.blocks_overturned.push_back(0);
    }
    if (prediction.blocks_overturned.empty()) return;
    prediction.outcome = block_count == 1                                     ? Outcome::overturning
                         : prediction.blocks_overturned.size() == block_count ? Outcome::total_overturning
                                                                              : Outcome::partial_overturning;
}

template <int N>
void Engine<N>::fill(Prediction& prediction) const {
    const Trace<N>& trace = loop.trace();
    prediction.status = loop.status();
    prediction.status_time_s = loop.status_time_s();
    fill_outcome(prediction);
    if (loop.state().standing > 0 && loop.state().all_full() && loop.uplifted())
        prediction.settled_time_s = loop.settled_time_s();
    for (std::size_t i = 0; loop.watch().is_on() && i < block_count; ++i)
        prediction.friction_demand.push_back(loop.watch().friction_demand(static_cast<int>(i)));
    prediction.left_validity = loop.watch().breach();
    fill_from_trace(trace, block_count, prediction);
}

std::unique_ptr<RockingRun::Impl> make_stack_engine(const Specimen& specimen, const SolverOptions& options) {
    switch (specimen.blocks.size()) {
        case 1: return std::make_unique<Engine<1>>(specimen, options);
        case 0:
        case 2: return std::make_unique<Engine<2>>(specimen, options);
        case 3:
        case 4: return std::make_unique<Engine<4>>(specimen, options);
        default: return std::make_unique<Engine<kBlocksMax>>(specimen, options);
    }
}

std::unique_ptr<RockingRun::Impl> make_engine(const Specimen& specimen, const SolverOptions& options) {
    const Model model = model_for(specimen, options.model);
    switch (model) {
        case Model::automatic:
        case Model::rocking: break;
        case Model::slide_rock: return make_slide_rock_engine(specimen, options);
        case Model::linearised:
        case Model::quasi_linear: return make_small_rotation_engine(specimen, options);
        case Model::impulsive_force: return make_impulsive_force_engine(specimen, options);
    }
    return make_stack_engine(specimen, options);
}

}  // namespace

Model model_for(const Specimen& specimen, Model asked) {
    const bool single = specimen.blocks.size() == 1;
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    if (asked == Model::automatic) return specimen.friction && single ? Model::slide_rock : Model::rocking;
    if (asked == Model::rocking) {
        if (specimen.friction && single)
            refuse("friction: this model does not slide; leave friction out or use slide_rock");
        return asked;
    }
    if (!single && !specimen.blocks.empty()) refuse("this model is for a single block");
    if (specimen.blocks.empty()) return Model::rocking;
    if (asked == Model::slide_rock && !specimen.friction) refuse("friction is missing: slide_rock needs it");
    if (asked != Model::slide_rock && specimen.friction)
        refuse("friction: this model does not slide; leave friction out or use slide_rock");
    if (asked == Model::impulsive_force) {
        const std::vector<double> ratios = restitution_ratios(specimen);
        if (!(*std::min_element(ratios.begin(), ratios.end()) > 0.0))
            refuse("restitution: impulsive_force needs a ratio above 0; no finite force stops the block dead");
    }
    return asked;
}

RockingRun::RockingRun(const Specimen& specimen, const SolverOptions& options) {
    validate(specimen);
    validate(options);
    impl_ = make_engine(specimen, options);
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
    Prediction prediction;
    prediction.restitution = impl_->restitution;
    impl_->fill(prediction);
    if (prediction.status != SolverStatus::ok) withdraw_outcome(prediction);
    return prediction;
}

}  // namespace topple::solver
