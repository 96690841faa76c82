// Can this machine make this motion, and can it stop at every instant of it?
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controller/profile/profile.hpp"
#include "firmware_iface/device_info.hpp"
#include "firmware_iface/machine.hpp"

namespace topple::controller {

/// Between the reach of a motion and the end of the stroke: half a following error of a well-tuned table.
inline constexpr double kStrokeMargin_m = 0.002;
/// A stop takes effect this many feedback periods after its cause: seen, sent, acted on.
inline constexpr double kReactionPeriods = 3.0;

/// One limit, checked against the motion.
struct FeasibilityCheck {
    std::string name;    ///< "stroke", "stroke with room to stop", "velocity", "acceleration", "payload", ...
    double value = 0.0;  ///< worst over the motion, SI
    double limit = 0.0;
    double time_s = 0.0;  ///< where the worst is; 0 for the payload
    std::string unit;
    bool passed = true;
    bool warning_only = false;  ///< acceleration_clean, the S0 cases
    std::string advice;         ///< what to do if not passed
    std::string axis{};         ///< "x" or "y" on a table of two axes; else, and for the payload, empty
};

struct FeasibilityReport {
    std::vector<FeasibilityCheck> checks;
    bool feasible() const noexcept;  ///< no failed check that is not warning_only
    std::string text() const;        ///< one line per failed or warned check; empty if there is none
};

/// At every instant the platen could stop within stroke - kStrokeMargin_m:
/// |x| + |v| t_react + v^2/(2 stop_deceleration) for outward motion, besides the plain limits.
/// t_react = kReactionPeriods feedback periods. The S0 cases are compared with buffer_travel and only warn: drive off
/// at once, and a drive that fails as a stop begins (docs/safety.md). Give the effective limits (see tightened).
FeasibilityReport check_feasibility(const Profile& profile, const firmware_iface::MachineDescription& machine,
                                    double payload_kg);
/// The same of each axis of the machine, in the order x, y, and of the payload once.
FeasibilityReport check_feasibility(std::span<const Profile> axes, const firmware_iface::MachineDescription& machine,
                                    double payload_kg);

/// The first axis of every device.
inline constexpr std::string_view kAxisName = firmware_iface::kAxisNames[0];
/// Of the device's feedback rate against the machine file's, relative: a device counts its period in whole control
/// cycles.
inline constexpr double kFeedbackRateTolerance = 0.1;

/// Effective limits: the tighter of the machine file's and what the device reports; neither widens the other.
firmware_iface::MachineDescription tightened(const firmware_iface::MachineDescription& machine,
                                             const firmware_iface::DeviceInfo::Axis& device);
/// The same of every axis; both must have the same ones (see mismatch).
firmware_iface::MachineDescription tightened(const firmware_iface::MachineDescription& machine,
                                             const firmware_iface::DeviceInfo& device);
/// Whether a number that the device does not report (brake, buffer, following error ...) differs from that of the
/// machine file; the configuration hash shows it.
bool differs_untold(const firmware_iface::MachineDescription& machine,
                    const firmware_iface::DeviceInfo& device) noexcept;
/// Why machine file and device must not work together: their axes differ, counts per metre or a sign differ, the
/// feedback rate does by more than a tenth, a device limit is not a positive number, or differs_untold(). One sentence
/// each, empty if they agree. The caller refuses to move.
std::string mismatch(const firmware_iface::MachineDescription& machine, const firmware_iface::DeviceInfo& device);

}  // namespace topple::controller
