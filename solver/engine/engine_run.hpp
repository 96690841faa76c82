// An engine with its law as a run, and what it has to say as a prediction.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/engine/engine.hpp"
#include "solver/engine/run_impl.hpp"

namespace topple::solver {

inline Support support_name(int s) noexcept { return s < 0 ? Support::left : s > 0 ? Support::right : Support::full; }
inline Side side_name(int s) noexcept { return s < 0 ? Side::left : Side::right; }

/// Outcome by what happened and by what energy says of the one block that is left.
template <class Law>
void fill_outcome(const Engine<Law>& engine, std::size_t block_count, Prediction& prediction) {
    const auto& trace = engine.trace();
    bool slid = false;
    if constexpr (requires { engine.law().slip(); }) slid = engine.law().slip().peak_m >= kSlidingSlip_m;
    prediction.outcome = engine.uplifted() ? Outcome::rocking : slid ? Outcome::sliding : Outcome::translation;
    const int fallen = trace.fallen_count();
    for (int i = 0; i < fallen; ++i) prediction.blocks_overturned.push_back(static_cast<std::size_t>(trace.fallen(i)));
    if (fallen > 0) {
        prediction.overturn_time_s = trace.first_fall_s();
        prediction.direction = side_name(trace.fallen_side(trace.fallen(0)));
    }
    const EnergyVerdict known = engine.known();
    if (known == EnergyVerdict::falls_left || known == EnergyVerdict::falls_right) {
        if (fallen == 0) prediction.direction = known == EnergyVerdict::falls_left ? Side::left : Side::right;
        prediction.blocks_overturned.push_back(0);
    }
    if (prediction.blocks_overturned.empty()) return;
    prediction.outcome = block_count == 1                                     ? Outcome::overturning
                         : prediction.blocks_overturned.size() == block_count ? Outcome::total_overturning
                                                                              : Outcome::partial_overturning;
}

template <int B>
void fill_from_trace(const Trace<B>& trace, std::size_t block_count, Prediction& prediction) {
    const auto first = [&](const auto& values) {
        return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(block_count));
    };
    for (std::size_t i = 0; i < block_count; ++i)
        prediction.peak_rotation_rad.push_back(trace.peak(static_cast<int>(i)));
    prediction.impacts.reserve(trace.impacts().size());
    for (const ImpactRecord<B>& record : trace.impacts()) {
        prediction.impacts.push_back({record.time_s, static_cast<std::size_t>(record.interface_index),
                                      first(record.before), first(record.after)});
        if (record.face >= 0) prediction.impacts.back().face = static_cast<std::size_t>(record.face);
    }
    for (const TurnRecord& record : trace.turns())
        prediction.turning_points.push_back(
            {record.time_s, static_cast<std::size_t>(record.body), record.rotation_rad});
    std::stable_sort(prediction.turning_points.begin(), prediction.turning_points.end(),
                     [](const TurningPoint& a, const TurningPoint& b) { return a.time_s < b.time_s; });
    prediction.impacts_truncated = trace.truncated();
    prediction.history.reserve(trace.history().size());
    for (const HistoryRecord<B>& record : trace.history()) {
        HistorySample sample{
            record.time_s,     record.base_acceleration_m_s2, first(record.pose.rotation), first(record.pose.rate), {},
            record.pose.slip_m};
        for (std::size_t i = 0; i < block_count; ++i) sample.support.push_back(support_name(record.pose.supports[i]));
        prediction.history.push_back(std::move(sample));
    }
}

/// What a run that may have failed says of `block_count` blocks.
template <class Law>
Prediction prediction_of(const Engine<Law>& engine, std::size_t block_count) {
    Prediction prediction;
    prediction.status = engine.status();
    prediction.status_time_s = engine.status_time_s();
    fill_outcome(engine, block_count, prediction);
    const Law& law = engine.law();
    bool moved = engine.uplifted();
    if constexpr (requires { law.slip(); }) {
        prediction.slip = law.slip();
        moved = moved || law.slip().peak_m > 0.0;
    }
    if (law.standing() > 0 && law.rests() && moved) prediction.settled_time_s = engine.settled_time_s();
    fill_from_trace(engine.trace(), block_count, prediction);
    if constexpr (requires { law.fill(prediction, block_count); }) law.fill(prediction, block_count);
    if (prediction.status == SolverStatus::ok) return prediction;
    // A failed solution does not say how it ended. What happened before stays.
    prediction.outcome.reset();
    prediction.direction.reset();
    prediction.settled_time_s.reset();
    return prediction;
}

template <class Law>
class EngineRun final : public RunImpl {
  public:
    EngineRun(const Law& law, const SolverOptions& options, double tilt_rad) : engine_(law, options, tilt_rad) {}

    std::unique_ptr<RunImpl> clone() const override { return std::make_unique<EngineRun>(*this); }
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept override {
        engine_.run(pieces, until_s, stop_when_decided);
    }
    void conclude() noexcept override { engine_.conclude(); }
    double time_s() const noexcept override { return engine_.time_s(); }
    SolverStatus status() const noexcept override { return engine_.status(); }
    bool at_rest() const noexcept override { return law().standing() == 0 || law().rests(); }
    bool uplifted() const noexcept override { return engine_.uplifted(); }
    bool decided() const noexcept override { return engine_.verdict() == EnergyVerdict::stable; }
    double rotation_rad(std::size_t block) const noexcept override {
        return stands(block) ? law().rotations(law().state())[block] : fallen_side(block) * kHalfPi;
    }
    double rate_rad_s(std::size_t block) const noexcept override {
        return stands(block) ? law().rates(law().state())[block] : 0.0;
    }
    Support support(std::size_t block) const noexcept override {
        return support_name(stands(block) ? law().supports()[block] : fallen_side(block));
    }
    double slip_m() const noexcept override {
        if constexpr (requires { law().slip_m(law().state()); }) return law().slip_m(law().state());
        return 0.0;
    }
    double slip_rate_m_s() const noexcept override {
        if constexpr (requires { law().slip_rate_m_s(); }) return law().standing() > 0 ? law().slip_rate_m_s() : 0.0;
        return 0.0;
    }
    BaseReaction base_reaction(const BaseAcceleration& base) const noexcept override {
        return law().standing() == 0 ? BaseReaction{} : law().reaction(engine_.drive(base));
    }
    StandingLoad standing_load() const noexcept override { return law().load(); }
    Prediction prediction() const override { return prediction_of(engine_, block_count); }

  private:
    const Law& law() const noexcept { return engine_.law(); }
    bool stands(std::size_t block) const noexcept { return static_cast<int>(block) < law().standing(); }
    int fallen_side(std::size_t block) const noexcept { return engine_.trace().fallen_side(static_cast<int>(block)); }

    Engine<Law> engine_;
};

template <class Law>
std::unique_ptr<RunImpl> make_run(const Law& law, const SolverOptions& options, double tilt_rad) {
    return std::make_unique<EngineRun<Law>>(law, options, tilt_rad);
}

}  // namespace topple::solver
