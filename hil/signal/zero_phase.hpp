// Filters without delay: a second-order Butterworth section run forward and backward.
#pragma once

#include <cstddef>
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

/// How the samples are continued on both sides while they are filtered.
enum class Padding {
    mirror,  ///< by their mirror image, 1.5 order/corner_hz long; taken off again
    zeros,   ///< by zeros, 1.5 (2 order)/corner_hz long, as both passes have twice the order (Boore 2005); kept
};

struct HighPass {
    double corner_hz = 0.0;  ///< both passes together leave -6 dB of it, whatever the order
    int order = 2;           ///< of the Butterworth filter, each pass; 1 to 8
    Padding padding = Padding::mirror;
};

struct Filtered {
    std::vector<double> samples;
    std::size_t pad = 0;  ///< samples that were added at either end and kept
};

/// The same of any order. 0 < corner_hz < 1/(2 step_s).
Filtered zero_phase_high_pass(std::span<const double> samples, double step_s, const HighPass& filter);
/// Samples of a pad, before it is limited to a million.
double pad_samples(const HighPass& filter, double step_s);

}  // namespace topple::hil::signal
