// An imported motion of which displacement and acceleration were measured: the one calibrated by the other, both fused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware_iface/machine.hpp"
#include "hil/fused_motion/fuse.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::compare {

/// Metadata of an imported log with both channels: "on" or "off".
inline constexpr const char* kDisplacementCheckKey = "displacement_check";
/// Metadata: rate at which a displacement of another file was measured, Hz; and the shift that is searched, s.
inline constexpr const char* kDisplacementRateKey = "displacement_rate_hz";
inline constexpr const char* kDisplacementShiftKey = "displacement_shift_max_s";
/// Metadata: unit that the file stated for the acceleration, files::DeclaredColumns::acceleration_unit.
inline constexpr const char* kAccelerationUnitKey = "acceleration_unit";
inline constexpr const char* kAnyUnit = "any";

struct MotionFusion {
    fused_motion::Calibration calibration;
    double residual_m = 0.0;                      ///< rms of measured less fused displacement
    std::vector<fused_motion::Variant> variants;  ///< on the grid of the achieved motion, not filtered
};

/// Both channels of the whole log, times from t = 0; empty unless its displacement check is "on".
std::optional<fused_motion::MeasuredMotion> both_channels(const run_log::RunData& run,
                                                          const firmware_iface::MachineDescription& machine);
fused_motion::CalibrationOptions calibration_options(const run_log::RunData& run);

struct FusedChannels {
    fused_motion::FusedMotion motion;
    MotionFusion fusion;
};
/// Empty, with a remark where both channels are there, if they cannot be fused.
std::optional<FusedChannels> fuse_channels(const run_log::RunData& run,
                                           const firmware_iface::MachineDescription& machine,
                                           const signal::EvenGrid& grid, std::vector<std::string>& remarks);

}  // namespace topple::hil::compare
