// What an axis holds against its limits in every cycle.
#include <algorithm>
#include <cmath>

#include "firmware_iface/device/axis_core.hpp"

namespace topple::firmware_iface {
namespace {
constexpr double kLostFactor = 2.0;            // following error that a stop is still expected to mend, in limits
constexpr double kVelocityChangeRatio = 1.01;  // of what the acceleration limit allows in a cycle
constexpr double kCreepForgotten_s = 10e-3;    // 2 x 20 um in this time, 4 mm/s, is what a position may creep unseen
constexpr double kFrameMargin_m = 2e-3;        // brake and estimate of the velocity take some time
}  // namespace

// The brake takes over at twice the allowed following error, or beyond half of it (a sound servo shows less) where it
// could else no longer end before the frame.
bool AxisCore::stop_not_followed(bool homed) const noexcept {
    const auto& limits = parameters_.limits;
    const double error_m = std::abs(setpoint_.position_m - measured_.position_m);
    if (error_m > kLostFactor * limits.following_error_max_m) return true;
    if (!homed) return false;
    if (check_actual(limits, measured_) == FaultCode::position_limit) return true;
    if (error_m <= kBrakeFactor * limits.following_error_max_m || limits.brake_deceleration_m_s2 <= 0.0) return false;
    const double v = measured_.velocity_m_s;
    const double braked_m = measured_.position_m + 0.5 * v * std::abs(v) / limits.brake_deceleration_m_s2;
    return std::abs(braked_m) > limits.stroke_m + limits.buffer_travel_m - kFrameMargin_m;
}

// From one cycle to the next, whatever lies between two knots: the velocity changes no faster than the acceleration
// limit allows, and the position is its integral, which a trapezoid knows to a quarter of limit x dt^2.
FaultCode AxisCore::continues(const AxisSetpoint& now, double dt_s) const noexcept {
    const double change_m_s = parameters_.limits.acceleration_max_m_s2 * dt_s;
    if (!(std::abs(now.velocity_m_s - last_setpoint_.velocity_m_s) <=
          change_m_s * kVelocityChangeRatio + kJumpTolerance_m_s))
        return FaultCode::acceleration_limit;
    const bool follows = std::abs(departure_m(now, dt_s)) <= 2.0 * kJumpTolerance_m;
    return follows ? FaultCode::none : FaultCode::setpoint_jump;
}

FaultCode AxisCore::continues(const SetpointQueue::Reading& reading, std::uint64_t last_us) const noexcept {
    return continues(reading.setpoint,
                     reading.time_us > last_us ? 1e-6 * static_cast<double>(reading.time_us - last_us) : 0.0);
}

// Of the position from the integral of the velocity, beyond what the trapezoid may be off.
double AxisCore::departure_m(const AxisSetpoint& now, double dt_s) const noexcept {
    const double integral_m = 0.5 * dt_s * (last_setpoint_.velocity_m_s + now.velocity_m_s);
    const double error_m = now.position_m - last_setpoint_.position_m - integral_m;
    const double known_m = 0.25 * parameters_.limits.acceleration_max_m_s2 * dt_s * dt_s;
    return std::copysign(std::max(0.0, std::abs(error_m) - known_m), error_m);
}

// What the position creeps in steps that are each allowed is summed up, and forgotten within some cycles.
FaultCode AxisCore::check_continuity(double dt_s) noexcept {
    if (const FaultCode code = continues(setpoint_, dt_s); code != FaultCode::none) return code;
    creep_m_ *= std::max(0.0, 1.0 - dt_s / kCreepForgotten_s);
    creep_m_ += departure_m(setpoint_, dt_s);
    return std::abs(creep_m_) <= 2.0 * kJumpTolerance_m ? FaultCode::none : FaultCode::setpoint_jump;
}

FaultCode AxisCore::check(double dt_s, DeviceState state, bool homed) noexcept {
    const auto& limits = parameters_.limits;
    if (state == DeviceState::running) {
        // Two cycles: a fault found in the next one is answered from the setpoint of this one.
        if (const FaultCode code = check_command(limits, setpoint_, 2.0 * dt_s); code != FaultCode::none) return code;
        if (const FaultCode code = check_continuity(dt_s); code != FaultCode::none) return code;
    }
    AxisSetpoint actual = measured_;
    if (!homed) actual.position_m = 0.0;  // no frame yet: the limit switches guard
    if (const FaultCode code = check_actual(limits, actual); code != FaultCode::none) return code;
    const bool follows = !(std::abs(setpoint_.position_m - measured_.position_m) > limits.following_error_max_m);
    return follows ? FaultCode::none : FaultCode::following_error;
}

}  // namespace topple::firmware_iface
