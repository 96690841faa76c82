// The sliding and rocking block advanced in time: integrates between events, finds them, changes the mode.
#pragma once

#include <vector>

#include "solver/event/excitation.hpp"
#include "solver/event/trace.hpp"
#include "solver/integrate/dop853.hpp"
#include "solver/models/slide_rock_modes.hpp"

namespace topple::solver {

/// The integrator's coordinates: [0] rotation, [1] slip.
inline Motion<2> to_motion(const SlideRockState& state) noexcept {
    return {{state.rotation_rad, state.slip_m}, {state.rate_rad_s, state.slip_rate_m_s}};
}
inline SlideRockState to_state(const Motion<2>& motion) noexcept {
    return {motion.phi_rad[0], motion.psi_rad_s[0], motion.phi_rad[1], motion.psi_rad_s[1]};
}

/// Copyable; every copy is a future of its own.
class SlideRockRun {
  public:
    SlideRockRun(const Specimen& specimen, const SolverOptions& options);

    /// Contract of RockingRun::Impl::run.
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept;

    const SlidingBody& body() const noexcept { return body_; }
    const SlideRockState& state() const noexcept { return state_; }
    SlideRockMode mode() const noexcept { return mode_; }
    const Trace<1>& trace() const noexcept { return trace_; }
    double time_s() const noexcept { return time_s_; }
    SolverStatus status() const noexcept { return status_; }
    double status_time_s() const noexcept { return status_time_s_; }
    double settled_time_s() const noexcept { return settled_time_s_; }
    bool at_rest() const noexcept { return fallen() || mode_ == SlideRockMode{}; }
    bool fallen() const noexcept { return trace_.fallen_count() > 0; }
    bool uplifted() const noexcept { return uplifted_; }
    double slip_peak_m() const noexcept { return slip_peak_m_; }
    const std::vector<double>& slip_history_m() const noexcept { return slip_history_m_; }
    /// No base at constant velocity can change the outcome any more.
    bool decided() const noexcept;
    Drive drive(const BaseAcceleration& base) const noexcept;

  private:
    enum class EventKind { none, impact, slip_ends, foot_lets_go, fall };
    struct Event {
        EventKind kind = EventKind::none;
        double sigma = 1.0;
    };

    void rest(const Excitation& excitation, double until_s);
    void step(const Excitation& excitation, double until_s);
    double longest_step_s() const noexcept { return 0.2 / body_.p_rad_s; }
    double step_limit_s(const Excitation& excitation) const noexcept;
    Event first_event(const Excitation& excitation, double step_s) const;
    bool look_closer(Event& event, double step_s) noexcept;
    double guard(EventKind kind, const Motion<2>& motion, double time_s, const Excitation& excitation) const noexcept;
    bool guarded(EventKind kind) const noexcept;
    bool closing(EventKind kind, const Motion<2>& motion, double time_s, const Excitation& excitation) const noexcept;
    void record_inside(const StepEnd<2>& end, double step_s, double sigma, const Excitation& excitation);
    void reset(EventKind kind, const Excitation& excitation);
    void impact(const Excitation& excitation);
    double remaining_s(const Drive& drive) const noexcept;
    void enter(SlideRockMode mode) noexcept;
    void sample(double time_s, double base_acceleration_m_s2, const SlideRockState& state, bool grid);
    void fail(SolverStatus status) noexcept;

    SlidingBody body_;
    SolverOptions options_;
    double tilt_rad_;
    double time_s_ = 0.0;
    SlideRockState state_;
    SlideRockMode mode_;
    Trace<1> trace_;
    std::vector<double> slip_history_m_;
    SolverStatus status_ = SolverStatus::ok;
    double status_time_s_ = 0.0, settled_time_s_ = 0.0, slip_peak_m_ = 0.0;
    bool uplifted_ = false, started_ = false;
    std::size_t event_count_ = 0;
    double step_next_s_;
    Dop853<2> dop853_;
};

}  // namespace topple::solver
