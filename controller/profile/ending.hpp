// Other ways to end a motion that is under way: from its state at an instant to rest, within a table's limits.
#pragma once

#include <vector>

#include "controller/profile/profile.hpp"
#include "firmware_iface/machine.hpp"

namespace topple::controller {

/// One ending: the planned motion up to switch_s, then constant accelerations to rest.
struct Ending {
    Profile profile{};               ///< whole, from t = 0
    double push_m_s2 = 0.0;          ///< acceleration after the switch; 0: braked at once
    double push_s = 0.0;             ///< for so long
    double deceleration_m_s2 = 0.0;  ///< then, to rest; magnitude
};

/// Endings from the instant switch_s > 0 of a feasible profile: braking at once with several decelerations, and pushes
/// to either side that bring the base under a leaning block before it brakes. All keep the limits of the machine and
/// leave room to stop, as far as 16 looks at each piece show: whoever takes one checks it by check_feasibility.
/// Accelerations are at most 0.8 acceleration_clean_m_s2. Empty if none fits, if the motion is over by then, or if the
/// platen happens to rest there.
std::vector<Ending> endings(const Profile& profile, double switch_s, const firmware_iface::MachineDescription& machine);

/// The pieces of a motion before time_s; its state there is at(time_s) of both. time_s > motion.start_s().
solver::BaseMotion first_part(const solver::BaseMotion& motion, double time_s);

}  // namespace topple::controller
