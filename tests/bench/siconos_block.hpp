// The same block by Siconos (Debian: libsiconos-kernel-dev, libsiconos-numerics-dev), where it is installed.
#pragma once

#include <optional>

namespace topple::bench {

struct PeerRun {
    double steps_per_s = 0.0;     ///< processor time
    double first_peak_rad = 0.0;  ///< largest rotation to the other side of the start
};

/// A block released from rest at `rotation_rad` on its corner: Moreau-Jean with theta = 1, Newton's restitution 0,
/// friction by Gauss-Seidel to 1e-10, for 2 s of motion. Empty where Siconos was not found when this was built.
std::optional<PeerRun> siconos_free_rocking(double width_m, double height_m, double mass_kg, double friction,
                                            double rotation_rad, double time_step_s);

}  // namespace topple::bench
