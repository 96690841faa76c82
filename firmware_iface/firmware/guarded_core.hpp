// The device core as the main loop may use it while an interrupt ticks it.
#pragma once

#include <cstdint>

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/firmware/interrupts.hpp"

namespace topple::firmware {

/// What device/dialogue.hpp asks of its core, each call whole: the control cycle comes before it or after it. All are
/// short: the longest, push() and start(), take some hundred instructions (docs/firmware.md).
class GuardedCore {
  private:
    template <class Call>
    static auto whole(const Call& call) noexcept {
        const InterruptsOff off;
        return call();
    }

  public:
    explicit GuardedCore(firmware_iface::DeviceControl& core) noexcept : core_(core) {}

    auto home() noexcept {
        return whole([&] { return core_.home(); });
    }
    auto arm(std::uint64_t hash) noexcept {
        return whole([&] { return core_.arm(hash); });
    }
    auto disarm() noexcept {
        return whole([&] { return core_.disarm(); });
    }
    auto start(std::uint64_t start_us, bool release, bool trigger) noexcept {
        return whole([&] { return core_.start(start_us, release, trigger); });
    }
    auto clear() noexcept {
        return whole([&] { return core_.clear(); });
    }
    auto cause() const noexcept {
        return whole([&] { return core_.cause(); });
    }
    auto state() const noexcept {
        return whole([&] { return core_.state(); });
    }
    auto now_us() const noexcept {
        return whole([&] { return core_.now_us(); });
    }
    void request_stop() noexcept {
        whole([&] { core_.request_stop(); });
    }
    void push(const firmware_iface::Setpoint& setpoint) noexcept {
        whole([&] { core_.push(setpoint); });
    }
    void refuse_data() noexcept {
        whole([&] { core_.refuse_data(); });
    }
    void host_heard() noexcept {
        whole([&] { core_.host_heard(); });
    }
    void host_gone() noexcept {
        whole([&] { core_.host_gone(); });
    }

  private:
    firmware_iface::DeviceControl& core_;
};

}  // namespace topple::firmware
