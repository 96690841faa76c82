#include "firmware_iface/wire/small_codec.hpp"

#include <cmath>

#include "firmware_iface/feedback_defect.hpp"
#include "firmware_iface/wire/proto_fields.hpp"

// The numbers of the fields are those of wire/table.proto.
namespace topple::firmware_iface {
namespace {

using Size = SmallCodec::Size;

Size size_of(const FieldWriter& writer) noexcept {
    if (!writer.ok()) return std::nullopt;
    return writer.size();
}

template <class... Numbers>
bool all_finite(Numbers... numbers) noexcept {
    return (std::isfinite(numbers) && ...);
}

bool all_finite_in(std::span<const double> numbers) noexcept {
    return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
}

bool axes_in_bounds(std::size_t count) noexcept { return count >= 1 && count <= kAxesMax; }
bool is_sign(int value) noexcept { return value == 1 || value == -1; }

bool sendable(const SmallInfo::Axis& axis) noexcept {
    return all_finite(axis.stroke_m, axis.velocity_max_m_s, axis.acceleration_max_m_s2, axis.stop_deceleration_m_s2,
                      axis.counts_per_m) &&
           is_sign(axis.encoder_sign) && is_sign(axis.accelerometer_sign);
}

bool sendable(const SmallInfo& info) noexcept {
    if (!axes_in_bounds(info.axis_count) || info.rotation_sensor_count > kRotationSensorsMax ||
        info.aux_channel_count > kAuxChannelsMax)
        return false;
    return std::all_of(info.axes.begin(), info.axes.begin() + static_cast<std::ptrdiff_t>(info.axis_count),
                       [](const SmallInfo::Axis& axis) { return sendable(axis); });
}

bool sendable(const Feedback& f) noexcept {
    if (!axes_in_bounds(f.axis_count) || f.rotation_count > kRotationSensorsMax || f.aux_count > kAuxChannelsMax ||
        f.state > DeviceState::estop || f.device_time_us > kDeviceTimeMax_us)
        return false;
    for (std::size_t i = 0; i < f.axis_count; ++i)
        if (!all_finite(f.axes[i].setpoint_position_m, f.axes[i].setpoint_velocity_m_s,
                        f.axes[i].setpoint_acceleration_m_s2))
            return false;
    return all_finite(f.acceleration_x_m_s2.value_or(0.0), f.acceleration_y_m_s2.value_or(0.0)) &&
           all_finite_in(std::span(f.rotation_rad).first(f.rotation_count)) &&
           all_finite_in(std::span(f.aux_v).first(f.aux_count));
}

void write(const SmallInfo::Axis& axis, FieldWriter& to) noexcept {
    to.text(1, axis.name.view());
    to.real(2, axis.stroke_m);
    to.real(3, axis.velocity_max_m_s);
    to.real(4, axis.acceleration_max_m_s2);
    to.real(5, axis.stop_deceleration_m_s2);
    to.real(6, axis.counts_per_m);
    to.signed_number(7, axis.encoder_sign);
    to.signed_number(8, axis.accelerometer_sign);
}

/// UTF-8 as protobuf asks for it: shortest forms, no surrogates, at most U+10FFFF.
bool is_utf8(std::span<const std::byte> bytes) noexcept {
    std::size_t i = 0;
    const auto at = [&](std::size_t k) { return k < bytes.size() ? std::to_integer<unsigned>(bytes[k]) : 0U; };
    while (i < bytes.size()) {
        const unsigned first = at(i);
        const std::size_t more = first < 0x80 ? 0 : first < 0xC2 ? 4 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
        if (more == 4 || first > 0xF4) return false;
        for (std::size_t k = 1; k <= more; ++k)
            if ((at(i + k) & 0xC0U) != 0x80U) return false;
        const unsigned second = at(i + 1);
        if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
            (first == 0xF4 && second > 0x8F))
            return false;
        i += 1 + more;
    }
    return true;
}

bool read(std::span<const std::byte> message, AxisSetpoint& to) noexcept {
    FieldReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.is(1, WireType::fixed64)) to.position_m = field.real();
        if (field.is(2, WireType::fixed64)) to.velocity_m_s = field.real();
        if (field.is(3, WireType::fixed64)) to.acceleration_m_s2 = field.real();
    }
    return !reader.failed();
}

bool read(std::span<const std::byte> message, Setpoint& to) noexcept {
    to = Setpoint{};
    to.axis_count = 0;
    FieldReader reader(message);
    for (Field field; reader.next(field);) {
        if (field.is(1, WireType::varint)) to.device_time_us = field.value;
        if (field.is(3, WireType::varint)) to.final = field.value != 0;
        if (!field.is(2, WireType::length)) continue;
        if (to.axis_count == kAxesMax || !read(field.bytes, to.axes[to.axis_count])) return false;
        ++to.axis_count;
    }
    if (reader.failed() || !axes_in_bounds(to.axis_count)) return false;
    for (std::size_t i = 0; i < to.axis_count; ++i)
        if (!all_finite(to.axes[i].position_m, to.axes[i].velocity_m_s, to.axes[i].acceleration_m_s2)) return false;
    return true;
}

}  // namespace

Size SmallCodec::encode(const SmallInfo& value, std::uint64_t device_time_us, std::span<std::byte> out) const noexcept {
    if (!sendable(value)) return std::nullopt;
    FieldWriter to(out);
    to.number(1, value.protocol_version);
    to.text(2, value.device.view());
    to.text(3, value.serial_number.view());
    to.text(4, value.firmware_version.view());
    to.number(5, value.simulated ? 1 : 0);
    to.fixed(6, value.configuration_hash);
    to.number(7, value.setpoint_capacity);
    to.number(8, value.feedback_period_us);
    to.number(9, value.rotation_sensor_count);
    for (std::size_t i = 0; i < value.axis_count; ++i)
        to.message(10, [&](FieldWriter& nested) { write(value.axes[i], nested); });
    to.number(11, device_time_us);
    to.number(12, value.has_trigger ? 1 : 0);
    to.number(13, value.aux_channel_count);
    return size_of(to);
}

Size SmallCodec::encode(const SmallReply& value, std::span<std::byte> out) const noexcept {
    FieldWriter to(out);
    to.number(1, value.request_sequence);
    to.number(2, value.accepted ? 1 : 0);
    to.number(3, static_cast<std::uint32_t>(value.refusal));
    to.number(4, value.device_time_us);
    to.text(5, value.holder.view());
    to.number(6, value.held_for_us);
    to.number(7, static_cast<std::uint32_t>(value.cause));
    return size_of(to);
}

Size SmallCodec::encode(const Feedback& value, std::span<std::byte> out) const noexcept {
    if (!sendable(value)) return std::nullopt;
    FieldWriter to(out);
    to.number(1, value.device_time_us);
    for (std::size_t i = 0; i < value.axis_count; ++i)
        to.message(2, [&](FieldWriter& nested) {
            nested.signed_number(1, value.axes[i].encoder_count);
            nested.real(2, value.axes[i].setpoint_position_m);
            nested.real(3, value.axes[i].setpoint_velocity_m_s);
            nested.real(4, value.axes[i].setpoint_acceleration_m_s2);
        });
    if (value.acceleration_x_m_s2) to.present_real(3, *value.acceleration_x_m_s2);
    if (value.acceleration_y_m_s2) to.present_real(4, *value.acceleration_y_m_s2);
    to.reals(5, std::span(value.rotation_rad).first(value.rotation_count));
    to.number(6, static_cast<std::uint32_t>(value.state));
    to.number(7, value.fault_code);
    to.number(8, value.queue_level);
    to.number(9, value.motion_done ? 1 : 0);
    if (value.homed) to.present_number(10, *value.homed ? 1 : 0);
    if (value.trigger) to.present_number(11, *value.trigger ? 1 : 0);
    to.reals(12, std::span(value.aux_v).first(value.aux_count));
    return size_of(to);
}

bool SmallCodec::decode_hello(std::span<const std::byte> payload, SmallHello& value) const noexcept {
    value = {};
    bool fits = true;  // a text that comes twice: the last one counts, but all are UTF-8
    FieldReader reader(payload);
    for (Field field; reader.next(field);) {
        if (field.is(1, WireType::varint)) value.protocol_version = static_cast<std::uint32_t>(field.value);
        if (!field.is(2, WireType::length)) continue;
        if (!is_utf8(field.bytes)) return false;
        fits = field.bytes.size() <= kTextMax;
        value.client = std::string_view(reinterpret_cast<const char*>(field.bytes.data()), field.bytes.size());
    }
    return !reader.failed() && fits;
}

bool SmallCodec::decode_command(std::span<const std::byte> payload, CommandMessage& value) const noexcept {
    value = {};
    std::int32_t kind = 0;
    FieldReader reader(payload);
    for (Field field; reader.next(field);) {
        if (field.is(1, WireType::varint)) kind = static_cast<std::int32_t>(static_cast<std::uint32_t>(field.value));
        if (field.is(2, WireType::fixed64)) value.configuration_hash = field.value;
        if (field.is(3, WireType::varint)) value.start_time_us = field.value;
        if (field.is(4, WireType::varint)) value.release_specimen = field.value != 0;
        if (field.is(5, WireType::varint)) value.trigger = field.value != 0;
    }
    if (reader.failed() || kind < static_cast<std::int32_t>(CommandKind::home) ||
        kind > static_cast<std::int32_t>(CommandKind::release))
        return false;
    value.kind = static_cast<CommandKind>(kind);
    return true;
}

std::size_t SmallCodec::decode_setpoints(std::span<const std::byte> payload,
                                         std::span<Setpoint> values) const noexcept {
    std::size_t count = 0;
    FieldReader reader(payload);
    for (Field field; reader.next(field);) {
        if (!field.is(1, WireType::length)) continue;
        if (count == std::min(kSetpointBatchMax, values.size()) || !read(field.bytes, values[count])) return 0;
        ++count;
    }
    return reader.failed() ? 0 : count;
}

}  // namespace topple::firmware_iface
