#include "hil/compare/motion_window.hpp"

#include <algorithm>
#include <cmath>

#include "hil/compare/achieved_motion.hpp"

namespace topple::hil::compare {
namespace {

using firmware_iface::Feedback;
using run_log::EventKind;
using run_log::RunData;

// Last instant before the motion at which the platen was still commanded to move; lowest() if never.
double last_commanded_move_s(const RunData& run, std::uint64_t origin_us) {
    double last_s = -std::numeric_limits<double>::infinity();
    for (const Feedback& feedback : run.feedback) {
        const double t = seconds_from(origin_us, feedback.device_time_us);
        if (t < 0.0 && feedback.axes[0].setpoint_velocity_m_s != 0.0) last_s = std::max(last_s, t);
    }
    return last_s;
}

double motion_end(const RunData& run, std::uint64_t origin_us, double window_end_s) {
    if (const auto done = run.event_time_us(EventKind::motion_done))
        return std::clamp(seconds_from(origin_us, *done), 0.0, std::max(0.0, window_end_s));
    double end_s = 0.0;
    for (const Feedback& feedback : run.feedback) {
        const double t = seconds_from(origin_us, feedback.device_time_us);
        if (t >= 0.0 && t <= window_end_s && feedback.axes[0].setpoint_velocity_m_s != 0.0) end_s = std::max(end_s, t);
    }
    return end_s;
}

}  // namespace

double seconds_from(std::uint64_t origin_us, std::uint64_t device_time_us) noexcept {
    return 1e-6 * static_cast<double>(static_cast<std::int64_t>(device_time_us - origin_us));
}

std::vector<double> within(std::span<const double> time_s, std::span<const double> value, double start_s,
                           double end_s) {
    std::vector<double> inside;
    for (std::size_t i = 0; i < std::min(time_s.size(), value.size()); ++i)
        if (time_s[i] >= start_s && time_s[i] <= end_s) inside.push_back(value[i]);
    return inside;
}

MotionWindow find_motion_window(const RunData& run) {
    MotionWindow window;
    if (run.feedback.empty()) return window;
    const std::uint64_t origin_us = motion_origin_us(run);
    const double last_move_s = last_commanded_move_s(run, origin_us);
    const double first_s = seconds_from(origin_us, run.feedback.front().device_time_us);
    window.start_s = std::max({first_s, last_move_s + kRestGuard_s, -kLeadIn_s});
    window.end_s = seconds_from(origin_us, run.feedback.back().device_time_us);
    for (const EventKind kind : {EventKind::recording_end, EventKind::return_start})
        if (const auto time_us = run.event_time_us(kind); time_us && *time_us > origin_us)
            window.end_s = std::min(window.end_s, seconds_from(origin_us, *time_us));
    window.motion_end_s = motion_end(run, origin_us, window.end_s);
    window.rest_start_s = std::max(window.start_s, last_move_s + kRestSettling_s);
    window.rest_end_s = -kRestGuard_s;
    if (window.rest_end_s - window.rest_start_s < kRestShortest_s) window.rest_end_s = window.rest_start_s;
    return window;
}

}  // namespace topple::hil::compare
