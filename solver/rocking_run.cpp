#include "solver/rocking_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "solver/event/event_loop.hpp"
#include "solver/models/specimen_stack.hpp"

namespace topple::solver {

namespace {

void validate(const SolverOptions& options) {
    const auto refuse = [](const char* what) { throw std::invalid_argument(what); };
    if (!(std::isfinite(options.gravity_m_s2) && options.gravity_m_s2 > 0.0))
        refuse("gravity_m_s2 must be finite and > 0");
    if (!(std::isfinite(options.newmark_step_s) && options.newmark_step_s > 0.0))
        refuse("newmark_step_s must be finite and > 0");
    if (!(options.settle_limit_s >= 0.0)) refuse("settle_limit_s must be >= 0");
    if (!(std::isfinite(options.history_step_s) && options.history_step_s >= 0.0))
        refuse("history_step_s must be finite and >= 0");
}

Support support_name(int s) noexcept {
    return s < 0 ? Support::left : s > 0 ? Support::right : Support::full;
}
Side side_name(int s) noexcept {
    return s < 0 ? Side::left : Side::right;
}

template <class Values>
std::vector<double> first_values(const Values& values, std::size_t count) {
    return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

/// One engine per number of blocks behind one face, so that loops over blocks have constant bounds.
struct RockingRun::Impl {
    virtual ~Impl() = default;
    virtual std::unique_ptr<Impl> clone() const = 0;
    virtual void run(const MotionPiece* piece, double until_s, bool stop_when_decided) noexcept = 0;
    virtual double time_s() const noexcept = 0;
    virtual SolverStatus status() const noexcept = 0;
    virtual bool at_rest() const noexcept = 0;
    virtual bool uplifted() const noexcept = 0;
    virtual bool decided() const noexcept = 0;
    virtual double rotation_rad(std::size_t block) const noexcept = 0;
    virtual double rate_rad_s(std::size_t block) const noexcept = 0;
    virtual Support support(std::size_t block) const noexcept = 0;
    virtual BaseReaction base_reaction(double base_acceleration_m_s2) const noexcept = 0;
    virtual void fill(Prediction& prediction) const = 0;

    std::size_t block_count = 0;
    std::vector<double> restitution;
};

namespace {

template <int N>
struct Engine final : RockingRun::Impl {
    EventLoop<N> loop;

    Engine(const Specimen& specimen, const SolverOptions& options)
        : loop(make_stack_state<N>(specimen, options.gravity_m_s2), options, specimen.initial_tilt_rad,
               specimen.friction ? specimen.friction->static_ratio
                                 : std::numeric_limits<double>::infinity()) {}

    std::unique_ptr<Impl> clone() const override { return std::make_unique<Engine>(*this); }
    void run(const MotionPiece* piece, double until_s, bool stop_when_decided) noexcept override {
        loop.run(piece, until_s, stop_when_decided);
    }
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
    BaseReaction base_reaction(double base_acceleration_m_s2) const noexcept override {
        const StackState<N>& state = loop.state();
        if (state.standing == 0) return {};
        const Vec2 on_block =
            contact_forces(state.stack, state.table, state.motion, loop.drive(base_acceleration_m_s2))
                .force_n[0];
        return {-on_block.x, -on_block.z};
    }
    void fill(Prediction& prediction) const override;
    void fill_outcome(Prediction& prediction) const;
};

template <int N>
void Engine<N>::fill_outcome(Prediction& prediction) const {
    const Trace<N>& trace = loop.trace();
    prediction.outcome = loop.uplifted() ? Outcome::rocking : Outcome::translation;
    const int fallen = trace.fallen_count();
    for (int i = 0; i < fallen; ++i)
        prediction.blocks_overturned.push_back(static_cast<std::size_t>(trace.fallen(i)));
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
    for (std::size_t i = 0; i < block_count; ++i)
        prediction.peak_rotation_rad.push_back(trace.peak_rad(static_cast<int>(i)));
    for (std::size_t i = 0; loop.watch().is_on() && i < block_count; ++i)
        prediction.friction_demand.push_back(loop.watch().friction_demand(static_cast<int>(i)));
    prediction.left_validity = loop.watch().breach();
    prediction.impacts.reserve(trace.impacts().size());
    for (const ImpactRecord<N>& record : trace.impacts())
        prediction.impacts.push_back({record.time_s, static_cast<std::size_t>(record.interface_index),
                                      first_values(record.before_rad_s, block_count),
                                      first_values(record.after_rad_s, block_count)});
    prediction.impacts_truncated = trace.truncated();
    prediction.history.reserve(trace.history().size());
    for (const HistoryRecord<N>& record : trace.history()) {
        HistorySample sample{record.time_s,
                             record.base_acceleration_m_s2,
                             first_values(record.rotation_rad, block_count),
                             first_values(record.rate_rad_s, block_count),
                             {}};
        for (std::size_t i = 0; i < block_count; ++i)
            sample.support.push_back(support_name(record.supports[i]));
        prediction.history.push_back(std::move(sample));
    }
}

std::unique_ptr<RockingRun::Impl> make_engine(const Specimen& specimen, const SolverOptions& options) {
    switch (specimen.blocks.size()) {
        case 1:
            return std::make_unique<Engine<1>>(specimen, options);
        case 0:
        case 2:
            return std::make_unique<Engine<2>>(specimen, options);
        case 3:
        case 4:
            return std::make_unique<Engine<4>>(specimen, options);
        default:
            return std::make_unique<Engine<kBlocksMax>>(specimen, options);
    }
}

}  // namespace

RockingRun::RockingRun(const Specimen& specimen, const SolverOptions& options) {
    topple::solver::validate(specimen);
    validate(options);
    if (specimen.friction && specimen.blocks.size() <= 1)
        throw std::invalid_argument("friction: this model does not slide; leave friction out");
    impl_ = make_engine(specimen, options);
    impl_->block_count = specimen.blocks.size();
    impl_->restitution = restitution_ratios(specimen);
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
    if (piece.start_s - time_s() > 1e-9) impl_->run(nullptr, std::min(until_s, piece.start_s), false);
    impl_->run(&piece, std::min(until_s, piece.end_s), false);
}
void RockingRun::coast(double until_s) noexcept {
    impl_->run(nullptr, until_s, false);
}
void RockingRun::settle(double until_s) noexcept {
    impl_->run(nullptr, until_s, true);
}

double RockingRun::time_s() const noexcept {
    return impl_->time_s();
}
SolverStatus RockingRun::status() const noexcept {
    return impl_->status();
}
bool RockingRun::at_rest() const noexcept {
    return impl_->at_rest();
}
bool RockingRun::uplifted() const noexcept {
    return impl_->uplifted();
}
bool RockingRun::decided() const noexcept {
    return impl_->decided();
}
std::size_t RockingRun::block_count() const noexcept {
    return impl_->block_count;
}
double RockingRun::rotation_rad(std::size_t block) const noexcept {
    return impl_->rotation_rad(block);
}
double RockingRun::rotation_rate_rad_s(std::size_t block) const noexcept {
    return impl_->rate_rad_s(block);
}
Support RockingRun::support(std::size_t block) const noexcept {
    return impl_->support(block);
}
BaseReaction RockingRun::base_reaction(double base_acceleration_m_s2) const noexcept {
    return impl_->base_reaction(base_acceleration_m_s2);
}

Prediction RockingRun::result() const {
    Prediction prediction;
    prediction.restitution = impl_->restitution;
    impl_->fill(prediction);
    return prediction;
}

Prediction predict(const Specimen& specimen, const BaseMotion& motion, const SolverOptions& options) {
    RockingRun run(specimen, options);
    if (motion.start_s() > 0.0) run.coast(motion.start_s());
    for (const MotionPiece& piece : motion.pieces()) run.advance(piece, piece.end_s);
    run.settle(std::max(run.time_s(), motion.end_s()) + options.settle_limit_s);
    return run.result();
}

}  // namespace topple::solver
