// What the platen must do: a base motion placed on the table.
#pragma once

#include <span>
#include <vector>

#include "firmware_iface/samples.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::controller {

/// A base motion from rest to rest at a place on the table, along one axis. Time 0 is the first setpoint.
struct Profile {
    solver::BaseMotion motion;
    double start_position_m = 0.0;  ///< table frame; where the platen rests at t = 0

    double duration_s() const noexcept { return motion.end_s(); }
    solver::BaseState at(double time_s) const noexcept;  ///< displacement is the table position
};

/// Places the motion so that its extremes lie symmetrically about mid stroke if `centre`, else starts at 0.
/// Throws std::invalid_argument if the motion starts before t = 0 or off displacement 0, or does not start and end at
/// rest (|v| > 1e-9 m/s).
Profile place(const solver::BaseMotion& motion, bool centre);

/// Gentle move between two rest positions.
Profile positioning(double from_m, double to_m, double velocity_max_m_s, double acceleration_max_m_s2);

/// x, and axis y holding where its setpoint is, if the table that fed this back has one.
std::vector<Profile> with_y_holding(const Profile& x, const firmware_iface::Feedback& held);

/// The setpoints of a profile: every period_us, twice where the acceleration jumps (left and right limit),
/// the last one `final` and exactly at rest. Times start at start_time_us; times of jumps are rounded to the
/// microsecond (jumps that fall together make one), and grid knots nearer to one than period/4 are left out.
/// Throws std::invalid_argument for period_us = 0.
std::vector<firmware_iface::Setpoint> setpoints(const Profile& profile, std::uint64_t start_time_us,
                                                std::uint32_t period_us);

/// The same of a table of one or two axes, a profile for each in the order x, y: all begin at start_time_us; an axis
/// whose profile is over holds where it ends until the longest is over. Where the acceleration of one axis jumps, both
/// have two knots.
std::vector<firmware_iface::Setpoint> setpoints(std::span<const Profile> axes, std::uint64_t start_time_us,
                                                std::uint32_t period_us);
/// Of the longest.
double duration_s(std::span<const Profile> axes) noexcept;

}  // namespace topple::controller
