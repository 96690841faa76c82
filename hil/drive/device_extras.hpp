// What an experiment wants of a device beyond moving: a trigger output, auxiliary analog inputs.
#pragma once

#include <string>

#include "firmware_iface/device_info.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::drive {

/// Throws InputError if the experiment asks for a trigger output that the device does not have, or if its machine file
/// lists more auxiliary channels than the device has.
void require_extras(const experiment::Experiment& experiment, const firmware_iface::DeviceInfo& device);

/// What to tell the operator if the machine file was calibrated on a table with another serial number than the device
/// reports. Empty for a simulated table, without a calibration, and where the device reports no number.
std::string calibration_warning(const experiment::Experiment& experiment, const firmware_iface::DeviceInfo& device);

}  // namespace topple::hil::drive
