// Experiments and readings shared by the tests of whole runs.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "hil/run_log/records.hpp"

namespace topple::tests {

/// A rocking case with well over 20 impacts; `simulation` is the body of [simulation].
inline std::string rocking_case(const std::string& simulation = "seed = 1\ntruth = \"exact\"\n") {
    return "name = \"rocking case\"\n"
           "[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
           "restitution = { model = \"improved\", k = 0.7306 }\n"
           "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\ncycles = 1\n"
           "[simulation]\n" +
           simulation;
}

/// Times (s after the first setpoint) at which the first block's measured rotation changes its sign, beyond
/// `noise_rad`.
inline std::vector<double> impact_times_s(const hil::run_log::RunData& run, double noise_rad = 1.5e-3) {
    const std::uint64_t start_us = run.event_time_us(hil::run_log::EventKind::motion_start).value();
    std::vector<double> times;
    double last_side = 0.0, crossing_s = 0.0, before_rad = 0.0, before_s = 0.0;
    for (const auto& feedback : run.feedback) {
        if (feedback.device_time_us < start_us) continue;
        const double time_s = static_cast<double>(feedback.device_time_us - start_us) * 1e-6;
        const double rotation_rad = feedback.rotation_rad[0];
        if (before_rad * rotation_rad < 0.0)
            crossing_s = before_s + (time_s - before_s) * before_rad / (before_rad - rotation_rad);
        if (std::abs(rotation_rad) > noise_rad) {
            const double side = std::copysign(1.0, rotation_rad);
            if (last_side * side < 0.0) times.push_back(crossing_s);
            last_side = side;
        }
        before_rad = rotation_rad;
        before_s = time_s;
    }
    return times;
}

inline double peak_rotation_rad(const hil::run_log::RunData& run) {
    double peak_rad = 0.0;
    for (const auto& feedback : run.feedback) peak_rad = std::max(peak_rad, std::abs(feedback.rotation_rad[0]));
    return peak_rad;
}

/// Encoder counts by device time after the first setpoint.
inline std::map<std::int64_t, std::int64_t> counts_by_time(const hil::run_log::RunData& run) {
    const auto start_us = static_cast<std::int64_t>(run.event_time_us(hil::run_log::EventKind::motion_start).value());
    std::map<std::int64_t, std::int64_t> counts;
    for (const auto& feedback : run.feedback)
        counts[static_cast<std::int64_t>(feedback.device_time_us) - start_us] = feedback.axes[0].encoder_count;
    return counts;
}

}  // namespace topple::tests
