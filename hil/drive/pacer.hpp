// Makes a virtual clock take time, for whoever watches.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "firmware_iface/clock.hpp"

namespace topple::hil::drive {

class Pacer {
  public:
    /// `pace`: virtual seconds per second, > 0; empty: nothing waits.
    explicit Pacer(std::optional<double> pace) noexcept : pace_(pace) {}

    /// Returns when it is time for `now` of the virtual clock; late ones are not made up for by hurrying beyond the
    /// pace. The first call begins. Returns early once `stop`, if given, is set.
    void wait_until(firmware_iface::Nanoseconds now, const std::atomic<bool>* stop = nullptr) {
        if (!pace_) return;
        const auto wall = std::chrono::steady_clock::now();
        if (!begun_) {
            begun_ = true;
            origin_ = wall;
            origin_of_clock_ = now;
        }
        const std::chrono::duration<double, std::nano> virtual_ns = now - origin_of_clock_;
        const auto due = origin_ + std::chrono::duration_cast<std::chrono::nanoseconds>(virtual_ns / *pace_);
        constexpr std::chrono::milliseconds kLook{100};
        while (stop && !*stop && std::chrono::steady_clock::now() + kLook < due) std::this_thread::sleep_for(kLook);
        if (!stop || !*stop) std::this_thread::sleep_until(due);
    }

  private:
    std::optional<double> pace_;
    bool begun_ = false;
    std::chrono::steady_clock::time_point origin_;
    firmware_iface::Nanoseconds origin_of_clock_{0};
};

}  // namespace topple::hil::drive
