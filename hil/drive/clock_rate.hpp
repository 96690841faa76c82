// Does a second of the table last a second? Asked while it is at rest, before anything moves.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/table_link.hpp"

namespace topple::hil::drive {

/// A motion is played in the table's time: with a clock that is fast by s every acceleration is (1 + s)^2 of the
/// planned one. At this limit it is wrong by a tenth, as much as decides between rocking and overturning; crystals are
/// wrong by 100 ppm at most, ceramic resonators by 0.5 %. What is not refused but above 200 ppm is reported later.
inline constexpr double kClockSkewMax = 0.05;

/// One feedback: when it was stamped and when it was read.
struct ClockReading {
    std::uint64_t device_time_us = 0;
    firmware_iface::Nanoseconds host{0};
};

/// The table's clock fast against the host's, relative; -1: it stands still. From the least delayed reading of the
/// first and of the last quarter of the time: delays that differ by 2 ms are 0.3 % in a second. At least two readings
/// at different times.
double clock_skew(std::span<const ClockReading> readings);

/// Listens for a second. Throws DeviceError, with figure and limit, if the skew is beyond kClockSkewMax in three
/// seconds one after the other: a simulated table loses time while its computer is busy, a wrong clock is wrong in
/// each. Also if the table falls silent or a stop is requested. Nothing may move meanwhile.
void require_true_clock(firmware_iface::TableLink& link, firmware_iface::Clock& clock,
                        const std::atomic<bool>& stop_requested);

/// For an operator: how wrong the clock is, its effect on a motion and the limit.
std::string clock_skew_text(double skew);

}  // namespace topple::hil::drive
