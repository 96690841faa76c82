// Between the flat structs of the program and the protobuf payloads of the wire; protobuf stays inside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "firmware_iface/device_info.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/feedback_defect.hpp"
#include "firmware_iface/samples.hpp"
#include "firmware_iface/wire/command.hpp"

namespace topple::firmware_iface {

/// Host -> device, first frame of a session.
struct HelloMessage {
    std::uint32_t protocol_version = kProtocolVersion;
    std::string client;  ///< program and version
};

/// Device -> host: the answer to one command.
struct ReplyMessage {
    std::uint32_t request_sequence = 0;  ///< sequence number of the command's frame
    bool accepted = false;
    RefusalCode refusal = RefusalCode::none;
    std::uint64_t device_time_us = 0;
    std::string holder = {};            ///< with session_busy: the client that has the table; empty: not given
    std::uint64_t held_for_us = 0;      ///< with session_busy: for how long
    FaultCode cause = FaultCode::none;  ///< with fault_latched: whose cause is still present, or the latched one
};

/// One codec per end of a session (not shared between threads). Its protobuf messages are made once and
/// reused: setpoints, feedback, commands and replies neither allocate nor throw.
///
/// encode(): writes the payload to the front of `out` and returns its size (kPayloadMax of frame.hpp
/// suffices); empty if it does not fit or the value must not travel: a number not finite, no axis or more
/// than kAxesMax, too many setpoints, rotations or auxiliary inputs. An empty payload of size 0 is a valid result.
///
/// decode_*(): true, and `value` filled, only if the payload is one whole valid message within the same
/// bounds; unknown states, commands and refusals are refused. Otherwise `value` is left in an unspecified,
/// valid state.
class Codec {
  public:
    Codec();
    ~Codec();
    Codec(Codec&&) noexcept;
    Codec& operator=(Codec&&) noexcept;

    /// The words that a codec brings along (device/dialogue.hpp).
    using Hello = HelloMessage;
    using Info = DeviceInfo;
    using Reply = ReplyMessage;

    using Size = std::optional<std::size_t>;
    Size encode(const HelloMessage& value, std::span<std::byte> out);
    Size encode(const DeviceInfo& value, std::uint64_t device_time_us, std::span<std::byte> out);
    Size encode(const CommandMessage& value, std::span<std::byte> out) noexcept;
    Size encode(const ReplyMessage& value, std::span<std::byte> out) noexcept;
    /// 1 .. kSetpointBatchMax setpoints.
    Size encode(std::span<const Setpoint> values, std::span<std::byte> out) noexcept;
    Size encode(const Feedback& value, std::span<std::byte> out) noexcept;

    bool decode_hello(std::span<const std::byte> payload, HelloMessage& value);
    /// A description of another protocol version is decoded as far as possible, so that the version can be
    /// reported; one of this version that is refused is left in `value`, so that the reason can be.
    bool decode_description(std::span<const std::byte> payload, DeviceInfo& value, std::uint64_t& device_time_us);
    bool decode_command(std::span<const std::byte> payload, CommandMessage& value) noexcept;
    bool decode_reply(std::span<const std::byte> payload, ReplyMessage& value) noexcept;
    /// Number of setpoints written to the front of `values` (room for kSetpointBatchMax suffices); 0:
    /// refused.
    std::size_t decode_setpoints(std::span<const std::byte> payload, std::span<Setpoint> values) noexcept;
    /// none, and `value` filled, or what is wrong.
    FeedbackDefect read_feedback(std::span<const std::byte> payload, Feedback& value) noexcept;
    bool decode_feedback(std::span<const std::byte> payload, Feedback& value) noexcept {
        return read_feedback(payload, value) == FeedbackDefect::none;
    }

  private:
    struct Messages;
    std::unique_ptr<Messages> messages_;
};

}  // namespace topple::firmware_iface
