// What the log of a soak says about samples lost on either way of the wire.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace topple::tests {

struct SoakLog {
    std::uint64_t bytes = 0;
    std::uint64_t feedback = 0, setpoints = 0, cycles = 0;
    std::uint64_t feedback_missing = 0;    ///< instants of device time without a sample, first to last
    std::uint64_t feedback_repeated = 0;   ///< not later than the sample before
    std::uint64_t setpoints_followed = 0;  ///< at whose instant the table said what it was interpolating
    double setpoint_error_m = 0.0;         ///< greatest difference between what was sent and what was interpolated then
    std::uint64_t cycles_missed = 0;       ///< deadlines of the host
    double wake_late_max_s = 0.0, busy_max_s = 0.0;
    double device_s = 0.0;  ///< first to last sample
    std::string damage;     ///< first thing that does not read; empty for a sound file
};

/// Reads it without keeping it in memory as records. Throws InputError if there is no such file.
SoakLog read_soak_log(const std::filesystem::path& file, std::uint64_t period_us);

}  // namespace topple::tests
