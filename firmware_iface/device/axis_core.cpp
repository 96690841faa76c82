#include "firmware_iface/device/axis_core.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace topple::firmware_iface {
namespace {
constexpr double kVelocityFilter_s = 1e-3;      // encoder difference; one count in 100 us is 1 mm/s after it
constexpr double kAccelerationFilter_s = 5e-3;  // short impacts of a specimen are not a runaway
constexpr double kStuckTravel_m = 1e-3;         // setpoint moved this far, encoder did not
constexpr std::int64_t kStuckCounts = 2;
constexpr double kHeldCounts = 3.5;  // rounding, interpolation error, and what cogging moves before it is balanced
// A servo that pushes while the encoder stands: the encoder is stuck, or the platen jammed. Either with more than
// friction holds, or, beside a held place, with less for so many of the servo's radians.
constexpr double kPush_ratio = 0.1, kPushFriction_ratio = 4.0;  // of force_max; and of the friction fed forward
constexpr double kPushed_s = 0.015, kBesideHeld_rad = 25.0;
// A platen that friction has brought to rest beside its place can be left there while the integral takes the force back
// and builds it up the other way, without a count of movement. So beside a held place only a force counts that is above
// the one with which it came there or was last seen to move; that much, up to what worn rails hold, friction holds.
constexpr double kHeldByFriction_ratio = 3.0;  // of the friction fed forward
constexpr double kPushFilter_s = 0.02;         // counts make the force jump
constexpr std::int64_t kJumpCounts = 16;       // on top of what 1.5 x the velocity limit explains
constexpr double kRestVelocity_m_s = 0.05;     // the platen rests when it is slower (servo still settling)
}  // namespace

AxisCore::AxisCore(const AxisParameters& parameters, std::span<Knot> ring) noexcept
    : parameters_(parameters), queue_(ring), servo_(parameters.servo) {
    if (parameters_.homing.travel_max_m <= 0.0) parameters_.homing.travel_max_m = 2.2 * parameters_.limits.stroke_m;
}

double AxisCore::position_of(std::int64_t count) const noexcept {
    const auto& limits = parameters_.limits;
    return limits.encoder_sign * static_cast<double>(count - reference_count_) / limits.counts_per_m;
}

double AxisCore::encoder_m(std::int64_t count) const noexcept {
    return parameters_.limits.encoder_sign * static_cast<double>(count) / parameters_.limits.counts_per_m;
}

void AxisCore::set_reference(std::int64_t count) noexcept {
    const double shift_m = position_of(count);
    reference_count_ = count;
    for (AxisSetpoint* state : {&setpoint_, &last_setpoint_, &measured_}) state->position_m -= shift_m;
    setpoint_when_moved_m_ -= shift_m;
}

FaultCode AxisCore::push(const Knot& knot) noexcept {
    if (const FaultCode code = check_command(parameters_.limits, knot.state, 0.0); code != FaultCode::none) return code;
    switch (queue_.push(knot)) {
        case SetpointQueue::Push::accepted: break;
        case SetpointQueue::Push::overflow: return FaultCode::queue_overflow;
        case SetpointQueue::Push::wrong_time: return FaultCode::setpoint_time;
        case SetpointQueue::Push::jump: return FaultCode::setpoint_jump;
    }
    return FaultCode::none;
}

FaultCode AxisCore::check_start(std::uint64_t start_time_us) const noexcept {
    const Knot& first = queue_.front();
    if (first.time_us != start_time_us) return FaultCode::setpoint_time;
    const bool joins = std::abs(first.state.position_m - setpoint_.position_m) <= kJumpTolerance_m &&
                       std::abs(first.state.velocity_m_s) <= kJumpTolerance_m_s;
    return joins ? FaultCode::none : FaultCode::setpoint_jump;
}

void AxisCore::start_homing(bool drive_was_on, bool reference_pressed) noexcept {
    setpoint_ = drive_was_on ? setpoint_ : AxisSetpoint{measured_.position_m, 0.0, 0.0};
    last_setpoint_ = setpoint_;
    reference_found_ = false;
    homing_.start(parameters_.homing, setpoint_, reference_pressed);
}

void AxisCore::resume(bool from_where_it_is) noexcept {
    if (from_where_it_is) setpoint_ = last_setpoint_ = {measured_.position_m, 0.0, 0.0};
    setpoint_when_moved_m_ = setpoint_.position_m;
}

// ---- the control cycle ----

void AxisCore::begin(const AxisMeasurement& measurement, bool homed) noexcept {
    last_count_ = moved_count_ = measurement.encoder_count;
    if (!homed) reference_count_ = measurement.encoder_count;
    measured_ = {position_of(measurement.encoder_count), 0.0, 0.0};
    setpoint_ = last_setpoint_ = measured_;
    setpoint_when_moved_m_ = setpoint_.position_m;
    servo_.reset(encoder_m(last_count_));
}

bool AxisCore::take(double dt_s, const AxisMeasurement& measurement, const double* acceleration_m_s2,
                    bool drive_on) noexcept {
    const bool plausible = encoder_plausible(dt_s, measurement.encoder_count, drive_on);
    if (plausible) {
        observe(dt_s, measurement.encoder_count, acceleration_m_s2);
    } else {
        moved_count_ = measurement.encoder_count;
        setpoint_when_moved_m_ = setpoint_.position_m;
        pushed_s_ = beside_held_s_ = 0.0;
    }
    last_count_ = measurement.encoder_count;
    return plausible;
}

void AxisCore::observe(double dt_s, std::int64_t count, const double* acceleration_m_s2) noexcept {
    const auto& limits = parameters_.limits;
    const double velocity = limits.encoder_sign * static_cast<double>(count - last_count_) / limits.counts_per_m / dt_s;
    measured_.position_m = position_of(count);
    measured_.velocity_m_s += (velocity - measured_.velocity_m_s) * dt_s / (kVelocityFilter_s + dt_s);
    if (acceleration_m_s2 != nullptr && std::isfinite(*acceleration_m_s2)) {
        const double a = limits.accelerometer_sign * limits.accelerometer_scale * *acceleration_m_s2;
        measured_.acceleration_m_s2 += (a - measured_.acceleration_m_s2) * dt_s / (kAccelerationFilter_s + dt_s);
    }
}

bool AxisCore::encoder_plausible(double dt_s, std::int64_t count, bool drive_on) noexcept {
    const auto& limits = parameters_.limits;
    const double explained = 1.5 * limits.velocity_max_m_s * dt_s * limits.counts_per_m;
    if (std::abs(static_cast<double>(count - last_count_)) > explained + kJumpCounts) return false;
    if (std::abs(count - moved_count_) >= kStuckCounts || !drive_on) {
        moved_count_ = count;
        setpoint_when_moved_m_ = setpoint_.position_m;
        pushed_s_ = beside_held_s_ = 0.0;
        note_friction();
    }
    pushed_s_ = pushes_hard_ ? pushed_s_ + dt_s : 0.0;
    if (!beside_held_)
        beside_held_s_ = 0.0;
    else if (std::abs(push_n_) > held_by_friction_n_)
        beside_held_s_ += dt_s;
    if (pushed_s_ > kPushed_s || beside_held_s_ * servo_.position_rad_s() > kBesideHeld_rad) return false;
    const double stuck_m = std::min(kStuckTravel_m, 0.5 * limits.following_error_max_m);
    return std::abs(setpoint_.position_m - setpoint_when_moved_m_) <= stuck_m;
}

void AxisCore::note_friction() noexcept {
    held_by_friction_n_ = std::min(std::abs(push_n_), kHeldByFriction_ratio * parameters_.servo.gains.coulomb_n);
}

void AxisCore::hold(bool drive_on) noexcept {
    setpoint_.velocity_m_s = setpoint_.acceleration_m_s2 = 0.0;
    if (!drive_on) setpoint_.position_m = measured_.position_m;
}

// An axis that has found its reference waits there for the other one.
Homing::Status AxisCore::home(double dt_s, const AxisMeasurement& measurement) noexcept {
    if (reference_found_) return Homing::Status::found;
    const auto status = homing_.step(dt_s, measurement.reference_pressed, measurement.encoder_count);
    setpoint_ = homing_.setpoint();
    if (status != Homing::Status::found) return status;
    set_reference(homing_.reference_count());
    reference_found_ = true;
    return status;
}

void AxisCore::plan_stop(std::uint64_t from_us, const AxisSetpoint& from) noexcept {
    queue_.clear();
    stop_ = StopPlan(from_us, from, parameters_.limits.stop_deceleration_m_s2);
}

void AxisCore::plan_stop_now(std::uint64_t now_us, std::uint64_t last_us, bool streaming) noexcept {
    using Status = SetpointQueue::Status;
    const auto reading = streaming ? queue_.evaluate(now_us) : SetpointQueue::Reading{};
    const bool moves =
        reading.status == Status::moving || reading.status == Status::done || reading.status == Status::underrun;
    const bool may_be_executed = moves && check_command(parameters_.limits, reading.setpoint, 0.0) == FaultCode::none &&
                                 continues(reading, last_us) == FaultCode::none;
    if (may_be_executed)
        plan_stop(reading.time_us, reading.setpoint);
    else
        plan_stop(last_us, last_setpoint_);
}

bool AxisCore::rests() const noexcept { return std::abs(measured_.velocity_m_s) < kRestVelocity_m_s; }

AxisCommand AxisCore::finish(double dt_s, bool drive_on) noexcept {
    last_setpoint_ = setpoint_;
    AxisSetpoint wanted = setpoint_;
    wanted.position_m += encoder_m(reference_count_);
    return {wanted, servo_force_n(dt_s, wanted, drive_on)};
}

// In the encoder's own frame, so that a new reference moves nothing. While the drive is off the servo forgets, cycle by
// cycle, and so begins where the platen is. A held place is reached within kHeldCounts: nothing hunts, and an encoder
// that is stuck where the platen is held feeds no integral.
double AxisCore::servo_force_n(double dt_s, const AxisSetpoint& wanted, bool drive_on) noexcept {
    const double measured_m = encoder_m(last_count_);
    const bool was_beside = std::exchange(beside_held_, false);
    pushes_hard_ = false;
    if (!drive_on) {
        push_n_ = 0.0;
        servo_.reset(measured_m);
        return 0.0;
    }
    const bool held = wanted.velocity_m_s == 0.0 && wanted.acceleration_m_s2 == 0.0;
    const bool there =
        held && std::abs(wanted.position_m - measured_m) * parameters_.limits.counts_per_m <= kHeldCounts;
    const ServoParameters& servo = parameters_.servo;
    beside_held_ = held && !there && servo.force_max_n > 0.0;
    const auto cycles = static_cast<unsigned>(std::lround(dt_s / servo.sample_s));
    const double force_n = servo_.step(wanted, there ? wanted.position_m : measured_m, cycles);
    push_n_ += (force_n - push_n_) * dt_s / (kPushFilter_s + dt_s);
    if (beside_held_ && !was_beside) note_friction();
    pushes_hard_ = std::abs(force_n) > kPush_ratio * servo.force_max_n + kPushFriction_ratio * servo.gains.coulomb_n;
    return force_n;
}

AxisFeedback AxisCore::feedback() const noexcept {
    return {last_count_ - reference_count_, setpoint_.position_m, setpoint_.velocity_m_s, setpoint_.acceleration_m_s2};
}

}  // namespace topple::firmware_iface
