// What only shows when the platen moves: encoder and accelerometer, stop, watchdog, homing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hil/check/check.hpp"
#include "hil/check/recorded_motion.hpp"

namespace topple::hil::check {

/// Longest way of one move, m; no move is longer.
inline constexpr double kMoveMax_m = 0.010;

// ---- gentle moves, towards the middle of the stroke ----
/// There and back three times over a few mm.
MotionOrder shuttle(const CheckedTable& table, double from_m);
/// Straight moves during which the host stops, or stays silent.
MotionOrder move_and_stop(double from_m);
MotionOrder move_and_fall_silent(double from_m);

// ---- what they show ----
/// Counts per metre, sign and following error against the command; sign and scale of the accelerometer
/// against the encoder.
std::vector<CheckResult> judge_shuttle(const RecordedMotion& moved, const CheckedTable& table);
/// Time and way of the commanded stop, and when the platen rests.
std::vector<CheckResult> judge_stop(const RecordedMotion& stopped, const CheckedTable& table);
/// How long the table waited for a silent host. `round_trip_ms`: of the wire, allowed on top.
CheckResult judge_watchdog(const RecordedMotion& silent, const CheckedTable& table, double round_trip_ms);

/// How far the reference of one homing lies from the one before, m, table frame: the jump of the frame in the
/// moment in which it is found. NaN if the feedback of that moment is missing.
double reference_shift_m(std::span<const firmware_iface::Feedback> homing);
/// `shifts_m` of successive homings; `known_before`: the table was homed, so that the first shift has a
/// meaning.
std::vector<CheckResult> judge_homings(std::span<const double> shifts_m, bool known_before);

}  // namespace topple::hil::check
