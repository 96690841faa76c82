// What is said every period: setpoints and feedback.
#include <algorithm>

#include "firmware_iface/wire/codec_messages.hpp"

namespace topple::firmware_iface {
namespace {

using Size = Codec::Size;

bool is_finite(const AxisSetpoint& axis) noexcept {
    return all_finite(axis.position_m, axis.velocity_m_s, axis.acceleration_m_s2);
}
bool is_finite(const AxisFeedback& axis) noexcept {
    return all_finite(axis.setpoint_position_m, axis.setpoint_velocity_m_s, axis.setpoint_acceleration_m_s2);
}
bool sendable(const Setpoint& setpoint) noexcept {
    return axes_in_bounds(setpoint.axis_count) &&
           std::all_of(setpoint.axes.begin(), setpoint.axes.begin() + setpoint.axis_count,
                       [](const AxisSetpoint& axis) { return is_finite(axis); });
}

bool is_finite(const Feedback& feedback) noexcept {
    return all_finite(feedback.acceleration_x_m_s2.value_or(0.0), feedback.acceleration_y_m_s2.value_or(0.0)) &&
           std::all_of(feedback.axes.begin(), feedback.axes.begin() + feedback.axis_count,
                       [](const AxisFeedback& axis) { return is_finite(axis); }) &&
           std::all_of(feedback.rotation_rad.begin(), feedback.rotation_rad.begin() + feedback.rotation_count,
                       [](double angle) { return std::isfinite(angle); }) &&
           std::all_of(feedback.aux_v.begin(), feedback.aux_v.begin() + feedback.aux_count,
                       [](double volts) { return std::isfinite(volts); });
}

bool sendable(const Feedback& feedback) noexcept {
    return axes_in_bounds(feedback.axis_count) && feedback.rotation_count <= kRotationSensorsMax &&
           feedback.aux_count <= kAuxChannelsMax && feedback.state <= DeviceState::estop &&
           feedback.device_time_us <= kDeviceTimeMax_us && is_finite(feedback);
}

void fill(const Setpoint& from, wire::Setpoint& to) {
    to.set_device_time_us(from.device_time_us);
    to.set_final(from.final);
    for (std::size_t i = 0; i < from.axis_count; ++i) {
        auto& axis = *to.add_axes();
        axis.set_position_m(from.axes[i].position_m);
        axis.set_velocity_m_s(from.axes[i].velocity_m_s);
        axis.set_acceleration_m_s2(from.axes[i].acceleration_m_s2);
    }
}

bool read(const wire::Setpoint& from, Setpoint& to) noexcept {
    to = Setpoint{};
    if (!axes_in_bounds(static_cast<std::size_t>(from.axes_size()))) return false;
    to.device_time_us = from.device_time_us();
    to.final = from.final();
    to.axis_count = static_cast<std::size_t>(from.axes_size());
    for (int i = 0; i < from.axes_size(); ++i) {
        const auto& axis = from.axes(i);
        to.axes[static_cast<std::size_t>(i)] = {axis.position_m(), axis.velocity_m_s(), axis.acceleration_m_s2()};
    }
    return sendable(to);
}

}  // namespace

Size Codec::encode(std::span<const Setpoint> values, std::span<std::byte> out) noexcept {
    if (values.empty() || values.size() > kSetpointBatchMax) return std::nullopt;
    auto& message = messages_->setpoints;
    message.Clear();
    for (const Setpoint& setpoint : values) {
        if (!sendable(setpoint)) return std::nullopt;
        fill(setpoint, *message.add_setpoints());
    }
    return serialise(message, out);
}

std::size_t Codec::decode_setpoints(std::span<const std::byte> payload, std::span<Setpoint> values) noexcept {
    auto& message = messages_->setpoints;
    if (!parse(payload, message)) return 0;
    const auto count = static_cast<std::size_t>(message.setpoints_size());
    if (count > std::min(kSetpointBatchMax, values.size())) return 0;
    for (std::size_t i = 0; i < count; ++i)
        if (!read(message.setpoints(static_cast<int>(i)), values[i])) return 0;
    return count;
}

Size Codec::encode(const Feedback& value, std::span<std::byte> out) noexcept {
    if (!sendable(value)) return std::nullopt;
    auto& message = messages_->feedback;
    message.Clear();
    message.set_device_time_us(value.device_time_us);
    for (std::size_t i = 0; i < value.axis_count; ++i) {
        auto& axis = *message.add_axes();
        axis.set_encoder_count(value.axes[i].encoder_count);
        axis.set_setpoint_position_m(value.axes[i].setpoint_position_m);
        axis.set_setpoint_velocity_m_s(value.axes[i].setpoint_velocity_m_s);
        axis.set_setpoint_acceleration_m_s2(value.axes[i].setpoint_acceleration_m_s2);
    }
    if (value.acceleration_x_m_s2) message.set_acceleration_x_m_s2(*value.acceleration_x_m_s2);
    if (value.acceleration_y_m_s2) message.set_acceleration_y_m_s2(*value.acceleration_y_m_s2);
    for (std::size_t i = 0; i < value.rotation_count; ++i) message.add_specimen_rotation_rad(value.rotation_rad[i]);
    message.set_state(static_cast<std::uint32_t>(value.state));
    message.set_fault_code(value.fault_code);
    message.set_queue_level(value.queue_level);
    message.set_motion_done(value.motion_done);
    if (value.homed) message.set_homed(*value.homed);
    if (value.trigger) message.set_trigger(*value.trigger);
    for (std::size_t i = 0; i < value.aux_count; ++i) message.add_aux_v(value.aux_v[i]);
    return serialise(message, out);
}

std::string_view explanation(FeedbackDefect defect) noexcept {
    switch (defect) {
        case FeedbackDefect::none: return "the table's feedback is sound";
        case FeedbackDefect::not_finite:
            return "the table sent a value that is not a number (NaN or infinity): check its sensors and firmware";
        case FeedbackDefect::unknown_state:
            return "the table reports a state that this protocol does not know: its firmware is of another version";
        case FeedbackDefect::implausible_time:
            return "the table's clock shows a time beyond 285 years: its firmware is defective";
        case FeedbackDefect::malformed:
            return "the table sent feedback that is not of this protocol: its firmware is defective";
    }
    return "?";
}

FeedbackDefect Codec::read_feedback(std::span<const std::byte> payload, Feedback& value) noexcept {
    auto& message = messages_->feedback;
    if (!parse(payload, message)) return FeedbackDefect::malformed;
    const auto axes = static_cast<std::size_t>(message.axes_size());
    const auto rotations = static_cast<std::size_t>(message.specimen_rotation_rad_size());
    const auto aux = static_cast<std::size_t>(message.aux_v_size());
    if (!axes_in_bounds(axes) || rotations > kRotationSensorsMax || aux > kAuxChannelsMax)
        return FeedbackDefect::malformed;
    if (message.state() > static_cast<std::uint32_t>(DeviceState::estop)) return FeedbackDefect::unknown_state;
    if (message.device_time_us() > kDeviceTimeMax_us) return FeedbackDefect::implausible_time;
    value = Feedback{};
    value.device_time_us = message.device_time_us();
    value.axis_count = axes;
    for (std::size_t i = 0; i < axes; ++i) {
        const auto& axis = message.axes(static_cast<int>(i));
        value.axes[i] = {axis.encoder_count(), axis.setpoint_position_m(), axis.setpoint_velocity_m_s(),
                         axis.setpoint_acceleration_m_s2()};
    }
    if (message.has_acceleration_x_m_s2()) value.acceleration_x_m_s2 = message.acceleration_x_m_s2();
    if (message.has_acceleration_y_m_s2()) value.acceleration_y_m_s2 = message.acceleration_y_m_s2();
    value.rotation_count = rotations;
    std::copy_n(message.specimen_rotation_rad().begin(), rotations, value.rotation_rad.begin());
    value.state = static_cast<DeviceState>(message.state());
    value.fault_code = message.fault_code();
    value.queue_level = message.queue_level();
    value.motion_done = message.motion_done();
    if (message.has_homed()) value.homed = message.homed();
    if (message.has_trigger()) value.trigger = message.trigger();
    value.aux_count = aux;
    std::copy_n(message.aux_v().begin(), aux, value.aux_v.begin());
    return is_finite(value) ? FeedbackDefect::none : FeedbackDefect::not_finite;
}

}  // namespace topple::firmware_iface
