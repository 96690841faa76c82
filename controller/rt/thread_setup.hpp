// Real-time scheduling for the calling thread, as far as the system grants it, and what was actually obtained.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "firmware_iface/clock.hpp"

namespace topple::controller {

/// SCHED_FIFO of whatever follows a moving table: above everything ordinary, below the kernel's own.
inline constexpr int kTickPriority = 60;

/// What a thread asks the system for.
struct ThreadRequest {
    int priority = kTickPriority;          ///< of SCHED_FIFO, 1 .. 99
    std::optional<int> processor{};        ///< the only one to run on, from 0; empty: any
    std::size_t stack_bytes = 256 * 1024;  ///< touched, so that no deadline waits for these pages
};

/// What the calling thread asked for and what it runs under. Goes into the run's manifest with every test.
struct ThreadSetup {
    ThreadRequest asked;
    bool fifo = false;              ///< SCHED_FIFO in force
    int priority = 0;               ///< of SCHED_FIFO; 0 if not in force
    std::string fifo_refusal;       ///< the system's reason, empty if fifo
    bool memory_locked = false;     ///< present pages stay in memory
    bool future_locked = false;     ///< so do pages allocated later
    std::string lock_refusal;       ///< the system's reason, empty if both locks are in force
    int processors = 0;             ///< the thread may run on
    std::string processor_refusal;  ///< the system's reason; empty if asked.processor is in force, or not asked for
    bool real_time() const noexcept { return fifo && memory_locked; }
    std::string text() const;  ///< one line for the operator and the log
};

/// Asks for SCHED_FIFO, for the processor and for locked memory, touches the stack, and reads back what is in force.
/// Never fails: without the rights the thread continues unchanged. Pages yet to come are locked only where the memory
/// limit is unlimited, since otherwise a later allocation would fail.
ThreadSetup set_up_thread(const ThreadRequest& request) noexcept;

/// Back to ordinary scheduling and unlocked memory (after the test). A processor stays: only threads of their own ask
/// for one.
void restore_thread() noexcept;

/// Numbers of the processors that the calling thread may run on, rising from 0.
std::vector<int> allowed_processors();

/// Real-time scheduling for as long as it lives, as far as the system grants it; nothing on a virtual clock.
class RealTime {
  public:
    explicit RealTime(const firmware_iface::Clock& clock, const ThreadRequest& request = {})
        : wanted_(!clock.is_virtual()) {
        if (wanted_) setup_ = set_up_thread(request);
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
