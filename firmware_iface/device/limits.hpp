// What a device allows its axis, and the controlled stop it plans by itself. No heap, no exceptions, no OS.
#pragma once

#include <cstdint>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

/// The numbers of an AxisDescription that the device guards; the host cannot change them.
struct AxisLimits {
    double stroke_m = 0.0;  ///< half
    double velocity_max_m_s = 0.0;
    double acceleration_max_m_s2 = 0.0;
    double stop_deceleration_m_s2 = 0.0;
    double following_error_max_m = 0.0;
    double buffer_travel_m = 0.0;  ///< beyond the stroke, before the frame
    double counts_per_m = 0.0;
    double encoder_sign = 1.0;         ///< +-1
    double accelerometer_scale = 1.0;  ///< true acceleration per reported
    double accelerometer_sign = 1.0;   ///< +-1
    double accelerometer_offset_max_m_s2 = 0.0;
    double brake_deceleration_m_s2 = 0.0;  ///< of the brake alone; 0: not known
};
AxisLimits limits_of(const AxisDescription& axis) noexcept;

/// Following error, in limits, beyond which a stop that the brake alone could only just end before the frame is given
/// up (a sound servo shows less).
inline constexpr double kBrakeFactor = 0.5;
/// Of the measured position, beyond the stroke.
double overrun_allowed_m(const AxisLimits& limits) noexcept;

/// True if position, velocity and acceleration are finite.
bool is_finite(const AxisSetpoint& setpoint) noexcept;

/// Holds a commanded state against stroke (with the distance a stop from there needs when it begins `reaction_s`
/// later), velocity and acceleration, both signs. Rounding of the limits is forgiven: 1e-6 m, 1e-3 of the others.
FaultCode check_command(const AxisLimits& limits, const AxisSetpoint& setpoint, double reaction_s) noexcept;

/// Holds a measured state against the same limits with room for sensors and the position loop: position the
/// stroke plus the following error (at most half the buffer travel), velocity 1.1 x + 0.05 m/s, acceleration 1.25 x
/// plus the accelerometer's offset.
FaultCode check_actual(const AxisLimits& limits, const AxisSetpoint& measured) noexcept;

/// Controlled stop S1: constant deceleration from the state being interpolated until rest, then hold.
class StopPlan {
  public:
    StopPlan() = default;
    StopPlan(std::uint64_t start_us, const AxisSetpoint& from, double deceleration_m_s2) noexcept;
    AxisSetpoint at(std::uint64_t time_us) const noexcept;
    double duration_s() const noexcept { return duration_s_; }
    bool over(std::uint64_t time_us) const noexcept;
    /// More than `grace_s` after the planned end.
    bool overdue(std::uint64_t time_us, double grace_s) const noexcept;

  private:
    double elapsed_s(std::uint64_t time_us) const noexcept;
    std::uint64_t start_us_ = 0;
    AxisSetpoint from_{};
    double deceleration_m_s2_ = 1.0;
    double duration_s_ = 0.0;
};

}  // namespace topple::firmware_iface
