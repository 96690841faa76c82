// Encoder against command, accelerometer against encoder.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "controller/estimator.hpp"
#include "hil/check/motion_check.hpp"
#include "hil/compare/accelerometer.hpp"
#include "hil/signal/differences.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::check {
namespace {

using firmware_iface::Feedback;
using signal::mean;

// Where the limits come from: docs/check.md.
constexpr double kWay_m = 0.006;
constexpr double kFollowingShare = 0.4;  // of following_error_max: even with the sign wrong no fault comes of it
constexpr int kTimes = 3;
constexpr double kCountsError_ratio = 0.01;   // of what a servo that follows shows
constexpr double kFollowingErrorShare = 0.5;  // of following_error_max
constexpr double kScaleWarn_ratio = 0.05;

struct Channels {
    std::vector<double> time_s, setpoint_m, count, position_m, acceleration_m_s2;
};

Channels channels(const RecordedMotion& moved, const firmware_iface::MachineDescription& machine) {
    Channels c;
    for (const Feedback& f : moved.feedback) {
        c.time_s.push_back((static_cast<double>(f.device_time_us) - static_cast<double>(moved.start_us)) * 1e-6);
        c.setpoint_m.push_back(f.axes[0].setpoint_position_m);
        c.count.push_back(static_cast<double>(f.axes[0].encoder_count));
        c.position_m.push_back(controller::encoder_position_m(machine, f.axes[0].encoder_count));
        c.acceleration_m_s2.push_back(f.acceleration_x_m_s2 ? machine.accelerometer_sign * machine.accelerometer_scale *
                                                                  *f.acceleration_x_m_s2
                                                            : std::nan(""));
    }
    return c;
}

/// Least squares: y = slope x + constant.
double slope(std::span<const double> x, std::span<const double> y) {
    const double mean_x = mean(x), mean_y = mean(y);
    double product = 0.0, square = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        product += (x[i] - mean_x) * (y[i] - mean_y);
        square += (x[i] - mean_x) * (x[i] - mean_x);
    }
    return product / square;
}

std::vector<CheckResult> judge_encoder(const Channels& c, const firmware_iface::MachineDescription& machine) {
    const double counts_per_m = slope(c.setpoint_m, c.count);
    double worst_mm = 0.0;
    for (std::size_t i = 0; i < c.count.size(); ++i)
        worst_mm = std::max(worst_mm, 1e3 * std::abs(c.position_m[i] - c.setpoint_m[i]));
    return {
        judge_equal({"motion.encoder_sign", counts_per_m < 0.0 ? -1.0 : 1.0, ""}, machine.encoder_sign, hard(0.0),
                    "the platen moves opposite to what the encoder reports: nothing may move until encoder_sign of "
                    "device and machine file is correct"),
        judge_equal(
            {"motion.counts_per_m", std::abs(counts_per_m), "counts/m"}, machine.counts_per_m, hard(kCountsError_ratio),
            "the platen does not go to the commanded position: check counts_per_m and the servo. Measure a move of "
            "`topple table move` with a dial gauge"),
        judge_at_most({"motion.following_error", worst_mm, "mm"},
                      {1e3 * kFollowingErrorShare * machine.following_error_max_m, 1e3 * machine.following_error_max_m},
                      "the servo follows badly even in a gentle move: check its tuning")};
}

std::vector<CheckResult> judge_accelerometer(const Channels& c) {
    const std::string sign = "motion.accelerometer_sign", scale = "motion.accelerometer_scale";
    compare::AccelerometerAssessment found;
    signal::SampleGaps gaps;
    const double step_s = signal::typical_step_s(c.time_s);
    signal::Samples measured = signal::clean_samples(c.time_s, c.acceleration_m_s2, step_s, gaps);
    if (measured.value.size() < c.time_s.size() / 2)
        return {skipped_check(sign, "no accelerometer"), skipped_check(scale, "no accelerometer")};
    const double bias = mean(measured.value);  // the moves themselves have none: they begin and end at rest
    for (double& value : measured.value) value -= bias;
    const signal::EvenGrid grid{c.time_s.front(), step_s,
                                static_cast<std::size_t>((c.time_s.back() - c.time_s.front()) / step_s + 1.5)};
    signal::SampleGaps position_gaps;
    const auto position_m =
        signal::resample_smooth(signal::clean_samples(c.time_s, c.position_m, step_s, position_gaps), grid);
    compare::compare_with_encoder(measured, grid, signal::second_difference(position_m, step_s), found);
    std::vector<CheckResult> results{judge_at_least(
        {sign, found.correlation, ""}, hard(compare::kAccelerometerCorrelationMin),
        found.correlation < -compare::kAccelerometerCorrelationMin
            ? "the accelerometer is mounted in the opposite direction: reverse accelerometer_sign in device and "
              "machine file"
            : "the accelerometer does not show the platen's motion: check its axis, mounting and cable")};
    results.front().found = fmt::format("correlation with the encoder, {:.1f} ms later", 1e3 * found.delay_s);
    if (results.front().verdict != Verdict::pass) {
        results.push_back(skipped_check(scale, "see motion.accelerometer_sign"));
        return results;
    }
    results.push_back(judge_equal({scale, found.gain, ""}, 1.0,
                                  {kScaleWarn_ratio, compare::kAccelerometerGainError_ratio},
                                  "ratio of true (encoder) to reported acceleration: multiply accelerometer_scale of "
                                  "device and machine file by this number, if counts_per_m is certain"));
    return results;
}

}  // namespace

MotionOrder shuttle(const CheckedTable& table, double from_m) {
    const double way_m = std::min(kWay_m, kFollowingShare * table.machine.following_error_max_m);
    const double distance_m = from_m > 0.0 ? -way_m : way_m;
    MotionOrder order;
    for (int i = 0; i < 2 * kTimes; ++i)
        order.motion = order.motion.then(
            solver::rest_to_rest(i % 2 == 0 ? distance_m : -distance_m, kGentleVelocity_m_s, kGentleAcceleration_m_s2));
    return order;
}

std::vector<CheckResult> judge_shuttle(const RecordedMotion& moved, const CheckedTable& table) {
    const Channels c = channels(moved, table.machine);
    std::vector<CheckResult> results = judge_encoder(c, table.machine);
    for (CheckResult& result : judge_accelerometer(c)) results.push_back(std::move(result));
    return results;
}

}  // namespace topple::hil::check
