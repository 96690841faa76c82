// Corrections of a record, each asked for, in a fixed order, each told with its effect.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/signal/zero_phase.hpp"

namespace topple::hil::ground_motion {

enum class Detrend { none, mean, linear };

/// Made in the order of the members; what is left out is not done.
struct Correction {
    std::optional<double> pre_event_s;              ///< the mean of the samples before this time is taken off the whole
    Detrend detrend = Detrend::none;                ///< of the whole record; linear: the line of least squares
    double taper_start_s = 0.0, taper_end_s = 0.0;  ///< half a cosine at either end, 0: none
    std::optional<signal::HighPass> high_pass;

    bool is_none() const noexcept;
};

struct Corrected {
    std::vector<double> samples;
    std::vector<std::string> steps;  ///< what was done and by how much, in order
};

/// Even samples in m/s2, at least 2; tapers together no longer than the record, pre_event_s > 0 and not longer.
Corrected correct(std::span<const double> samples, double step_s, const Correction& correction);

}  // namespace topple::hil::ground_motion
