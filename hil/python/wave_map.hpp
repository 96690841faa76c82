// The outcome map of an experiment's wave over any frequencies and amplitudes.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/study/map_grid.hpp"

namespace topple::hil::python {

struct WaveMapRequest {
    std::span<const double> frequency_ratio, amplitude_ratio;
    bool by_angle = false;  ///< a0/(alpha g) instead of a0/(g tan alpha)
    std::optional<double> initial_rotation_rad;
    std::string model;  ///< empty: the experiment's
    std::size_t specimen = 0;
    unsigned threads = 0;
};

struct WaveMap {
    std::vector<study::MapCell> cells;       ///< [frequency index * amplitude_ratio.size() + amplitude index]
    double frequency_parameter_rad_s = 0.0;  ///< p of the axis
    double amplitude_unit_m_s2 = 0.0;        ///< g tan alpha or g alpha
};

/// What `topple map --frequency-ratio --amplitude-ratio` solves. Throws InputError for what that refuses, and for
/// ratios that are not finite, negative or, as frequencies, below study's least.
WaveMap solve_wave_map(const experiment::Experiment& experiment, const WaveMapRequest& request,
                       const std::atomic<bool>& stop);

}  // namespace topple::hil::python
