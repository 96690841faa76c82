// What the operator reads of an identified table, and the lines as columns.
#pragma once

#include <string>

#include "hil/identification/identify_table.hpp"

namespace topple::hil::identification {

/// The motions in one sentence, for the operator who must consent to them.
std::string describe(const IdentificationPlan& plan);

/// Several lines. Nothing that could not be seen is printed as a number: it is said to be missing, and why.
/// `machine`: as used, for comparison.
std::string describe(const Identification& found, const firmware_iface::MachineDescription& machine);

/// frequency_hz, then magnitude, phase_deg, coherence and error_ratio of setpoint to encoder (position_), setpoint's
/// acceleration to accelerometer (accelerometer_) and encoder to force (force_, N/m). A cell is empty where a line is
/// not coherent.
std::string lines_csv(const Identification& found);

}  // namespace topple::hil::identification
