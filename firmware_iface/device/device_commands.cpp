// What the host may ask of the device core, and when it is refused.
#include <cmath>

#include "firmware_iface/device/device_core.hpp"

namespace topple::firmware_iface {

RefusalCode DeviceCore::home() noexcept {
    if (fault_ != FaultCode::none) return RefusalCode::fault_latched;
    if (next(state_, DeviceEvent::home) == state_ || runs_out()) return RefusalCode::wrong_state;
    homed_ = false;
    setpoint_ = drive_on_ ? setpoint_ : AxisSetpoint{measured_.position_m, 0.0, 0.0};
    last_setpoint_ = setpoint_;
    drive_on_ = true;
    last_heard_us_ = now_us_;
    homing_.start(parameters_.homing, setpoint_, measurement_.reference_pressed);
    event(DeviceEvent::home);
    return RefusalCode::none;
}

RefusalCode DeviceCore::arm(std::uint64_t configuration_hash) noexcept {
    if (fault_ != FaultCode::none) return RefusalCode::fault_latched;
    if (!homed_) return RefusalCode::not_homed;
    if (state_ != DeviceState::ready && state_ != DeviceState::armed) return RefusalCode::wrong_state;
    if (configuration_hash != parameters_.configuration_hash) return RefusalCode::configuration_mismatch;
    if (state_ == DeviceState::ready) queue_.clear();
    last_heard_us_ = now_us_;
    event(DeviceEvent::arm);
    return RefusalCode::none;
}

RefusalCode DeviceCore::disarm() noexcept {
    if (state_ != DeviceState::armed && state_ != DeviceState::ready) return RefusalCode::wrong_state;
    queue_.clear();
    event(DeviceEvent::disarm);
    return RefusalCode::none;
}

RefusalCode DeviceCore::start(std::uint64_t start_time_us, bool release_specimen, bool trigger) noexcept {
    if (fault_ != FaultCode::none || pending_s1_ != FaultCode::none || pending_not_finite_)
        return RefusalCode::fault_latched;
    if (state_ != DeviceState::armed) return RefusalCode::wrong_state;
    if (trigger && !parameters_.has_trigger) return RefusalCode::not_supported;
    if (queue_.empty()) return RefusalCode::no_setpoints;
    const Knot& first = queue_.front();
    if (start_time_us < now_us_) return RefusalCode::start_in_past;
    if (first.time_us != start_time_us) {
        pending_s1_ = FaultCode::setpoint_time;
        return RefusalCode::fault_latched;
    }
    if (std::abs(first.state.position_m - setpoint_.position_m) > kJumpTolerance_m ||
        std::abs(first.state.velocity_m_s) > kJumpTolerance_m_s) {
        pending_s1_ = FaultCode::setpoint_jump;
        return RefusalCode::fault_latched;
    }
    motion_done_ = false;
    creep_m_ = 0.0;
    release_specimen_ = false;
    release_at_start_ = release_specimen;
    trigger_ = false;
    trigger_at_start_ = trigger;
    start_us_ = start_time_us;
    last_heard_us_ = now_us_;
    event(DeviceEvent::start);
    return RefusalCode::none;
}

RefusalCode DeviceCore::clear() noexcept {
    if (state_ == DeviceState::stopping) return RefusalCode::wrong_state;
    if (state_ == DeviceState::estop || cause_present_) return RefusalCode::fault_latched;
    if (state_ != DeviceState::faulted) return RefusalCode::none;
    if (runs_out()) return RefusalCode::wrong_state;
    fault_ = FaultCode::none;
    fault_is_s0_ = false;
    event(homed_ ? DeviceEvent::clear_homed : DeviceEvent::clear_unhomed);
    if (!drive_on_ && homed_) setpoint_ = last_setpoint_ = {measured_.position_m, 0.0, 0.0};  // bumpless
    drive_on_ = homed_;
    setpoint_when_moved_m_ = setpoint_.position_m;
    return RefusalCode::none;
}

void DeviceCore::push(const Setpoint& setpoint) noexcept {
    if (state_ != DeviceState::armed && state_ != DeviceState::running) return;
    if (setpoint.axis_count != 1) {
        pending_s1_ = FaultCode::setpoint_jump;
        return;
    }
    const Knot knot{setpoint.device_time_us, setpoint.axes[0], setpoint.final};
    if (!firmware_iface::is_finite(knot.state)) {
        pending_not_finite_ = true;
        return;
    }
    FaultCode code = check_command(parameters_.limits, knot.state, 0.0);
    if (code == FaultCode::none) {
        switch (queue_.push(knot)) {
            case SetpointQueue::Push::accepted: return;
            case SetpointQueue::Push::overflow: code = FaultCode::queue_overflow; break;
            case SetpointQueue::Push::wrong_time: code = FaultCode::setpoint_time; break;
            case SetpointQueue::Push::jump: code = FaultCode::setpoint_jump; break;
        }
    }
    if (pending_s1_ == FaultCode::none) pending_s1_ = code;
}

}  // namespace topple::firmware_iface
