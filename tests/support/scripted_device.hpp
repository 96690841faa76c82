// A table's end of the wire without a table: records what comes, answers hello and commands, sends what it is
// told.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"

namespace topple::test {

using namespace topple::firmware_iface;

inline DeviceInfo scripted_info() {
    DeviceInfo info;
    info.protocol_version = kProtocolVersion;
    info.device = "scripted";
    info.serial_number = "0042";
    info.firmware_version = "1.2.3";
    info.simulated = true;
    info.configuration_hash = 0x0123456789ABCDEFULL;
    info.setpoint_capacity = 256;
    info.feedback_period_us = 2000;
    info.axes = {{"x", 0.108, 2.58, 31.5, 15.0, 1.0e6, 1, -1}};
    return info;
}

struct ScriptedDevice {
    std::unique_ptr<ByteStream> stream;
    DeviceInfo info = scripted_info();
    bool mute = false;  ///< reads, but answers nothing
    bool answers_stop = true;
    RefusalCode refusal = RefusalCode::none;
    Feedback feedback;  ///< sent by send_feedback
    std::uint32_t session = 0, next_sequence = 0;
    std::vector<FrameHeader> received;
    std::vector<CommandMessage> commands;
    std::vector<Setpoint> setpoints;
    std::function<void(const CommandMessage&)> on_command;          ///< before the answer
    std::function<void(FrameType, std::vector<std::byte>&)> spoil;  ///< payloads that no codec would write
    Codec codec;
    FrameDecoder decoder;

    explicit ScriptedDevice(std::unique_ptr<ByteStream> end) : stream(std::move(end)) {}

    void serve() {
        std::array<std::byte, 512> buffer;
        while (const std::size_t count = stream->read_some(buffer)) {
            std::span<const std::byte> bytes(buffer.data(), count);
            while (const auto frame = decoder.next(bytes)) accept(*frame);
        }
    }
    void send_feedback(std::uint64_t device_time_us) {
        feedback.device_time_us = device_time_us;
        send(FrameType::feedback, [&](auto payload) { return codec.encode(feedback, payload); });
    }
    void send_reply(std::uint32_t request_sequence) {
        const ReplyMessage reply{request_sequence, refusal == RefusalCode::none, refusal, 77};
        send(FrameType::reply, [&](auto payload) { return codec.encode(reply, payload); });
    }
    template <class Encode>
    void send(FrameType type, Encode encode) {
        std::array<std::byte, kPayloadMax> payload;
        const auto size = encode(std::span<std::byte>(payload));
        std::span<const std::byte> content = std::span(payload).first(size.value());
        std::vector<std::byte> spoilt;  // nothing from the heap unless it is asked for
        if (spoil) {
            spoilt.assign(content.begin(), content.end());
            spoil(type, spoilt);
            content = spoilt;
        }
        std::array<std::byte, kEncodedFrameMax> bytes;
        const std::size_t length = encode_frame({type, session, next_sequence++}, content, bytes);
        for (std::size_t done = 0; done < length && stream->status() == StreamStatus::open;)
            done += stream->write_some(std::span(bytes).subspan(done, length - done));
    }

  private:
    void accept(const Frame& frame) {
        received.push_back(frame.header);
        if (frame.header.type == FrameType::hello) {
            session = frame.header.session;
            if (mute) return;
            send(FrameType::description, [&](auto payload) { return codec.encode(info, 5000, payload); });
        }
        if (frame.header.type == FrameType::command) accept_command(frame);
        if (frame.header.type == FrameType::setpoints) {
            std::array<Setpoint, kSetpointBatchMax> batch;
            const std::size_t count = codec.decode_setpoints(frame.payload, batch);
            setpoints.insert(setpoints.end(), batch.begin(), batch.begin() + count);
        }
    }
    void accept_command(const Frame& frame) {
        CommandMessage command;
        if (!codec.decode_command(frame.payload, command)) return;
        commands.push_back(command);
        if (on_command) on_command(command);
        if (mute || (command.kind == CommandKind::stop && !answers_stop)) return;
        send_reply(frame.header.sequence);
    }
};

}  // namespace topple::test
