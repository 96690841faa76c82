#include "controller/supervision/feedback_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace topple::controller {
namespace {

constexpr double kJumpFactor = 1.5;        // of the table's greatest velocity: overshoot of the position loop
constexpr double kJumpAllowance_m = 1e-3;  // noise and time stamps

bool is_finite(const firmware_iface::Feedback& feedback) noexcept {
    for (std::size_t i = 0; i < feedback.axis_count && i < feedback.axes.size(); ++i) {
        const firmware_iface::AxisFeedback& axis = feedback.axes[i];
        if (!std::isfinite(axis.setpoint_position_m) || !std::isfinite(axis.setpoint_velocity_m_s) ||
            !std::isfinite(axis.setpoint_acceleration_m_s2))
            return false;
    }
    for (std::size_t i = 0; i < feedback.rotation_count && i < feedback.rotation_rad.size(); ++i)
        if (!std::isfinite(feedback.rotation_rad[i])) return false;
    return std::isfinite(feedback.acceleration_x_m_s2.value_or(0.0)) &&
           std::isfinite(feedback.acceleration_y_m_s2.value_or(0.0));
}

/// True if value is beyond limit or not comparable (a limit that is not a number forbids everything).
bool beyond(double value, double limit) noexcept { return !(std::abs(value) <= limit); }

}  // namespace

FeedbackWatch::FeedbackWatch(const firmware_iface::MachineDescription& machine) noexcept
    : axis_count_(machine.axis_count()) {
    const auto watched = [](const firmware_iface::AxisDescription& axis) {
        return Axis{axis.stroke_m, axis.velocity_max_m_s, axis.following_error_max_m,
                    axis.encoder_sign / axis.counts_per_m};
    };
    axes_[0] = watched(machine);
    if (machine.y) axes_[1] = watched(*machine.y);
}

StopReason reason_of(firmware_iface::FeedbackDefect defect) noexcept {
    switch (defect) {
        case firmware_iface::FeedbackDefect::none: return StopReason::none;
        case firmware_iface::FeedbackDefect::not_finite: return StopReason::not_finite;
        case firmware_iface::FeedbackDefect::implausible_time: return StopReason::clock_implausible;
        case firmware_iface::FeedbackDefect::unknown_state:
        case firmware_iface::FeedbackDefect::malformed: break;
    }
    return StopReason::feedback_unreadable;
}

bool ClockWatch::jumped_ahead(std::uint64_t device_time_us, firmware_iface::Nanoseconds now) noexcept {
    using firmware_iface::Nanoseconds;
    const auto passed = now - heard_;
    const bool later = any_ && device_time_us > newest_us_;
    const bool ahead = later && 1e-6 * static_cast<double>(device_time_us - newest_us_) >
                                    std::chrono::duration<double>(passed + kAheadMax).count();
    if (!any_ || device_time_us != newest_us_) moved_ = now;
    any_ = true;
    newest_us_ = device_time_us;
    heard_ = now;
    return ahead;
}

// Time and count are taken over whatever they are: after a jump only what follows shows whether the platen stands.
std::optional<Violation> FeedbackWatch::step(const firmware_iface::Feedback& feedback) noexcept {
    const bool first = !std::exchange(any_, true);
    const std::uint64_t before_us = std::exchange(device_time_us_, feedback.device_time_us);
    const bool backwards = feedback.device_time_us < before_us;
    const double step_s = backwards ? 0.0 : static_cast<double>(feedback.device_time_us - before_us) * 1e-6;
    std::optional<Violation> jump;
    bool still = true;
    for (std::size_t i = 0; i < axis_count_; ++i) {
        Axis& axis = axes_[i];
        const double position_m = axis.metres_per_count * static_cast<double>(feedback.axes[i].encoder_count);
        const double step_m = std::abs(position_m - std::exchange(axis.position_m, position_m));
        const double allowed_m = kJumpFactor * axis.velocity_max_m_s * step_s + kJumpAllowance_m;
        still = still && step_m <= kRestSpeed_m_s * step_s;
        if (!jump && beyond(step_m, allowed_m))
            jump = Violation{StopReason::feedback_implausible, step_m, allowed_m, i};
    }
    if (first) return std::nullopt;
    still_samples_ = still ? std::min(still_samples_ + 1, kRestSamples) : 0;
    if (backwards) return Violation{StopReason::feedback_implausible};
    return jump;
}

std::optional<Violation> FeedbackWatch::check_axis(const firmware_iface::Feedback& feedback,
                                                   std::size_t index) const noexcept {
    const Axis& axis = axes_[index];
    const double setpoint_m = feedback.axes[index].setpoint_position_m;
    for (const double position_m : {axis.position_m, setpoint_m})
        if (beyond(position_m, axis.stroke_m))
            return Violation{StopReason::position_limit, std::abs(position_m), axis.stroke_m, index};
    const double error_m = std::abs(axis.position_m - setpoint_m);
    if (beyond(error_m, axis.following_error_max_m))
        return Violation{StopReason::following_error, error_m, axis.following_error_max_m, index};
    return std::nullopt;
}

std::optional<Violation> FeedbackWatch::check(const firmware_iface::Feedback& feedback) noexcept {
    if (!is_finite(feedback)) return Violation{StopReason::not_finite};
    if (feedback.axis_count < axis_count_) return Violation{StopReason::feedback_unreadable};
    if (const auto violation = step(feedback)) return violation;
    for (std::size_t i = 0; i < axis_count_; ++i)
        if (const auto violation = check_axis(feedback, i)) return violation;
    return std::nullopt;
}

}  // namespace topple::controller
