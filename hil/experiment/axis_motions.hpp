// Where a motion goes in the horizontal plane: along which axes the table makes it, and what a specimen feels of it in
// the vertical plane in which it rocks.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hil/experiment/experiment.hpp"

namespace topple::hil::experiment {

/// Part of a motion along one horizontal direction that is felt along another one, `angle_rad` away; exactly 1, -1 or 0
/// where rounding is all that is missing.
double share_along(double angle_rad) noexcept;

/// Of a_x and a_y along the direction `angle_rad` about z from +x: a_x cos + a_y sin. One motion: a table of axis x
/// only.
solver::BaseMotion motion_along(std::span<const solver::BaseMotion> axes, double angle_rad);

/// The planned motion of every axis of the experiment's machine, x first; an axis that rests has an empty one.
std::vector<solver::BaseMotion> axis_motions(const Experiment& experiment);

/// Some axis has a motion.
bool moves(const Experiment& experiment);

/// Direction of [excitation]: 0 along x, pi/2 along y.
double drive_direction_rad(const Experiment& experiment) noexcept;

/// About z from +x, of the vertical plane in which specimen `index` rocks.
double plane_angle_rad(const Experiment& experiment, std::size_t index) noexcept;

/// What is planned for the direction `angle_rad`: [excitation] with its motions and its amplitude as they are there,
/// or, where both axes have motions of their own, of type "sum". Unchanged along its own direction.
Excitation excitation_along(const Experiment& experiment, double angle_rad);

/// Every specimen rocks in the plane of [excitation], which is the only motion: what looks at one motion covers the
/// test.
bool is_planar(const Experiment& experiment) noexcept;

/// Peaks of the planned acceleration in a specimen's plane, and across it: its equations know nothing of the latter.
struct PlanePeaks {
    double plane_angle_rad = 0.0;
    double in_plane_m_s2 = 0.0, across_m_s2 = 0.0;

    /// More than kAcrossSmall_ratio of the larger one is across.
    bool is_spatial() const noexcept;
    static constexpr double kAcrossSmall_ratio = 0.05;
};
PlanePeaks plane_peaks(const Experiment& experiment, std::size_t specimen);
/// One sentence for the operator where the motion across the plane is not small; else empty.
std::string plane_remark(const PlanePeaks& peaks, std::size_t specimen);

/// Where nothing moves across any specimen's plane, and nothing could, the plane is not spoken of.
bool shows_planes(const Experiment& experiment) noexcept;

/// 1 where specimen `index` rocks in the plane of [excitation], which is the only motion; -1 where that plane is turned
/// by pi: it feels the motion mirrored. Else throws InputError as require_planar does.
double sense_in_plane(const Experiment& experiment, std::size_t index, std::string_view what);

/// Throws InputError: `what` looks at one motion in one plane only, and this experiment has more. Nothing if
/// is_planar().
void require_planar(const Experiment& experiment, std::string_view what);

}  // namespace topple::hil::experiment
