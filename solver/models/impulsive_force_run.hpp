// The block whose impacts are a force concentrated about zero rotation instead of a jump of its rate, advanced in time.
#pragma once

#include "solver/event/excitation.hpp"
#include "solver/event/trace.hpp"
#include "solver/integrate/dop853.hpp"
#include "solver/models/energy_verdict.hpp"
#include "solver/models/sliding_body.hpp"
#include "solver/models/small_rotation.hpp"

namespace topple::solver {

/// theta'' = (rocking about the corner that touches) - A theta' |theta'| d(theta), A = -ln r, d a bell of area 1 and width
/// n alpha: Prieto et al. (65) without its factor sin(alpha)/alpha (docs/physics.md#impulsive-force). The force is felt
/// within the layer |theta| < 6 n alpha. Copyable; every copy is a future of its own.
class ImpulsiveForceRun {
  public:
    ImpulsiveForceRun(const Specimen& specimen, const SolverOptions& options);

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
    double acceleration_rad_s2(const Drive& drive) const noexcept { return acceleration(state_, drive); }

  private:
    enum class EventKind { none, enters, crosses, leaves, falls };
    struct Event {
        EventKind kind = EventKind::none;
        double sigma = 1.0;
    };

    double acceleration(const RotationAndRate& state, const Drive& drive) const noexcept;
    double layer_rad() const noexcept;
    double step_limit_s(const Excitation& excitation) const noexcept;
    void rest(const Excitation& excitation, double until_s);
    void step(const Excitation& excitation, double until_s);
    double guard(EventKind kind, const RotationAndRate& state) const noexcept;
    template <class State>
    Event first_event(State&& at) const;
    void reset(EventKind kind, const Excitation& excitation);
    void cross(const Excitation& excitation);
    void note_impact(double rate_after_rad_s);
    void come_to_rest(const Excitation& excitation);
    void sample(double time_s, double base_acceleration_m_s2, const RotationAndRate& state, bool grid);
    void fail(SolverStatus status) noexcept;

    SlidingBody body_;
    StackState<1> block_;  // threshold and barriers
    SolverOptions options_;
    double tilt_rad_, width_rad_;
    double amplitude_ = 0.0;  // A of the present passage of the layer
    double time_s_ = 0.0;
    RotationAndRate state_;
    int support_ = 0;
    bool inside_ = false;  // the layer
    double rate_before_rad_s_ = 0.0, crossed_s_ = -1.0;  // of a passage not yet ended; crossed_s_ < 0: none
    Trace<1> trace_;
    SolverStatus status_ = SolverStatus::ok;
    double status_time_s_ = 0.0, settled_time_s_ = 0.0;
    bool uplifted_ = false, started_ = false;
    std::size_t event_count_ = 0;
    double step_next_s_;
    Dop853<1> dop853_;
};

}  // namespace topple::solver
