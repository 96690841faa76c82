// Real-time scheduling for the calling thread, as far as the system grants it, and what was actually obtained.
#pragma once

#include <cstddef>
#include <string>

#include "firmware_iface/clock.hpp"

namespace topple::controller {

/// What the calling thread runs under. Goes into the run's manifest with every test.
struct ThreadSetup {
    bool fifo = false;           ///< SCHED_FIFO in force
    int priority = 0;            ///< of SCHED_FIFO; 0 if not in force
    std::string fifo_refusal;    ///< the system's reason, empty if fifo
    bool memory_locked = false;  ///< present pages stay in memory
    bool future_locked = false;  ///< so do pages allocated later
    std::string lock_refusal;    ///< the system's reason, empty if both locks are in force
    int processors = 0;          ///< the thread may run on
    bool real_time() const noexcept { return fifo && memory_locked; }
    std::string text() const;  ///< one line for the operator and the log
};

/// Asks for SCHED_FIFO at `priority` (1 .. 99) and for locked memory, touches `stack_bytes` of stack, and reads back
/// what is in force. Never fails: without the rights the thread continues unchanged. Pages yet to come are locked only
/// where the memory limit is unlimited, since otherwise a later allocation would fail.
ThreadSetup set_up_thread(int priority, std::size_t stack_bytes = 256 * 1024) noexcept;

/// Back to ordinary scheduling and unlocked memory (after the test).
void restore_thread() noexcept;

/// SCHED_FIFO of whatever follows a moving table: above everything ordinary, below the kernel's own.
inline constexpr int kTickPriority = 60;

/// Real-time scheduling for as long as it lives, as far as the system grants it; nothing on a virtual clock.
class RealTime {
  public:
    explicit RealTime(const firmware_iface::Clock& clock) : wanted_(!clock.is_virtual()) {
        if (wanted_) setup_ = set_up_thread(kTickPriority);
    }
    ~RealTime() {
        if (wanted_) restore_thread();
    }
    RealTime(const RealTime&) = delete;
    RealTime& operator=(const RealTime&) = delete;
    const ThreadSetup& setup() const noexcept { return setup_; }

  private:
    bool wanted_;
    ThreadSetup setup_;
};

}  // namespace topple::controller
