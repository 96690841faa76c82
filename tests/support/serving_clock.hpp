// The real clock, and a device that is served in the same thread whenever the host sleeps.
#pragma once

#include <functional>

#include "firmware_iface/clock.hpp"

namespace topple::test {

class ServingClock final : public firmware_iface::Clock {
  public:
    std::function<void()> serve = [] {};
    firmware_iface::Nanoseconds now() const noexcept override { return real_.now(); }
    void sleep_until(firmware_iface::Nanoseconds deadline) override {
        serve();
        real_.sleep_until(deadline);
        serve();
    }
    bool is_virtual() const noexcept override { return false; }

    /// Sleeps in steps of 1 ms until `arrived` is true; false after 5 s, which only a broken test takes.
    template <class Arrived>
    bool wait_for(Arrived arrived) {
        for (int step = 0; step < 5000; ++step) {
            if (arrived()) return true;
            sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }

  private:
    firmware_iface::MonotonicClock real_;
};

}  // namespace topple::test
