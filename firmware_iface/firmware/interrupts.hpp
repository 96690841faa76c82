// Cortex-M: a few instructions during which no interrupt comes, and sleeping until one does.
#pragma once

#include <cstdint>

namespace topple::firmware {

/// While it lives no interrupt is taken. May be nested. Keep it to microseconds: the control cycle waits.
class InterruptsOff {
  public:
    InterruptsOff() noexcept {
        __asm volatile("mrs %0, primask" : "=r"(before_));
        __asm volatile("cpsid i" ::: "memory");
    }
    ~InterruptsOff() { __asm volatile("msr primask, %0" ::"r"(before_) : "memory"); }
    InterruptsOff(const InterruptsOff&) = delete;
    InterruptsOff& operator=(const InterruptsOff&) = delete;

  private:
    std::uint32_t before_ = 0;
};

inline void wait_for_interrupt() noexcept { __asm volatile("wfi" ::: "memory"); }

}  // namespace topple::firmware
