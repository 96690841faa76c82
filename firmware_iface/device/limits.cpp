#include "firmware_iface/device/limits.hpp"

#include <algorithm>
#include <cmath>

namespace topple::firmware_iface {

namespace {
constexpr double kRounding_m = 1e-6;      // one encoder count
constexpr double kRoundingRatio = 1.001;  // interpolation between knots that are themselves at the limit
}  // namespace

AxisLimits limits_of(const AxisDescription& axis) noexcept {
    return {.stroke_m = axis.stroke_m,
            .velocity_max_m_s = axis.velocity_max_m_s,
            .acceleration_max_m_s2 = axis.acceleration_max_m_s2,
            .stop_deceleration_m_s2 = axis.stop_deceleration_m_s2,
            .following_error_max_m = axis.following_error_max_m,
            .buffer_travel_m = axis.buffer_travel_m,
            .counts_per_m = axis.counts_per_m,
            .encoder_sign = axis.encoder_sign < 0 ? -1.0 : 1.0,
            .accelerometer_scale = axis.accelerometer_scale,
            .accelerometer_sign = axis.accelerometer_sign < 0 ? -1.0 : 1.0,
            .accelerometer_offset_max_m_s2 = axis.accelerometer_offset_max_m_s2,
            .brake_deceleration_m_s2 = axis.brake_deceleration_m_s2};
}

bool is_finite(const AxisSetpoint& setpoint) noexcept {
    return std::isfinite(setpoint.position_m) && std::isfinite(setpoint.velocity_m_s) &&
           std::isfinite(setpoint.acceleration_m_s2);
}

FaultCode check_command(const AxisLimits& limits, const AxisSetpoint& setpoint, double reaction_s) noexcept {
    const double v_late = setpoint.velocity_m_s + reaction_s * setpoint.acceleration_m_s2;
    const double x_late = setpoint.position_m + 0.5 * reaction_s * (setpoint.velocity_m_s + v_late);
    const double x_stopped = x_late + 0.5 * v_late * std::abs(v_late) / limits.stop_deceleration_m_s2;
    const double stroke = limits.stroke_m + kRounding_m;
    // Negated comparisons so that a NaN that slipped through is a fault and not a pass.
    if (!(std::abs(setpoint.position_m) <= stroke && std::abs(x_stopped) <= stroke)) return FaultCode::position_limit;
    if (!(std::abs(setpoint.velocity_m_s) <= limits.velocity_max_m_s * kRoundingRatio))
        return FaultCode::velocity_limit;
    if (!(std::abs(setpoint.acceleration_m_s2) <= limits.acceleration_max_m_s2 * kRoundingRatio))
        return FaultCode::acceleration_limit;
    return FaultCode::none;
}

double overrun_allowed_m(const AxisLimits& limits) noexcept {
    return std::min(limits.following_error_max_m, 0.5 * limits.buffer_travel_m);
}

FaultCode check_actual(const AxisLimits& limits, const AxisSetpoint& measured) noexcept {
    const double stroke_m = limits.stroke_m + overrun_allowed_m(limits) + kRounding_m;
    if (!(std::abs(measured.position_m) <= stroke_m)) return FaultCode::position_limit;
    if (!(std::abs(measured.velocity_m_s) <= 1.1 * limits.velocity_max_m_s + 0.05)) return FaultCode::velocity_limit;
    if (!(std::abs(measured.acceleration_m_s2) <=
          1.25 * limits.acceleration_max_m_s2 + limits.accelerometer_offset_max_m_s2))
        return FaultCode::acceleration_limit;
    return FaultCode::none;
}

StopPlan::StopPlan(std::uint64_t start_us, const AxisSetpoint& from, double deceleration_m_s2) noexcept
    : start_us_(start_us),
      from_(from),
      deceleration_m_s2_(deceleration_m_s2),
      duration_s_(std::abs(from.velocity_m_s) / deceleration_m_s2) {}

double StopPlan::elapsed_s(std::uint64_t time_us) const noexcept {
    return time_us > start_us_ ? static_cast<double>(time_us - start_us_) * 1e-6 : 0.0;
}

bool StopPlan::over(std::uint64_t time_us) const noexcept { return elapsed_s(time_us) >= duration_s_; }

bool StopPlan::overdue(std::uint64_t time_us, double grace_s) const noexcept {
    return elapsed_s(time_us) > duration_s_ + grace_s;
}

AxisSetpoint StopPlan::at(std::uint64_t time_us) const noexcept {
    const double t = std::min(elapsed_s(time_us), duration_s_);
    const double a = -std::copysign(deceleration_m_s2_, from_.velocity_m_s);
    const double x = from_.position_m + t * (from_.velocity_m_s + 0.5 * a * t);
    if (t >= duration_s_) return {x, 0.0, 0.0};
    return {x, from_.velocity_m_s + a * t, a};
}

}  // namespace topple::firmware_iface
