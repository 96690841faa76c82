// Is what the table says of itself sound and within limits? Every feedback, on the host's side.
#pragma once

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

/// Looks at the first axis, and at the finiteness of everything. Give the effective limits.
class FeedbackWatch {
  public:
    explicit FeedbackWatch(const firmware_iface::MachineDescription& machine) noexcept;

    /// Every new feedback once, in order. The first violation found, nothing if all is well. A jump of count or time is
    /// a violation once: what follows is compared with the new value.
    std::optional<Violation> check(const firmware_iface::Feedback& feedback) noexcept;
    /// The encoder has stood still (below kRestSpeed_m_s) for the last kRestSamples feedbacks.
    bool standing() const noexcept { return still_samples_ >= kRestSamples; }
    double position_m() const noexcept { return position_m_; }  ///< of the newest feedback, table frame

    static constexpr double kRestSpeed_m_s = 0.005;  ///< 10 counts in a period at 500 Hz and 1e6 counts/m
    static constexpr int kRestSamples = 10;

  private:
    std::optional<Violation> step(const firmware_iface::Feedback& feedback, double position_m) noexcept;

    double stroke_m_, velocity_max_m_s_, following_error_max_m_, metres_per_count_;
    bool any_ = false;
    std::uint64_t device_time_us_ = 0;
    double position_m_ = 0.0;
    int still_samples_ = 0;
};

}  // namespace topple::controller
