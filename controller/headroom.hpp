// How much larger or slower a motion could be before the machine's limits stop it.
#pragma once

#include <span>
#include <string>

#include "controller/feasibility.hpp"

namespace topple::controller {

/// Of the same shape of motion, by the rules of check_feasibility without its warnings.
struct Headroom {
    double amplitude_ratio = 0.0;   ///< largest factor of all displacements that fits; 0: the motion rests
    std::string amplitude_limit;    ///< name of the check that then decides
    double saturation_ratio = 0.0;  ///< largest factor at which neither "clean acceleration" nor "force" warns
    /// Least factor of every frequency that fits if the accelerations stay; velocities go with its inverse and
    /// displacements with the square of that. 0: the motion rests or its accelerations do not fit.
    double frequency_ratio = 0.0;
    std::string frequency_limit;
};

/// Of all axes together. The motion is looked at 20,000 instants: to about 0.1 %.
Headroom headroom(std::span<const Profile> axes, const firmware_iface::MachineDescription& machine, double payload_kg);

}  // namespace topple::controller
