// Setpoints and feedback with any contents that may travel, and whether two are the same.
#pragma once

#include <random>

#include "firmware_iface/feedback_defect.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::test {

using namespace firmware_iface;

inline Setpoint random_setpoint(std::mt19937_64& random) {
    std::uniform_real_distribution<double> number(-30.0, 30.0);
    Setpoint setpoint;
    setpoint.device_time_us = random();
    setpoint.axis_count = 1 + random() % kAxesMax;
    for (std::size_t i = 0; i < setpoint.axis_count; ++i)
        setpoint.axes[i] = {number(random), number(random), number(random)};
    setpoint.final = random() % 2;
    return setpoint;
}

inline Feedback random_feedback(std::mt19937_64& random) {
    std::uniform_real_distribution<double> number(-30.0, 30.0);
    Feedback feedback;
    feedback.device_time_us = random() % (kDeviceTimeMax_us + 1);
    feedback.axis_count = 1 + random() % kAxesMax;
    for (std::size_t i = 0; i < feedback.axis_count; ++i)
        feedback.axes[i] = {static_cast<std::int64_t>(random()), number(random), number(random), number(random)};
    if (random() % 2) feedback.acceleration_x_m_s2 = number(random);
    if (random() % 2) feedback.acceleration_y_m_s2 = number(random);
    feedback.rotation_count = random() % (kRotationSensorsMax + 1);
    for (std::size_t i = 0; i < feedback.rotation_count; ++i) feedback.rotation_rad[i] = number(random);
    feedback.state = static_cast<DeviceState>(random() % 8);
    feedback.fault_code = static_cast<std::uint32_t>(random());
    feedback.queue_level = static_cast<std::uint32_t>(random());
    feedback.motion_done = random() % 2;
    if (random() % 3 != 0) feedback.homed = random() % 2 == 0;
    if (random() % 3 != 0) feedback.trigger = random() % 2 == 0;
    feedback.aux_count = random() % (kAuxChannelsMax + 1);
    for (std::size_t i = 0; i < feedback.aux_count; ++i) feedback.aux_v[i] = number(random);
    return feedback;
}

inline bool same(const Setpoint& a, const Setpoint& b) {
    bool equal = a.device_time_us == b.device_time_us && a.axis_count == b.axis_count && a.final == b.final;
    for (std::size_t i = 0; i < kAxesMax; ++i)
        equal = equal && a.axes[i].position_m == b.axes[i].position_m &&
                a.axes[i].velocity_m_s == b.axes[i].velocity_m_s &&
                a.axes[i].acceleration_m_s2 == b.axes[i].acceleration_m_s2;
    return equal;
}

inline bool same(const Feedback& a, const Feedback& b) {
    bool equal = a.device_time_us == b.device_time_us && a.axis_count == b.axis_count && a.state == b.state &&
                 a.acceleration_x_m_s2 == b.acceleration_x_m_s2 && a.acceleration_y_m_s2 == b.acceleration_y_m_s2 &&
                 a.rotation_count == b.rotation_count && a.rotation_rad == b.rotation_rad &&
                 a.fault_code == b.fault_code && a.queue_level == b.queue_level && a.motion_done == b.motion_done &&
                 a.homed == b.homed && a.trigger == b.trigger && a.aux_count == b.aux_count && a.aux_v == b.aux_v;
    for (std::size_t i = 0; i < kAxesMax; ++i)
        equal = equal && a.axes[i].encoder_count == b.axes[i].encoder_count &&
                a.axes[i].setpoint_position_m == b.axes[i].setpoint_position_m &&
                a.axes[i].setpoint_velocity_m_s == b.axes[i].setpoint_velocity_m_s &&
                a.axes[i].setpoint_acceleration_m_s2 == b.axes[i].setpoint_acceleration_m_s2;
    return equal;
}

}  // namespace topple::test
