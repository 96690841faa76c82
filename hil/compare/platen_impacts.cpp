#include "hil/compare/platen_impacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

using firmware_iface::Feedback;
using firmware_iface::MachineDescription;
using signal::EvenGrid;

constexpr std::size_t kNear = 3, kFar = 5;  // neighbours that are the surroundings of a sample

/// The nearest sample on each instant of the grid, not a mixture of two: a spike is one or two samples high.
std::vector<double> nearest(const std::vector<double>& time_s, const std::vector<double>& value, const EvenGrid& grid) {
    signal::SampleGaps gaps;
    const signal::Samples samples = signal::clean_samples(time_s, value, grid.step_s, gaps);
    std::vector<double> on_grid(grid.count);
    std::size_t next = 0;
    for (std::size_t i = 0; i < grid.count && !samples.time_s.empty(); ++i) {
        const double t = grid.time_s(i);
        while (next + 1 < samples.time_s.size() &&
               std::abs(samples.time_s[next + 1] - t) <= std::abs(samples.time_s[next] - t))
            ++next;
        on_grid[i] = samples.value[next];
    }
    return on_grid;
}

struct Channels {
    std::vector<double> reading_m_s2;  ///< accelerometer along +x, gain and delay against the encoder corrected
    std::vector<double> command_m_s2;  ///< as the device interpolated it, with its steps; 0 without a command
};

Channels read_channels(const run_log::RunData& run, const MachineDescription& machine, const AchievedMotion& motion) {
    const std::uint64_t origin_us = motion_origin_us(run);
    const double scale = machine.accelerometer_sign * machine.accelerometer_scale * motion.accelerometer.gain;
    std::vector<double> reading_s, reading_m_s2, command_s, command_m_s2;
    for (const Feedback& feedback : run.feedback) {
        const double t = seconds_from(origin_us, feedback.device_time_us);
        command_s.push_back(t);
        command_m_s2.push_back(motion.has_command ? feedback.axes[0].setpoint_acceleration_m_s2 : 0.0);
        if (!feedback.acceleration_x_m_s2) continue;
        reading_s.push_back(t - motion.accelerometer.delay_s);
        reading_m_s2.push_back(scale * *feedback.acceleration_x_m_s2);
    }
    return {nearest(reading_s, reading_m_s2, motion.grid), nearest(command_s, command_m_s2, motion.grid)};
}

/// Samples nearer than kReversalGuard_s to one that is marked.
std::vector<bool> widened(const std::vector<bool>& marked, double step_s) {
    std::vector<bool> near(marked.size(), false);
    const auto guard = static_cast<std::size_t>(std::ceil(kReversalGuard_s / step_s));
    for (std::size_t i = 0; i < marked.size(); ++i)
        for (std::size_t k = i > guard ? i - guard : 0; marked[i] && k < std::min(marked.size(), i + guard); ++k)
            near[k] = true;
    return near;
}

/// Where the table itself makes spikes while it is driven: its velocity reverses, or its command steps.
std::vector<bool> made_by_table(const AchievedMotion& motion, const std::vector<double>& command_m_s2,
                                const PlatenImpacts& found) {
    const EvenGrid& grid = motion.grid;
    const std::vector<double>& velocity =
        motion.has_command ? motion.commanded.velocity_m_s : motion.achieved.velocity_m_s;
    const std::vector<double> step_m_s2 = stand_out(command_m_s2);
    std::vector<bool> marked(grid.count, false);
    for (std::size_t i = 1; i < grid.count; ++i) {
        if (grid.time_s(i) < -kReversalGuard_s || grid.time_s(i) > found.driven_until_s) continue;
        const bool moves = velocity[i - 1] != 0.0 || velocity[i] != 0.0;
        marked[i] = (moves && velocity[i - 1] * velocity[i] <= 0.0) || std::abs(step_m_s2[i]) > found.threshold_m_s2;
    }
    return widened(marked, grid.step_s);
}

std::string why_not(const AchievedMotion& motion, const MotionWindow& window) {
    if (motion.empty()) return "the platen's motion is not known";
    if (!motion.accelerometer.present) return "no accelerometer";
    if (!motion.accelerometer.used)
        return motion.accelerometer.remark.empty() ? "the accelerometer is not used" : motion.accelerometer.remark;
    if (!window.has_rest()) return "no rest before the motion that would show the noise of the accelerometer";
    return {};
}

}  // namespace

std::vector<double> stand_out(std::span<const double> samples) {
    std::vector<double> value(samples.size(), 0.0);
    for (std::size_t i = kFar; i + kFar < samples.size(); ++i) {
        double around = 0.0;
        for (std::size_t k = kNear; k <= kFar; ++k) around += samples[i - k] + samples[i + k];
        value[i] = samples[i] - around / static_cast<double>(2 * (kFar - kNear + 1));
    }
    return value;
}

std::vector<PlatenSpike> find_platen_spikes(const EvenGrid& grid, std::span<const double> value,
                                            std::span<const double> threshold) {
    std::vector<PlatenSpike> spikes;
    double last_s = 0.0;  // of the group
    for (std::size_t i = 0; i < std::min({grid.count, value.size(), threshold.size()}); ++i) {
        if (std::abs(value[i]) <= threshold[i]) continue;
        const bool same = !spikes.empty() && grid.time_s(i) - last_s < kSpikeApart_s;
        last_s = grid.time_s(i);
        if (!same)
            spikes.push_back({grid.time_s(i), value[i]});
        else if (std::abs(value[i]) > std::abs(spikes.back().height_m_s2))
            spikes.back() = {grid.time_s(i), value[i]};
    }
    return spikes;
}

PlatenImpacts find_platen_impacts(const run_log::RunData& run, const MachineDescription& machine,
                                  const AchievedMotion& motion, const MotionWindow& window) {
    PlatenImpacts found;
    found.why_not = why_not(motion, window);
    if (!found.evaluated()) return found;
    const EvenGrid& grid = motion.grid;
    const Channels channels = read_channels(run, machine, motion);
    // Less what was commanded: the achieved motion would take a part of each spike with it.
    std::vector<double> beside = channels.reading_m_s2;
    for (std::size_t i = 0; i < grid.count; ++i) beside[i] -= channels.command_m_s2[i];
    const std::vector<double> value = stand_out(beside);
    const std::vector<double> times_s = grid.times_s();
    const std::vector<double> resting =
        within(times_s, value, window.rest_start_s + kFar * grid.step_s, window.rest_end_s);
    if (resting.size() < kSpikeNoiseSamples) {
        found.why_not = fmt::format("only {} readings at rest show the noise of the accelerometer", resting.size());
        return found;
    }
    found.sample_s = grid.step_s;
    found.noise_m_s2 = signal::standard_deviation(resting);
    found.threshold_m_s2 =
        std::max(kSpikeSigmas * found.noise_m_s2, kSpikeRestPeaks * signal::largest_magnitude(resting));
    found.driven_until_s = window.motion_end_s + machine.settling_time_s;
    const auto driven_peak = [&](const std::vector<double>& of) {
        return signal::largest_magnitude(within(times_s, of, 0.0, window.motion_end_s));
    };
    found.driven_threshold_m_s2 =
        found.threshold_m_s2 + kSpikeDriven_ratio * driven_peak(motion.achieved.acceleration_m_s2) +
        (motion.has_command ? 0.0 : driven_peak(stand_out(motion.achieved.acceleration_m_s2)));
    const std::vector<bool> hidden = made_by_table(motion, channels.command_m_s2, found);
    std::vector<double> threshold(grid.count);
    for (std::size_t i = 0; i < grid.count; ++i)
        threshold[i] = times_s[i] < 0.0 || times_s[i] > window.end_s || hidden[i]
                           ? std::numeric_limits<double>::infinity()
                           : found.threshold_at(times_s[i]);
    found.spikes = find_platen_spikes(grid, value, threshold);
    return found;
}

}  // namespace topple::hil::compare
