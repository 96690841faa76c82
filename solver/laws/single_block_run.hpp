// A single block advanced in time, behind RockingRun: what its models share between rest and fall.
#pragma once

#include <vector>

#include "solver/engine/rocking_engine.hpp"
#include "solver/laws/sliding_body.hpp"
#include "solver/numerics/root_find.hpp"

namespace topple::solver {

/// Rests while the base acceleration stays within a band, steps while the block moves, keeps the history. A model says
/// how wide the band is, how a step goes and what energy tells. Copyable; every copy is a future of its own.
class SingleBlockRun : public RockingRun::Impl {
  public:
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept final;
    void conclude() noexcept final;

    const SlidingBody& body() const noexcept { return body_; }
    const SlideRockState& state() const noexcept { return state_; }
    SlideRockMode mode() const noexcept { return mode_; }
    bool fallen() const noexcept { return trace_.fallen_count() > 0; }
    double time_s() const noexcept final { return time_s_; }
    SolverStatus status() const noexcept final { return status_; }
    bool at_rest() const noexcept final { return fallen() || mode_ == SlideRockMode{}; }
    bool uplifted() const noexcept final { return uplifted_; }
    bool decided() const noexcept final;
    double rotation_rad(std::size_t block) const noexcept final;
    double rate_rad_s(std::size_t block) const noexcept final;
    Support support(std::size_t block) const noexcept final;
    double slip_m() const noexcept final { return state_.slip_m; }
    double slip_rate_m_s() const noexcept final { return fallen() ? 0.0 : state_.slip_rate_m_s; }
    BaseReaction base_reaction(const BaseAcceleration& base) const noexcept final;
    StandingLoad standing_load() const noexcept final;
    void fill(Prediction& prediction) const override;

  protected:
    /// `longest_step_ratio`: times 1/p.
    SingleBlockRun(const Specimen& specimen, const SolverOptions& options, double longest_step_ratio);

    /// Base acceleration within which the resting block stays, under this weight per mass.
    virtual RestBand band(double vertical_m_s2) const noexcept = 0;
    /// A run() begins: the base acceleration may have jumped.
    virtual void look_again(const Excitation&) {}
    /// Out of the band: above its upper end or below its lower one.
    virtual void leave_rest(bool above, const Excitation& excitation) = 0;
    virtual void step(const Excitation& excitation, double until_s) = 0;
    /// Can the moving block no longer change its outcome in this drive?
    virtual bool decided_moving(const Drive& still) const noexcept = 0;
    /// Accelerations and forces of the contact now.
    virtual SlideRockResponse contact(const Drive& drive) const noexcept = 0;

    Drive drive(const BaseAcceleration& base) const noexcept;
    Slip slip() const noexcept { return {slip_peak_m_, state_.slip_m}; }
    /// Of a foot that does not slip while the block turns with this acceleration.
    SlideRockResponse held(double rotation_rad_s2, const Drive& drive) const noexcept;

    /// What counts of a step from time_s_: until `sigma` (0..1), at end_s.
    struct Part {
        double sigma, step_s, end_s;
    };
    /// `whole`: without an event.
    double end_of_step_s(double sigma, double step_s, bool whole, double until_s) const noexcept {
        return whole && step_s == until_s - time_s_ ? until_s : time_s_ + sigma * step_s;
    }
    /// Samples of the history and the turn of the rotation; `at`: state at a share of the step.
    template <class At>
    void record_inside(At&& at, const Part& part, const Excitation& excitation);
    /// After an event or a start from rest.
    void start_anew(const Excitation& excitation);
    void sample(double time_s, const Excitation& excitation, const SlideRockState& state, bool grid);
    /// The end of a step, or of the part of it before an event.
    void arrive(double time_s, const SlideRockState& state) noexcept;
    void fail(SolverStatus status) noexcept;

    SlidingBody body_;
    SolverOptions options_;
    double tilt_rad_;
    double longest_step_s_, step_next_s_;
    double time_s_ = 0.0;
    SlideRockState state_;
    SlideRockMode mode_;
    Trace<1> trace_;
    double settled_time_s_ = 0.0;
    bool uplifted_ = false;

  private:
    void rest(const Excitation& excitation, double until_s);
    void note_rotation(double rotation_rad) noexcept { trace_.peak(Motion<1>{{rotation_rad}, {}}, 1); }

    std::vector<double> slip_history_m_;
    double slip_peak_m_ = 0.0;
    SolverStatus status_ = SolverStatus::ok;
    double status_time_s_ = 0.0;
    bool started_ = false;
    int surely_falls_ = 0;  // concluded: to this side; 0: not
    std::size_t event_count_ = 0;
};

template <class At>
void SingleBlockRun::record_inside(At&& at, const Part& part, const Excitation& excitation) {
    constexpr double kJustAfter = 0.05;  // share of a step after which a hop from rest still goes out
    while (trace_.next_sample_s() <= part.end_s) {
        const double t = trace_.next_sample_s();
        sample(t, excitation, at(std::min(1.0, (t - time_s_) / part.step_s)), true);
    }
    const auto rate = [&](double sigma) { return at(sigma).rate_rad_s; };
    const double from = state_.rate_rad_s == 0.0 ? kJustAfter * part.sigma : 0.0;
    const double before = rate(from), after = rate(part.sigma);
    if ((before > 0.0) == (after > 0.0)) return;
    note_rotation(at(find_root(rate, from, part.sigma, before, after, 0.0).before).rotation_rad);
}

}  // namespace topple::solver
