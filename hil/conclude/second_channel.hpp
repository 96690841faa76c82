// The displacement beside a measured acceleration: of another file, and whether the two can be calibrated.
#pragma once

#include <filesystem>

#include "hil/conclude/import_run.hpp"
#include "hil/files/declared_columns.hpp"

namespace topple::hil::conclude {

/// Puts the displacement of `file` at the times of `motion`, which loses the rows outside of it. Returns the rate at
/// which it was measured, Hz. Throws InputError: `motion` has a displacement or no acceleration, its times are uneven,
/// the file has no displacement, or the two do not overlap.
double add_displacement(files::DeclaredColumns& motion, const ImportRequest& request);

/// What `compare` needs to know of the check; nothing if only one channel is there.
std::map<std::string, std::string> displacement_check_metadata(const files::DeclaredColumns& motion,
                                                               const ImportRequest& request,
                                                               double displacement_rate_hz);

/// Throws InputError with the numbers if the check is on and the channels cannot be calibrated.
void require_calibration(const run_log::RunData& run, const firmware_iface::MachineDescription& machine,
                         const ImportRequest& request);

}  // namespace topple::hil::conclude
