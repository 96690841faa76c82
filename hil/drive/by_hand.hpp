// Moving a table by hand: what `topple table` does.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "firmware_iface/table_link.hpp"

namespace topple::hil::drive {

/// Several lines for a person: state, position, fault, limits. Waits for one feedback. Throws DeviceError.
std::string describe_state(firmware_iface::TableLink& link, const firmware_iface::MachineDescription& machine);

/// Clears the latched fault. Throws DeviceError if the device refuses.
void clear_table(firmware_iface::TableLink& link);

/// Throws InputError for a position outside the stroke of axis x of `machine`, with a margin at its ends, or for one
/// along y outside that of axis y or without such an axis.
void require_within_stroke(const firmware_iface::MachineDescription& machine, double position_m,
                           std::optional<double> position_y_m = std::nullopt);

/// Gentle move (0.05 m/s, 0.5 m/s2) from where the table is held to position_m, then disarms. Axis y, if there is one,
/// goes to position_y_m; left out: it holds where it is. `machine`: effective
/// limits. Throws InputError as require_within_stroke(), DeviceError if the move is refused, stopped or fails, then
/// after the table has held where it came to rest for 5 s and has been disarmed.
void move_table(firmware_iface::TableLink& link, firmware_iface::Clock& clock,
                const firmware_iface::MachineDescription& machine, double position_m,
                const std::atomic<bool>& stop_requested, std::optional<double> position_y_m = std::nullopt);

/// Stops whatever moves in this session's table. Throws DeviceError if the platen is not at rest within 3 s.
void stop_table(firmware_iface::TableLink& link, firmware_iface::Clock& clock);

}  // namespace topple::hil::drive
