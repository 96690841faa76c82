// A whole test made up from closed forms: what a table and its sensors would have logged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "hil/experiment/experiment.hpp"
#include "hil/run_log/records.hpp"

namespace topple::tests {

struct SyntheticRun {
    hil::experiment::Experiment experiment;
    // Table
    double scale = 1.0;  ///< achieved per commanded motion; negative: sign reversed
    double delay_s = 0.004;
    std::optional<solver::BaseMotion> achieved{};  ///< instead of the scaled and delayed command
    // Sensors
    bool accelerometer = true;
    double accelerometer_noise_m_s2 = 0.05, accelerometer_bias_m_s2 = 0.1, accelerometer_delay_s = 0.002,
           accelerometer_gain = 1.0;
    bool rotation_sensor = true;
    double rotation_noise_rad = 2e-4, rotation_zero_rad = 1e-3;
    // Truth
    double restitution_factor = 1.0, tilt_rad = 0.0, width_factor = 1.0;
    // Course of the test
    double rest_s = 1.0;             ///< before the motion; positioning before that
    double recorded_s = 9.0;         ///< after the first setpoint
    std::optional<double> stop_s{};  ///< a stop is asked for and the recording ends 0.5 s later
    std::uint32_t seed = 1;
};

/// An experiment of docs/examples, by its file name.
hil::experiment::Experiment example(const std::string& file);
/// B6L under a single sine of 3 m/s2 and 4 Hz.
hil::experiment::Experiment b6l_sine();

hil::run_log::RunData record(const SyntheticRun& run);

/// Writes experiment.toml, machine.toml and run.mcap into a new folder under the temporary directory.
std::filesystem::path write_run_folder(const SyntheticRun& run, const std::string& name);

}  // namespace topple::tests
