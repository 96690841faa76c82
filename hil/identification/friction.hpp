// Friction from the mean force over strokes at several constant speeds.
#pragma once

#include <optional>
#include <span>

namespace topple::hil::identification {

/// A number with one standard deviation.
struct Estimate {
    double value = 0.0, error = 0.0;
};

struct StrokeForce {
    double velocity_m_s = 0.0;  ///< signed, not 0
    double force_n = 0.0;       ///< mean of the drive over the stretch
};

/// F = offset + coulomb sgn(v) + viscous v.
struct FrictionEstimate {
    Estimate coulomb_n, viscous_n_s_m;
    Estimate offset_n;        ///< what pushes the same way in both directions: tilt, or the zero of the force channel
    double residual_n = 0.0;  ///< rms of what the three numbers leave
};

/// Least squares; errors from the residual. Needs at least two speeds in both directions and five strokes, else empty.
std::optional<FrictionEstimate> friction_of(std::span<const StrokeForce> strokes);

}  // namespace topple::hil::identification
