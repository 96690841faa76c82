#include "firmware_iface/device/device_core.hpp"

#include <algorithm>
#include <cmath>

namespace topple::firmware_iface {
namespace {
constexpr double kVelocityFilter_s = 1e-3;      // encoder difference; one count in 100 us is 1 mm/s after it
constexpr double kAccelerationFilter_s = 5e-3;  // short impacts of a specimen are not a runaway
constexpr double kStuckTravel_m = 1e-3;         // setpoint moved this far, encoder did not
constexpr std::int64_t kStuckCounts = 2;
constexpr double kHeldCounts = 3.5;  // rounding, interpolation error, and what cogging moves before it is balanced
// A servo that pushes while the encoder stands: the encoder is stuck, or the platen jammed. Either with more than
// friction holds, or, beside a held place, with less but growing force for so many of the servo's radians: screw and
// bristles give way before friction does.
constexpr double kPush_ratio = 0.1, kPushFriction_ratio = 4.0;  // of force_max; and of the friction fed forward
constexpr double kPushed_s = 0.015, kBesideHeld_rad = 25.0;
constexpr std::int64_t kJumpCounts = 16;  // on top of what 1.5 x the velocity limit explains

bool is_finite(const Measurement& m) noexcept {
    bool finite = std::isfinite(m.acceleration_x_m_s2) && std::isfinite(m.acceleration_y_m_s2);
    for (std::size_t i = 0; i < std::min(m.rotation_count, kRotationSensorsMax); ++i)
        finite = finite && std::isfinite(m.rotation_rad[i]);
    for (std::size_t i = 0; i < std::min(m.aux_count, kAuxChannelsMax); ++i)
        finite = finite && std::isfinite(m.aux_v[i]);
    return finite;
}

}  // namespace

DeviceCore::DeviceCore(const DeviceParameters& parameters) noexcept
    : parameters_(parameters), servo_(parameters.servo) {
    if (parameters_.homing.travel_max_m <= 0.0) parameters_.homing.travel_max_m = 2.2 * parameters_.limits.stroke_m;
}

double DeviceCore::position_of(std::int64_t count) const noexcept {
    const auto& limits = parameters_.limits;
    return limits.encoder_sign * static_cast<double>(count - reference_count_) / limits.counts_per_m;
}

void DeviceCore::assume_homed(std::int64_t reference_count) noexcept {
    reference_count_ = reference_count;
    homed_ = true;
    state_ = DeviceState::ready;
}

void DeviceCore::set_reference(std::int64_t count) noexcept {
    const double shift_m = position_of(count);
    reference_count_ = count;
    for (AxisSetpoint* state : {&setpoint_, &last_setpoint_, &measured_}) state->position_m -= shift_m;
    setpoint_when_moved_m_ -= shift_m;
}

void DeviceCore::latch(FaultCode code) noexcept {
    if (fault_ == FaultCode::none) fault_ = code;
}

void DeviceCore::drive_off(FaultCode code, DeviceEvent how) noexcept {
    // The first fault is kept, but one that takes the power outranks one that only stopped the motion.
    if (fault_ == FaultCode::none || !fault_is_s0_) fault_ = code;
    fault_is_s0_ = true;
    drive_on_ = false;
    queue_.clear();
    event(how);
}

void DeviceCore::controlled_stop(FaultCode code, std::uint64_t from_us, const AxisSetpoint& from) noexcept {
    if (next(state_, DeviceEvent::controlled_stop) == state_) return;  // already stopping, faulted or drive off
    latch(code);
    queue_.clear();
    stop_ = StopPlan(from_us, from, parameters_.limits.stop_deceleration_m_s2);
    event(DeviceEvent::controlled_stop);
}

// ---- the control cycle ----

DriveCommand DeviceCore::tick(std::uint64_t now_us, const Measurement& measurement) noexcept {
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
    last_setpoint_ = setpoint_;
    last_us_ = now_us;

    const double zero_m =
        parameters_.limits.encoder_sign * static_cast<double>(reference_count_) / parameters_.limits.counts_per_m;
    AxisSetpoint wanted = setpoint_;
    wanted.position_m += zero_m;
    return {drive_on_, !drive_on_, wanted, release_specimen_, start_us_, trigger_, servo_force_n(dt_s, wanted)};
}

// In the encoder's own frame, so that a new reference moves nothing. While the drive is off the servo forgets, cycle by
// cycle, and so begins where the platen is. A held place is reached within kHeldCounts: nothing hunts, and an encoder
// that is stuck where the platen is held feeds no integral.
double DeviceCore::servo_force_n(double dt_s, const AxisSetpoint& wanted) noexcept {
    const auto& limits = parameters_.limits;
    const double encoder_m = limits.encoder_sign * static_cast<double>(last_count_) / limits.counts_per_m;
    pushes_hard_ = beside_held_ = false;
    if (!drive_on_) {
        servo_.reset(encoder_m);
        return 0.0;
    }
    const bool held = wanted.velocity_m_s == 0.0 && wanted.acceleration_m_s2 == 0.0;
    const bool there = held && std::abs(wanted.position_m - encoder_m) * limits.counts_per_m <= kHeldCounts;
    beside_held_ = held && !there && parameters_.servo.force_max_n > 0.0;
    const auto cycles = static_cast<unsigned>(std::lround(dt_s / parameters_.servo.sample_s));
    const double force_n = servo_.step(wanted, there ? wanted.position_m : encoder_m, cycles);
    const ServoParameters& servo = parameters_.servo;
    pushes_hard_ = std::abs(force_n) > kPush_ratio * servo.force_max_n + kPushFriction_ratio * servo.gains.coulomb_n;
    return force_n;
}

void DeviceCore::first_tick(const Measurement& measurement) noexcept {
    ticked_ = true;
    last_us_ = last_heard_us_ = now_us_;
    last_count_ = moved_count_ = measurement.encoder_count;
    if (!homed_) reference_count_ = measurement.encoder_count;
    measured_ = {position_of(measurement.encoder_count), 0.0, 0.0};
    setpoint_ = last_setpoint_ = measured_;
    setpoint_when_moved_m_ = setpoint_.position_m;
    drive_on_ = homed_;
    servo_.reset(parameters_.limits.encoder_sign * static_cast<double>(last_count_) / parameters_.limits.counts_per_m);
}

void DeviceCore::observe(double dt_s, const Measurement& m) noexcept {
    const auto& limits = parameters_.limits;
    const double velocity =
        limits.encoder_sign * static_cast<double>(m.encoder_count - last_count_) / limits.counts_per_m / dt_s;
    measured_.position_m = position_of(m.encoder_count);
    measured_.velocity_m_s += (velocity - measured_.velocity_m_s) * dt_s / (kVelocityFilter_s + dt_s);
    if (m.has_acceleration && std::isfinite(m.acceleration_x_m_s2)) {
        const double a = limits.accelerometer_sign * limits.accelerometer_scale * m.acceleration_x_m_s2;
        measured_.acceleration_m_s2 += (a - measured_.acceleration_m_s2) * dt_s / (kAccelerationFilter_s + dt_s);
    }
}

bool DeviceCore::encoder_plausible(double dt_s, std::int64_t count) noexcept {
    const auto& limits = parameters_.limits;
    const double explained = 1.5 * limits.velocity_max_m_s * dt_s * limits.counts_per_m;
    if (std::abs(static_cast<double>(count - last_count_)) > explained + kJumpCounts) return false;
    if (std::abs(count - moved_count_) >= kStuckCounts || !drive_on_) {
        moved_count_ = count;
        setpoint_when_moved_m_ = setpoint_.position_m;
        pushed_s_ = beside_held_s_ = 0.0;
    }
    pushed_s_ = pushes_hard_ ? pushed_s_ + dt_s : 0.0;
    beside_held_s_ = beside_held_ ? beside_held_s_ + dt_s : 0.0;
    if (pushed_s_ > kPushed_s || beside_held_s_ * servo_.position_rad_s() > kBesideHeld_rad) return false;
    const double stuck_m = std::min(kStuckTravel_m, 0.5 * limits.following_error_max_m);
    return std::abs(setpoint_.position_m - setpoint_when_moved_m_) <= stuck_m;
}

void DeviceCore::check_hardware(double dt_s, const Measurement& m) noexcept {
    measurement_ = m;
    cause_present_ = m.estop_pressed || !m.drive_ok || m.limit_pressed;
    const bool finite = is_finite(m);
    if (!finite || pending_not_finite_) drive_off(FaultCode::not_finite);
    pending_not_finite_ = false;
    if (!encoder_plausible(dt_s, m.encoder_count)) {
        drive_off(FaultCode::encoder_implausible);
        homed_ = false;
        moved_count_ = m.encoder_count;
        setpoint_when_moved_m_ = setpoint_.position_m;
        pushed_s_ = beside_held_s_ = 0.0;
    } else {
        observe(dt_s, m);
    }
    last_count_ = m.encoder_count;
    if (!m.drive_ok) drive_off(FaultCode::drive_fault);
    if (m.limit_pressed) drive_off(state_ == DeviceState::homing ? FaultCode::homing_failed : FaultCode::limit_switch);
    if (m.estop_pressed)
        drive_off(FaultCode::emergency_stop, DeviceEvent::emergency_stop);
    else
        event(DeviceEvent::emergency_release);
}

void DeviceCore::check_requests() noexcept {
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
    if (code != FaultCode::none && drive_on_) {
        AxisSetpoint from = last_setpoint_;
        std::uint64_t from_us = last_us_;
        if (streaming) {  // from the setpoint being interpolated now, if it is one that may be executed
            const auto reading = queue_.evaluate(now_us_);
            const bool moves = reading.status == SetpointQueue::Status::moving ||
                               reading.status == SetpointQueue::Status::done ||
                               reading.status == SetpointQueue::Status::underrun;
            if (moves && check_command(parameters_.limits, reading.setpoint, 0.0) == FaultCode::none &&
                continues(reading) == FaultCode::none) {
                from = reading.setpoint;
                from_us = reading.time_us;
            }
        }
        controlled_stop(code, from_us, from);
    }
    pending_s1_ = FaultCode::none;
    stop_requested_ = host_heard_ = host_gone_ = false;
}

void DeviceCore::advance_setpoint(double dt_s, const Measurement& m) noexcept {
    switch (state_) {
        case DeviceState::homing: advance_homing(dt_s, m); break;
        case DeviceState::running: advance_running(); break;
        case DeviceState::stopping: advance_stopping(); break;
        case DeviceState::idle:
        case DeviceState::ready:
        case DeviceState::armed:
        case DeviceState::faulted:
        case DeviceState::estop:
            setpoint_.velocity_m_s = setpoint_.acceleration_m_s2 = 0.0;
            if (!drive_on_) setpoint_.position_m = measured_.position_m;
            break;
    }
}

void DeviceCore::advance_running() noexcept {
    const auto reading = queue_.evaluate(now_us_);
    const bool ends =
        reading.status != SetpointQueue::Status::waiting && reading.status != SetpointQueue::Status::moving;
    if (const FaultCode jump = ends ? continues(reading) : FaultCode::none; jump != FaultCode::none) {
        controlled_stop(jump, last_us_, last_setpoint_);
        advance_stopping();
        return;
    }
    switch (reading.status) {
        case SetpointQueue::Status::empty:
        case SetpointQueue::Status::underrun:
            controlled_stop(FaultCode::queue_underrun, reading.time_us, reading.setpoint);
            advance_stopping();
            return;
        case SetpointQueue::Status::waiting: return;  // holds exactly where it is
        case SetpointQueue::Status::moving: setpoint_ = reading.setpoint; break;
        case SetpointQueue::Status::done:
            setpoint_ = reading.setpoint;
            queue_.clear();
            motion_done_ = true;
            event(DeviceEvent::motion_done);
            break;
    }
    release_specimen_ = release_at_start_;
    trigger_ = trigger_at_start_;
}

void DeviceCore::advance_homing(double dt_s, const Measurement& m) noexcept {
    const auto status = homing_.step(dt_s, m.reference_pressed, m.encoder_count);
    setpoint_ = homing_.setpoint();
    if (status == Homing::Status::failed) drive_off(FaultCode::homing_failed);
    if (status != Homing::Status::found) return;
    set_reference(homing_.reference_count());
    homed_ = true;
    event(DeviceEvent::homed);
}

void DeviceCore::advance_stopping() noexcept {
    setpoint_ = stop_.at(now_us_);
    if (!stop_.over(now_us_)) return;
    if (std::abs(measured_.velocity_m_s) < kRestVelocity_m_s)
        event(DeviceEvent::stop_ended);
    else if (stop_.overdue(now_us_, kStopOverdue_s))
        drive_off(FaultCode::stop_overdue);
}

Feedback DeviceCore::feedback() const noexcept {
    Feedback f;
    f.device_time_us = now_us_;
    f.axis_count = 1;
    const std::int64_t homed_count = measurement_.encoder_count - reference_count_;
    f.axes[0] = {homed_count, setpoint_.position_m, setpoint_.velocity_m_s, setpoint_.acceleration_m_s2};
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
    f.queue_level = static_cast<std::uint32_t>(queue_.level(now_us_));
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
