// The table under check and what every check of it needs.
#pragma once

#include <atomic>
#include <cstdint>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/table_link.hpp"

namespace topple::hil::check {

/// Connected, not armed. All references outlive the checks.
struct CheckedTable {
    firmware_iface::TableLink& link;
    firmware_iface::Clock& clock;
    const firmware_iface::MachineDescription& machine;  ///< as the machine file says
    const std::atomic<bool>& stop_requested;

    double period_ms() const noexcept { return 1e-3 * static_cast<double>(link.device().feedback_period_us); }
    /// Throws DeviceError once the operator has requested a stop.
    void require_going() const {
        if (stop_requested.load()) throw firmware_iface::DeviceError("stopped by the operator");
    }
};

inline constexpr double kLookAhead_ms = 1e-3 * firmware_iface::kLookAhead_us;

}  // namespace topple::hil::check
