#include "firmware_iface/served/device_session.hpp"

#include <utility>

#include "firmware_iface/device/dialogue_impl.hpp"

namespace topple::firmware_iface {

template class Dialogue<Codec>;

DeviceInfo describe(const MachineDescription& machine, const DeviceTiming& timing) {
    DeviceInfo info;
    info.protocol_version = kProtocolVersion;
    info.device = machine.name;
    info.configuration_hash = configuration_hash(machine);
    info.setpoint_capacity = kSetpointCapacity;
    info.feedback_period_us = timing.feedback_period_us;
    const auto add = [&](std::string_view name, const AxisDescription& axis) {
        info.axes.push_back({.name = std::string(name),
                             .stroke_m = axis.stroke_m,
                             .velocity_max_m_s = axis.velocity_max_m_s,
                             .acceleration_max_m_s2 = axis.acceleration_max_m_s2,
                             .stop_deceleration_m_s2 = axis.stop_deceleration_m_s2,
                             .counts_per_m = axis.counts_per_m,
                             .encoder_sign = axis.encoder_sign,
                             .accelerometer_sign = axis.accelerometer_sign});
    };
    add(kAxisNames[0], machine);
    if (machine.y) add(kAxisNames[1], *machine.y);
    return info;
}

DeviceSession::DeviceSession(DeviceControl& core, const DeviceInfo& info) : dialogue_(core, info) {}

void DeviceSession::attach(std::unique_ptr<ByteStream> stream) noexcept {
    line_.stream = std::move(stream);
    dialogue_.begin_wire();
}

void DeviceSession::receive(std::uint64_t now_us) noexcept {
    if (line_.stream) dialogue_.receive(line_, now_us);
}

void DeviceSession::flush() noexcept {
    if (line_.stream) dialogue_.flush(line_);
}

std::size_t DeviceSession::StreamLine::read_some(std::span<std::byte> into) noexcept {
    return stream ? stream->read_some(into) : 0;
}

std::size_t DeviceSession::StreamLine::write_some(std::span<const std::byte> from) noexcept {
    return stream ? stream->write_some(from) : 0;
}

bool DeviceSession::StreamLine::connected() const noexcept { return !stream || stream->status() == StreamStatus::open; }

}  // namespace topple::firmware_iface
