// Can this machine make this motion, and can it stop at every instant of it?
#pragma once

#include <string>
#include <vector>

#include "controller/profile/profile.hpp"
#include "firmware_iface/machine.hpp"

namespace topple::controller {

/// One limit held against the motion.
struct FeasibilityCheck {
    std::string name;          ///< "stroke", "stroke with room to stop", "velocity", "acceleration", "payload", ...
    double value = 0.0;        ///< worst over the motion, SI
    double limit = 0.0;
    double time_s = 0.0;       ///< where the worst is
    std::string unit;
    bool passed = true;
    bool warning_only = false; ///< acceleration_clean, S0 braking distance
    std::string advice;        ///< what to do if not passed
};

struct FeasibilityReport {
    std::vector<FeasibilityCheck> checks;
    bool feasible() const noexcept;  ///< no failed check that is not warning_only
    std::string text() const;        ///< one line per failed or warned check
};

/// At every instant |x| + |v| t_react + v^2/(2 stop_deceleration) <= stroke - 2 mm, besides the plain limits.
/// t_react = look-ahead-free reaction of the device: 3 feedback periods.
FeasibilityReport check_feasibility(const Profile& profile, const firmware_iface::MachineDescription& machine,
                                    double payload_kg);

}  // namespace topple::controller
