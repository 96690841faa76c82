// Injected time: the machine's monotonic clock, or a virtual one on which simulations run in lockstep.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

namespace topple::firmware_iface {

using Nanoseconds = std::chrono::nanoseconds;  ///< since an arbitrary epoch of the clock

class Clock {
  public:
    virtual ~Clock() = default;
    virtual Nanoseconds now() const noexcept = 0;
    /// Returns at the absolute deadline, or at once if it has passed.
    virtual void sleep_until(Nanoseconds deadline) = 0;
    virtual bool is_virtual() const noexcept = 0;
    void sleep_for(Nanoseconds duration) { sleep_until(now() + duration); }
};

/// CLOCK_MONOTONIC with absolute deadlines.
class MonotonicClock final : public Clock {
  public:
    Nanoseconds now() const noexcept override;
    void sleep_until(Nanoseconds deadline) override;
    bool is_virtual() const noexcept override { return false; }
};

/// Time that moves only when slept on; `on_advance` is called with the new time before sleep_until returns
/// (the simulated table catches up there), so host and device run in lockstep in one thread.
class VirtualClock final : public Clock {
  public:
    explicit VirtualClock(std::function<void(Nanoseconds)> on_advance = {}) : on_advance_(std::move(on_advance)) {}
    Nanoseconds now() const noexcept override { return now_; }
    void sleep_until(Nanoseconds deadline) override;
    bool is_virtual() const noexcept override { return true; }
    void set_on_advance(std::function<void(Nanoseconds)> on_advance) { on_advance_ = std::move(on_advance); }

  private:
    Nanoseconds now_{0};
    std::function<void(Nanoseconds)> on_advance_;
};

}  // namespace topple::firmware_iface
