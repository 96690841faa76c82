#include "hil/experiment/axis_motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/files/errors.hpp"

namespace topple::hil::experiment {
namespace {

using solver::BaseMotion;

constexpr double kRounding = 1e-12;
constexpr double kRightAngle_rad = 0.5 * std::numbers::pi;

BaseMotion times(const BaseMotion& motion, double share) { return share == 1.0 ? motion : motion.scaled(share); }

/// share_x x + share_y y, leaving out what is not there.
BaseMotion sum_of(const BaseMotion& x, double share_x, const BaseMotion& y, double share_y) {
    if (y.empty() || share_y == 0.0) return times(x, share_x);
    if (x.empty() || share_x == 0.0) return times(y, share_y);
    return times(x, share_x).plus(times(y, share_y));
}

/// [excitation] as it is felt at this angle from its own direction.
Excitation turned(Excitation excitation, double share) {
    if (share == 1.0) return excitation;
    excitation.motion = excitation.motion.scaled(share);
    if (excitation.table_motion) excitation.table_motion = excitation.table_motion->scaled(share);
    excitation.amplitude_m_s2 *= share;
    return excitation;
}

double peak_m_s2(const BaseMotion& motion) { return motion.empty() ? 0.0 : motion.extremes().acceleration_peak_m_s2; }

[[noreturn]] void refuse_spatial(const Experiment& experiment, std::string_view what) {
    throw files::InputError(
        fmt::format("{}: {} looks at one motion in the plane of the specimens only: leave out [excitation_y], and give "
                    "every specimen the plane_angle_rad of the motion",
                    experiment.source.string(), what));
}

}  // namespace

double share_along(double angle_rad) noexcept {
    const double share = std::cos(angle_rad), nearest = std::round(share);
    return std::abs(share - nearest) < kRounding ? nearest + 0.0 : share;
}

BaseMotion motion_along(std::span<const BaseMotion> axes, double angle_rad) {
    const BaseMotion none;
    return sum_of(axes[0], share_along(angle_rad), axes.size() > 1 ? axes[1] : none,
                  share_along(angle_rad - kRightAngle_rad));
}

double drive_direction_rad(const Experiment& experiment) noexcept {
    if (experiment.direction_rad) return *experiment.direction_rad;
    return experiment.table.axis == 1 ? kRightAngle_rad : 0.0;
}

double plane_angle_rad(const Experiment& experiment, std::size_t index) noexcept {
    return index < experiment.plane_angle_rad.size() ? experiment.plane_angle_rad[index] : 0.0;
}

std::vector<BaseMotion> axis_motions(const Experiment& experiment) {
    std::vector<BaseMotion> axes;
    for (std::size_t i = 0; i < experiment.table.description.axis_count(); ++i) {
        const double share = share_along(drive_direction_rad(experiment) - kRightAngle_rad * static_cast<double>(i));
        if (i == 1 && experiment.excitation_y)
            axes.push_back(experiment.excitation_y->planned_motion());
        else if (share == 0.0)
            axes.emplace_back();
        else
            axes.push_back(times(experiment.excitation.planned_motion(), share));
    }
    return axes;
}

bool moves(const Experiment& experiment) {
    const std::vector<BaseMotion> axes = axis_motions(experiment);
    return std::any_of(axes.begin(), axes.end(), [](const BaseMotion& motion) { return !motion.empty(); });
}

Excitation excitation_along(const Experiment& experiment, double angle_rad) {
    const double share = share_along(angle_rad - drive_direction_rad(experiment));
    if (!experiment.excitation_y) return turned(experiment.excitation, share);
    const Excitation &x = experiment.excitation, &y = *experiment.excitation_y;
    const double share_y = share_along(angle_rad - kRightAngle_rad);
    if (share_y == 0.0) return turned(x, share);
    if (share == 0.0) return turned(y, share_y);
    Excitation both;
    both.type = "sum";
    both.motion = sum_of(x.motion, share, y.motion, share_y);
    if (x.table_motion && y.table_motion) both.table_motion = sum_of(*x.table_motion, share, *y.table_motion, share_y);
    both.table_motion_missing = x.table_motion ? y.table_motion_missing : x.table_motion_missing;
    both.remarks = x.remarks;
    return both;
}

bool is_planar(const Experiment& experiment) noexcept {
    if (experiment.excitation_y) return false;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i)
        if (share_along(plane_angle_rad(experiment, i) - drive_direction_rad(experiment)) != 1.0) return false;
    return true;
}

bool PlanePeaks::is_spatial() const noexcept {
    return across_m_s2 > kAcrossSmall_ratio * std::max(in_plane_m_s2, across_m_s2) && across_m_s2 > 0.0;
}

PlanePeaks plane_peaks(const Experiment& experiment, std::size_t specimen) {
    const double angle_rad = plane_angle_rad(experiment, specimen);
    return {angle_rad, peak_m_s2(excitation_along(experiment, angle_rad).planned_motion()),
            peak_m_s2(excitation_along(experiment, angle_rad + kRightAngle_rad).planned_motion())};
}

std::string plane_remark(const PlanePeaks& peaks, std::size_t specimen) {
    if (!peaks.is_spatial()) return {};
    return fmt::format(
        "specimen {}: in its plane (plane_angle_rad = {:g}) the base reaches {:.4g} m/s2, across it {:.4g} m/s2: the "
        "planar equations know nothing of the latter; a specimen that can rock or turn in that direction may do so",
        specimen, peaks.plane_angle_rad, peaks.in_plane_m_s2, peaks.across_m_s2);
}

bool shows_planes(const Experiment& experiment) noexcept {
    const auto& angles = experiment.plane_angle_rad;
    return experiment.table.description.y ||
           std::any_of(angles.begin(), angles.end(), [](double angle_rad) { return angle_rad != 0.0; });
}

double sense_in_plane(const Experiment& experiment, std::size_t index, std::string_view what) {
    const double share = share_along(plane_angle_rad(experiment, index) - drive_direction_rad(experiment));
    if (experiment.excitation_y || std::abs(share) != 1.0) refuse_spatial(experiment, what);
    return share;
}

void require_planar(const Experiment& experiment, std::string_view what) {
    if (!is_planar(experiment)) refuse_spatial(experiment, what);
}

}  // namespace topple::hil::experiment
