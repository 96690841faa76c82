#include "firmware_iface/device/device_core.hpp"

#include <algorithm>
#include <cmath>

namespace topple::firmware_iface {
namespace {

const AxisMeasurement& of_axis(const Measurement& m, std::size_t axis) noexcept { return axis == 0 ? m : m.y; }

bool is_finite(const Measurement& m) noexcept {
    bool finite = std::isfinite(m.acceleration_x_m_s2) && std::isfinite(m.acceleration_y_m_s2);
    for (std::size_t i = 0; i < std::min(m.rotation_count, kRotationSensorsMax); ++i)
        finite = finite && std::isfinite(m.rotation_rad[i]);
    for (std::size_t i = 0; i < std::min(m.aux_count, kAuxChannelsMax); ++i)
        finite = finite && std::isfinite(m.aux_v[i]);
    return finite;
}

bool is_finite(const DriveCommand& command) noexcept {
    return is_finite(command.setpoint) && std::isfinite(command.force_n) && is_finite(command.y.setpoint) &&
           std::isfinite(command.y.force_n);
}

}  // namespace

DeviceControl::DeviceControl(const DeviceParameters& parameters, const Rings& rings) noexcept
    : parameters_(parameters),
      rings_(rings),
      axes_{AxisCore(parameters, rings[0]), AxisCore(parameters.y ? *parameters.y : AxisParameters{}, rings[1])},
      axis_count_(parameters.y ? 2 : 1) {}

void DeviceControl::restart(const DeviceParameters& parameters) noexcept { *this = DeviceControl(parameters, rings_); }

void DeviceControl::assume_homed(std::int64_t reference_count, std::int64_t reference_count_y) noexcept {
    axes_[0].assume_reference(reference_count);
    axes_[1].assume_reference(reference_count_y);
    homed_ = true;
    state_ = DeviceState::ready;
}

void DeviceControl::latch(FaultCode code) noexcept {
    if (fault_ == FaultCode::none) fault_ = code;
}

void DeviceControl::drive_off(FaultCode code, DeviceEvent how) noexcept {
    // The first fault is kept, but one that takes the power outranks one that only stopped the motion.
    if (fault_ == FaultCode::none || !fault_is_s0_) fault_ = code;
    fault_is_s0_ = true;
    drive_on_ = false;
    for (AxisCore& axis : axes()) axis.forget_setpoints();
    event(how);
}

bool DeviceControl::begin_stop(FaultCode code) noexcept {
    if (next(state_, DeviceEvent::controlled_stop) == state_) return false;
    latch(code);
    event(DeviceEvent::controlled_stop);
    return true;
}

void DeviceControl::stop_from_last(FaultCode code) noexcept {
    if (!begin_stop(code)) return;
    for (AxisCore& axis : axes()) axis.plan_stop(last_us_, axis.last_setpoint());
}

// ---- the control cycle ----

DriveCommand DeviceControl::tick(std::uint64_t now_us, const Measurement& measurement) noexcept {
    const bool stalled = ticked_ && (now_us <= last_us_ || now_us - last_us_ > parameters_.timing.stall_us);
    const double dt_s = ticked_ && !stalled ? static_cast<double>(now_us - last_us_) * 1e-6 : 1e-4;
    now_us_ = now_us;
    if (!ticked_) first_tick(measurement);
    if (stalled) drive_off(FaultCode::watchdog);
    check_hardware(dt_s, measurement);
    check_requests();
    advance_setpoint(dt_s, measurement);
    check_limits(dt_s);
    trigger_ = trigger_ && state_ == DeviceState::running;
    last_us_ = now_us;

    const AxisCommand x = axes_[0].finish(dt_s, drive_on_);
    DriveCommand command{drive_on_, !drive_on_, x.setpoint, release_specimen_, start_us_, trigger_, x.force_n};
    if (axis_count_ > 1) command.y = axes_[1].finish(dt_s, drive_on_);
    if (!is_finite(command)) {  // a number of the machine is none: a firmware's are written by hand
        if (drive_on_) drive_off(FaultCode::not_finite);
        command = {drive_on_, !drive_on_, {}, release_specimen_, start_us_};
    }
    return command;
}

void DeviceControl::first_tick(const Measurement& measurement) noexcept {
    ticked_ = true;
    last_us_ = last_heard_us_ = now_us_;
    for (std::size_t i = 0; i < axis_count_; ++i) axes_[i].begin(of_axis(measurement, i), homed_);
    drive_on_ = homed_;
}

void DeviceControl::check_hardware(double dt_s, const Measurement& m) noexcept {
    measurement_ = m;
    bool drive_ok = true, limit_pressed = false;
    for (std::size_t i = 0; i < axis_count_; ++i) {
        drive_ok = drive_ok && of_axis(m, i).drive_ok;
        limit_pressed = limit_pressed || of_axis(m, i).limit_pressed;
    }
    cause_present_ = m.estop_pressed || !drive_ok || limit_pressed;
    if (!is_finite(m) || pending_not_finite_) drive_off(FaultCode::not_finite);
    pending_not_finite_ = false;
    for (std::size_t i = 0; i < axis_count_; ++i) {
        const double& acceleration = i == 0 ? m.acceleration_x_m_s2 : m.acceleration_y_m_s2;
        if (axes_[i].take(dt_s, of_axis(m, i), m.has_acceleration ? &acceleration : nullptr, drive_on_)) continue;
        drive_off(FaultCode::encoder_implausible);
        homed_ = false;
    }
    if (!drive_ok) drive_off(FaultCode::drive_fault);
    if (limit_pressed) drive_off(state_ == DeviceState::homing ? FaultCode::homing_failed : FaultCode::limit_switch);
    if (m.estop_pressed)
        drive_off(FaultCode::emergency_stop, DeviceEvent::emergency_stop);
    else
        event(DeviceEvent::emergency_release);
}

void DeviceControl::check_requests() noexcept {
    if (host_heard_) last_heard_us_ = now_us_;
    const bool streaming = state_ == DeviceState::running;
    const auto& timing = parameters_.timing;
    const std::uint32_t silence_us = streaming ? timing.silence_running_us : timing.silence_armed_us;
    const bool homing = state_ == DeviceState::homing;
    const bool controlled = streaming || homing || state_ == DeviceState::armed;
    const bool lost = controlled && (host_gone_ || now_us_ - last_heard_us_ > silence_us);
    FaultCode code = pending_s1_;  // what was wrong came first and is what must be known
    if (code == FaultCode::none && stop_requested_) code = FaultCode::operator_stop;
    if (code == FaultCode::none && lost) code = FaultCode::host_lost;
    if (code != FaultCode::none && drive_on_ && begin_stop(code))
        for (AxisCore& axis : axes()) axis.plan_stop_now(now_us_, last_us_, streaming);
    pending_s1_ = FaultCode::none;
    stop_requested_ = host_heard_ = host_gone_ = false;
}

void DeviceControl::advance_setpoint(double dt_s, const Measurement& m) noexcept {
    switch (state_) {
        case DeviceState::homing: advance_homing(dt_s, m); break;
        case DeviceState::running: advance_running(); break;
        case DeviceState::stopping: advance_stopping(); break;
        case DeviceState::idle:
        case DeviceState::ready:
        case DeviceState::armed:
        case DeviceState::faulted:
        case DeviceState::estop:
            for (AxisCore& axis : axes()) axis.hold(drive_on_);
            break;
    }
}

FaultCode DeviceControl::jump_at_end(const Readings& readings) const noexcept {
    using Status = SetpointQueue::Status;
    for (std::size_t i = 0; i < axis_count_; ++i) {
        const bool ends = readings[i].status != Status::waiting && readings[i].status != Status::moving;
        if (!ends) continue;
        if (const FaultCode jump = axes_[i].continues(readings[i], last_us_); jump != FaultCode::none) return jump;
    }
    return FaultCode::none;
}

// The axes' knots have the same times, so that all readings are of one kind.
void DeviceControl::advance_running() noexcept {
    Readings readings;
    for (std::size_t i = 0; i < axis_count_; ++i) readings[i] = axes_[i].read(now_us_);
    if (const FaultCode jump = jump_at_end(readings); jump != FaultCode::none) {
        stop_from_last(jump);
        advance_stopping();
        return;
    }
    const auto follow = [&] {
        for (std::size_t i = 0; i < axis_count_; ++i) axes_[i].follow(readings[i].setpoint);
    };
    switch (readings[0].status) {
        case SetpointQueue::Status::empty:
        case SetpointQueue::Status::underrun:
            begin_stop(FaultCode::queue_underrun);
            for (std::size_t i = 0; i < axis_count_; ++i) axes_[i].plan_stop(readings[i].time_us, readings[i].setpoint);
            advance_stopping();
            return;
        case SetpointQueue::Status::waiting: return;  // holds exactly where it is
        case SetpointQueue::Status::moving: follow(); break;
        case SetpointQueue::Status::done:
            follow();
            for (AxisCore& axis : axes()) axis.forget_setpoints();
            motion_done_ = true;
            event(DeviceEvent::motion_done);
            break;
    }
    release_specimen_ = release_at_start_;
    trigger_ = trigger_at_start_;
}

void DeviceControl::advance_homing(double dt_s, const Measurement& m) noexcept {
    bool all_found = true;
    for (std::size_t i = 0; i < axis_count_; ++i) {
        const auto status = axes_[i].home(dt_s, of_axis(m, i));
        if (status == Homing::Status::failed) drive_off(FaultCode::homing_failed);
        all_found = all_found && status == Homing::Status::found;
    }
    if (!all_found) return;
    homed_ = true;
    event(DeviceEvent::homed);
}

void DeviceControl::advance_stopping() noexcept {
    bool all_rest = true, overdue = false;
    for (AxisCore& axis : axes()) {
        axis.follow_stop(now_us_);
        const bool rests = axis.stop_over(now_us_) && axis.rests();
        all_rest = all_rest && rests;
        overdue = overdue || (!rests && axis.stop_overdue(now_us_));
    }
    if (all_rest)
        event(DeviceEvent::stop_ended);
    else if (overdue)
        drive_off(FaultCode::stop_overdue);
}

void DeviceControl::check_limits(double dt_s) noexcept {
    if (!drive_on_) return;
    if (state_ == DeviceState::stopping)
        for (const AxisCore& axis : axes())
            if (axis.stop_not_followed(homed_)) return drive_off(FaultCode::stop_overdue);
    FaultCode code = FaultCode::none;
    for (AxisCore& axis : axes()) {
        const FaultCode found = axis.check(dt_s, state_, homed_);
        if (found == FaultCode::none) continue;
        if (code == FaultCode::none) code = found;
        // A stop is over and yet the platen is not where it is held.
        if (state_ == DeviceState::faulted && axis.stop_overdue(now_us_)) return drive_off(FaultCode::stop_overdue);
    }
    if (code == FaultCode::none || state_ == DeviceState::faulted) return;
    const DeviceState before = state_;
    stop_from_last(code);
    if (before != state_) advance_stopping();
}

Feedback DeviceControl::feedback() const noexcept {
    Feedback f;
    f.device_time_us = now_us_;
    f.axis_count = axis_count_;
    for (std::size_t i = 0; i < axis_count_; ++i) f.axes[i] = axes_[i].feedback();
    // What is not a number is absent: a frame with it would be refused as a whole, and the fault with it.
    const bool acceleration_is_finite =
        std::isfinite(measurement_.acceleration_x_m_s2) && std::isfinite(measurement_.acceleration_y_m_s2);
    if (measurement_.has_acceleration && acceleration_is_finite) {
        f.acceleration_x_m_s2 = measurement_.acceleration_x_m_s2;
        f.acceleration_y_m_s2 = measurement_.acceleration_y_m_s2;
    }
    const std::size_t rotations = std::min(measurement_.rotation_count, kRotationSensorsMax);
    const auto end = measurement_.rotation_rad.begin() + static_cast<std::ptrdiff_t>(rotations);
    if (std::all_of(measurement_.rotation_rad.begin(), end,
                    [](double angle_rad) { return std::isfinite(angle_rad); })) {
        f.rotation_count = rotations;
        f.rotation_rad = measurement_.rotation_rad;
    }
    f.state = state_;
    f.fault_code = static_cast<std::uint32_t>(fault_);
    f.queue_level = static_cast<std::uint32_t>(axes_[0].queue_level(now_us_));
    f.motion_done = motion_done_;
    f.homed = homed_;
    if (parameters_.has_trigger) f.trigger = trigger_;
    const std::size_t aux = std::min(measurement_.aux_count, kAuxChannelsMax);
    if (std::all_of(measurement_.aux_v.begin(), measurement_.aux_v.begin() + static_cast<std::ptrdiff_t>(aux),
                    [](double volts) { return std::isfinite(volts); })) {
        f.aux_count = aux;
        f.aux_v = measurement_.aux_v;
    }
    return f;
}

}  // namespace topple::firmware_iface
