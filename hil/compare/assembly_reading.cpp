#include "hil/compare/assembly_reading.hpp"

#include <algorithm>
#include <cmath>

#include "solver/numerics/random_sequence.hpp"

namespace topple::hil::compare {
namespace {

constexpr std::size_t kEndFrames = 5;      // averaged where the record begins and ends
constexpr double kClosed_sigmas = 4.0;     // of a gap's noise: chance reaches it once in 3e4 frames
constexpr double kClosedLeast_m = 0.2e-3;  // and a camera's scale is no better
constexpr double kOpen_ratio = 4.0;        // a gap must have been this many times as wide before

double gap_m(const BlockPaths& paths, const solver::Assembly& assembly, std::size_t pair, std::size_t frame) {
    const std::size_t count = assembly.blocks.size();
    const double left_m = pair == 0 ? 0.0 : paths[pair - 1][frame] + 0.5 * assembly.blocks[pair - 1].length_m;
    const double right_m =
        pair == count ? assembly.basin_length_m : paths[pair][frame] - 0.5 * assembly.blocks[pair].length_m;
    return right_m - left_m;
}

std::optional<double> first_impact_s(const BlockPaths& paths, const std::vector<double>& time_s,
                                     const solver::Assembly& assembly, std::size_t pair, double noise_m) {
    const double closed_m = std::max(kClosed_sigmas * std::sqrt(2.0) * noise_m, kClosedLeast_m);
    bool open = false;
    for (std::size_t i = 2; i < time_s.size(); ++i) {
        const double now_m = gap_m(paths, assembly, pair, i);
        const double step_m = 0.5 * (gap_m(paths, assembly, pair, i - 2) - now_m);
        if (now_m > kOpen_ratio * closed_m) open = true;
        if (!open || step_m <= 0.0 || now_m - step_m > 0.25 * closed_m) continue;
        const double frame_s = 0.5 * (time_s[i] - time_s[i - 2]);
        return time_s[i] + frame_s * std::clamp(now_m / step_m, 0.0, 1.0);
    }
    return std::nullopt;
}

double centroid_m(const BlockPaths& paths, const solver::Assembly& assembly, std::size_t frame) {
    double mass = 0.0, moment = 0.0;
    for (std::size_t b = 0; b < paths.size(); ++b) {
        mass += assembly.blocks[b].mass_kg;
        moment += assembly.blocks[b].mass_kg * paths[b][frame];
    }
    return moment / mass;
}

double inertia_kg_m2(const BlockPaths& paths, const solver::Assembly& assembly, std::size_t frame) {
    const double centre_m = centroid_m(paths, assembly, frame);
    double sum = 0.0;
    for (std::size_t b = 0; b < paths.size(); ++b)
        sum += assembly.blocks[b].mass_kg * std::pow(paths[b][frame] - centre_m, 2);
    return sum;
}

}  // namespace

BlockPaths paths_at(const solver::AssemblyPrediction& prediction, const std::vector<double>& time_s) {
    const std::vector<solver::AssemblySample>& history = prediction.history;
    const std::size_t count = history.empty() ? 0 : history.front().position_m.size();
    BlockPaths paths(count, std::vector<double>(time_s.size()));
    std::size_t at = 0;
    for (std::size_t i = 0; i < time_s.size(); ++i) {
        while (at + 1 < history.size() && history[at + 1].time_s <= time_s[i]) ++at;
        const solver::AssemblySample& left = history[at];
        const solver::AssemblySample& right = history[std::min(at + 1, history.size() - 1)];
        const double span_s = right.time_s - left.time_s;
        const double share = span_s > 0.0 ? std::clamp((time_s[i] - left.time_s) / span_s, 0.0, 1.0) : 0.0;
        for (std::size_t b = 0; b < count; ++b) {
            const double from_m = left.position_m[b] - left.basin_displacement_m;
            const double to_m = right.position_m[b] - right.basin_displacement_m;
            paths[b][i] = from_m + share * (to_m - from_m);
        }
    }
    return paths;
}

BlockPaths seen_paths(const solver::AssemblyPrediction& prediction, const std::vector<double>& time_s,
                      const CameraErrors& errors, std::uint64_t seed) {
    solver::SplitMix64 random(seed);
    const auto [late, off] = solver::normal_pair(random);
    std::vector<double> shifted = time_s;
    for (double& time : shifted) time -= errors.time_s * late;
    BlockPaths paths = paths_at(prediction, shifted);
    for (std::vector<double>& path : paths)
        for (std::size_t i = 0; i < path.size(); i += 2) {
            const auto noise = solver::normal_pair(random);
            path[i] += errors.place_m * off + errors.noise_m * noise[0];
            if (i + 1 < path.size()) path[i + 1] += errors.place_m * off + errors.noise_m * noise[1];
        }
    return paths;
}

AssemblyReading read_paths(BlockPaths paths, const std::vector<double>& time_s, const solver::Assembly& assembly,
                           double noise_m) {
    AssemblyReading reading;
    for (std::size_t pair = 0; pair <= assembly.blocks.size(); ++pair)
        reading.first_impact_s.push_back(first_impact_s(paths, time_s, assembly, pair, noise_m));
    const std::size_t frames = time_s.size(), ends = std::min(kEndFrames, frames);
    double start = 0.0, end = 0.0, most = 0.0;
    std::vector<double> mean(frames);  // of the last frames: the largest of single ones would be the noise's
    for (std::size_t i = 0; i < frames; ++i) {
        const double inertia = inertia_kg_m2(paths, assembly, i);
        for (std::size_t k = i; k < std::min(frames, i + ends); ++k) mean[k] += inertia / static_cast<double>(ends);
        if (i + 1 >= ends) most = std::max(most, mean[i]);
        if (i < ends) start += inertia / static_cast<double>(ends);
        if (i + ends < frames) continue;
        end += inertia / static_cast<double>(ends);
        reading.centroid_end_m += centroid_m(paths, assembly, i) / static_cast<double>(ends);
    }
    if (assembly.blocks.size() > 1 && start > 0.0) {
        reading.inertia_index_max = most / start;
        reading.inertia_index_end = end / start;
    }
    reading.paths = std::move(paths);
    return reading;
}

}  // namespace topple::hil::compare
