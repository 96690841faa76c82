// Bytes as each message of the wire: what is accepted is finite and within bounds, and survives being sent again.
#include <array>
#include <cmath>
#include <cstdint>
#include <string>

#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "tests/fuzz/require.hpp"

using namespace topple::firmware_iface;
using topple::fuzz::require;

namespace {

using Payload = std::span<const std::byte>;
using Room = std::array<std::byte, 2 * kPayloadMax>;  // what is accepted may be longer than a frame

/// encode(value), decoded into `again` and encoded once more, is the same bytes.
template <class Encode, class Decode>
void check_round_trip(Encode encode, Decode decode) {
    Room first, second;
    const auto size = encode(first);
    require(size.has_value(), "what was accepted can be sent");
    require(decode(Payload(first.data(), *size)), "what was sent is accepted");
    const auto again = encode(second);
    require(
        again == size && std::equal(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(*size), second.begin()),
        "a message survives being sent again");
}

void try_hello(Codec& codec, Payload payload) {
    HelloMessage hello;
    if (!codec.decode_hello(payload, hello)) return;
    check_round_trip([&](auto& out) { return codec.encode(hello, out); },
                     [&](Payload sent) { return codec.decode_hello(sent, hello); });
}

void try_description(Codec& codec, Payload payload) {
    DeviceInfo info;
    std::uint64_t time_us = 0;
    if (!codec.decode_description(payload, info, time_us) || info.protocol_version != kProtocolVersion) return;
    check_round_trip([&](auto& out) { return codec.encode(info, time_us, out); },
                     [&](Payload sent) { return codec.decode_description(sent, info, time_us); });
}

void try_command(Codec& codec, Payload payload) {
    CommandMessage command;
    if (!codec.decode_command(payload, command)) return;
    check_round_trip([&](auto& out) { return codec.encode(command, out); },
                     [&](Payload sent) { return codec.decode_command(sent, command); });
}

void try_reply(Codec& codec, Payload payload) {
    ReplyMessage reply;
    if (!codec.decode_reply(payload, reply)) return;
    require(!name(reply.refusal).empty(), "a refusal has a name");
    check_round_trip([&](auto& out) { return codec.encode(reply, out); },
                     [&](Payload sent) { return codec.decode_reply(sent, reply); });
}

void try_setpoints(Codec& codec, Payload payload) {
    std::array<Setpoint, kSetpointBatchMax> setpoints;
    std::size_t count = codec.decode_setpoints(payload, setpoints);
    if (count == 0) return;
    require(count <= setpoints.size(), "no more setpoints than there is room for");
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t axis = 0; axis < setpoints[i].axis_count; ++axis)
            require(std::isfinite(setpoints[i].axes[axis].position_m) &&
                        std::isfinite(setpoints[i].axes[axis].velocity_m_s) &&
                        std::isfinite(setpoints[i].axes[axis].acceleration_m_s2),
                    "setpoints are finite");
    check_round_trip([&](auto& out) { return codec.encode(std::span<const Setpoint>(setpoints).first(count), out); },
                     [&](Payload sent) { return (count = codec.decode_setpoints(sent, setpoints)) > 0; });
}

void try_feedback(Codec& codec, Payload payload) {
    Feedback feedback;
    if (!codec.decode_feedback(payload, feedback)) return;
    require(
        feedback.axis_count >= 1 && feedback.axis_count <= kAxesMax && feedback.rotation_count <= kRotationSensorsMax,
        "feedback is within bounds");
    require(!name(feedback.state).empty() && std::isfinite(feedback.acceleration_x_m_s2.value_or(0.0)),
            "feedback is sound");
    check_round_trip([&](auto& out) { return codec.encode(feedback, out); },
                     [&](Payload sent) { return codec.decode_feedback(sent, feedback); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    static Codec codec;  // as in a session: messages are reused
    const Payload payload(reinterpret_cast<const std::byte*>(bytes) + 1, size - 1);
    constexpr std::array kTries{try_hello, try_description, try_command, try_reply, try_setpoints, try_feedback};
    kTries[bytes[0] % kTries.size()](codec, payload);
    return 0;
}
