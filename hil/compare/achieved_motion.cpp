#include "hil/compare/achieved_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/compare/accelerometer.hpp"
#include "hil/compare/motion_window.hpp"
#include "hil/signal/differences.hpp"
#include "hil/signal/statistics.hpp"
#include "hil/signal/zero_phase.hpp"

namespace topple::hil::compare {
namespace {

using firmware_iface::Feedback;
using firmware_iface::MachineDescription;
using run_log::RunData;
using signal::clean_samples;
using signal::EvenGrid;
using signal::Samples;
using signal::zero_phase_low_pass;

struct RawChannels {
    std::vector<double> time_s, position_m, command_m, acceleration_m_s2;
    bool any_acceleration = false;
};

/// `machine`: of this axis alone.
RawChannels read_channels(const RunData& run, const MachineDescription& machine, const MotionWindow& window,
                          std::size_t axis) {
    RawChannels raw;
    const std::uint64_t origin_us = motion_origin_us(run);
    for (const Feedback& feedback : run.feedback) {
        const double t = seconds_from(origin_us, feedback.device_time_us);
        if (t < window.start_s || t > window.end_s) continue;
        raw.time_s.push_back(t);
        raw.position_m.push_back(machine.encoder_sign * static_cast<double>(feedback.axes[axis].encoder_count) /
                                 machine.counts_per_m);
        raw.command_m.push_back(feedback.axes[axis].setpoint_position_m);
        const auto& measured = axis == 0 ? feedback.acceleration_x_m_s2 : feedback.acceleration_y_m_s2;
        raw.any_acceleration = raw.any_acceleration || measured.has_value();
        raw.acceleration_m_s2.push_back(measured ? machine.accelerometer_sign * machine.accelerometer_scale * *measured
                                                 : std::nan(""));
    }
    return raw;
}

// Mean over the rest window, else the first value.
double rest_level(const EvenGrid& grid, const std::vector<double>& value, const MotionWindow& window) {
    const std::vector<double> resting = within(grid.times_s(), value, window.rest_start_s, window.rest_end_s);
    if (window.has_rest() && !resting.empty()) return signal::mean(resting);
    return value.empty() ? 0.0 : value.front();
}

MotionTrace trace_of_positions(const EvenGrid& grid, std::vector<double> position_m, double bandwidth_hz) {
    const double rate_hz = 1.0 / grid.step_s;
    MotionTrace trace;
    trace.velocity_m_s = zero_phase_low_pass(signal::first_difference(position_m, grid.step_s), rate_hz, bandwidth_hz);
    trace.acceleration_m_s2 =
        zero_phase_low_pass(signal::second_difference(position_m, grid.step_s), rate_hz, bandwidth_hz);
    trace.displacement_m = std::move(position_m);
    return trace;
}

// Where the noise of the encoder's second difference, growing with f^2, reaches that of the accelerometer.
double crossover_hz(double accelerometer_noise_m_s2, double counts_per_m) {
    const double quantisation_m = 1.0 / counts_per_m / std::sqrt(12.0);
    const double equal_hz = std::sqrt(accelerometer_noise_m_s2 / quantisation_m) / (2.0 * std::numbers::pi);
    return std::clamp(equal_hz, kCrossoverMin_hz, kCrossoverMax_hz);
}

void subtract(std::vector<double>& values, double level) {
    for (double& value : values) value -= level;
}

void report_gaps(const signal::SampleGaps& gaps, std::string_view channel, double step_s,
                 std::vector<std::string>& remarks) {
    if (gaps.dropped > 0) remarks.push_back(fmt::format("{}: {} unusable samples dropped", channel, gaps.dropped));
    if (gaps.gap_count > 0)
        remarks.push_back(fmt::format("{}: {} gaps, the longest {:.1f} ms ({:.0f} samples), filled by interpolation",
                                      channel, gaps.gap_count, 1e3 * gaps.longest_gap_s,
                                      std::round(gaps.longest_gap_s / step_s) - 1.0));
}

// acceleration = low_pass(accelerometer + low_pass_crossover(encoder - accelerometer)): complementary by
// construction.
void blend(AchievedMotion& motion, const std::vector<double>& encoder_m_s2, const std::vector<double>& measured_m_s2) {
    const double rate_hz = 1.0 / motion.grid.step_s;
    std::vector<double> difference(encoder_m_s2.size());
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = encoder_m_s2[i] - measured_m_s2[i];
    std::vector<double> sum = zero_phase_low_pass(difference, rate_hz, motion.crossover_hz);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += measured_m_s2[i];
    motion.achieved.acceleration_m_s2 = zero_phase_low_pass(sum, rate_hz, motion.bandwidth_hz);
}

// Displacement and velocity of a test of which only the acceleration is known: integrated from rest,
// trapezoids.
void integrate_acceleration(AchievedMotion& motion, std::vector<double> measured_m_s2) {
    const EvenGrid& grid = motion.grid;
    MotionTrace& trace = motion.achieved;
    trace.acceleration_m_s2 = zero_phase_low_pass(measured_m_s2, 1.0 / grid.step_s, motion.bandwidth_hz);
    trace.velocity_m_s.assign(grid.count, 0.0);
    trace.displacement_m.assign(grid.count, 0.0);
    for (std::size_t i = 1; i < grid.count; ++i) {
        const double a0 = trace.acceleration_m_s2[i - 1], a1 = trace.acceleration_m_s2[i], h = grid.step_s;
        trace.velocity_m_s[i] = trace.velocity_m_s[i - 1] + 0.5 * h * (a0 + a1);
        trace.displacement_m[i] =
            trace.displacement_m[i - 1] + h * trace.velocity_m_s[i - 1] + h * h * (2.0 * a0 + a1) / 6.0;
    }
    motion.remarks.push_back(
        "no encoder: displacement and velocity are integrated from the acceleration and may drift");
}

void add_accelerometer(AchievedMotion& motion, const RawChannels& raw, const MotionWindow& window, double counts_per_m,
                       bool encoder_is_real) {
    AccelerometerAssessment& assessment = motion.accelerometer;
    assessment.present = true;
    Samples samples = clean_samples(raw.time_s, raw.acceleration_m_s2, motion.grid.step_s, motion.accelerometer_gaps);
    report_gaps(motion.accelerometer_gaps, "accelerometer", motion.grid.step_s, motion.remarks);
    remove_rest_reading(samples, window, assessment);
    if (!encoder_is_real) {
        assessment.used = true;
        integrate_acceleration(motion, signal::resample_linear(samples, motion.grid));
        return;
    }
    const std::vector<double> encoder_m_s2 =
        signal::second_difference(motion.achieved.displacement_m, motion.grid.step_s);
    compare_with_encoder(samples, motion.grid, encoder_m_s2, assessment);
    if (!assessment.remark.empty()) motion.remarks.push_back(assessment.remark);
    if (!assessment.used) return;
    for (double& time_s : samples.time_s) time_s -= assessment.delay_s;
    for (double& value : samples.value) value *= assessment.gain;
    motion.crossover_hz = crossover_hz(assessment.noise_m_s2, counts_per_m);
    blend(motion, encoder_m_s2, signal::resample_linear(samples, motion.grid));
}

/// Of an imported test: one motion from both channels, whose second difference is its acceleration.
bool take_fused(AchievedMotion& motion, const RunData& run, const MachineDescription& machine,
                const MotionWindow& window) {
    std::optional<FusedChannels> fused = fuse_channels(run, machine, motion.grid, motion.remarks);
    if (!fused) return false;
    const fused_motion::Calibration& c = fused->fusion.calibration;
    motion.rest_position_m = rest_level(motion.grid, fused->motion.displacement_m, window);
    subtract(fused->motion.displacement_m, motion.rest_position_m);
    motion.achieved = trace_of_positions(motion.grid, std::move(fused->motion.displacement_m), motion.bandwidth_hz);
    motion.crossover_hz = c.crossover_hz;
    AccelerometerAssessment& a = motion.accelerometer;
    a.present = a.used = true;
    a.bias_m_s2 = c.bias_reading;
    a.noise_m_s2 = c.acceleration_noise_m_s2_per_root_hz / c.gain * std::sqrt(0.5 / motion.grid.step_s);
    a.delay_s = c.shift_s;
    a.gain = c.signed_gain();
    a.correlation = c.correlation;
    const auto file = run.metadata.find("motion_file");
    a.remark = (file == run.metadata.end() ? "" : file->second + ": ") + fused_motion::describe(c);
    motion.remarks.push_back(a.remark);
    motion.fusion = std::move(fused->fusion);
    return true;
}

}  // namespace

MotionTrace trace_of_motion(const solver::BaseMotion& motion, const EvenGrid& grid, double bandwidth_hz) {
    std::vector<double> displacement_m(grid.count);
    for (std::size_t i = 0; i < grid.count; ++i) displacement_m[i] = motion.at(grid.time_s(i)).displacement_m;
    return trace_of_positions(grid, std::move(displacement_m), bandwidth_hz);
}

std::uint64_t motion_origin_us(const RunData& run) noexcept {
    if (const auto start = run.event_time_us(run_log::EventKind::motion_start)) return *start;
    if (!run.setpoints.empty()) return run.setpoints.front().device_time_us;
    return run.feedback.empty() ? 0 : run.feedback.front().device_time_us;
}

MotionChannels motion_channels(const RunData& run) {
    const auto listed = run.metadata.find("motion_channels");
    if (listed == run.metadata.end()) return {};
    return {.encoder = listed->second.find("displacement") != std::string::npos,
            .command = listed->second.find("command") != std::string::npos};
}

AchievedMotion identify_achieved_motion(const RunData& run, const MachineDescription& table, std::size_t axis) {
    const MachineDescription machine = axis_of(table, axis);
    AchievedMotion motion;
    const MotionWindow window = find_motion_window(run);
    const MotionChannels channels = motion_channels(run);
    const RawChannels raw = read_channels(run, machine, window, axis);
    const double step_s = signal::typical_step_s(raw.time_s);
    const Samples position =
        step_s > 0.0 ? clean_samples(raw.time_s, raw.position_m, step_s, motion.encoder_gaps) : Samples{};
    if (position.time_s.size() < 8) {
        motion.remarks.push_back(
            fmt::format("only {} usable encoder samples: no achieved motion", position.time_s.size()));
        return motion;
    }
    report_gaps(motion.encoder_gaps, "encoder", step_s, motion.remarks);
    const double first = std::ceil(position.time_s.front() / step_s - 1e-6);
    const double last = std::floor(position.time_s.back() / step_s + 1e-6);
    motion.grid = {first * step_s, step_s, static_cast<std::size_t>(last - first) + 1};
    motion.bandwidth_hz = std::min(kMotionBandwidth_hz, 0.4 / step_s);
    motion.rest_start_s = window.rest_start_s;
    motion.rest_end_s = window.rest_end_s;

    std::vector<double> position_m = signal::resample_smooth(position, motion.grid);
    motion.rest_position_m = rest_level(motion.grid, position_m, window);
    subtract(position_m, motion.rest_position_m);
    motion.achieved = trace_of_positions(motion.grid, std::move(position_m), motion.bandwidth_hz);

    signal::SampleGaps command_gaps;
    const Samples command = clean_samples(raw.time_s, raw.command_m, step_s, command_gaps);
    motion.has_command = channels.command && command.time_s.size() >= 8;
    if (motion.has_command) {
        std::vector<double> command_m = signal::resample_smooth(command, motion.grid);
        motion.command_position_m = rest_level(motion.grid, command_m, window);
        subtract(command_m, motion.command_position_m);
        motion.commanded = trace_of_positions(motion.grid, std::move(command_m), motion.bandwidth_hz);
    }
    if (raw.any_acceleration && !take_fused(motion, run, machine, window))
        add_accelerometer(motion, raw, window, machine.counts_per_m, channels.encoder);
    motion.rest_noise_m_s2 = signal::largest_magnitude(
        within(motion.grid.times_s(), motion.achieved.acceleration_m_s2, window.rest_start_s, window.rest_end_s));
    return motion;
}

solver::BaseMotion AchievedMotion::base_motion(double from_s) const {
    std::vector<double> time_s, acceleration;
    for (std::size_t i = 0; i < grid.count; ++i) {
        if (grid.time_s(i) < from_s - 1e-9) continue;
        if (time_s.empty() && grid.time_s(i) > from_s + 1e-9) {
            time_s.push_back(from_s);
            acceleration.push_back(signal::interpolate(grid, achieved.acceleration_m_s2, from_s));
        }
        time_s.push_back(grid.time_s(i));
        acceleration.push_back(achieved.acceleration_m_s2[i]);
    }
    if (time_s.size() < 2) return {};
    return solver::sampled_acceleration(time_s, acceleration);
}

}  // namespace topple::hil::compare
