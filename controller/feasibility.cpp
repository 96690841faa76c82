#include "controller/feasibility.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "firmware_iface/device/limits.hpp"

namespace topple::controller {
namespace {

using firmware_iface::DeviceInfo;
using firmware_iface::MachineDescription;

constexpr double kScanStep_s = 2.5e-4;  // 80 points per period of a 50 Hz sine
constexpr int kRefinements = 60;        // golden sections: 2.5e-4 s down to rounding

struct Worst {
    double value = 0.0;
    double time_s = 0.0;
};

/// Largest value of a continuous function over the motion: scan of every piece, then golden section about the best.
template <class Function>
Worst worst_over(const Profile& profile, const Function& value) {
    Worst best{value(0.0), 0.0};
    double step_s = kScanStep_s;
    const auto consider = [&](double time_s) {
        const double now = value(time_s);
        if (now > best.value) best = {now, time_s};
    };
    for (const solver::MotionPiece& piece : profile.motion.pieces()) {
        const double length_s = piece.end_s - piece.start_s;
        const auto count = static_cast<std::size_t>(std::ceil(length_s / kScanStep_s)) + 1;
        step_s = std::max(step_s, length_s / static_cast<double>(count));
        for (std::size_t i = 0; i <= count; ++i)
            consider(piece.start_s + length_s * static_cast<double>(i) / static_cast<double>(count));
    }
    constexpr double kGolden = 0.6180339887498949;
    double low = best.time_s - step_s, high = best.time_s + step_s;
    for (int i = 0; i < kRefinements; ++i) {
        const double left = high - kGolden * (high - low), right = low + kGolden * (high - low);
        (value(left) > value(right) ? high : low) = value(left) > value(right) ? right : left;
    }
    consider(std::clamp(0.5 * (low + high), 0.0, profile.duration_s()));
    return best;
}

/// Three digits, whatever the locale.
std::string number(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 3).ptr};
}

/// As many digits as it takes to distinguish it from every other number.
std::string all_digits(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string line(const FeasibilityCheck& check) {
    std::string text = (check.axis.empty() ? "" : "axis " + check.axis + ": ") + check.name + ": needs " +
                       number(check.value) + " " + check.unit;
    if (check.unit != "kg") text += " at t = " + number(check.time_s) + " s";
    text += ", " + number(check.limit) + " " + check.unit + " available";
    if (!check.advice.empty()) text += "; " + check.advice;
    return (check.warning_only ? "warning: " : "") + text;
}

FeasibilityCheck held(std::string name, const Worst& worst, double limit, std::string unit, std::string advice) {
    FeasibilityCheck check{std::move(name), worst.value,       limit, worst.time_s, std::move(unit), true,
                           false,           std::move(advice), {}};
    check.passed = worst.value <= limit;  // false for NaN
    return check;
}

FeasibilityCheck warned(FeasibilityCheck check) {
    check.warning_only = true;
    return check;
}

/// Where the platen would come to rest if a stop were called for at this state.
double stop_reach_m(const solver::BaseState& state, double reaction_s, double deceleration_m_s2) {
    const double v = state.velocity_m_s;
    const double stop_m = state.displacement_m + v * reaction_s + v * std::abs(v) / (2.0 * deceleration_m_s2);
    return std::max(std::abs(state.displacement_m), std::abs(stop_m));
}

/// Where the platen would come to rest if the drive died as a stop begins: it runs on until the device gives the stop
/// up, at kBrakeFactor following errors behind the setpoint or at the end of what the position may overrun, and brakes
/// from there.
double dead_drive_reach_m(const solver::BaseState& state, double reaction_s, const MachineDescription& machine) {
    const double v = std::abs(state.velocity_m_s), stop = machine.stop_deceleration_m_s2;
    if (v == 0.0) return std::abs(state.displacement_m);
    const double error_m = firmware_iface::kBrakeFactor * machine.following_error_max_m;
    const bool while_stopping = v * v > 2.0 * error_m * stop;
    const double unnoticed_m = while_stopping ? v * std::sqrt(2.0 * error_m / stop) : 0.5 * v * v / stop + error_m;
    const double outward_m =
        std::copysign(state.displacement_m, state.displacement_m * state.velocity_m_s) + v * reaction_s;
    const double overrun_m = machine.stroke_m + firmware_iface::overrun_allowed_m(firmware_iface::limits_of(machine));
    const double braked_from_m = std::max(outward_m, std::min(outward_m + unnoticed_m, overrun_m));
    return std::max(std::abs(state.displacement_m), braked_from_m + 0.5 * v * v / machine.brake_deceleration_m_s2);
}

/// How far the platen runs ahead of the stop's setpoint if the drive cannot brake this payload as the stop asks.
double stop_overrun_m(const solver::BaseState& state, double deceleration_m_s2, double able_m_s2) {
    if (!(able_m_s2 < deceleration_m_s2)) return 0.0;
    const double v = state.velocity_m_s;
    return 0.5 * v * v * (1.0 / able_m_s2 - 1.0 / deceleration_m_s2);
}

void add_stroke_checks(FeasibilityReport& report, const Profile& profile, const MachineDescription& machine) {
    const double available_m = machine.stroke_m - kStrokeMargin_m;
    const double reaction_s = kReactionPeriods / machine.feedback_rate_hz;
    const Worst reach = worst_over(profile, [&](double t) { return std::abs(profile.at(t).displacement_m); });
    report.checks.push_back(
        held("stroke", reach, available_m, "m", "lower the amplitude, raise the frequency or centre the motion"));
    const Worst stop = worst_over(
        profile, [&](double t) { return stop_reach_m(profile.at(t), reaction_s, machine.stop_deceleration_m_s2); });
    report.checks.push_back(held("stroke with room to stop", stop, available_m, "m",
                                 "lower the amplitude or raise the frequency; a stop there would leave the stroke"));
    const Worst brake = worst_over(profile, [&](double t) {
        return stop_reach_m(profile.at(t), 0.0, machine.brake_deceleration_m_s2) - machine.stroke_m;
    });
    report.checks.push_back(
        warned(held("braking distance with the drive off", brake, machine.buffer_travel_m, "m",
                    "after an emergency stop there the platen would hit the frame beyond the buffers")));
    const Worst dead = worst_over(
        profile, [&](double t) { return dead_drive_reach_m(profile.at(t), reaction_s, machine) - machine.stroke_m; });
    report.checks.push_back(warned(
        held("stop with a drive that fails", dead, machine.buffer_travel_m, "m",
             "if the drive fails as a stop begins there, the brake acts too late to keep the platen off the frame")));
}

void add_rate_checks(FeasibilityReport& report, const Profile& profile, const MachineDescription& machine) {
    const auto peak = profile.motion.extremes();
    const Worst velocity{peak.velocity_peak_m_s, peak.velocity_peak_time_s};
    const Worst acceleration{peak.acceleration_peak_m_s2, peak.acceleration_peak_time_s};
    report.checks.push_back(
        held("velocity", velocity, machine.velocity_max_m_s, "m/s", "lower the amplitude or raise the frequency"));
    report.checks.push_back(
        held("acceleration", acceleration, machine.acceleration_max_m_s2, "m/s2", "lower the amplitude"));
    report.checks.push_back(warned(held("clean acceleration", acceleration, machine.acceleration_clean_m_s2, "m/s2",
                                        "near the drive's limit the sine becomes a double constant")));
}

/// Friction helps a stop and is left out.
void add_stop_force_check(FeasibilityReport& report, const Profile& profile, const MachineDescription& machine,
                          double payload_kg) {
    const double able_m_s2 = drive_force_max_n(machine) / (machine.moving_mass_kg + payload_kg);
    const Worst overrun = worst_over(
        profile, [&](double t) { return stop_overrun_m(profile.at(t), machine.stop_deceleration_m_s2, able_m_s2); });
    report.checks.push_back(held("stop with this payload", overrun,
                                 firmware_iface::kBrakeFactor * machine.following_error_max_m, "m",
                                 "the drive brakes this payload by only " + number(able_m_s2) +
                                     " m/s2, and a stop would run away from its setpoint: remove mass, lower the "
                                     "amplitude, or lower stop_deceleration_m_s2 of the machine and its file to that"));
}

/// What moving mass and payload take; friction comes on top.
void add_force_check(FeasibilityReport& report, const Profile& profile, const MachineDescription& machine,
                     double payload_kg) {
    const auto peak = profile.motion.extremes();
    const double mass_kg = machine.moving_mass_kg + payload_kg;
    report.checks.push_back(warned(held(
        "force", {mass_kg * peak.acceleration_peak_m_s2, peak.acceleration_peak_time_s}, drive_force_max_n(machine),
        "N", "the drive cannot accelerate this payload so much: the sine becomes a double constant")));
    if (const double friction_n = machine.servo.coulomb_n; !(friction_n < drive_force_max_n(machine)))
        report.checks.push_back(held(
            "friction", {friction_n, 0.0}, drive_force_max_n(machine), "N",
            "the drive cannot move the platen at all: correct force_max_n or servo.coulomb_n of the machine file"));
}

/// Only a motion too fast to be followed gets this check: a tenth of the setpoints' rate is ten setpoints per
/// period.
void add_frequency_check(FeasibilityReport& report, const Profile& profile, const MachineDescription& machine) {
    const double limit_hz = machine.feedback_rate_hz / 10.0;
    Worst fastest{0.0, 0.0};
    for (const solver::MotionPiece& piece : profile.motion.pieces())
        for (const solver::HarmonicTerm& term : piece.harmonics)
            if (const double frequency_hz = term.angular_frequency_rad_s / (2.0 * std::numbers::pi);
                frequency_hz > fastest.value)
                fastest = {frequency_hz, piece.start_s};
    if (fastest.value > limit_hz)
        report.checks.push_back(warned(held("frequency", fastest, limit_hz, "Hz",
                                            "fewer than ten setpoints per period: neither the table nor the "
                                            "measurement of its motion can follow")));
}

}  // namespace

bool FeasibilityReport::feasible() const noexcept {
    return std::all_of(checks.begin(), checks.end(),
                       [](const FeasibilityCheck& check) { return check.passed || check.warning_only; });
}

std::string FeasibilityReport::text() const {
    std::string text;
    for (const FeasibilityCheck& check : checks)
        if (!check.passed) text += line(check) + "\n";
    return text;
}

FeasibilityReport check_feasibility(const Profile& profile, const MachineDescription& machine, double payload_kg) {
    FeasibilityReport report;
    add_stroke_checks(report, profile, machine);
    add_rate_checks(report, profile, machine);
    add_force_check(report, profile, machine, payload_kg);
    add_stop_force_check(report, profile, machine, payload_kg);
    add_frequency_check(report, profile, machine);
    report.checks.push_back(
        held("payload", {payload_kg, 0.0}, machine.payload_max_kg, "kg", "remove mass from the platen"));
    return report;
}

FeasibilityReport check_feasibility(std::span<const Profile> axes, const MachineDescription& machine,
                                    double payload_kg) {
    FeasibilityReport report;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        FeasibilityReport one = check_feasibility(axes[i], axis_of(machine, i), payload_kg);
        const bool is_last = i + 1 == axes.size();
        if (!is_last) one.checks.pop_back();  // the payload, once
        if (axes.size() > 1)
            for (std::size_t k = 0; k + (is_last ? 1 : 0) < one.checks.size(); ++k)
                one.checks[k].axis = firmware_iface::kAxisNames[i];
        for (FeasibilityCheck& check : one.checks) report.checks.push_back(std::move(check));
    }
    return report;
}

namespace {

void tighten(firmware_iface::AxisDescription& axis, const DeviceInfo::Axis& device) {
    axis.stroke_m = std::min(axis.stroke_m, device.stroke_m);
    axis.velocity_max_m_s = std::min(axis.velocity_max_m_s, device.velocity_max_m_s);
    axis.acceleration_max_m_s2 = std::min(axis.acceleration_max_m_s2, device.acceleration_max_m_s2);
    axis.acceleration_clean_m_s2 = std::min(axis.acceleration_clean_m_s2, axis.acceleration_max_m_s2);
    axis.stop_deceleration_m_s2 = std::min(axis.stop_deceleration_m_s2, device.stop_deceleration_m_s2);
}

/// The machine file with every number that the device reports.
void tell(firmware_iface::AxisDescription& axis, const DeviceInfo::Axis& device) noexcept {
    axis.stroke_m = device.stroke_m;
    axis.velocity_max_m_s = device.velocity_max_m_s;
    axis.acceleration_max_m_s2 = device.acceleration_max_m_s2;
    axis.stop_deceleration_m_s2 = device.stop_deceleration_m_s2;
    axis.counts_per_m = device.counts_per_m;
    axis.encoder_sign = device.encoder_sign;
    axis.accelerometer_sign = device.accelerometer_sign;
}

bool same_axes(const MachineDescription& machine, const DeviceInfo& device) noexcept {
    if (device.axes.size() != machine.axis_count()) return false;
    for (std::size_t i = 0; i < device.axes.size(); ++i)
        if (device.axes[i].name != firmware_iface::kAxisNames[i]) return false;
    return true;
}

/// How the axes differ, in words.
std::string other_axes(const MachineDescription& machine, const DeviceInfo& device) {
    if (device.axes.front().name != kAxisName)
        return "the first axis of the device is \"" + device.axes.front().name + "\", but Topple drives \"" +
               std::string(kAxisName) + "\". ";
    if (machine.y) return "the machine file has a table [y], but the device has only axis x. ";
    return "the device has an axis y, but the machine file has no table [y]. ";
}

}  // namespace

MachineDescription tightened(const MachineDescription& machine, const DeviceInfo::Axis& device) {
    MachineDescription effective = machine;
    tighten(effective, device);
    return effective;
}

MachineDescription tightened(const MachineDescription& machine, const DeviceInfo& device) {
    MachineDescription effective = machine;
    tighten(effective, device.axes.front());
    if (effective.y && device.axes.size() > 1) tighten(*effective.y, device.axes[1]);
    return effective;
}

bool differs_untold(const MachineDescription& machine, const DeviceInfo& device) noexcept {
    if (device.axes.empty()) return true;
    MachineDescription told = machine;
    tell(told, device.axes.front());
    if (told.y && device.axes.size() > 1) tell(*told.y, device.axes[1]);
    return configuration_hash(told) != device.configuration_hash;
}

std::string mismatch(const MachineDescription& machine, const DeviceInfo& info) {
    if (info.axes.empty()) return "the device reports no axis.";
    std::string text;
    if (!same_axes(machine, info)) text += other_axes(machine, info);
    const auto differ = [&](const std::string& what, double mine, double theirs) {
        text +=
            what + " is " + all_digits(mine) + " in the machine file and " + all_digits(theirs) + " in the device. ";
    };
    const auto compare = [&](const firmware_iface::AxisDescription& mine, const DeviceInfo::Axis& device) {
        const std::string of = machine.y ? " of axis " + device.name : std::string();
        if (device.counts_per_m != mine.counts_per_m)
            differ("counts per metre" + of, mine.counts_per_m, device.counts_per_m);
        if (device.encoder_sign != mine.encoder_sign)
            differ("encoder sign" + of, mine.encoder_sign, device.encoder_sign);
        if (device.accelerometer_sign != mine.accelerometer_sign)
            differ("accelerometer sign" + of, mine.accelerometer_sign, device.accelerometer_sign);
    };
    compare(machine, info.axes.front());
    if (machine.y && info.axes.size() > 1) compare(*machine.y, info.axes[1]);
    const double rate_hz = 1e6 / info.feedback_period_us;  // infinite for none
    if (!(std::abs(rate_hz - machine.feedback_rate_hz) <= kFeedbackRateTolerance * machine.feedback_rate_hz))
        differ("feedback rate (Hz)", machine.feedback_rate_hz, rate_hz);
    const bool limits_are_sound = std::all_of(info.axes.begin(), info.axes.end(), [](const DeviceInfo::Axis& device) {
        for (const double limit :
             {device.stroke_m, device.velocity_max_m_s, device.acceleration_max_m_s2, device.stop_deceleration_m_s2})
            if (!(std::isfinite(limit) && limit > 0.0)) return false;
        return true;
    });
    if (!limits_are_sound) text += "the device reports a limit that is not a positive number. ";
    if (same_axes(machine, info) && differs_untold(machine, info))
        text +=
            "A number that the device does not report (clean acceleration, brake, buffer travel, following error, "
            "masses, accelerometer scale and offset, feedback rate, settling time) differs from the machine file. ";
    if (!text.empty()) text.pop_back();
    return text;
}

}  // namespace topple::controller
