#include "hil/check/rest_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "controller/feasibility.hpp"
#include "firmware_iface/device/setpoint_queue.hpp"
#include "firmware_iface/device/state_machine.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::check {
namespace {

using firmware_iface::DeviceState;
using firmware_iface::FaultCode;
using firmware_iface::Feedback;
using firmware_iface::MachineDescription;

constexpr double kSameRatio = 1e-9;  // numbers written down twice

std::string_view state_advice(DeviceState state) noexcept {
    switch (state) {
        case DeviceState::ready:
        case DeviceState::armed: return "";
        case DeviceState::idle: return "the drive is off: see table.homed";
        case DeviceState::homing:
        case DeviceState::running:
        case DeviceState::stopping: return "the table is moving: find out what moves it";
        case DeviceState::faulted: return "see table.fault";
        case DeviceState::estop: return "release the emergency stop, then `topple table clear`";
    }
    return "";
}

CheckResult judge_fault(const Feedback& feedback) {
    const auto code = static_cast<FaultCode>(feedback.fault_code);
    CheckResult result = judge_equal(
        {"table.fault", static_cast<double>(feedback.fault_code), ""}, 0.0, hard(0.0),
        fmt::format("{} When its cause is removed: `topple table clear` (docs/faults.md)", explanation(code)));
    result.found = std::string(name(code));
    return result;
}

CheckResult judge_homed(DeviceState state) {
    switch (state) {
        case DeviceState::ready:
        case DeviceState::armed:
        case DeviceState::running: return worded_check("table.homed", Verdict::pass, "yes", "");
        case DeviceState::idle:
            return worded_check("table.homed", Verdict::warn, "no",
                                "run `topple table home` before a test; `topple check --move` also homes");
        case DeviceState::homing:
        case DeviceState::stopping:
        case DeviceState::faulted:
        case DeviceState::estop: break;
    }
    return skipped_check("table.homed", "a table in this state does not report it");
}

/// A limit that both know; the tighter one counts.
CheckResult limit(const char* name, double device_says, double file_says, const char* unit) {
    CheckResult result = judge_equal({name, device_says, unit}, file_says, {kSameRatio},
                                     fmt::format("machine file and device differ: the tighter limit, {:g} {}, applies",
                                                 std::min(device_says, file_says), unit));
    if (device_says > 0.0) return result;
    result.verdict = Verdict::fail;
    result.advice = "the device reports a limit that is not a positive number: its firmware is incomplete";
    return result;
}

/// What must be the same on both sides.
CheckResult same(const char* name, double device_says, double file_says, const char* unit) {
    return judge_equal({name, device_says, unit}, file_says, hard(kSameRatio),
                       "positions and accelerations would be wrong, so the table is not armed: use the machine file of "
                       "this table (--machine, [table] machine)");
}

}  // namespace

std::vector<CheckResult> judge_state(const Feedback& feedback) {
    const bool well = feedback.state == DeviceState::ready || feedback.state == DeviceState::armed;
    const Verdict verdict = well ? Verdict::pass : feedback.state == DeviceState::idle ? Verdict::warn : Verdict::fail;
    return {worded_check("table.state", verdict, std::string(name(feedback.state)),
                         std::string(state_advice(feedback.state))),
            judge_fault(feedback), judge_homed(feedback.state)};
}

std::vector<CheckResult> judge_agreement(const firmware_iface::DeviceInfo& device, const MachineDescription& machine) {
    if (device.axes.empty())
        return {worded_check("table.axes", Verdict::fail, "none",
                             "the device reports no axis: its firmware is incomplete")};
    const auto& axis = device.axes.front();
    if (axis.name != controller::kAxisName)
        return {worded_check(
            "table.axes", Verdict::fail, fmt::format("first axis \"{}\"", axis.name),
            fmt::format("Topple drives \"{}\", but this table reports another axis first", controller::kAxisName))};
    std::vector<CheckResult> results{
        limit("table.stroke", axis.stroke_m, machine.stroke_m, "m"),
        limit("table.velocity_max", axis.velocity_max_m_s, machine.velocity_max_m_s, "m/s"),
        limit("table.acceleration_max", axis.acceleration_max_m_s2, machine.acceleration_max_m_s2, "m/s2"),
        limit("table.stop_deceleration", axis.stop_deceleration_m_s2, machine.stop_deceleration_m_s2, "m/s2"),
        judge_equal({"table.feedback_rate", 1e6 / device.feedback_period_us, "Hz"}, machine.feedback_rate_hz,
                    {1e-6, controller::kFeedbackRateTolerance},
                    "use the machine file of this table (docs/machines.md)"),
        same("table.counts_per_m", axis.counts_per_m, machine.counts_per_m, "counts/m"),
        same("table.encoder_sign", axis.encoder_sign, machine.encoder_sign, ""),
        same("table.accelerometer_sign", axis.accelerometer_sign, machine.accelerometer_sign, "")};
    const bool agreed = device.configuration_hash == firmware_iface::configuration_hash(machine);
    const bool untold = controller::differs_untold(machine, device);
    results.push_back(worded_check(
        "table.configuration",
        agreed   ? Verdict::pass
        : untold ? Verdict::fail
                 : Verdict::warn,
        fmt::format("{:016x}", device.configuration_hash),
        untold ? "a number that the device does not report differs from the machine file: use "
                 "the machine file of this table (docs/machines.md)"
               : "the device was built with other numbers than those of the machine file (docs/machines.md)"));
    return results;
}

std::vector<CheckResult> judge_sensors_at_rest(std::span<const Feedback> feedback, const MachineDescription& machine) {
    std::vector<double> acceleration, position_um;
    bool moving = false;
    for (const Feedback& f : feedback) {
        moving = moving || may_move(f.state);
        if (f.acceleration_x_m_s2)
            acceleration.push_back(machine.accelerometer_sign * machine.accelerometer_scale * *f.acceleration_x_m_s2);
        position_um.push_back(1e6 * static_cast<double>(f.axes[0].encoder_count) / machine.counts_per_m);
    }
    const std::string bias = "table.accelerometer_bias", noise = "table.accelerometer_noise",
                      unrest = "table.encoder_unrest";
    if (moving) {
        const std::string why = "the table moves";
        return {skipped_check(bias, why), skipped_check(noise, why), skipped_check(unrest, why)};
    }
    std::vector<CheckResult> results;
    if (acceleration.size() < 2) {
        results = {skipped_check(bias, "no accelerometer"), skipped_check(noise, "no accelerometer")};
    } else {
        results.push_back(judge_magnitude({bias, signal::mean(acceleration), "m/s2"},
                                          hard(machine.accelerometer_offset_max_m_s2),
                                          "check mounting, level and supply of the accelerometer"));
        const double noise_m_s2 = signal::standard_deviation(acceleration);
        results.push_back(judge_at_most(
            {noise, noise_m_s2, "m/s2"}, {kAccelerometerNoiseMax_m_s2},
            "check shielding and grounding of the accelerometer, and whether something shakes the floor"));
        const auto [least, greatest] = std::minmax_element(acceleration.begin(), acceleration.end());
        if (*least == *greatest)
            results.back() = worded_check(noise, Verdict::fail, "the reading never changes",
                                          "the accelerometer is stuck: check its supply and cable");
    }
    const auto [lowest, highest] = std::minmax_element(position_um.begin(), position_um.end());
    results.push_back(judge_at_most({unrest, *highest - *lowest, "um"}, {1e6 * firmware_iface::kJumpTolerance_m},
                                    "the platen is not at rest, and a start further than this from the held position "
                                    "is refused: check the servo's tuning and the encoder's cable"));
    return results;
}

}  // namespace topple::hil::check
