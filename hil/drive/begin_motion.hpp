// How every motion begins, of a test and by hand: armed table, first setpoints sent, started, supervised.
#pragma once

#include <functional>

#include "controller/supervisor.hpp"
#include "firmware_iface/table_link.hpp"
#include "firmware_iface/wording.hpp"

namespace topple::hil::drive {

inline constexpr std::uint64_t kStartLead_us = 100'000;  ///< from the newest feedback to the first setpoint

/// Device time of the first setpoint: it falls on a feedback instant, so that measured and commanded motion share
/// times.
std::uint64_t motion_start_us(const firmware_iface::TableLink& link, const firmware_iface::Feedback& newest) noexcept;

struct MotionStart {
    firmware_iface::Feedback newest;  ///< armed
    std::uint64_t start_us = 0;       ///< of the first setpoint
    bool release_specimen = false;
    bool trigger = false;  ///< the trigger output shows this motion
    /// Called when nothing prevents the motion and the first setpoints are sent, before the start command.
    std::function<void()> on_start = [] {};
    std::function<void(const firmware_iface::Setpoint&)> on_sent = [](const firmware_iface::Setpoint&) {};
};

/// Waits for the answer of the table, which holds meanwhile. Empty if the motion has begun, else what prevents it;
/// the table then has been stopped if it had started. Throws DeviceError, after a stop, if the table does not answer.
firmware_iface::Wording begin_motion(controller::Supervisor& supervisor, firmware_iface::TableLink& link,
                                     const firmware_iface::Clock& clock, const MotionStart& start);

}  // namespace topple::hil::drive
