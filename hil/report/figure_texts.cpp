#include "hil/report/figure_texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/plan/prediction_text.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::report {
namespace {

std::string peak(const std::vector<std::vector<double>>& rotation_rad) {
    double peak_rad = 0.0;
    for (const std::vector<double>& block : rotation_rad)
        peak_rad = std::max(peak_rad, signal::largest_magnitude(block));
    return fmt::format("{:.4g} rad", peak_rad);
}

}  // namespace

std::string motion_alt(const compare::Conclusion& c) {
    const compare::MotionTrace& a = c.motion.achieved;
    using signal::largest_magnitude;
    std::string text = fmt::format(
        "Three curves over time: displacement, velocity and acceleration of the platen. Achieved peaks: {:.4g} mm, "
        "{:.4g} "
        "m/s, {:.4g} m/s²",
        1e3 * largest_magnitude(a.displacement_m), largest_magnitude(a.velocity_m_s),
        largest_magnitude(a.acceleration_m_s2));
    if (c.tracking.evaluated)
        text += fmt::format("; commanded: {:.4g} mm, {:.4g} m/s, {:.4g} m/s²",
                            1e3 * c.tracking.commanded_displacement_peak_m, c.tracking.commanded_velocity_peak_m_s,
                            c.tracking.commanded_acceleration_peak_m_s2);
    const double threshold_m_s2 =
        c.experiment.specimens.empty() ? 0.0 : experiment::uplift_threshold_m_s2(c.experiment);
    if (threshold_m_s2 > 0.0 && std::isfinite(threshold_m_s2))
        text += fmt::format("; uplift from {:.4g} m/s²", threshold_m_s2);
    return text + ".";
}

std::string axes_alt(const compare::Conclusion& c) {
    std::string text = "Displacement and acceleration of each axis over time.";
    for (const compare::AxisConclusion& axis : c.axes)
        text += fmt::format(" Achieved peaks along {}: {:.4g} mm, {:.4g} m/s².", axis.name,
                            1e3 * signal::largest_magnitude(axis.motion.achieved.displacement_m),
                            signal::largest_magnitude(axis.motion.achieved.acceleration_m_s2));
    return text;
}

std::string tracking_alt(const compare::Conclusion& c) {
    return fmt::format(
        "Achieved minus commanded displacement and acceleration over time. Largest displacement error {:.3f} mm at "
        "{:.3f} "
        "s, rms {:.3f} mm; peak acceleration {:+.2f} %.",
        1e3 * c.tracking.displacement_peak_error_m, c.tracking.displacement_peak_error_time_s,
        1e3 * c.tracking.displacement_rms_error_m, 100.0 * c.tracking.acceleration_peak_error_ratio);
}

std::string rotation_alt(const compare::SpecimenConclusion& s, const std::string& of, double start_s, double end_s) {
    std::string text = fmt::format(
        "Rotation{} from {:.2f} to {:.2f} s. Largest in the record: {} predicted from the "
        "planned motion",
        of, start_s, end_s, peak(s.planned.filtered_rad));
    if (!s.achieved.filtered_rad.empty()) text += ", " + peak(s.achieved.filtered_rad) + " from the achieved one";
    if (s.measured.has_rotation()) {
        double measured_rad = 0.0;
        for (const compare::BlockMeasurement& block : s.measured.blocks)
            measured_rad = std::max(measured_rad, block.peak_rotation_rad);
        text += fmt::format(", {:.4g} rad measured", measured_rad);
    }
    return text + ".";
}

std::string phase_alt(const std::string& of, double rotation_rad, double rate_rad_s) {
    return fmt::format("Rotation rate over rotation{}: spirals within {:.3g} rad and {:.3g} rad/s.", of, rotation_rad,
                       rate_rad_s);
}

std::string bodies_alt(const compare::Conclusion& c) {
    std::string text = "Drawing of";
    for (std::size_t i = 0; i < c.experiment.specimens.size(); ++i)
        text += fmt::format("{} specimen {}, {}", i == 0 ? "" : ";", i, plan::describe(c.experiment.specimens[i]));
    return text + ".";
}

std::string timing_alt(const compare::TimingStatistics& timing) {
    return fmt::format(
        "Histogram of the host's cycles: wake-up late by {:.0f} µs (median) and {:.0f} µs at most, work of "
        "{:.0f} µs (median) and {:.0f} µs at most.",
        timing.wake_late_us.p50, timing.wake_late_us.max, timing.busy_us.p50, timing.busy_us.max);
}

}  // namespace topple::hil::report
