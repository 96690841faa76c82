// How well the reference is found again.
#include <algorithm>
#include <cmath>

#include "controller/feasibility.hpp"
#include "hil/check/motion_check.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::check {
namespace {

using firmware_iface::DeviceState;
using firmware_iface::Feedback;

// Where the limits come from: docs/check.md.
constexpr double kDeviationMax_um = 20.0, kRangeMax_um = 50.0, kShiftMax_um = 100.0;
constexpr double kFail_um = 0.5e6 * controller::kStrokeMargin_m;

/// Where the platen is sent until it rests, from a setpoint that slows down.
double braked_m(const firmware_iface::AxisFeedback& axis) {
    const double v = axis.setpoint_velocity_m_s, a = axis.setpoint_acceleration_m_s2;
    return axis.setpoint_position_m + (v * a < 0.0 ? -0.5 * v * v / a : 0.0);
}

}  // namespace

double reference_shift_m(std::span<const Feedback> homing) {
    for (std::size_t i = 1; i < homing.size(); ++i)
        if (homing[i - 1].state == DeviceState::homing && homing[i].state == DeviceState::ready)
            return braked_m(homing[i - 1].axes[0]) - homing[i].axes[0].setpoint_position_m;
    return std::nan("");
}

std::vector<CheckResult> judge_homings(std::span<const double> shifts_m, bool known_before) {
    const std::string advice =
        "the reference was found at different positions: check the switch, its mounting and backlash";
    std::vector<double> reference_um;  // against the first one found
    double sum_um = 0.0;
    for (std::size_t i = 0; i < shifts_m.size(); ++i) {
        if (i > 0) sum_um += 1e6 * shifts_m[i];
        reference_um.push_back(sum_um);
    }
    std::vector<CheckResult> results;
    if (!known_before || shifts_m.empty()) {
        results.push_back(skipped_check("motion.reference_shift", "the table was not homed before"));
    } else {
        results.push_back(judge_magnitude({"motion.reference_shift", 1e6 * shifts_m.front(), "um"}, {kShiftMax_um},
                                          "the reference is not where it was at the last homing: counts were lost, "
                                          "or it was not homed at this switch"));
    }
    if (reference_um.size() < 2) {
        for (const char* name : {"motion.homing_deviation", "motion.homing_range"})
            results.push_back(skipped_check(name, "needs two homings"));
        return results;
    }
    const auto [lowest, highest] = std::minmax_element(reference_um.begin(), reference_um.end());
    results.push_back(judge_at_most({"motion.homing_deviation", signal::standard_deviation(reference_um), "um"},
                                    {kDeviationMax_um, kFail_um}, advice));
    results.push_back(
        judge_at_most({"motion.homing_range", *highest - *lowest, "um"}, {kRangeMax_um, kFail_um}, advice));
    return results;
}

}  // namespace topple::hil::check
