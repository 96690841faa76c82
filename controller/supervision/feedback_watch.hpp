// Is what the table says of itself sound and within limits? Every feedback, on the host's side.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "controller/supervision/states.hpp"
#include "firmware_iface/clock.hpp"
#include "firmware_iface/feedback_defect.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::controller {

/// A limit that a feedback broke; value and limit in SI units, 0 where they have no meaning.
struct Violation {
    StopReason reason = StopReason::none;
    double value = 0.0;
    double limit = 0.0;
    std::size_t axis = 0;  ///< whose: 0 x, 1 y
};

/// Why a motion ends on a feedback with this defect; none for none.
StopReason reason_of(firmware_iface::FeedbackDefect defect) noexcept;

/// The device's clock beside the host's: does it go on, and not too fast? Not how well (firmware_iface/clock_sync.hpp).
class ClockWatch {
  public:
    /// A reading has brought this newest device time. True if the clock is ahead of what the host's time since the last
    /// reading explains, by more than feedback can have been under way.
    bool jumped_ahead(std::uint64_t device_time_us, firmware_iface::Nanoseconds now) noexcept;
    /// Since the device time last became another one, or since `start`.
    firmware_iface::Nanoseconds standing(firmware_iface::Nanoseconds now) const noexcept { return now - moved_; }
    void start(firmware_iface::Nanoseconds now) noexcept { moved_ = heard_ = now; }

    /// Above the second that feedback of a busy computer's simulated table may be late.
    static constexpr firmware_iface::Nanoseconds kAheadMax = std::chrono::seconds(2);

  private:
    bool any_ = false;
    std::uint64_t newest_us_ = 0;
    firmware_iface::Nanoseconds heard_{0}, moved_{0};
};

/// Looks at every axis of the machine, and at the finiteness of everything. Give the effective limits.
class FeedbackWatch {
  public:
    explicit FeedbackWatch(const firmware_iface::MachineDescription& machine) noexcept;

    /// Every new feedback once, in order. The first violation found, nothing if all is well. A jump of count or time is
    /// a violation once: what follows is compared with the new value.
    std::optional<Violation> check(const firmware_iface::Feedback& feedback) noexcept;
    /// The encoders have stood still (below kRestSpeed_m_s) for the last kRestSamples feedbacks.
    bool standing() const noexcept { return still_samples_ >= kRestSamples; }
    /// Of the newest feedback, table frame.
    double position_m(std::size_t axis = 0) const noexcept { return axes_[axis].position_m; }
    std::size_t axis_count() const noexcept { return axis_count_; }

    static constexpr double kRestSpeed_m_s = 0.005;  ///< 10 counts in a period at 500 Hz and 1e6 counts/m
    static constexpr int kRestSamples = 10;

  private:
    struct Axis {
        double stroke_m = 0.0, velocity_max_m_s = 0.0, following_error_max_m = 0.0, metres_per_count = 0.0;
        double position_m = 0.0;
    };
    std::optional<Violation> step(const firmware_iface::Feedback& feedback) noexcept;
    std::optional<Violation> check_axis(const firmware_iface::Feedback& feedback, std::size_t index) const noexcept;

    std::array<Axis, firmware_iface::kAxesMax> axes_{};
    std::size_t axis_count_ = 1;
    bool any_ = false;
    std::uint64_t device_time_us_ = 0;
    int still_samples_ = 0;
};

}  // namespace topple::controller
