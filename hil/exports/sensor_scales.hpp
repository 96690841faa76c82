// What turns a log's counts and accelerometer readings into metres and true accelerations.
#pragma once

#include <array>
#include <cmath>
#include <filesystem>

#include "firmware_iface/samples.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::exports {

/// Signed scales of one axis; NaN: not known, and what needs them is absent.
struct AxisScales {
    double counts_per_m = std::nan("");
    double true_per_reported = std::nan("");  ///< acceleration
};
using SensorScales = std::array<AxisScales, firmware_iface::kAxesMax>;

/// From the log's metadata, else from machine.toml beside it. Throws InputError if that cannot be read.
SensorScales sensor_scales(const run_log::RunData& run, const std::filesystem::path& log);

}  // namespace topple::hil::exports
