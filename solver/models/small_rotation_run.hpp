// The linearised or quasi-linear block advanced in time: closed forms between events, impacts and lift-off located.
#pragma once

#include "solver/event/excitation.hpp"
#include "solver/event/trace.hpp"
#include "solver/integrate/dop853.hpp"
#include "solver/models/small_rotation.hpp"

namespace topple::solver {

class SmallRotationRun {
  public:
    SmallRotationRun(const Specimen& specimen, const SolverOptions& options);

    /// Contract of RockingRun::Impl::run.
    void run(const BasePieces& pieces, double until_s, bool stop_when_decided) noexcept;

    const SlidingBody& body() const noexcept { return body_; }
    const Trace<1>& trace() const noexcept { return trace_; }
    RotationAndRate state() const noexcept { return state_; }
    int support() const noexcept { return support_; }
    double time_s() const noexcept { return time_s_; }
    SolverStatus status() const noexcept { return status_; }
    double status_time_s() const noexcept { return status_time_s_; }
    double settled_time_s() const noexcept { return settled_time_s_; }
    bool fallen() const noexcept { return trace_.fallen_count() > 0; }
    bool at_rest() const noexcept { return fallen() || support_ == 0; }
    bool uplifted() const noexcept { return uplifted_; }
    bool decided() const noexcept;  ///< no base at constant velocity can change the outcome any more
    Drive drive(const BaseAcceleration& base) const noexcept;
    double acceleration_rad_s2(const Drive& drive) const noexcept;

  private:
    struct Event {
        bool impact = false, fall = false;
        double sigma = 1.0;
    };

    SmallRotationEquation equation(int support, const Drive& drive) const noexcept;
    double threshold_m_s2(int support, double vertical_m_s2) const noexcept;
    void rest(const Excitation& excitation, double until_s);
    void step(const Excitation& excitation, double until_s);
    template <class State>
    void finish_step(State&& at, double step_s, double until_s, const Excitation& excitation);
    template <class State>
    Event first_event(State&& at) const;
    void impact(const Excitation& excitation);
    void sample(double time_s, double base_acceleration_m_s2, const RotationAndRate& state, bool grid);
    void fail(SolverStatus status) noexcept;

    SlidingBody body_;
    SolverOptions options_;
    bool quasi_linear_;
    double tilt_rad_;
    std::array<SmallRotationCorner, 2> corner_;
    const MotionPiece* piece_ = nullptr;  // of the present run() only
    double time_s_ = 0.0;
    RotationAndRate state_;
    int support_ = 0;
    Trace<1> trace_;
    SolverStatus status_ = SolverStatus::ok;
    double status_time_s_ = 0.0, settled_time_s_ = 0.0;
    bool uplifted_ = false, started_ = false;
    std::size_t event_count_ = 0;
    double step_next_s_;
    Dop853<1> dop853_;
};

}  // namespace topple::solver
