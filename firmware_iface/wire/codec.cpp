// What is said once: hello, description, commands, replies.
#include "firmware_iface/wire/codec.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "firmware_iface/wire/codec_messages.hpp"

namespace topple::firmware_iface {
namespace {

using Size = Codec::Size;

bool is_finite(const DeviceInfo::Axis& axis) noexcept {
    return all_finite(axis.stroke_m, axis.velocity_max_m_s, axis.acceleration_max_m_s2, axis.stop_deceleration_m_s2,
                      axis.counts_per_m);
}

bool is_sign(int value) noexcept { return value == 1 || value == -1; }

bool sendable(const DeviceInfo::Axis& axis) noexcept {
    return is_finite(axis) && is_sign(axis.encoder_sign) && is_sign(axis.accelerometer_sign);
}

/// At most kTextMax bytes, cut between characters of UTF-8.
std::string_view cut(std::string_view text) noexcept {
    if (text.size() <= kTextMax) return text;
    std::size_t end = kTextMax;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end);
}

bool text_in_bounds(const DeviceInfo& info) noexcept {
    return std::max({info.device.size(), info.serial_number.size(), info.firmware_version.size()}) <= kTextMax;
}

bool sensors_in_bounds(const DeviceInfo& info) noexcept {
    return info.rotation_sensor_count <= kRotationSensorsMax && info.aux_channel_count <= kAuxChannelsMax;
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
    return {from.name(),
            from.stroke_m(),
            from.velocity_max_m_s(),
            from.acceleration_max_m_s2(),
            from.stop_deceleration_m_s2(),
            from.counts_per_m(),
            from.encoder_sign(),
            from.accelerometer_sign()};
}

}  // namespace

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
    if (!axes_in_bounds(value.axes.size()) || !sensors_in_bounds(value)) return std::nullopt;
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
    message.set_has_trigger(value.has_trigger);
    message.set_aux_channel_count(value.aux_channel_count);
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
    value.has_trigger = message.has_trigger();
    value.aux_channel_count = message.aux_channel_count();
    device_time_us = message.device_time_us();
    if (value.protocol_version != kProtocolVersion) return true;
    value.device = message.device();  // whole, so that its length can be reported
    value.serial_number = message.serial_number();
    value.firmware_version = message.firmware_version();
    for (const auto& axis : message.axes()) value.axes.push_back(read(axis));  // few: a payload is short
    return text_in_bounds(value) && axes_in_bounds(value.axes.size()) && sensors_in_bounds(value) &&
           std::all_of(value.axes.begin(), value.axes.end(),
                       [](const auto& axis) { return sendable(axis) && axis.name.size() <= kTextMax; });
}

Size Codec::encode(const CommandMessage& value, std::span<std::byte> out) noexcept {
    auto& message = messages_->command;
    message.set_kind(static_cast<wire::Command::Kind>(value.kind));
    message.set_configuration_hash(value.configuration_hash);
    message.set_start_time_us(value.start_time_us);
    message.set_release_specimen(value.release_specimen);
    message.set_trigger(value.trigger);
    return serialise(message, out);
}

bool Codec::decode_command(std::span<const std::byte> payload, CommandMessage& value) noexcept {
    auto& message = messages_->command;
    if (!parse(payload, message)) return false;
    const int kind = message.kind();
    if (kind < static_cast<int>(CommandKind::home) || kind > static_cast<int>(CommandKind::release)) return false;
    value = {static_cast<CommandKind>(kind), message.configuration_hash(), message.start_time_us(),
             message.release_specimen(), message.trigger()};
    return true;
}

Size Codec::encode(const ReplyMessage& value, std::span<std::byte> out) noexcept {
    auto& message = messages_->reply;
    message.Clear();
    message.set_request_sequence(value.request_sequence);
    message.set_accepted(value.accepted);
    message.set_refusal(static_cast<std::uint32_t>(value.refusal));
    message.set_device_time_us(value.device_time_us);
    if (!value.holder.empty()) message.mutable_holder()->assign(cut(value.holder));
    message.set_held_for_us(value.held_for_us);
    message.set_cause(static_cast<std::uint32_t>(value.cause));
    return serialise(message, out);
}

bool Codec::decode_reply(std::span<const std::byte> payload, ReplyMessage& value) noexcept {
    auto& message = messages_->reply;
    if (!parse(payload, message)) return false;
    if (message.refusal() > static_cast<std::uint32_t>(RefusalCode::not_supported)) return false;
    if (message.holder().size() > kTextMax) return false;
    value.request_sequence = message.request_sequence();
    value.accepted = message.accepted();
    value.refusal = static_cast<RefusalCode>(message.refusal());
    value.device_time_us = message.device_time_us();
    value.holder = message.holder();  // into the memory that it has
    value.held_for_us = message.held_for_us();
    value.cause = static_cast<FaultCode>(message.cause());
    return value.accepted == (value.refusal == RefusalCode::none);
}

}  // namespace topple::firmware_iface
