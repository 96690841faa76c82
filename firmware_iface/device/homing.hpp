// Finding the reference: bounded search at two speeds for the edge of a half-stroke flag. No heap, no OS.
#pragma once

#include <cstdint>

#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

/// The reference switch is a flag over the negative half of the stroke: pressed means "left of the middle", so the
/// way to the edge is known from any place and never leads to an end of the stroke while the switch works.
/// The edge is taken at the slow speed and always moving towards -x.
struct HomingBounds {
    double fast_m_s = 0.05;
    double slow_m_s = 0.005;
    double acceleration_m_s2 = 0.5;
    double travel_max_m = 0.0;      ///< of one search; half the full stroke and some is enough
    double backlash_max_m = 0.005;  ///< after the edge was passed it must be found again within this
    double time_max_s = 30.0;
};

class Homing {
  public:
    enum class Status {
        moving,
        found,   ///< at rest; reference_count() is the encoder count of the edge
        failed,  ///< dead, stuck or flickering switch: travel or time spent
    };

    /// Starts at the held setpoint (any frame; only differences matter).
    void start(const HomingBounds& bounds, const AxisSetpoint& held, bool pressed) noexcept;
    /// One control cycle of `dt_s`; moves setpoint().
    Status step(double dt_s, bool pressed, std::int64_t encoder_count) noexcept;
    const AxisSetpoint& setpoint() const noexcept { return setpoint_; }
    std::int64_t reference_count() const noexcept { return reference_count_; }

  private:
    /// The search goes through these in order, leaving out what is not needed.
    enum class Phase {
        leave_flag,  ///< fast to +x until released
        reach_flag,  ///< fast to -x until pressed
        back_off,    ///< slow to +x until released
        edge,        ///< slow to -x until pressed: the reference
        settle,      ///< brakes
    };
    void enter(Phase phase) noexcept;
    void move(double dt_s, double velocity_m_s) noexcept;
    double phase_velocity_m_s() const noexcept;

    HomingBounds bounds_{};
    Phase phase_ = Phase::settle;
    AxisSetpoint setpoint_{};
    double phase_start_m_ = 0.0;
    double elapsed_s_ = 0.0;
    std::int64_t reference_count_ = 0;
};

}  // namespace topple::firmware_iface
