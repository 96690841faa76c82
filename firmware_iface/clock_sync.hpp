// The device's clock in terms of the host's: a line under the least delayed readings, with an error bound.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "firmware_iface/clock.hpp"

namespace topple::firmware_iface {

struct ClockSyncSettings {
    double round_trip_s = 0.001;      ///< of a question and its answer: no feedback is under way for longer at best
    double reading_period_s = 0.002;  ///< the host looks this often: a sample waits so long for its reader
    double skew_limit_ppm = 200.0;    ///< quartz clocks stay below 100; above this `drifting`
    double window_s = 0.5;            ///< of device time; the least delayed reading of each is kept
};

/// The device's clock stepped against the host's.
struct ClockJump {
    std::uint64_t device_time_us = 0;  ///< of the sample at which it was certain
    double step_s = 0.0;               ///< positive: the device's clock jumped ahead; negative: back, or it stood still
};

/// host time of a sample = line(device time) - half of what delivery may take + at most bound().
///
/// A reading is never earlier than its sample, and late by a delay with a heavy tail. Of each window of device time the
/// least delayed reading is kept, 64 s of them; the line is the edge of their lower convex hull under the mean time:
/// late readings, however many, do not touch it. A host that reads every 2 ms sees the two clocks beat: until the
/// beat has completed one cycle, the skew is known only to 2 x (period + spread) / span, which is the value of
/// skew_bound_ppm().
///
/// Jumps, from steps of round trip + reading period + 4 ms on: ahead (a reading earlier than any delay allows) within
/// 20 readings; device time that runs backwards, from 2 ms on, within 10 readings; a clock that stood still (every
/// reading late) within 0.6 s, once two windows are known. After a jump everything is learnt again. A stall of the host
/// is no jump: give only the newest sample of each reading. Fixed memory; nothing allocates or throws.
class ClockSync {
  public:
    explicit ClockSync(const ClockSyncSettings& settings = {}) noexcept : settings_(settings) {}

    /// `device_time_us` of the newest sample of a reading made at `host`. Returns a jump when it is certain.
    std::optional<ClockJump> observe(std::uint64_t device_time_us, Nanoseconds host) noexcept;

    bool ready() const noexcept { return count_ >= 2; }  ///< else the following give only rough values
    /// When a sample was taken, on the host's clock.
    Nanoseconds host_time(std::uint64_t device_time_us) const noexcept;
    double bound_s(std::uint64_t device_time_us) const noexcept;  ///< of host_time's error, either way
    double skew_ppm() const noexcept;                             ///< device clock fast against the host's
    double skew_bound_ppm() const noexcept;                       ///< of its error, either way
    bool drifting() const noexcept;                               ///< the skew is certainly beyond its limit
    std::uint32_t jumps() const noexcept { return jumps_; }

    static constexpr std::size_t kWindowsMax = 128;

  private:
    /// x: device time since the origin, s. y: host time since the origin minus x, s.
    struct Reading {
        double x = 0.0, y = 0.0;
    };
    double residual(const Reading& reading) const noexcept { return reading.y - offset_ - slope_ * reading.x; }
    const Reading& window(std::size_t i) const noexcept { return windows_[(first_ + i) % kWindowsMax]; }
    double seconds_since_origin(std::uint64_t device_time_us) const noexcept;
    std::optional<ClockJump> look_for_jump(const Reading& reading, double backwards_s) noexcept;
    std::optional<ClockJump> look_ahead(double residual_s) noexcept;
    std::optional<ClockJump> look_behind(const Reading& reading, double residual_s) noexcept;
    void begin(std::uint64_t device_time_us, Nanoseconds host) noexcept;
    void collect(const Reading& reading) noexcept;
    void fit() noexcept;

    ClockSyncSettings settings_;
    bool any_ = false;
    std::uint64_t origin_us_ = 0, last_us_ = 0;
    Nanoseconds origin_{0};

    std::array<Reading, kWindowsMax> windows_{};  // ring, oldest at first_
    std::size_t first_ = 0, count_ = 0;
    Reading least_;  // of the window that is open
    double window_end_s_ = 0.0;
    double offset_ = 0.0, slope_ = 0.0, spread_s_ = 0.0;  // line y = offset + slope x under the windows

    int ahead_count_ = 0, readings_since_ahead_ = 0;
    double ahead_residual_s_ = 0.0;
    int backwards_patience_ = 0;  // readings left in which a backward step may be confirmed
    double backwards_s_ = 0.0;
    int late_count_ = 0;
    double late_since_s_ = 0.0, late_residual_s_ = 0.0;
    std::uint32_t jumps_ = 0;
};

}  // namespace topple::firmware_iface
