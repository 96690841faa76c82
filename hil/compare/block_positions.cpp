#include "hil/compare/block_positions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hil/signal/even_grid.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

constexpr std::size_t kFramesLeast = 20;
constexpr double kRateLeast_hz = 10.0, kRateMost_hz = 20e3;
constexpr double kGapMost_frames = 10.0;  // longer, and a slide from wall to wall can pass unseen
constexpr double kRateErrorMost = 0.01;   // a camera's quartz is good to 1e-4: more is a wrong edge
constexpr double kNoiseLeast_m = 1e-5;    // what no camera resolves better
constexpr std::size_t kRestFrames = 10;   // that the noise at rest is known to a quarter
constexpr double kMisplaced_m = 2e-3;     // a block this far from where the file says: worth a remark
constexpr double kWallResidual_m = 2e-3;  // more than a calibrated camera is off

[[noreturn]] void refuse(const CameraPositions& seen, std::size_t frame, const std::string& what) {
    throw std::invalid_argument(fmt::format("{}:{}: {}", seen.file, seen.line_numbers[frame], what));
}

void require_even_times(const CameraPositions& seen, double frame_s) {
    if (!(frame_s >= 1.0 / kRateMost_hz && frame_s <= 1.0 / kRateLeast_hz))
        throw std::invalid_argument(
            fmt::format("{}: the frames are {:.6g} s apart ({:.6g} Hz); allowed: {:g} to {:g} Hz", seen.file, frame_s,
                        1.0 / frame_s, kRateLeast_hz, kRateMost_hz));
    for (std::size_t i = 1; i < seen.time_s.size(); ++i) {
        const double step_s = seen.time_s[i] - seen.time_s[i - 1];
        if (!(step_s > 0.0)) refuse(seen, i, fmt::format("time {:g} s does not increase", seen.time_s[i]));
        if (step_s > kGapMost_frames * frame_s)
            refuse(
                seen, i,
                fmt::format(
                    "time {:g} s is {:.4g} s after the frame before, usually it is {:.4g} s; allowed: ten times that",
                    seen.time_s[i], step_s, frame_s));
    }
}

/// Camera time to that of the test.
struct ClockLine {
    double offset_s = 0.0, rate = 1.0;
    double of(double camera_s) const noexcept { return offset_s + rate * camera_s; }
};

ClockLine clock_line(const CameraPositions& seen, const CameraSetup& setup, const std::vector<double>& edges_s,
                     BlockPositions& result) {
    if (!setup.sync_s) {
        result.clock = fmt::format("t = 0 at {:g} s of the camera, its rate taken as true", setup.start_s);
        return {-setup.start_s, 1.0};
    }
    const std::vector<double>& sync_s = *setup.sync_s;
    if (edges_s.size() != 2)
        throw std::invalid_argument(
            fmt::format("{}: two sync edges are given, but the log does not show the table's trigger rise and fall "
                        "([table] trigger = true): give the start instead",
                        seen.file));
    if (sync_s.size() != 2 || !(sync_s[1] > sync_s[0]))
        throw std::invalid_argument("sync edges: two camera times are needed, the rise before the fall");
    const double rate = (edges_s[1] - edges_s[0]) / (sync_s[1] - sync_s[0]);
    if (std::abs(rate - 1.0) > kRateErrorMost)
        throw std::invalid_argument(
            fmt::format("{}: the sync edges at {:g} s and {:g} s are {:.6g} s apart, those of the table {:.6g} s; "
                        "allowed: 1 % of difference",
                        seen.file, sync_s[0], sync_s[1], sync_s[1] - sync_s[0], edges_s[1] - edges_s[0]));
    result.clock = fmt::format("by the rise and the fall of the table's trigger; the camera's clock is {:+.0f} ppm off",
                               1e6 * (1.0 / rate - 1.0));
    return {edges_s[0] - rate * sync_s[0], rate};
}

double platen_m(const AchievedMotion& motion, double time_s) {
    return motion.empty() ? 0.0 : signal::interpolate(motion.grid, motion.achieved.displacement_m, time_s);
}

/// Of the left wall at each frame, in the camera's frame.
std::vector<double> wall_m(const CameraPositions& seen, const CameraSetup& setup, const AchievedMotion& motion,
                           BlockPositions& result) {
    std::vector<double> wall(seen.time_s.size(), 0.0);
    if (setup.in_basin) return wall;
    double zero_m = 0.0, square = 0.0;
    for (std::size_t i = 0; i < wall.size(); ++i) wall[i] = platen_m(motion, result.time_s[i]);
    if (seen.basin_m.empty()) return wall;
    // A camera's zero is where it is: only how the wall moves can be compared.
    for (std::size_t i = 0; i < wall.size(); ++i) zero_m += (seen.basin_m[i] - wall[i]) / double(wall.size());
    for (std::size_t i = 0; i < wall.size(); ++i)
        square += std::pow(seen.basin_m[i] - wall[i] - zero_m, 2) / double(wall.size());
    result.basin_residual_m = std::sqrt(square);
    if (*result.basin_residual_m > kWallResidual_m)
        result.remarks.push_back(
            fmt::format("the wall as the camera saw it is {:.1f} mm (rms) from the platen as measured: check the "
                        "camera's time and scale",
                        1e3 * *result.basin_residual_m));
    return seen.basin_m;
}

void require_in_basin(const CameraPositions& seen, const solver::Assembly& assembly, const BlockPositions& result) {
    double shortest_m = assembly.blocks.front().length_m;
    for (const solver::AssemblyBlock& block : assembly.blocks) shortest_m = std::min(shortest_m, block.length_m);
    const double margin_m = kSeemingOverlap_ratio * shortest_m;
    const char* frame =
        "positions are of the blocks' centres, absolute from the left wall's place at the start unless "
        "the camera moves with the basin";
    for (std::size_t i = 0; i < result.time_s.size(); ++i) {
        double free_from_m = 0.0;
        for (std::size_t b = 0; b < assembly.blocks.size(); ++b) {
            const double at_m = result.position_m[b][i], half_m = 0.5 * assembly.blocks[b].length_m;
            if (at_m - half_m < -margin_m || at_m + half_m > assembly.basin_length_m + margin_m)
                refuse(seen, i,
                       fmt::format("position_{} = {:.6g} m from the left wall is beyond the basin; allowed: {:.6g} to "
                                   "{:.6g} m ({})",
                                   b, at_m, half_m, assembly.basin_length_m - half_m, frame));
            if (b > 0 && at_m - half_m < free_from_m - margin_m)
                refuse(seen, i,
                       fmt::format("position_{} = {:.6g} m from the left wall overlaps block {} by {:.3g} m; allowed: "
                                   "{:.3g} m (blocks count from the left)",
                                   b, at_m, b - 1, free_from_m - at_m + half_m, margin_m));
            free_from_m = at_m + half_m;
        }
    }
}

/// Standard deviation of one reading. At rest directly; else from second differences, whose deviation is sqrt(6) times
/// that of a reading where the paths are straight (1.4826 times the median magnitude: impacts do not count).
void find_noise(BlockPositions& result) {
    std::vector<double> squares, seconds;
    for (const std::vector<double>& path : result.position_m) {
        const auto rest = static_cast<std::size_t>(std::lower_bound(result.time_s.begin(), result.time_s.end(), 0.0) -
                                                   result.time_s.begin());
        if (rest >= kRestFrames)
            squares.push_back(std::pow(signal::standard_deviation(std::span(path).first(rest)), 2));
        for (std::size_t i = 2; i < path.size(); ++i)
            seconds.push_back(std::abs(path[i] - 2 * path[i - 1] + path[i - 2]));
    }
    if (!squares.empty()) {
        result.noise_m = std::sqrt(signal::mean(squares));
        result.noise_from = "blocks at rest before the motion";
    } else {
        result.noise_m = 1.4826 * signal::median(seconds) / std::sqrt(6.0);
        result.noise_from = "second differences";
    }
    result.noise_m = std::max(result.noise_m, kNoiseLeast_m);
}

void remark_on_start(const solver::Assembly& assembly, BlockPositions& result) {
    for (std::size_t b = 0; b < assembly.blocks.size(); ++b) {
        std::vector<double> start;
        for (std::size_t i = 0; i < result.time_s.size() && (start.empty() || result.time_s[i] <= 0.0); ++i)
            start.push_back(result.position_m[b][i]);
        const double off_m = signal::mean(start) - assembly.blocks[b].position_m;
        if (std::abs(off_m) > kMisplaced_m)
            result.remarks.push_back(fmt::format("block {} stood {:+.1f} mm from where the file says", b, 1e3 * off_m));
    }
}

void require_of_this_test(const CameraPositions& seen, const solver::Assembly& assembly) {
    if (seen.position_m.size() != assembly.blocks.size())
        throw std::invalid_argument(
            fmt::format("{}: {} columns position_<i>_<unit> for {} blocks; allowed: one of each", seen.file,
                        seen.position_m.size(), assembly.blocks.size()));
    if (seen.time_s.size() < kFramesLeast)
        throw std::invalid_argument(
            fmt::format("{}: {} frames; at least {} are needed", seen.file, seen.time_s.size(), kFramesLeast));
}

}  // namespace

BlockPositions positions_in_basin(const CameraPositions& seen, const CameraSetup& setup,
                                  const solver::Assembly& assembly, const AchievedMotion& motion, double motion_end_s,
                                  const std::vector<double>& edges_s) {
    require_of_this_test(seen, assembly);
    BlockPositions result;
    result.frame_s = signal::typical_step_s(seen.time_s);
    require_even_times(seen, result.frame_s);
    const ClockLine clock = clock_line(seen, setup, edges_s, result);
    for (const double time_s : seen.time_s) result.time_s.push_back(clock.of(time_s));
    if (result.time_s.back() <= 0.0 || result.time_s.front() >= motion_end_s)
        throw std::invalid_argument(
            fmt::format("{}: the frames are from t = {:.4g} s to {:.4g} s of the test, the motion from 0 to {:.4g} s; "
                        "check the camera's start",
                        seen.file, result.time_s.front(), result.time_s.back(), motion_end_s));
    if (result.time_s.front() > 0.0 || result.time_s.back() < motion_end_s)
        result.remarks.push_back(
            fmt::format("the camera saw t = {:.3f} s to {:.3f} s only, the motion ended at {:.3f} s",
                        result.time_s.front(), result.time_s.back(), motion_end_s));
    const std::vector<double> wall = wall_m(seen, setup, motion, result);
    result.position_m = seen.position_m;
    for (std::vector<double>& path : result.position_m)
        for (std::size_t i = 0; i < path.size(); ++i) path[i] -= wall[i];
    require_in_basin(seen, assembly, result);
    find_noise(result);
    remark_on_start(assembly, result);
    return result;
}

}  // namespace topple::hil::compare
