// What the host may ask of the device core, and when it is refused.
#include <algorithm>

#include "firmware_iface/device/device_core.hpp"

namespace topple::firmware_iface {

// Power would be put on a moving platen.
bool DeviceControl::runs_out() const noexcept {
    return !drive_on_ && std::any_of(axes().begin(), axes().end(), [](const AxisCore& axis) { return !axis.rests(); });
}

FaultCode DeviceControl::cause() const noexcept {
    if (measurement_.estop_pressed) return FaultCode::emergency_stop;
    const bool has_y = axis_count_ > 1;
    if (measurement_.limit_pressed || (has_y && measurement_.y.limit_pressed)) return FaultCode::limit_switch;
    if (!measurement_.drive_ok || (has_y && !measurement_.y.drive_ok)) return FaultCode::drive_fault;
    return fault_;
}

RefusalCode DeviceControl::home() noexcept {
    if (fault_ != FaultCode::none) return RefusalCode::fault_latched;
    if (next(state_, DeviceEvent::home) == state_ || runs_out()) return RefusalCode::wrong_state;
    homed_ = false;
    axes_[0].start_homing(drive_on_, measurement_.reference_pressed);
    axes_[1].start_homing(drive_on_, measurement_.y.reference_pressed);
    drive_on_ = true;
    last_heard_us_ = now_us_;
    event(DeviceEvent::home);
    return RefusalCode::none;
}

RefusalCode DeviceControl::arm(std::uint64_t configuration_hash) noexcept {
    if (fault_ != FaultCode::none) return RefusalCode::fault_latched;
    if (!homed_) return RefusalCode::not_homed;
    if (state_ != DeviceState::ready && state_ != DeviceState::armed) return RefusalCode::wrong_state;
    if (configuration_hash != parameters_.configuration_hash) return RefusalCode::configuration_mismatch;
    if (state_ == DeviceState::ready)
        for (AxisCore& axis : axes()) axis.forget_setpoints();
    last_heard_us_ = now_us_;
    event(DeviceEvent::arm);
    return RefusalCode::none;
}

RefusalCode DeviceControl::disarm() noexcept {
    if (state_ != DeviceState::armed && state_ != DeviceState::ready) return RefusalCode::wrong_state;
    for (AxisCore& axis : axes()) axis.forget_setpoints();
    event(DeviceEvent::disarm);
    return RefusalCode::none;
}

RefusalCode DeviceControl::start(std::uint64_t start_time_us, bool release_specimen, bool trigger) noexcept {
    if (fault_ != FaultCode::none || pending_s1_ != FaultCode::none || pending_not_finite_)
        return RefusalCode::fault_latched;
    if (state_ != DeviceState::armed) return RefusalCode::wrong_state;
    if (trigger && !parameters_.has_trigger) return RefusalCode::not_supported;
    if (!axes_[0].has_setpoints()) return RefusalCode::no_setpoints;
    if (start_time_us < now_us_) return RefusalCode::start_in_past;
    for (const AxisCore& axis : axes()) {
        pending_s1_ = axis.check_start(start_time_us);
        if (pending_s1_ != FaultCode::none) return RefusalCode::fault_latched;
    }
    motion_done_ = false;
    for (AxisCore& axis : axes()) axis.start();
    release_specimen_ = false;
    release_at_start_ = release_specimen;
    trigger_ = false;
    trigger_at_start_ = trigger;
    start_us_ = start_time_us;
    last_heard_us_ = now_us_;
    event(DeviceEvent::start);
    return RefusalCode::none;
}

RefusalCode DeviceControl::clear() noexcept {
    if (state_ == DeviceState::stopping) return RefusalCode::wrong_state;
    if (state_ == DeviceState::estop || cause_present_) return RefusalCode::fault_latched;
    if (state_ != DeviceState::faulted) return RefusalCode::none;
    if (runs_out()) return RefusalCode::wrong_state;
    fault_ = FaultCode::none;
    fault_is_s0_ = false;
    event(homed_ ? DeviceEvent::clear_homed : DeviceEvent::clear_unhomed);
    for (AxisCore& axis : axes()) axis.resume(!drive_on_ && homed_);
    drive_on_ = homed_;
    return RefusalCode::none;
}

void DeviceControl::push(const Setpoint& setpoint) noexcept {
    if (state_ != DeviceState::armed && state_ != DeviceState::running) return;
    if (setpoint.axis_count != axis_count_) {
        pending_s1_ = FaultCode::setpoint_jump;
        return;
    }
    for (std::size_t i = 0; i < axis_count_; ++i) {
        if (firmware_iface::is_finite(setpoint.axes[i])) continue;
        pending_not_finite_ = true;
        return;
    }
    for (std::size_t i = 0; i < axis_count_; ++i) {
        const FaultCode code = axes_[i].push({setpoint.device_time_us, setpoint.axes[i], setpoint.final});
        if (code != FaultCode::none && pending_s1_ == FaultCode::none) pending_s1_ = code;
    }
}

}  // namespace topple::firmware_iface
