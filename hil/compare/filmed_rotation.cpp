#include "hil/compare/filmed_rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hil/signal/even_grid.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kRateErrorMost = 0.01;      // a camera's quartz is good to 1e-4: more is a wrong edge
constexpr double kFeedbackPeriod_s = 0.002;  // the log shows an edge at most so late
constexpr double kFoundAbove = 0.5;          // share of one history that another of the same test explains
constexpr double kLagWarned_frames = 0.5;

[[noreturn]] void refuse(const camera::RotationHistory& history, const std::string& what) {
    throw std::invalid_argument(fmt::format("{}: {}", history.file, what));
}

CameraFrames frames_of(const camera::RotationHistory& history, const FilmedTest& test) {
    CameraFrames frames{history.time_s, history.rotation_rad};
    for (std::size_t block = 0; history.zero_is_rest && block < frames.rotation_rad.size(); ++block)
        if (block < test.initial_rotation_rad.size())
            for (double& value : frames.rotation_rad[block]) value += test.initial_rotation_rad[block];
    return frames;
}

const ClockReference* reference_of(const FilmedTest& test) {
    return test.sensor ? &*test.sensor : test.prediction ? &*test.prediction : nullptr;
}

std::string name_of(const ClockReference& reference) {
    return reference.is_prediction ? "the prediction from the achieved motion" : "the rotation sensor";
}

void by_edges(const camera::RotationHistory& history, const std::vector<double>& sync_s, const FilmedTest& test,
              FilmedRotation& filmed) {
    if (sync_s.size() != 2 || !(sync_s[1] > sync_s[0]))
        refuse(history, "two sync edges are needed, the rise before the fall");
    if (!test.trigger.rose_at_s || !test.trigger.fell_at_s)
        refuse(
            history,
            "two sync edges are given, but the log does not show the table's trigger rise and fall ([table] trigger = "
            "true): give --rotation-start instead");
    const double table_s = *test.trigger.fell_at_s - *test.trigger.rose_at_s, camera_s = sync_s[1] - sync_s[0];
    const double rate = table_s / camera_s;
    filmed.offset_error_s = 0.5 * (filmed.frame_s + kFeedbackPeriod_s);
    filmed.rate_error = (filmed.frame_s + kFeedbackPeriod_s) / table_s;
    if (std::abs(rate - 1.0) > std::max(kRateErrorMost, filmed.rate_error))
        refuse(history,
               fmt::format("the sync edges at {:g} s and {:g} s are {:.6g} s apart, those of the table {:.6g} s; "
                           "allowed: 1 % of difference",
                           sync_s[0], sync_s[1], camera_s, table_s));
    // Two edges that are read to a frame tell a rate only if they are far enough apart.
    const bool tells_rate = std::abs(rate - 1.0) > filmed.rate_error;
    filmed.line.rate = tells_rate ? rate : 1.0;
    filmed.line.offset_s =
        0.5 * (*test.trigger.rose_at_s + *test.trigger.fell_at_s) - filmed.line.rate * 0.5 * (sync_s[0] + sync_s[1]);
    filmed.how = fmt::format(
        "by the rise and the fall of the table's trigger, to {:.1f} ms; {}", 1e3 * filmed.offset_error_s,
        tells_rate ? fmt::format("the camera's clock is {:+.0f} ppm off (to {:.0f})", 1e6 * (1.0 / rate - 1.0),
                                 1e6 * filmed.rate_error)
                   : fmt::format("its rate cannot be told from the table's (to {:.0f} ppm)", 1e6 * filmed.rate_error));
}

void by_start(double start_s, const std::string& what, FilmedRotation& filmed) {
    filmed.line = {-start_s, 1.0};
    filmed.offset_error_s = 0.5 * filmed.frame_s;
    filmed.how = fmt::format("t = 0 at {:.4f} s of the camera{}, its rate taken as true", start_s, what);
}

void by_correlation(const camera::RotationHistory& history, const CameraFrames& frames, const ClockReference& reference,
                    const ClockSearch& found, FilmedRotation& filmed) {
    if (found.same < kFoundAbove)
        refuse(history,
               fmt::format("its rotations are not found in {} ({:.0f} % of that explained at best, {:.0f} % are "
                           "wanted): give --rotation-start or --rotation-sync",
                           name_of(reference), 100.0 * found.same, 100.0 * kFoundAbove));
    const LagFit fit = fit_clock(frames, reference, {found.same_offset_s, 1.0}, !reference.is_prediction);
    if (!fit.found) refuse(history, "too little motion to find its clock: give --rotation-start or --rotation-sync");
    if (std::abs(fit.line.rate - 1.0) > kRateErrorMost)
        refuse(history,
               fmt::format("its rotations fit {} best with a clock that is {:+.2g} % off; allowed: {:g} %. Is its rate "
                           "of frames right (--rotation-rate)? Else --rotation-start says where its t = 0 is",
                           name_of(reference), 100.0 * (1.0 / fit.line.rate - 1.0), 100.0 * kRateErrorMost));
    filmed.line = fit.line;
    filmed.is_fitted = true;
    filmed.offset_error_s = fit.offset_error_s;
    filmed.rate_error = fit.rate_error;
    filmed.how =
        fmt::format("where it fits {} best, to {:.2f} ms{}; {}", name_of(reference), 1e3 * fit.offset_error_s,
                    reference.is_prediction ? " if the prediction is right" : "",
                    reference.is_prediction ? std::string("its rate taken as true")
                    : fit.line.rate == 1.0
                        ? fmt::format("its rate cannot be told from the table's (to {:.0f} ppm)", 1e6 * fit.rate_error)
                        : fmt::format("the camera's clock is {:+.0f} ppm off (to {:.0f})",
                                      1e6 * (1.0 / fit.line.rate - 1.0), 1e6 * fit.rate_error));
    if (reference.is_prediction)
        filmed.remarks.push_back(
            "the camera's time was fitted to the prediction: a common error in time cannot be seen, and the comparison "
            "is "
            "less independent; two sync edges avoid that");
}

/// What remains between the camera and the reference, as evidence of the clock.
void examine(const CameraFrames& frames, const ClockReference& reference, FilmedRotation& filmed) {
    const LagFit as_is = examine_clock(frames, reference, filmed.line);
    if (!as_is.found) return;
    const LagFit best = fit_clock(frames, reference, filmed.line, false);
    filmed.compared_with = reference.is_prediction ? "prediction" : "sensor";
    filmed.correlation = as_is.correlation;
    filmed.gain = as_is.gain;
    filmed.residual_s = as_is.residual_s;
    if (best.found && best.correlation > kFoundAbove) filmed.lag_s = filmed.line.offset_s - best.line.offset_s;
    const bool is_late = as_is.residual_s > kLagWarned_frames * filmed.frame_s;
    if (is_late && (filmed.is_fitted || !reference.is_prediction))
        filmed.remarks.push_back(fmt::format(
            "WARNING: parts of the camera's record lie {:.1f} ms (rms) beside {}, more than half a frame ({:.1f} ms)",
            1e3 * as_is.residual_s, name_of(reference), 0.5e3 * filmed.frame_s));
}

void find_clock(const camera::RotationHistory& history, const CameraFrames& frames, const RotationSetup& setup,
                const FilmedTest& test, FilmedRotation& filmed) {
    const ClockReference* reference = reference_of(test);
    const std::vector<double> flashes =
        history.sync.empty() ? std::vector<double>{} : edges_of(history.time_s, history.sync);
    const bool nothing_given = !setup.sync_s && !setup.start_s && !setup.correlate;
    std::optional<double> around_s;
    if (setup.sync_s)
        by_edges(history, *setup.sync_s, test, filmed);
    else if (setup.start_s)
        by_start(*setup.start_s, "", filmed);
    else if (nothing_given && flashes.size() == 2 && test.trigger.rose_at_s && test.trigger.fell_at_s)
        by_edges(history, flashes, test, filmed);
    else if (nothing_given && !flashes.empty())
        by_start(flashes.front(), ", where its sync column rises", filmed);
    if (!filmed.how.empty()) around_s = filmed.line.offset_s;
    if (!reference && !around_s)
        refuse(history,
               "there is neither a rotation sensor nor a prediction by which its clock could be found: give "
               "--rotation-start or --rotation-sync");
    if (!reference) return;
    const ClockSearch found = search_clock(frames, *reference, around_s);
    if (found.is_reversed() && !setup.sign_is_known)
        refuse(history,
               fmt::format("sign reversed: with the other sign it explains {:.0f} % of {}, with its own {:.0f} %. Give "
                           "--rotation-sign -1, or --rotation-plane as the viewer sees it; --rotation-sign 1 if it is "
                           "right nevertheless",
                           100.0 * found.reversed, name_of(*reference), 100.0 * found.same));
    if (!around_s) by_correlation(history, frames, *reference, found, filmed);
    examine(frames, *reference, filmed);
}

}  // namespace

std::vector<double> edges_of(const std::vector<double>& time_s, const std::vector<double>& level) {
    double low = 0.0, high = 0.0;
    bool is_first = true;
    for (const double value : level) {
        if (!std::isfinite(value)) continue;
        low = is_first ? value : std::min(low, value);
        high = is_first ? value : std::max(high, value);
        is_first = false;
    }
    std::vector<double> edges;
    if (!(high > low)) return edges;
    std::optional<std::size_t> before;
    for (std::size_t i = 0; i < level.size() && edges.size() < 2; ++i) {
        if (!std::isfinite(level[i])) continue;
        const bool is_high = level[i] > 0.5 * (low + high);
        const bool was_high = before && level[*before] > 0.5 * (low + high);
        const bool wanted = edges.empty() ? is_high && !was_high : !is_high && was_high;
        if (before && wanted) edges.push_back(0.5 * (time_s[*before] + time_s[i]));
        before = i;
    }
    return edges;
}

FilmedRotation film(const camera::RotationHistory& history, const RotationSetup& setup, const FilmedTest& test) {
    FilmedRotation filmed;
    filmed.file = history.file;
    filmed.format = history.format;
    filmed.frame_s = signal::typical_step_s(history.time_s);
    filmed.bodies = history.bodies;
    filmed.remarks = history.remarks;
    const CameraFrames frames = frames_of(history, test);
    find_clock(history, frames, setup, test, filmed);
    for (const double time_s : frames.time_s) filmed.time_s.push_back(filmed.line.of(time_s));
    filmed.rotation_rad = frames.rotation_rad;
    if (filmed.time_s.back() <= 0.0 || filmed.time_s.front() >= std::max(test.motion_end_s, filmed.frame_s))
        refuse(history,
               fmt::format("the frames are from t = {:.4g} s to {:.4g} s of the test, the motion from 0 to {:.4g} "
                           "s; check --rotation-start",
                           filmed.time_s.front(), filmed.time_s.back(), test.motion_end_s));
    return filmed;
}

}  // namespace topple::hil::compare
