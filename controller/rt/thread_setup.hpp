// Real-time scheduling for the calling thread, as far as the system grants it, and what was actually obtained.
#pragma once

#include <cstddef>
#include <string>

namespace topple::controller {

/// What the calling thread runs under. Goes into the run's manifest with every test.
struct ThreadSetup {
    bool fifo = false;            ///< SCHED_FIFO in force
    int priority = 0;             ///< of SCHED_FIFO; 0 if not in force
    std::string fifo_refusal;     ///< the system's reason, empty if fifo
    bool memory_locked = false;   ///< present pages stay in memory
    bool future_locked = false;   ///< so do pages allocated later
    std::string lock_refusal;     ///< the system's reason, empty if both locks are in force
    int processors = 0;           ///< the thread may run on
    bool real_time() const noexcept { return fifo && memory_locked; }
    std::string text() const;     ///< one line for the operator and the log
};

/// Asks for SCHED_FIFO at `priority` (1 .. 99) and for locked memory, touches `stack_bytes` of stack, and reads back what
/// is in force. Never fails: without the rights the thread goes on as it is. Pages yet to come are locked only where
/// the memory limit is unlimited, since otherwise a later allocation would fail.
ThreadSetup set_up_thread(int priority, std::size_t stack_bytes = 256 * 1024) noexcept;

/// Back to ordinary scheduling and unlocked memory (after the test).
void restore_thread() noexcept;

}  // namespace topple::controller
