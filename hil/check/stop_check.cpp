// How long and how far a stop takes, and whether the table stops by itself when the host is gone.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "firmware_iface/fault.hpp"
#include "hil/check/motion_check.hpp"

namespace topple::hil::check {
namespace {

using firmware_iface::DeviceState;
using firmware_iface::FaultCode;
using firmware_iface::Feedback;

constexpr double kReactionPeriods = 3.0;  // docs/safety.md
constexpr double kRestSpeed_m_s = 0.010;  // measured; below it the platen counts as at rest
constexpr std::size_t kSpeedSamples = 5;  // over which it is measured: one count in 10 ms is 0.1 mm/s

MotionOrder straight_move(double from_m, Intervention intervention) {
    constexpr double kMiddleOfCruise_s = 0.15;
    return {constant_velocity_move(from_m > 0.0 ? -kMoveMax_m : kMoveMax_m), intervention, kMiddleOfCruise_s};
}

/// Index of the first feedback that is no longer of the running motion; size() if there is none.
std::size_t first_stopping(const std::vector<Feedback>& feedback) {
    bool ran = false;
    for (std::size_t i = 0; i < feedback.size(); ++i) {
        ran = ran || feedback[i].state == DeviceState::running;
        if (ran && i > 0 && (feedback[i].state == DeviceState::stopping || feedback[i].state == DeviceState::faulted))
            return i;
    }
    return feedback.size();
}

std::size_t first_commanded_rest(const std::vector<Feedback>& feedback, std::size_t from) {
    while (from < feedback.size() && feedback[from].axes[0].setpoint_velocity_m_s != 0.0) ++from;
    return from;
}

double ms_between(const Feedback& first, const Feedback& second) {
    return (static_cast<double>(second.device_time_us) - static_cast<double>(first.device_time_us)) * 1e-3;
}

/// From the commanded rest until the encoder stays slower than kRestSpeed_m_s, ms; NaN if it never does.
double settling_ms(const std::vector<Feedback>& feedback, std::size_t rest, double counts_per_m) {
    std::size_t last_moving = rest;
    std::size_t seen = rest;
    for (std::size_t i = rest; i + kSpeedSamples < feedback.size(); ++i) {
        const double counts =
            static_cast<double>(feedback[i + kSpeedSamples].axes[0].encoder_count - feedback[i].axes[0].encoder_count);
        const double s = 1e-3 * ms_between(feedback[i], feedback[i + kSpeedSamples]);
        if (std::abs(counts / counts_per_m / s) >= kRestSpeed_m_s) last_moving = i + 1;
        seen = i + 1;
    }
    if (seen == rest || last_moving == seen) return std::nan("");
    return ms_between(feedback[rest], feedback[last_moving]);
}

std::vector<CheckResult> not_stopped(const std::string& why) {
    std::vector<CheckResult> results;
    for (const char* name : {"motion.stop_time", "motion.stop_distance", "motion.stop_settling"})
        results.push_back(
            worded_check(name, Verdict::fail, why, "the table did not answer the stop: do not use this table"));
    return results;
}

}  // namespace

MotionOrder move_and_stop(double from_m) { return straight_move(from_m, Intervention::stop); }
MotionOrder move_and_fall_silent(double from_m) { return straight_move(from_m, Intervention::silence); }

std::vector<CheckResult> judge_stop(const RecordedMotion& stopped, const CheckedTable& table) {
    const auto& feedback = stopped.feedback;
    const std::size_t stopping = first_stopping(feedback);
    const std::size_t rest = first_commanded_rest(feedback, stopping);
    if (rest >= feedback.size()) return not_stopped("the stop was not carried out: " + stopped.text);
    const Feedback& before = feedback[stopping - 1];
    const double v = std::abs(before.axes[0].setpoint_velocity_m_s);
    const double deceleration = table.link.device().axes.front().stop_deceleration_m_s2;
    const double reaction_ms = kReactionPeriods * table.period_ms();
    const double way_mm =
        1e3 * std::abs(feedback[rest].axes[0].setpoint_position_m - before.axes[0].setpoint_position_m);
    const std::string advice = "a stop takes longer than the device reports: the distance reserved for it is too small";
    std::vector<CheckResult> results{
        judge_at_most({"motion.stop_time", ms_between(before, feedback[rest]), "ms"},
                      hard(1e3 * v / deceleration + reaction_ms), advice),
        judge_at_most({"motion.stop_distance", way_mm, "mm"},
                      hard(1e3 * v * v / (2.0 * deceleration) + v * reaction_ms), advice),
        judge_at_most({"motion.stop_settling", settling_ms(feedback, rest, table.machine.counts_per_m), "ms"},
                      hard(1e3 * table.machine.settling_time_s),
                      "the platen keeps swinging after a stop: check the servo's tuning, or settling_time_s of "
                      "the machine file")};
    results[0].found = fmt::format("from {:.0f} mm/s", 1e3 * v);
    return results;
}

CheckResult judge_watchdog(const RecordedMotion& silent, const CheckedTable& table, double round_trip_ms) {
    const std::string name = "motion.watchdog";
    const std::string advice = "the table would keep moving if the host failed: do not use it";
    const std::size_t stopping = first_stopping(silent.feedback);
    if (silent.last_sent_us == 0 || stopping >= silent.feedback.size())
        return worded_check(name, Verdict::fail, "did not stop when the host was silent: " + silent.text, advice);
    const auto code = static_cast<FaultCode>(silent.fault_code);
    if (code != FaultCode::host_lost)
        return worded_check(name, Verdict::fail,
                            fmt::format("stopped by {}, host_lost was expected", firmware_iface::name(code)), advice);
    const double waited_ms =
        (static_cast<double>(silent.feedback[stopping].device_time_us) - static_cast<double>(silent.last_sent_us)) *
        1e-3;
    // The newest feedback at the last sending was up to a period old, the stop is shown up to a period late,
    // and both were under way for some of the round trip.
    const double limit_ms = kLookAhead_ms + (kReactionPeriods + 2.0) * table.period_ms() + round_trip_ms;
    CheckResult result = judge_at_most({name, waited_ms, "ms"}, hard(limit_ms), advice);
    result.found = "silent until host_lost";
    return result;
}

}  // namespace topple::hil::check
