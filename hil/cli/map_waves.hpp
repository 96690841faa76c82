// topple map over frequency and amplitude of a wave, or over velocity and gap of a double pulse.
#pragma once

#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

inline constexpr double kSlowMapTolerance = 1e-3;  ///< chaotic boundaries of stacks cost seconds

/// The options as the command line has them; axes as LO:HI:N.
struct WaveMapRequest {
    std::string out, csv, model;
    std::string frequency, amplitude;
    std::string velocity, gap;  ///< of a double pulse, instead; empty: not asked for
    std::vector<double> initial_rotations_rad;
    bool by_angle = false;  ///< amplitudes over alpha g, not g tan alpha
    double tolerance =
        0.0;  ///< of the boundaries, relative; 0: 1e-6 or, for cells solved one by one, kSlowMapTolerance
    unsigned threads = 0;
    bool force = false;
};

/// Solves, writes and draws a map for each specimen of the file. Throws InputError, and DeviceError after a signal.
void run_wave_map(const WaveMapRequest& request, const experiment::Experiment& experiment);

}  // namespace topple::hil::cli
