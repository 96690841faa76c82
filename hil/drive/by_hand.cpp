#include "hil/drive/by_hand.hpp"

#include <fmt/format.h>

#include <cmath>

#include "controller/estimator.hpp"
#include "controller/feasibility.hpp"
#include "controller/profile/profile.hpp"
#include "controller/rt/thread_setup.hpp"
#include "firmware_iface/device/state_machine.hpp"
#include "hil/drive/begin_motion.hpp"
#include "hil/drive/feedback_reader.hpp"
#include "hil/drive/follow_motion.hpp"
#include "hil/drive/require_accepted.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/drive/settling.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::drive {
namespace {

using controller::Supervisor;
using controller::SupervisorState;
using firmware_iface::DeviceError;
using firmware_iface::DeviceState;
using firmware_iface::FaultCode;
using firmware_iface::Feedback;
using firmware_iface::TableLink;
using text::one_line;

constexpr auto kStopMax = std::chrono::seconds(3);

// The table holds until nobody can be taken by surprise, then it is disarmed. It stays where it is.
void hold_and_disarm(TableLink& link, firmware_iface::Clock& clock) {
    try {
        const std::uint64_t until_us = link.wait_feedback().device_time_us + kHoldAfterStop_us;
        const auto at_most = clock.now() + std::chrono::microseconds(2 * kHoldAfterStop_us);
        while (link.wait_feedback().device_time_us < until_us && clock.now() < at_most) {
        }
        link.disarm();  // refused where the stop has been latched as a fault: then only the operator leads on
    } catch (const DeviceError&) {  // the link is gone: the device's own watchdog has seen to the rest
    }
}

// A device that does not report it shows it by its state and, when faulted, only by some faults.
bool has_no_reference(const Feedback& feedback) noexcept {
    if (feedback.homed) return !*feedback.homed;
    const auto fault = static_cast<FaultCode>(feedback.fault_code);
    return feedback.state == DeviceState::idle || feedback.state == DeviceState::homing ||
           fault == FaultCode::encoder_implausible || fault == FaultCode::homing_failed;
}

std::string position_text(const firmware_iface::MachineDescription& machine, const Feedback& feedback,
                          std::size_t axis) {
    const std::int64_t count = feedback.axes[axis].encoder_count;
    if (has_no_reference(feedback)) return fmt::format("not known (not homed); encoder {}", count);
    if (axis >= machine.axis_count()) return fmt::format("encoder {}; its scale is not in the machine file", count);
    return fmt::format("{:+.6f} m (encoder {})", controller::encoder_position_m(axis_of(machine, axis), count), count);
}

// Of the causes that clear() waits for.
std::string what_to_do(FaultCode cause) {
    switch (cause) {
        case FaultCode::limit_switch:
            return "An end switch is pressed: move the platen off it by hand, with the drive off, then clear again";
        case FaultCode::emergency_stop:
            return "The emergency stop is pressed: make the table safe, release the stop, then clear again";
        case FaultCode::drive_fault: return "The drive is not ready: clear its fault at the drive, then clear again";
        default: return std::string(explanation(cause));
    }
}

}  // namespace

std::string describe_state(TableLink& link, const firmware_iface::MachineDescription& machine) {
    const Feedback feedback = link.wait_feedback();
    const auto& device = link.device();
    std::string text = fmt::format("device    {} {} (serial number {}, firmware {}){}\n", one_line(device.device),
                                   link.description(), one_line(device.serial_number),
                                   one_line(device.firmware_version), device.simulated ? ", simulated" : "");
    text += fmt::format("state     {}\n", name(feedback.state));
    const auto code = static_cast<FaultCode>(feedback.fault_code);
    text += fmt::format("position  {}\n", position_text(machine, feedback, 0));
    if (feedback.axis_count > 1) text += fmt::format("       y  {}\n", position_text(machine, feedback, 1));
    if (feedback.fault_code != 0) text += fmt::format("fault     {}: {}\n", name(code), explanation(code));
    for (const auto& axis : device.axes)
        text += fmt::format("axis {}    stroke ±{:.4f} m, {:.3f} m/s, {:.2f} m/s2, stops at {:.2f} m/s2\n",
                            one_line(axis.name), axis.stroke_m, axis.velocity_max_m_s, axis.acceleration_max_m_s2,
                            axis.stop_deceleration_m_s2);
    const double round_trip_ms = static_cast<double>(link.statistics().round_trip.count()) * 1e-6;
    text += fmt::format("link      round trip {:.1f} ms at connect\n", round_trip_ms);
    return text;
}

void clear_table(TableLink& link) {
    const auto result = link.clear_fault();
    if (result.accepted || result.refusal != firmware_iface::RefusalCode::fault_latched) {
        require_accepted(result, "clear the fault", link);
        return;
    }
    // For a device that does not report which cause is still present: mostly that of its fault.
    const FaultCode cause =
        result.cause != FaultCode::none ? result.cause : static_cast<FaultCode>(link.wait_feedback().fault_code);
    throw DeviceError(fmt::format("{} refused to clear the fault, because its cause is still present: {}. {}",
                                  link.description(), name(cause), what_to_do(cause)));
}

void require_within_stroke(const firmware_iface::MachineDescription& machine, double position_m,
                           std::optional<double> position_y_m) {
    const auto require = [](const firmware_iface::AxisDescription& axis, double place_m, const char* of) {
        const double room_m = axis.stroke_m - controller::kStrokeMargin_m;
        if (!(std::abs(place_m) <= room_m))
            throw files::InputError(fmt::format("position {} m{}: must be within ±{:.4f} m", place_m, of, room_m));
    };
    require(machine, position_m, "");
    if (!position_y_m) return;
    if (!machine.y)
        throw files::InputError(fmt::format("position {} m along y: the machine {} has axis x only", *position_y_m,
                                            one_line(machine.name)));
    require(*machine.y, *position_y_m, " along y");
}

void move_table(TableLink& link, firmware_iface::Clock& clock, const firmware_iface::MachineDescription& machine,
                double position_m, const std::atomic<bool>& stop_requested, std::optional<double> position_y_m) {
    require_within_stroke(machine, position_m, position_y_m);
    const std::uint32_t period_us = link.device().feedback_period_us;
    require_accepted(link.arm(link.device().configuration_hash), "arm", link);
    const Feedback held = link.wait_feedback();
    const PositioningLimits gentle;
    const auto profile = controller::positioning(held.axes[0].setpoint_position_m, position_m, gentle.velocity_m_s,
                                                 gentle.acceleration_m_s2);
    auto axes = controller::with_y_holding(profile, held);
    if (position_y_m && axes.size() > 1)
        axes[1] = controller::positioning(held.axes[1].setpoint_position_m, *position_y_m, gentle.velocity_m_s,
                                          gentle.acceleration_m_s2);
    const std::uint64_t start_us = motion_start_us(link, held);
    Supervisor supervisor(controller::setpoints(axes, start_us, period_us), machine, supervisor_settings(link.device()),
                          stop_requested);
    const controller::RealTime real_time(clock);
    MotionStart start;
    start.newest = held;
    start.start_us = start_us;
    if (const auto against = begin_motion(supervisor, link, clock, start); !against.empty()) {
        hold_and_disarm(link, clock);
        throw DeviceError(against.text());
    }
    FeedbackReader reader(link, clock, held.device_time_us);
    controller::PeriodicLoop loop(clock, std::chrono::microseconds(period_us));
    follow_motion(
        loop, {supervisor, link, clock}, [&] { return reader.poll(); }, [](const Feedback*) { return true; });
    if (supervisor.state() != SupervisorState::done) {
        hold_and_disarm(link, clock);
        throw DeviceError("the move did not end: " + supervisor.text());
    }
    require_accepted(link.disarm(), "disarm after the move", link);
}

// Feedback from before the stop may still be on its way and shows nothing of it: only what comes after the answer
// does.
void stop_table(TableLink& link, firmware_iface::Clock& clock) {
    link.stop();
    const auto until = clock.now() + kStopMax;
    for (bool answered = false;; answered = link.stop_answered()) {
        const DeviceState state = link.wait_feedback().state;
        link.flush();
        if (answered && !may_move(state)) return;
        if (clock.now() < until) continue;
        throw DeviceError(answered ? "the table still moves 3 s after the stop: use the emergency stop"
                                   : "the table has not answered the stop for 3 s: use the emergency stop");
    }
}

}  // namespace topple::hil::drive
