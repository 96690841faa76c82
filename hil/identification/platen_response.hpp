// The platen behind the encoder: what the accelerometer shows of the motion that the encoder counts.
#pragma once

#include <optional>
#include <span>

#include "hil/identification/frequency_response.hpp"
#include "hil/identification/friction.hpp"

namespace topple::hil::identification {

struct PlatenResponse {
    Estimate gain;     ///< reported acceleration per acceleration of the encoder, towards 0 Hz
    Estimate delay_s;  ///< of the accelerometer behind the encoder, up to kSlowLines_hz
    /// Largest ratio of both, if it is a peak inside of the band and above 1.4 times `gain`: the platen resonates
    /// there. To half the distance of the lines. The accelerometer's own response is in it.
    std::optional<double> resonance_hz;
    double resonance_ratio = 0.0;  ///< of that peak over `gain`
};
inline constexpr double kSlowLines_hz = 30.0;

/// `lines`: response from the encoder's acceleration to the accelerometer's. Empty for fewer than 6 lines up to
/// kSlowLines_hz.
std::optional<PlatenResponse> platen_response(std::span<const LineResponse> lines);

}  // namespace topple::hil::identification
