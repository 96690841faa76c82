// A device behind its wire: frames go in and come out, time goes in ticks of 100 us.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "firmware_iface/served/device_session.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"

namespace topple::test {

using namespace firmware_iface;

/// A device on one end of a pipe, bare frames on the other.
struct DeviceWire {
    DeviceWire() : core(DeviceBench::parameters()), session(core, describe(quanser_st_iii(), {})) {
        core.assume_homed(0);
        auto [here, there] = make_pipe();
        host = std::move(here);
        session.attach(std::move(there));
        tick();
    }
    void tick() {
        now_us += 100;
        session.receive(now_us);
        measurement.encoder_count = static_cast<std::int64_t>(1e6 * core.setpoint().position_m);
        core.tick(now_us, measurement);
        if (now_us % 2000 == 0) session.send_feedback(core.feedback());
        session.flush();
    }
    template <class Message>
    void send(FrameType type, std::uint32_t id, const Message& message) {
        std::array<std::byte, kPayloadMax> payload;
        const auto size = codec.encode(message, payload);
        REQUIRE(size);
        send_raw(type, id, std::span<const std::byte>(payload.data(), *size));
    }
    void send_raw(FrameType type, std::uint32_t id, std::span<const std::byte> payload) {
        std::array<std::byte, kEncodedFrameMax> bytes;
        const std::size_t size = encode_frame({type, id, sequence++}, payload, bytes);
        host->write_some(std::span<const std::byte>(bytes.data(), size));
    }
    /// Ticks once; the last frame of `type` that came back, its payload copied.
    std::optional<ReplyMessage> reply() {
        tick();
        std::optional<ReplyMessage> found;
        std::array<std::byte, 4096> bytes;
        while (const std::size_t size = host->read_some(bytes)) {
            std::span<const std::byte> input(bytes.data(), size);
            while (auto frame = decoder.next(input)) {
                ReplyMessage message;
                if (frame->header.type == FrameType::reply && codec.decode_reply(frame->payload, message))
                    found = message;
                if (frame->header.type == FrameType::description) ++descriptions;
            }
        }
        return found;
    }
    std::optional<ReplyMessage> command(std::uint32_t id, const CommandMessage& message) {
        send(FrameType::command, id, message);
        return reply();
    }

    DeviceCore core;
    DeviceSession session;
    std::unique_ptr<ByteStream> host;
    Codec codec;
    FrameDecoder decoder;
    Measurement measurement;
    std::uint64_t now_us = 1000000;
    std::uint32_t sequence = 0;
    int descriptions = 0;
};

inline Setpoint rest(std::uint64_t time_us, bool final = false) {
    return DeviceBench::setpoint(time_us, 0.0, 0.0, 0.0, final);
}

}  // namespace topple::test
