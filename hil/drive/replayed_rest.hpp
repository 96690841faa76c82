// When the test that is played again took its platen to be at rest, to learn the accelerometer's bias.
#pragma once

#include <cstdint>

#include "firmware_iface/samples.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::drive {

/// Follows the course of MotionDriver::script: at rest from the first tick to the first motion, and again from the end
/// of the positioning and the settling behind it to the motion of the test.
class ReplayedRest {
  public:
    ReplayedRest(const run_log::RunData& run, double settling_time_s)
        : settling_us_(static_cast<std::uint64_t>(settling_time_s * 1e6)) {
        const auto begins = run.event_time_us(run_log::EventKind::positioning_start);
        if (!begins) return;
        for (const firmware_iface::Setpoint& setpoint : run.setpoints)
            if (setpoint.final && setpoint.device_time_us >= *begins) {
                last_us_ = setpoint.device_time_us;
                return;
            }
    }

    bool is_on() const noexcept { return is_on_; }

    void take(const run_log::EventRecord& event) noexcept {
        using run_log::EventKind;
        if (event.kind == EventKind::recording_start) is_on_ = true;
        if (event.kind == EventKind::positioning_start || event.kind == EventKind::motion_start) is_on_ = false;
        is_positioning_ = event.kind == EventKind::positioning_start ||
                          (is_positioning_ && !is_on_ && event.kind != EventKind::motion_start);
    }
    void take(const firmware_iface::Feedback& feedback) noexcept {
        newest_us_ = feedback.device_time_us;
        if (is_positioning_ && feedback.motion_done && newest_us_ >= last_us_) is_done_ = true;
    }
    void end_tick() noexcept {
        if (!is_positioning_ || is_on_) return;
        if (is_done_ && settled_us_ == 0) settled_us_ = newest_us_ + settling_us_;
        if (settled_us_ != 0 && newest_us_ >= settled_us_) is_on_ = true;
    }

  private:
    std::uint64_t settling_us_, last_us_ = UINT64_MAX, newest_us_ = 0, settled_us_ = 0;
    bool is_on_ = false, is_positioning_ = false, is_done_ = false;
};

}  // namespace topple::hil::drive
