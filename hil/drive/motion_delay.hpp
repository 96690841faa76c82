// By how much the base comes later than planned: a servo follows its setpoint with a delay.
#pragma once

#include <algorithm>

#include "solver/motion/base_motion.hpp"

namespace topple::hil::drive {

/// Least squares over the motion so far: to first order the measured velocity lacks delay x planned acceleration.
class MotionDelay {
  public:
    void add(const solver::BaseState& planned, double measured_velocity_m_s) noexcept {
        lacking_ += (planned.velocity_m_s - measured_velocity_m_s) * planned.acceleration_m_s2;
        squares_ += planned.acceleration_m_s2 * planned.acceleration_m_s2;
    }
    /// 0 until the base has been pushed at all; at most kMost_s.
    double delay_s() const noexcept {
        constexpr double kPushed = 10.0;  // (m/s2)^2: 20 ms of 1 m/s2 at 500 Hz, far above the noise of an estimate
        constexpr double kMost_s = 0.05;
        return squares_ < kPushed ? 0.0 : std::clamp(lacking_ / squares_, 0.0, kMost_s);
    }

  private:
    double lacking_ = 0.0, squares_ = 0.0;
};

}  // namespace topple::hil::drive
