#include "firmware_iface/clock.hpp"

#include <cerrno>
#include <ctime>

namespace topple::firmware_iface {

Nanoseconds MonotonicClock::now() const noexcept {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return std::chrono::seconds(t.tv_sec) + Nanoseconds(t.tv_nsec);
}

void MonotonicClock::sleep_until(Nanoseconds deadline) {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(deadline);
    const timespec t{whole.count(), (deadline - whole).count()};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr) == EINTR && now() < deadline) {
    }
}

void VirtualClock::sleep_until(Nanoseconds deadline) {
    if (deadline <= now_) return;
    now_ = deadline;
    if (on_advance_) on_advance_(now_);
}

}  // namespace topple::firmware_iface
