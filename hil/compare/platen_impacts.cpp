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

/// The accelerometer on the motion's grid as it read, in m/s2 along +x, its delay against the encoder removed.
std::vector<double> readings(const run_log::RunData& run, const MachineDescription& machine,
                             const AchievedMotion& motion) {
    const std::uint64_t origin_us = motion_origin_us(run);
    std::vector<double> time_s, value_m_s2;
    for (const Feedback& feedback : run.feedback) {
        if (!feedback.acceleration_x_m_s2) continue;
        time_s.push_back(seconds_from(origin_us, feedback.device_time_us) - motion.accelerometer.delay_s);
        value_m_s2.push_back(machine.accelerometer_sign * machine.accelerometer_scale * *feedback.acceleration_x_m_s2);
    }
    signal::SampleGaps gaps;
    const signal::Samples samples = signal::clean_samples(time_s, value_m_s2, motion.grid.step_s, gaps);
    std::vector<double> on_grid(motion.grid.count);
    std::size_t next = 0;  // the nearest reading, not a mixture of two: a spike is one or two samples high
    for (std::size_t i = 0; i < motion.grid.count && !samples.time_s.empty(); ++i) {
        const double t = motion.grid.time_s(i);
        while (next + 1 < samples.time_s.size() &&
               std::abs(samples.time_s[next + 1] - t) <= std::abs(samples.time_s[next] - t))
            ++next;
        on_grid[i] = motion.accelerometer.gain * samples.value[next];
    }
    return on_grid;
}

/// Velocity of the platen changes its sign near these samples, while it is driven.
std::vector<bool> near_reversal(const AchievedMotion& motion, double driven_until_s) {
    const EvenGrid& grid = motion.grid;
    std::vector<bool> near(grid.count, false);
    const auto guard = static_cast<std::size_t>(std::ceil(kReversalGuard_s / grid.step_s));
    const std::vector<double>& velocity =
        motion.has_command ? motion.commanded.velocity_m_s : motion.achieved.velocity_m_s;
    for (std::size_t i = 1; i < grid.count; ++i) {
        if (grid.time_s(i) < 0.0 || grid.time_s(i) > driven_until_s || velocity[i - 1] * velocity[i] > 0.0) continue;
        if (velocity[i - 1] == 0.0 && velocity[i] == 0.0) continue;
        for (std::size_t k = i > guard ? i - guard : 0; k < std::min(grid.count, i + guard); ++k) near[k] = true;
    }
    return near;
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
    std::vector<double> beside = readings(run, machine, motion);
    // Less what was commanded: the achieved motion would take a part of each spike with it.
    for (std::size_t i = 0; motion.has_command && i < grid.count; ++i)
        beside[i] -= motion.commanded.acceleration_m_s2[i];
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
    const std::vector<bool> reversal = near_reversal(motion, found.driven_until_s);
    std::vector<double> threshold(grid.count);
    for (std::size_t i = 0; i < grid.count; ++i)
        threshold[i] = times_s[i] < 0.0 || times_s[i] > window.end_s || reversal[i]
                           ? std::numeric_limits<double>::infinity()
                           : found.threshold_at(times_s[i]);
    found.spikes = find_platen_spikes(grid, value, threshold);
    return found;
}

}  // namespace topple::hil::compare
