// The flight recorder's incidents as CSV files of the run folder.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "firmware_iface/machine.hpp"
#include "hil/drive/flight_recorder.hpp"

namespace topple::hil::drive {

struct FlightFiles {
    std::vector<std::string> names;  ///< written into the folder
    std::string failure;             ///< of one that could not be written; empty if none
};

/// One flight_<device time in us>_<reason>.csv per incident; the reason is the fault's name if the device reported one.
/// Columns in docs/run_folder.md; numbers read back as the same bits, locale independent.
/// Not for the tick's thread while something moves: writes and syncs. Never throws for a disk that fails.
FlightFiles write_flight_files(const std::filesystem::path& folder, std::span<const FlightIncident> incidents,
                               const firmware_iface::MachineDescription& machine);

}  // namespace topple::hil::drive
