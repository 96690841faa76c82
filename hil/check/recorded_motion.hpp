// One supervised motion of the table under check with everything it fed back, and what may be done to it on
// the way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controller/supervisor.hpp"
#include "hil/check/checked_table.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::hil::check {

/// What happens to the motion on purpose.
enum class Intervention {
    none,
    stop,     ///< the host sends a stop
    silence,  ///< the host says nothing any more, as if it had died; the setpoints of 300 ms are already
              ///< there
};

struct MotionOrder {
    solver::BaseMotion motion;  ///< from rest to rest; gentle
    Intervention intervention = Intervention::none;
    double at_s = 0.0;  ///< of the intervention, after the start
};

struct RecordedMotion {
    std::vector<firmware_iface::Feedback> feedback;  ///< from arming until it has settled
    std::uint64_t start_us = 0;                      ///< device time of the first setpoint
    /// Silence: device time of the newest feedback when the host last sent anything. 0: it never came to it.
    std::uint64_t last_sent_us = 0;
    controller::SupervisorState ended = controller::SupervisorState::idle;
    std::uint32_t fault_code = 0;  ///< latched by the table, 0 if none
    std::string text;              ///< how it ended, for the operator
};

/// Peaks of every motion of the check.
inline constexpr double kGentleVelocity_m_s = 0.05, kGentleAcceleration_m_s2 = 0.5;

/// Speeds up, moves at kGentleVelocity_m_s and slows down; distance_m (signed) at least 5 mm.
solver::BaseMotion constant_velocity_move(double distance_m);

/// Arms, drives, records until the table has settled, disarms if it still can. An operator's stop is passed
/// on to the table at once; then, and if the table refuses, DeviceError. `machine` in `table`: effective
/// limits.
RecordedMotion record_motion(const CheckedTable& table, const MotionOrder& order);

/// Clears the fault that the check itself has caused. Throws DeviceError if it is another one, or the table
/// refuses.
void clear_own_fault(const CheckedTable& table, firmware_iface::FaultCode own);

/// Finds the reference, recording. Throws DeviceError if the table refuses, fails or the operator stops it (a
/// stop is sent).
std::vector<firmware_iface::Feedback> record_homing(const CheckedTable& table);

}  // namespace topple::hil::check
