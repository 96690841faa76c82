// The cycle of the host: absolute deadlines and their measured lateness.
#pragma once

#include <cstdint>

#include "firmware_iface/clock.hpp"

namespace topple::controller {

/// When one cycle was due and when it began. Times are the clock's.
struct CycleStart {
    std::uint64_t cycle = 0;          ///< counts deadlines, skipped ones too: deadline = first + cycle * period
    std::int64_t deadline_ns = 0;     ///< scheduled start
    std::int64_t wake_late_ns = 0;    ///< actual start - deadline, >= 0
    std::uint32_t cycles_missed = 0;  ///< deadlines skipped right before this one
};

/// Cycles at first + k * period. A cycle that runs late is followed by the next deadline that has not yet passed by a
/// whole period: what was missed is counted and skipped, never made up for in a burst, and the grid never moves.
///
///   PeriodicLoop loop(clock, 2ms);
///   while (going) { const CycleStart start = loop.wait(); work(); const auto busy_ns = loop.busy_ns(); }
class PeriodicLoop {
  public:
    /// The first deadline is one period after construction, or after restart(). `period` must be above zero.
    PeriodicLoop(firmware_iface::Clock& clock, firmware_iface::Nanoseconds period)
        : clock_(clock), period_(period), deadline_(clock.now()) {}

    /// Before the first cycle: what was done since construction (setting up the thread) is not a missed deadline.
    void restart() { deadline_ = clock_.now(); }

    /// Sleeps until the next deadline.
    CycleStart wait() {
        CycleStart start;
        deadline_ += period_;
        const auto late = clock_.now() - deadline_;
        if (late >= period_) {
            start.cycles_missed = static_cast<std::uint32_t>(late / period_);
            deadline_ += start.cycles_missed * period_;
        }
        clock_.sleep_until(deadline_);
        woke_ = clock_.now();
        cycle_ += 1 + start.cycles_missed;
        start.cycle = cycle_;
        start.deadline_ns = deadline_.count();
        start.wake_late_ns = (woke_ - deadline_).count();
        missed_ += start.cycles_missed;
        return start;
    }

    /// Duration of the work since wait() returned.
    std::int64_t busy_ns() const noexcept { return (clock_.now() - woke_).count(); }
    firmware_iface::Nanoseconds period() const noexcept { return period_; }
    std::uint64_t cycles_missed() const noexcept { return missed_; }  ///< in all

  private:
    firmware_iface::Clock& clock_;
    firmware_iface::Nanoseconds period_;
    firmware_iface::Nanoseconds deadline_;
    firmware_iface::Nanoseconds woke_{0};
    std::uint64_t cycle_ = 0;
    std::uint64_t missed_ = 0;
};

}  // namespace topple::controller
