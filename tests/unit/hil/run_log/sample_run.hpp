// A made-up run for the tests of the log: every kind of record, absent values included.
#pragma once

#include <cmath>
#include <filesystem>
#include <string>

#include "hil/run_log/run_log_writer.hpp"
#include "tests/support/temporary_folder.hpp"

namespace topple::hil::run_log {

using tests::TemporaryFolder;

inline constexpr std::uint64_t kPeriod_us = 2000;
inline constexpr std::uint64_t kLookAhead_us = 100'000;  // setpoints are sent this much ahead

inline std::uint64_t sample_time_us(std::size_t tick) { return 7'000'000 + kPeriod_us * tick; }

inline firmware_iface::Setpoint sample_setpoint(std::size_t tick) {
    const double t = 1e-6 * static_cast<double>(sample_time_us(tick));
    firmware_iface::Setpoint setpoint;
    setpoint.device_time_us = sample_time_us(tick) + kLookAhead_us;
    setpoint.axes[0] = {0.01 * std::sin(t), 0.01 * std::cos(t), -0.01 * std::sin(t)};
    setpoint.final = tick % 500 == 499;
    return setpoint;
}

inline firmware_iface::Feedback sample_feedback(std::size_t tick) {
    firmware_iface::Feedback feedback;
    feedback.device_time_us = sample_time_us(tick);
    feedback.axes[0] = {static_cast<std::int64_t>(tick) - 100, 0.001 * static_cast<double>(tick), -0.25, 3.0};
    if (tick % 3 != 0) feedback.acceleration_x_m_s2 = tick % 3 == 1 ? 0.0 : -1.5;
    if (tick % 2 == 0) feedback.acceleration_y_m_s2 = 0.125;
    feedback.rotation_count = 2;
    feedback.rotation_rad = {0.1, -0.2};
    feedback.state = firmware_iface::DeviceState::running;
    feedback.fault_code = tick % 7 == 0 ? 18 : 0;
    feedback.queue_level = 50;
    feedback.motion_done = tick % 2 == 1;
    if (tick % 4 != 3) feedback.trigger = tick % 2 == 0;
    feedback.aux_count = 2;
    feedback.aux_v = {0.5, -1.25};
    return feedback;
}

inline PredictionRecord sample_prediction(std::size_t tick) {
    PredictionRecord prediction{sample_time_us(tick) - 4000, 4000, 0, 2, {0.1, -0.2}, {}};
    if (tick % 2 == 0) return prediction;  // as earlier programs wrote it
    prediction.forecast.probability = {0.0, 0.0, 0.625, 0.25, 0.0, 0.0};
    prediction.forecast.overturning_left_probability = 0.125;
    if (tick % 3 == 0) prediction.forecast.expected_time_s = 1.5;
    prediction.forecast.members = 1000;
    prediction.forecast.members_run_ahead = 200;
    prediction.forecast.effective_members = 512.5;
    return prediction;
}

inline TimingRecord sample_timing(std::size_t tick) {
    return {sample_time_us(tick), tick, static_cast<std::int64_t>(2'000'000 * tick), 12'345, -1, 0, 50};
}

/// Pushes one tick as a session does. False if a record was refused.
inline bool push_tick(RunLog& log, std::size_t tick) {
    bool ok = log.push(sample_feedback(tick));
    ok = log.push(sample_setpoint(tick)) && ok;
    ok = log.push(sample_prediction(tick)) && ok;
    return log.push(sample_timing(tick)) && ok;
}

inline RunLogOptions sample_options(bool synchronous = true) {
    RunLogOptions options;
    options.synchronous = synchronous;
    options.wall_clock_anchor_ns = 1'700'000'000'000'000'000;
    options.prediction_sha256 = std::string(64, 'a');
    options.scales = {-1e-6, 2.0, -1e-6, 2.0};
    options.metadata = {{"seed", "1"}, {"topple", "0.1.0"}};
    return options;
}

/// Writes a whole run of so many ticks between two events.
inline void write_sample_run(const std::filesystem::path& path, std::size_t ticks,
                             const RunLogOptions& options = sample_options()) {
    RunLog log(path, options);
    log.push(EventRecord{sample_time_us(0), EventKind::motion_start, ""});
    for (std::size_t tick = 0; tick < ticks; ++tick) push_tick(log, tick);
    log.push(EventRecord{sample_time_us(ticks), EventKind::remark, "déjà vu, \"quoted\"\nsecond line"});
    log.close();
}

}  // namespace topple::hil::run_log
