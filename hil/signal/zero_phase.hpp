// Filters without delay: a second-order Butterworth section run forward and backward.
#pragma once

#include <span>
#include <vector>

namespace topple::hil::signal {

/// Low-pass for measured histories; every compared channel goes through the same one. Fourth-order roll-off, the
/// -3 dB point at `cutoff_hz` *after both passes*. The ends are continued by odd reflection. A cutoff at or above
/// 0.4 of the sampling rate returns the input unchanged. Input must be finite. Derived in docs/report.md#filter.
std::vector<double> zero_phase_low_pass(std::span<const double> samples, double sampling_rate_hz, double cutoff_hz);

/// High-pass for drift in records. The corner is that of one pass, as such filters are usually quoted: both passes
/// together leave -6 dB at `corner_hz`. The samples are continued by their mirror image. Needs
/// 0 < corner_hz < 1/(2 step_s).
std::vector<double> zero_phase_high_pass(std::span<const double> samples, double step_s, double corner_hz);

}  // namespace topple::hil::signal
