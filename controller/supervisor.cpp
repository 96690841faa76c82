#include "controller/supervisor.hpp"

#include <algorithm>
#include <cmath>

#include "firmware_iface/device/setpoint_queue.hpp"
#include "firmware_iface/fault.hpp"

namespace topple::controller {
namespace {

using firmware_iface::DeviceState;
using firmware_iface::Feedback;
using firmware_iface::MachineDescription;
using firmware_iface::Nanoseconds;
using firmware_iface::Setpoint;
using firmware_iface::TableLink;

constexpr std::uint32_t kStartPeriods = 5;       // from the first setpoint's time to the running state
constexpr std::uint32_t kStopFramePeriods = 10;  // between repetitions of an unheeded stop
// Besides the look-ahead: the age of the newest feedback, the host's own period, and two in which a serial line at its
// nominal rate carries the first batch after a stall.
constexpr std::uint32_t kPeriodsAhead = 4;
constexpr std::uint32_t kQueueSlotsFree = 2;  // the knot being left and one on its way
constexpr double kStartTolerance_m = 5e-4;    // platen against first setpoint
// Device's setpoint against the one sent for its time. A lost frame is bridged by a quintic between its neighbours,
// mostly far within this; a device may take its setpoint up to a control cycle before or after the time that it
// reports.
constexpr double kSetpointTolerance_m = 1e-4, kSetpointTolerance_s = 2e-4;
constexpr auto kClockStandsMax =
    std::chrono::milliseconds(20);        // every feedback has a time of its own; before the queue runs dry
constexpr double kOverdueMargin_s = 1.0;  // beyond what a stop or the settling takes by itself

Nanoseconds periods(const SupervisorSettings& settings, std::uint32_t count) noexcept {
    return std::chrono::microseconds(std::uint64_t{settings.feedback_period_us} * count);
}

Nanoseconds seconds(double duration_s) noexcept { return Nanoseconds(std::llround(duration_s * 1e9)); }

bool is_finite(const Setpoint& setpoint) noexcept {
    for (std::size_t i = 0; i < setpoint.axis_count && i < setpoint.axes.size(); ++i)
        if (!std::isfinite(setpoint.axes[i].position_m) || !std::isfinite(setpoint.axes[i].velocity_m_s) ||
            !std::isfinite(setpoint.axes[i].acceleration_m_s2))
            return false;
    return true;
}

bool well_formed(const std::vector<Setpoint>& setpoints) noexcept {
    for (std::size_t i = 0; i < setpoints.size(); ++i) {
        if (!is_finite(setpoints[i]) || setpoints[i].final != (i + 1 == setpoints.size())) return false;
        if (i > 0 && setpoints[i].device_time_us < setpoints[i - 1].device_time_us) return false;
        if (i > 1 && setpoints[i].device_time_us == setpoints[i - 2].device_time_us) return false;
    }
    return true;
}

bool is_same(const Setpoint& a, const Setpoint& b) noexcept {
    if (a.device_time_us != b.device_time_us || a.axis_count != b.axis_count) return false;
    for (std::size_t i = 0; i < a.axis_count; ++i)
        if (a.axes[i].position_m != b.axes[i].position_m || a.axes[i].velocity_m_s != b.axes[i].velocity_m_s ||
            a.axes[i].acceleration_m_s2 != b.axes[i].acceleration_m_s2)
            return false;
    return true;
}

/// From full speed to rest, of the axis that takes longest.
double stop_duration_s(const MachineDescription& machine) noexcept {
    const auto of = [](const firmware_iface::AxisDescription& axis) {
        return axis.velocity_max_m_s / axis.stop_deceleration_m_s2;
    };
    return machine.y ? std::max(of(machine), of(*machine.y)) : of(machine);
}

bool has_fault(const Feedback& feedback) noexcept {
    return feedback.fault_code != 0 || feedback.state == DeviceState::faulted || feedback.state == DeviceState::estop;
}

bool moves_by_itself(DeviceState state) noexcept {
    return state == DeviceState::running || state == DeviceState::stopping || state == DeviceState::homing;
}

std::string_view fault_name(std::uint32_t code) noexcept {
    return firmware_iface::name(static_cast<firmware_iface::FaultCode>(code));
}

}  // namespace

Supervisor::Supervisor(std::vector<Setpoint> setpoints, const MachineDescription& machine,
                       const SupervisorSettings& settings, const std::atomic<bool>& stop_requested)
    : setpoints_(std::move(setpoints)),
      settings_(settings),
      stop_requested_(stop_requested),
      watch_(machine),
      silence_max_(periods(settings, settings.silent_periods) + std::chrono::microseconds(settings.look_ahead_us)),
      stop_max_(seconds(stop_duration_s(machine) + machine.settling_time_s + kOverdueMargin_s)),
      overdue_us_(static_cast<std::uint64_t>((machine.settling_time_s + kOverdueMargin_s) * 1e6)) {}

StartRefusal Supervisor::refusal(const Feedback& feedback) const noexcept {
    if (state_ != SupervisorState::idle) return StartRefusal::already_begun;
    if (stop_requested_.load() || asked_ != StopReason::none) return StartRefusal::stop_requested;
    if (setpoints_.empty()) return StartRefusal::no_setpoints;
    if (!well_formed(setpoints_) || setpoints_.front().axis_count != watch_.axis_count())
        return StartRefusal::setpoints_malformed;
    if (settings_.setpoint_capacity < TableLink::kBatchMax) return StartRefusal::queue_too_small;
    if (has_fault(feedback)) return StartRefusal::fault_latched;
    if (feedback.state != DeviceState::armed && feedback.state != DeviceState::running) return StartRefusal::not_armed;
    if (feedback.device_time_us > setpoints_.front().device_time_us) return StartRefusal::start_in_past;
    FeedbackWatch fresh = watch_;
    if (fresh.check(feedback)) return StartRefusal::feedback_unsound;
    for (std::size_t i = 0; i < watch_.axis_count(); ++i)
        if (std::abs(fresh.position_m(i) - setpoints_.front().axes[i].position_m) > kStartTolerance_m)
            return StartRefusal::table_elsewhere;
    return StartRefusal::none;
}

StartRefusal Supervisor::begin(const Feedback& feedback, Nanoseconds now) noexcept {
    const StartRefusal against = refusal(feedback);
    if (against != StartRefusal::none) return against;
    heard_ = now;
    begun_ = true;
    clock_.start(now);
    clock_.jumped_ahead(feedback.device_time_us, now);
    apply(SupervisorEvent::begin);
    look_at(feedback);
    return StartRefusal::none;
}

void Supervisor::stop(StopReason reason) noexcept {
    if (asked_ == StopReason::none) asked_ = reason;
}

void Supervisor::fail(SupervisorEvent event, const Violation& why) noexcept {
    if (reason_ == StopReason::none) {
        reason_ = why.reason;
        violation_ = why;
    }
    apply(event);
}

void Supervisor::look_at(const Feedback& feedback) noexcept {
    const std::optional<Violation> violation = watch_.check(feedback);
    device_time_us_ = std::max(device_time_us_, feedback.device_time_us);
    device_state_ = feedback.state;
    while (passed_ < sent_ && setpoints_[passed_].device_time_us < device_time_us_) ++passed_;
    if (fault_code_ == 0)
        fault_code_ = feedback.fault_code;
    else if (feedback.fault_code != 0 && feedback.fault_code != fault_code_)
        later_fault_code_ = feedback.fault_code;

    if (has_fault(feedback)) {
        fail(SupervisorEvent::fault, {StopReason::device_fault});
    } else if (violation) {
        fail(SupervisorEvent::stop, *violation);
    } else if (state_ == SupervisorState::streaming) {
        look_at_motion(feedback);
    }
    if (state_ == SupervisorState::stopping && !moves_by_itself(feedback.state) && watch_.standing())
        apply(SupervisorEvent::at_rest);
}

void Supervisor::look_at_motion(const Feedback& feedback) noexcept {
    const std::uint64_t first_us = setpoints_.front().device_time_us, last_us = setpoints_.back().device_time_us;
    const std::uint64_t started_by_us = first_us + std::uint64_t{kStartPeriods} * settings_.feedback_period_us;
    // A flag left over from the last motion does not end this one.
    if (feedback.motion_done && sent_ == setpoints_.size() && feedback.device_time_us >= last_us) {
        apply(SupervisorEvent::motion_done);
    } else if (feedback.state != DeviceState::running &&
               (feedback.state != DeviceState::armed || feedback.device_time_us > started_by_us)) {
        fail(SupervisorEvent::stop, {StopReason::device_state});
    } else if (feedback.device_time_us > last_us + overdue_us_) {
        fail(SupervisorEvent::stop, {StopReason::motion_overdue});
    } else if (const auto violation = setpoint_violation(feedback)) {
        fail(SupervisorEvent::stop, *violation);
    }
}

std::optional<Violation> Supervisor::setpoint_violation(const Feedback& feedback) const noexcept {
    if (feedback.state != DeviceState::running || passed_ == 0 || passed_ >= sent_) return std::nullopt;
    if (clock_.standing(heard_) > Nanoseconds{0})
        return std::nullopt;  // a time already reported says nothing about the setpoint
    const Setpoint &before = setpoints_[passed_ - 1], &after = setpoints_[passed_];
    const double step_s = static_cast<double>(after.device_time_us - before.device_time_us) * 1e-6;
    const double elapsed_s = static_cast<double>(feedback.device_time_us - before.device_time_us) * 1e-6;
    for (std::size_t i = 0; i < before.axis_count; ++i) {
        const auto sent = firmware_iface::interpolate(before.axes[i], after.axes[i], step_s, elapsed_s);
        const double error_m = std::abs(feedback.axes[i].setpoint_position_m - sent.position_m);
        const double allowed_m = kSetpointTolerance_m + kSetpointTolerance_s * std::abs(sent.velocity_m_s);
        if (!(error_m <= allowed_m)) return Violation{StopReason::setpoint_differs, error_m, allowed_m, i};
    }
    return std::nullopt;
}

bool Supervisor::replan(std::vector<Setpoint>& setpoints) noexcept {
    if (state_ != SupervisorState::streaming || asked_ != StopReason::none) return false;
    if (sent_ == 0 || sent_ >= setpoints_.size() || sent_ >= setpoints.size()) return false;
    for (std::size_t i = passed_ > 0 ? passed_ - 1 : 0; i < sent_; ++i)
        if (!is_same(setpoints_[i], setpoints[i]) || setpoints[i].final) return false;
    if (!well_formed(setpoints)) return false;
    setpoints_.swap(setpoints);
    return true;
}

bool Supervisor::wants_stop_frame(Nanoseconds now) noexcept {
    if (!begun_ || reason_ == StopReason::none) return false;
    const bool first = !stop_frame_sent_;
    if (first) stopped_ = now;
    stop_frame_sent_ = true;
    const bool unheeded = state_ == SupervisorState::stopping && device_state_ == DeviceState::running &&
                          now - stop_frame_ >= periods(settings_, kStopFramePeriods);
    if (!first && !unheeded) return false;
    stop_frame_ = now;
    return true;
}

// Before the time is used: a stamp far ahead would end the motion on the table's word.
void Supervisor::look_at_clock(const Feedback& newest, Nanoseconds now) noexcept {
    if (!begun_) return;
    const bool ahead = clock_.jumped_ahead(newest.device_time_us, now);
    if (ahead || clock_.standing(now) > kClockStandsMax) fail(SupervisorEvent::stop, {StopReason::clock_implausible});
}

SupervisorTick Supervisor::tick(const Feedback* newest, Nanoseconds now, bool link_open) noexcept {
    const bool supervised = state_ != SupervisorState::idle && state_ != SupervisorState::failed;
    if (newest != nullptr) {
        heard_ = now;
        if (!has_fault(*newest)) look_at_clock(*newest, now);  // a fault that the table names comes first
        look_at(*newest);
    }
    if (supervised && (!link_open || now - heard_ > silence_max_))
        fail(SupervisorEvent::link_lost, {link_open ? StopReason::link_lost : StopReason::link_closed});
    if (stop_requested_.load(std::memory_order_relaxed)) stop(StopReason::operator_stop);
    if (asked_ != StopReason::none && state_ != SupervisorState::stopping && state_ != SupervisorState::failed)
        fail(SupervisorEvent::stop, {asked_});
    const bool send_stop = wants_stop_frame(now);
    if (state_ == SupervisorState::stopping && now - stopped_ > stop_max_) {
        stop_overdue_ = true;
        apply(SupervisorEvent::overdue);
    }
    return {state_, send_stop};
}

std::span<const Setpoint> Supervisor::due() const noexcept {
    if ((state_ != SupervisorState::idle && state_ != SupervisorState::streaming) || asked_ != StopReason::none)
        return {};
    if (sent_ >= setpoints_.size() || settings_.setpoint_capacity <= kQueueSlotsFree) return {};
    const std::uint64_t until_us = std::max(device_time_us_, setpoints_.front().device_time_us) +
                                   settings_.look_ahead_us +
                                   std::uint64_t{kPeriodsAhead} * settings_.feedback_period_us;
    const std::size_t waiting = sent_ - passed_;
    const std::size_t room = settings_.setpoint_capacity - kQueueSlotsFree;
    std::size_t count = room > waiting ? std::min(TableLink::kBatchMax, room - waiting) : 0;
    count = std::min(count, setpoints_.size() - sent_);
    const auto first = setpoints_.begin() + static_cast<std::ptrdiff_t>(sent_);
    const auto beyond = std::find_if(first, first + static_cast<std::ptrdiff_t>(count),
                                     [&](const Setpoint& setpoint) { return setpoint.device_time_us > until_us; });
    return {first, beyond};
}

firmware_iface::Wording Supervisor::wording() const noexcept {
    firmware_iface::Wording wording(name(state_));
    if (reason_ == StopReason::none) return wording;
    wording.add(": ").add(explanation(reason_));
    if (violation_.limit > 0.0)
        wording.add(" (")
            .add(violation_.value, firmware_iface::NumberForm::three_digits)
            .add(" m, ")
            .add(violation_.limit, firmware_iface::NumberForm::three_digits)
            .add(violation_.axis > 0 ? " m allowed, axis y)" : " m allowed)");
    if (fault_code_ != 0) {
        wording.add(" (").add(fault_name(fault_code_));
        if (later_fault_code_ != 0) wording.add(", then ").add(fault_name(later_fault_code_));
        wording.add(")");
    }
    if (stop_overdue_) wording.add("; it did not come to rest in time: press the emergency stop");
    return wording;
}

}  // namespace topple::controller
