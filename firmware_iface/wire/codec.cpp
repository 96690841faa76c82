#include "firmware_iface/wire/codec.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "firmware_iface/wire/table.pb.h"

namespace topple::firmware_iface {
namespace {

using Size = Codec::Size;

Size serialise(const google::protobuf::MessageLite& message, std::span<std::byte> out) {
    const std::size_t size = message.ByteSizeLong();
    if (size > out.size() || !message.SerializeToArray(out.data(), static_cast<int>(size))) return std::nullopt;
    return size;
}

bool parse(std::span<const std::byte> payload, google::protobuf::MessageLite& message) {
    return message.ParseFromArray(payload.data(), static_cast<int>(payload.size()));
}

bool axes_in_bounds(std::size_t count) noexcept { return count >= 1 && count <= kAxesMax; }

template <class... Numbers>
bool all_finite(Numbers... numbers) noexcept {
    return (std::isfinite(numbers) && ...);
}

bool is_finite(const AxisSetpoint& axis) noexcept {
    return all_finite(axis.position_m, axis.velocity_m_s, axis.acceleration_m_s2);
}
bool is_finite(const AxisFeedback& axis) noexcept {
    return all_finite(axis.setpoint_position_m, axis.setpoint_velocity_m_s, axis.setpoint_acceleration_m_s2);
}
bool is_finite(const DeviceInfo::Axis& axis) noexcept {
    return all_finite(axis.stroke_m, axis.velocity_max_m_s, axis.acceleration_max_m_s2, axis.stop_deceleration_m_s2,
                      axis.counts_per_m);
}

bool sendable(const Setpoint& setpoint) noexcept {
    return axes_in_bounds(setpoint.axis_count) &&
           std::all_of(setpoint.axes.begin(), setpoint.axes.begin() + setpoint.axis_count,
                       [](const AxisSetpoint& axis) { return is_finite(axis); });
}

bool sendable(const Feedback& feedback) noexcept {
    return axes_in_bounds(feedback.axis_count) && feedback.rotation_count <= kRotationSensorsMax &&
           feedback.state <= DeviceState::estop &&
           all_finite(feedback.acceleration_x_m_s2.value_or(0.0), feedback.acceleration_y_m_s2.value_or(0.0)) &&
           std::all_of(feedback.axes.begin(), feedback.axes.begin() + feedback.axis_count,
                       [](const AxisFeedback& axis) { return is_finite(axis); }) &&
           std::all_of(feedback.rotation_rad.begin(), feedback.rotation_rad.begin() + feedback.rotation_count,
                       [](double angle) { return std::isfinite(angle); });
}

bool sendable(const DeviceInfo::Axis& axis) noexcept {
    return is_finite(axis) && std::abs(axis.encoder_sign) == 1 && std::abs(axis.accelerometer_sign) == 1;
}

/// At most kTextMax bytes, cut between characters of UTF-8.
std::string_view cut(std::string_view text) noexcept {
    if (text.size() <= kTextMax) return text;
    std::size_t end = kTextMax;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end);
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

void fill(const DeviceInfo::Axis& from, wire::AxisDescription& to) {
    to.set_name(std::string(cut(from.name)));
    to.set_stroke_m(from.stroke_m);
    to.set_velocity_max_m_s(from.velocity_max_m_s);
    to.set_acceleration_max_m_s2(from.acceleration_max_m_s2);
    to.set_stop_deceleration_m_s2(from.stop_deceleration_m_s2);
    to.set_counts_per_m(from.counts_per_m);
    to.set_encoder_sign(from.encoder_sign);
    to.set_accelerometer_sign(from.accelerometer_sign);
}

DeviceInfo::Axis read(const wire::AxisDescription& from) {
    return {from.name(), from.stroke_m(), from.velocity_max_m_s(), from.acceleration_max_m_s2(),
            from.stop_deceleration_m_s2(), from.counts_per_m(), from.encoder_sign(), from.accelerometer_sign()};
}

}  // namespace

struct Codec::Messages {
    wire::Hello hello;
    wire::DeviceDescription description;
    wire::Command command;
    wire::Reply reply;
    wire::SetpointBatch setpoints;
    wire::Feedback feedback;

    /// Makes every nested message and reserves every vector once; Clear() keeps them for reuse.
    Messages() {
        for (std::size_t i = 0; i < kSetpointBatchMax; ++i) {
            auto& setpoint = *setpoints.add_setpoints();
            for (std::size_t axis = 0; axis < kAxesMax; ++axis) setpoint.add_axes();
        }
        for (std::size_t axis = 0; axis < kAxesMax; ++axis) feedback.add_axes();
        feedback.mutable_specimen_rotation_rad()->Reserve(static_cast<int>(kRotationSensorsMax));
    }
};

Codec::Codec() : messages_(std::make_unique<Messages>()) {}
Codec::~Codec() = default;
Codec::Codec(Codec&&) noexcept = default;
Codec& Codec::operator=(Codec&&) noexcept = default;

Size Codec::encode(const HelloMessage& value, std::span<std::byte> out) {
    auto& message = messages_->hello;
    message.set_protocol_version(value.protocol_version);
    message.set_client(std::string(cut(value.client)));
    return serialise(message, out);
}

bool Codec::decode_hello(std::span<const std::byte> payload, HelloMessage& value) {
    auto& message = messages_->hello;
    if (!parse(payload, message) || message.client().size() > kTextMax) return false;
    value = {message.protocol_version(), message.client()};
    return true;
}

Size Codec::encode(const DeviceInfo& value, std::uint64_t device_time_us, std::span<std::byte> out) {
    if (!axes_in_bounds(value.axes.size()) || value.rotation_sensor_count > kRotationSensorsMax) return std::nullopt;
    for (const auto& axis : value.axes)
        if (!sendable(axis)) return std::nullopt;
    auto& message = messages_->description;
    message.Clear();
    message.set_protocol_version(value.protocol_version);
    message.set_device(std::string(cut(value.device)));
    message.set_serial_number(std::string(cut(value.serial_number)));
    message.set_firmware_version(std::string(cut(value.firmware_version)));
    message.set_simulated(value.simulated);
    message.set_configuration_hash(value.configuration_hash);
    message.set_setpoint_capacity(value.setpoint_capacity);
    message.set_feedback_period_us(value.feedback_period_us);
    message.set_rotation_sensor_count(value.rotation_sensor_count);
    for (const auto& axis : value.axes) fill(axis, *message.add_axes());
    message.set_device_time_us(device_time_us);
    return serialise(message, out);
}

bool Codec::decode_description(std::span<const std::byte> payload, DeviceInfo& value, std::uint64_t& device_time_us) {
    auto& message = messages_->description;
    if (!parse(payload, message)) return false;
    value = DeviceInfo{};
    value.protocol_version = message.protocol_version();
    value.device = cut(message.device());
    value.serial_number = cut(message.serial_number());
    value.firmware_version = cut(message.firmware_version());
    value.simulated = message.simulated();
    value.configuration_hash = message.configuration_hash();
    value.setpoint_capacity = message.setpoint_capacity();
    value.feedback_period_us = message.feedback_period_us();
    value.rotation_sensor_count = message.rotation_sensor_count();
    device_time_us = message.device_time_us();
    if (value.protocol_version != kProtocolVersion) return true;
    if (!axes_in_bounds(static_cast<std::size_t>(message.axes_size()))) return false;
    for (const auto& axis : message.axes()) value.axes.push_back(read(axis));
    return value.rotation_sensor_count <= kRotationSensorsMax &&
           std::all_of(value.axes.begin(), value.axes.end(),
                       [](const auto& axis) { return sendable(axis) && axis.name.size() <= kTextMax; });
}

Size Codec::encode(const CommandMessage& value, std::span<std::byte> out) noexcept {
    auto& message = messages_->command;
    message.set_kind(static_cast<wire::Command::Kind>(value.kind));
    message.set_configuration_hash(value.configuration_hash);
    message.set_start_time_us(value.start_time_us);
    message.set_release_specimen(value.release_specimen);
    return serialise(message, out);
}

bool Codec::decode_command(std::span<const std::byte> payload, CommandMessage& value) noexcept {
    auto& message = messages_->command;
    if (!parse(payload, message)) return false;
    const int kind = message.kind();
    if (kind < static_cast<int>(CommandKind::home) || kind > static_cast<int>(CommandKind::release)) return false;
    value = {static_cast<CommandKind>(kind), message.configuration_hash(), message.start_time_us(),
             message.release_specimen()};
    return true;
}

Size Codec::encode(const ReplyMessage& value, std::span<std::byte> out) noexcept {
    auto& message = messages_->reply;
    message.set_request_sequence(value.request_sequence);
    message.set_accepted(value.accepted);
    message.set_refusal(static_cast<std::uint32_t>(value.refusal));
    message.set_device_time_us(value.device_time_us);
    return serialise(message, out);
}

bool Codec::decode_reply(std::span<const std::byte> payload, ReplyMessage& value) noexcept {
    auto& message = messages_->reply;
    if (!parse(payload, message)) return false;
    if (message.refusal() > static_cast<std::uint32_t>(RefusalCode::session_busy)) return false;
    value = {message.request_sequence(), message.accepted(), static_cast<RefusalCode>(message.refusal()),
             message.device_time_us()};
    return value.accepted == (value.refusal == RefusalCode::none);
}

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
    return serialise(message, out);
}

bool Codec::decode_feedback(std::span<const std::byte> payload, Feedback& value) noexcept {
    auto& message = messages_->feedback;
    if (!parse(payload, message)) return false;
    const auto axes = static_cast<std::size_t>(message.axes_size());
    const auto rotations = static_cast<std::size_t>(message.specimen_rotation_rad_size());
    if (!axes_in_bounds(axes) || rotations > kRotationSensorsMax ||
        message.state() > static_cast<std::uint32_t>(DeviceState::estop))
        return false;
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
    return sendable(value);
}

}  // namespace topple::firmware_iface
