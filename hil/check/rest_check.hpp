// The table without motion: state, limits and agreement with the machine file, sensors at rest.
#pragma once

#include <span>
#include <vector>

#include "hil/check/check.hpp"
#include "hil/check/checked_table.hpp"

namespace topple::hil::check {

/// 10 mg: a third of the weakest thing such a sensor is used for.
inline constexpr double kAccelerometerNoiseMax_m_s2 = 0.1;

/// State, fault, homed.
std::vector<CheckResult> judge_state(const firmware_iface::Feedback& feedback);

/// What the device says of itself against the machine file: limits (the tighter one counts: a warning),
/// counts and signs (must be the same).
std::vector<CheckResult> judge_agreement(const firmware_iface::DeviceInfo& device,
                                         const firmware_iface::MachineDescription& machine);

/// Bias and noise of the accelerometer, unrest of the encoder. Skipped if the platen may be moving.
std::vector<CheckResult> judge_sensors_at_rest(std::span<const firmware_iface::Feedback> feedback,
                                               const firmware_iface::MachineDescription& machine);

}  // namespace topple::hil::check
