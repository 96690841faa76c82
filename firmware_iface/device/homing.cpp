#include "firmware_iface/device/homing.hpp"

#include <algorithm>
#include <cmath>

namespace topple::firmware_iface {

void Homing::start(const HomingBounds& bounds, const AxisSetpoint& held, bool pressed) noexcept {
    bounds_ = bounds;
    setpoint_ = {held.position_m, 0.0, 0.0};
    elapsed_s_ = 0.0;
    enter(pressed ? Phase::leave_flag : Phase::reach_flag);
}

void Homing::enter(Phase phase) noexcept {
    phase_ = phase;
    phase_start_m_ = setpoint_.position_m;
}

double Homing::phase_velocity_m_s() const noexcept {
    switch (phase_) {
        case Phase::leave_flag: return bounds_.fast_m_s;
        case Phase::reach_flag: return -bounds_.fast_m_s;
        case Phase::back_off: return bounds_.slow_m_s;
        case Phase::edge: return -bounds_.slow_m_s;
        case Phase::settle: return 0.0;
    }
    return 0.0;
}

void Homing::move(double dt_s, double velocity_m_s) noexcept {
    const double step = bounds_.acceleration_m_s2 * dt_s;
    const double before = setpoint_.velocity_m_s;
    const double change = std::clamp(velocity_m_s - before, -step, step);
    setpoint_.velocity_m_s = before + change;
    setpoint_.acceleration_m_s2 = change / dt_s;
    setpoint_.position_m += 0.5 * dt_s * (before + setpoint_.velocity_m_s);
}

Homing::Status Homing::step(double dt_s, bool pressed, std::int64_t encoder_count) noexcept {
    elapsed_s_ += dt_s;
    move(dt_s, phase_velocity_m_s());
    const bool fast = phase_ == Phase::leave_flag || phase_ == Phase::reach_flag;
    const double braking_m = 0.5 * bounds_.fast_m_s * bounds_.fast_m_s / bounds_.acceleration_m_s2;
    const double travel_max = fast ? bounds_.travel_max_m : bounds_.backlash_max_m + 2.0 * braking_m;
    if (elapsed_s_ > bounds_.time_max_s || std::abs(setpoint_.position_m - phase_start_m_) > travel_max)
        return Status::failed;
    switch (phase_) {
        case Phase::leave_flag:
            if (!pressed) enter(Phase::edge);
            break;
        case Phase::reach_flag:
            if (pressed) enter(Phase::back_off);
            break;
        case Phase::back_off:
            if (!pressed) enter(Phase::edge);
            break;
        case Phase::edge:
            // While still braking from the fast speed the platen moves the wrong way: not an edge.
            if (pressed && setpoint_.velocity_m_s <= 0.0) {
                reference_count_ = encoder_count;
                enter(Phase::settle);
            }
            break;
        case Phase::settle:
            if (setpoint_.velocity_m_s == 0.0) return Status::found;
            break;
    }
    return Status::moving;
}

}  // namespace topple::firmware_iface
