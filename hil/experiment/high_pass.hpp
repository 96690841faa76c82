// Removing slow drift from a record without shifting its phase.
#pragma once

#include <vector>

namespace topple::hil {

/// Butterworth high-pass of second order run forwards and backwards over samples continued by their mirror image: no
/// phase shift, -6 dB at corner_hz. Needs 0 < corner_hz < 1/(2 step_s).
std::vector<double> zero_phase_high_pass(const std::vector<double>& samples, double step_s, double corner_hz);

}  // namespace topple::hil
