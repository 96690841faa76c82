// CSV texts behind the figures; documented columns, SI units in their names.
#pragma once

#include <string>

#include "hil/compare/conclusion.hpp"

namespace topple::hil::report {

/// time_s, {commanded,achieved}_{displacement_m,velocity_m_s,acceleration_m_s2}, tracking_error_m; nan = not
/// there.
std::string motion_csv(const compare::AchievedMotion& motion);
/// time_s, then per block b: planned_b_rad, achieved_b_rad, measured_b_rad and the same for the rates
/// (_rad_s).
std::string rotation_csv(const compare::SpecimenConclusion& specimen, const signal::EvenGrid& grid);
struct RotationRange {
    double low_rad = 0.0, high_rad = 0.0;  ///< low < high, both with a margin
};
/// Of all curves of the block over `start_s` <= t <= `end_s`.
RotationRange rotation_range(const compare::SpecimenConclusion& specimen, const signal::EvenGrid& grid,
                             std::size_t block, double start_s, double end_s);

/// How far a phase plane must reach so that what happens before a fall fills it.
struct PhaseExtent {
    double rotation_rad = 0.0, rate_rad_s = 0.0;  ///< > 0
};
/// Over `start_s` <= t <= `end_s`, of all curves of the block; where a curve leaves 1.5 times the slenderness it counts
/// no more.
PhaseExtent phase_extent(const compare::SpecimenConclusion& specimen, const signal::EvenGrid& grid, std::size_t block,
                         double slenderness_rad, double start_s, double end_s);
/// bin_us, wake_late_count, busy_count: equal bins from 0 to the largest value, bin_us is the middle of a
/// bin.
std::string timing_csv(const compare::TimingStatistics& timing);

}  // namespace topple::hil::report
