// The payloads of wire/table.proto for a device without a heap: the same bytes as Codec (wire/codec.hpp), in fixed
// memory. No exceptions, no OS, no library.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "firmware_iface/device_info.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/samples.hpp"
#include "firmware_iface/wire/command.hpp"

namespace topple::firmware_iface {

/// At most kTextMax bytes of UTF-8.
class Text {
  public:
    Text() = default;
    /// What is beyond kTextMax is cut off: give it characters of one byte.
    constexpr Text(std::string_view text) noexcept  // NOLINT: a text is what it says
        : size_(std::min(text.size(), kTextMax)) {
        std::copy_n(text.begin(), size_, bytes_.begin());
    }
    constexpr std::string_view view() const noexcept { return {bytes_.data(), size_}; }

  private:
    std::array<char, kTextMax> bytes_{};
    std::size_t size_ = 0;
};

struct SmallHello {
    std::uint32_t protocol_version = 0;
    Text client;
};

/// As DeviceInfo (device_info.hpp).
struct SmallInfo {
    std::uint32_t protocol_version = kProtocolVersion;
    Text device, serial_number, firmware_version;
    bool simulated = false;
    std::uint64_t configuration_hash = 0;
    std::uint32_t setpoint_capacity = 0;
    std::uint32_t feedback_period_us = 0;
    std::uint32_t rotation_sensor_count = 0;
    bool has_trigger = false;
    std::uint32_t aux_channel_count = 0;
    struct Axis {
        Text name;  ///< "x", "y"
        double stroke_m = 0.0, velocity_max_m_s = 0.0, acceleration_max_m_s2 = 0.0, stop_deceleration_m_s2 = 0.0;
        double counts_per_m = 0.0;
        int encoder_sign = 1, accelerometer_sign = 1;
    };
    std::size_t axis_count = 1;
    std::array<Axis, kAxesMax> axes{};
};

/// As ReplyMessage (wire/codec.hpp).
struct SmallReply {
    std::uint32_t request_sequence = 0;
    bool accepted = false;
    RefusalCode refusal = RefusalCode::none;
    std::uint64_t device_time_us = 0;
    Text holder = {};
    std::uint64_t held_for_us = 0;
    FaultCode cause = FaultCode::none;
};

/// The device's half of Codec: what it says is written, what it hears is read. Same bounds and results as there; it is
/// stricter in one thing: a payload with protobuf's long abandoned groups is refused.
class SmallCodec {
  public:
    using Hello = SmallHello;
    using Info = SmallInfo;
    using Reply = SmallReply;
    using Size = std::optional<std::size_t>;

    Size encode(const SmallInfo& value, std::uint64_t device_time_us, std::span<std::byte> out) const noexcept;
    Size encode(const SmallReply& value, std::span<std::byte> out) const noexcept;
    Size encode(const Feedback& value, std::span<std::byte> out) const noexcept;

    bool decode_hello(std::span<const std::byte> payload, SmallHello& value) const noexcept;
    bool decode_command(std::span<const std::byte> payload, CommandMessage& value) const noexcept;
    std::size_t decode_setpoints(std::span<const std::byte> payload, std::span<Setpoint> values) const noexcept;
};

}  // namespace topple::firmware_iface
