// What stands behind RockingRun: one engine per model, all with this face.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "solver/engine/trace.hpp"
#include "solver/motion/excitation.hpp"
#include "solver/motion/vertical_motion.hpp"
#include "solver/run.hpp"

namespace topple::solver {

/// Contract of every method as that of RockingRun; `run` takes no piece where the base keeps its velocity, and both
/// pieces cover the interval. `decided` is asked only where no vertical motion is to come.
struct RockingRun::Impl {
    virtual ~Impl() = default;
    virtual std::unique_ptr<Impl> clone() const = 0;
    /// `run` along this piece of the horizontal motion, cut where the vertical motion has its breaks.
    void run_along(const MotionPiece* horizontal, double until_s, bool stop_when_decided) noexcept;
    virtual void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept = 0;
    /// The time allowed is over and the base keeps its velocity: settle what can be told, else status undecided.
    virtual void conclude() noexcept = 0;
    virtual double time_s() const noexcept = 0;
    virtual SolverStatus status() const noexcept = 0;
    virtual bool at_rest() const noexcept = 0;
    virtual bool uplifted() const noexcept = 0;
    virtual bool decided() const noexcept = 0;
    virtual double rotation_rad(std::size_t block) const noexcept = 0;
    virtual double rate_rad_s(std::size_t block) const noexcept = 0;
    virtual Support support(std::size_t block) const noexcept = 0;
    virtual double slip_m() const noexcept { return 0.0; }
    virtual double slip_rate_m_s() const noexcept { return 0.0; }
    virtual BaseReaction base_reaction(const BaseAcceleration& base) const noexcept = 0;
    virtual StandingLoad standing_load() const noexcept = 0;
    virtual void fill(Prediction& prediction) const = 0;

    std::size_t block_count = 0;
    std::vector<double> restitution;
    VerticalCursor vertical;
};

/// Engines for one validated block; model_for() has said which.
std::unique_ptr<RockingRun::Impl> make_slide_rock_engine(const Specimen& specimen, const SolverOptions& options);
std::unique_ptr<RockingRun::Impl> make_small_rotation_engine(const Specimen& specimen, const SolverOptions& options);
std::unique_ptr<RockingRun::Impl> make_impulsive_force_engine(const Specimen& specimen, const SolverOptions& options);

inline Support support_name(int s) noexcept { return s < 0 ? Support::left : s > 0 ? Support::right : Support::full; }
inline Side side_name(int s) noexcept { return s < 0 ? Side::left : Side::right; }

template <class Values>
std::vector<double> first_values(const Values& values, std::size_t count) {
    return {values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// What a failed solution may not tell: how it ended. What happened before stays.
inline void withdraw_outcome(Prediction& prediction) {
    prediction.outcome.reset();
    prediction.direction.reset();
    prediction.settled_time_s.reset();
}

/// Peaks, impacts and history.
template <int N>
void fill_from_trace(const Trace<N>& trace, std::size_t block_count, Prediction& prediction) {
    for (std::size_t i = 0; i < block_count; ++i)
        prediction.peak_rotation_rad.push_back(trace.peak_rad(static_cast<int>(i)));
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
                             {},
                             0.0};
        for (std::size_t i = 0; i < block_count; ++i) sample.support.push_back(support_name(record.supports[i]));
        prediction.history.push_back(std::move(sample));
    }
}

}  // namespace topple::solver
