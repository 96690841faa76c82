// A host of few words: speaks the wire itself, frame by frame, in real time, and keeps what the table said.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"

namespace topple::tests {

using namespace firmware_iface;

class BareHost {
  public:
    BareHost(const std::string& uri, std::uint32_t session) : stream_(open_stream(uri)), session_(session) {}

    void write(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            bytes = bytes.subspan(stream_->write_some(bytes));
            if (stream_->status() != StreamStatus::open) return;
        }
    }
    template <class Message>
    std::vector<std::byte> frame(FrameType type, const Message& message) {
        std::array<std::byte, kPayloadMax> payload;
        const auto size = codec_.encode(message, payload);
        std::vector<std::byte> bytes(kEncodedFrameMax);
        bytes.resize(
            encode_frame({type, session_, sequence_++}, std::span<const std::byte>(payload).first(*size), bytes));
        return bytes;
    }
    template <class Message>
    void send(FrameType type, const Message& message) {
        write(frame(type, message));
    }
    void alive() {
        std::array<std::byte, kEncodedFrameMax> bytes;
        write(std::span<const std::byte>(bytes).first(
            encode_frame({FrameType::alive, session_, sequence_++}, {}, bytes)));
    }

    /// Everything that has come.
    void listen() {
        std::array<std::byte, 4096> bytes;
        while (const std::size_t size = stream_->read_some(bytes)) {
            std::span<const std::byte> input(bytes.data(), size);
            while (const auto one = decoder_.next(input)) take(*one);
        }
    }
    /// Listens, and is alive if wanted, until `done` or for 20 s. False: it never was.
    bool until(const std::function<bool()>& done, bool stays_alive = true) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        for (int turn = 0; std::chrono::steady_clock::now() < end; ++turn) {
            listen();
            if (done()) return true;
            if (each_turn) each_turn();
            if (stays_alive && turn % 10 == 0) alive();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return false;
    }
    /// Says hello until the table describes itself.
    bool meet(std::uint32_t version = kProtocolVersion) {
        description.reset();
        int turn = 0;
        each_turn = [&, version] {
            if (turn++ % 250 == 0) send(FrameType::hello, HelloMessage{version, "bare host"});
        };
        const bool met = until([&] { return description.has_value(); }, false);
        each_turn = {};
        return met;
    }
    /// The answer to a command; empty if none came.
    std::optional<ReplyMessage> command(const CommandMessage& message) {
        reply.reset();
        send(FrameType::command, message);
        until([&] { return reply.has_value(); });
        return reply;
    }
    bool reaches(DeviceState state) {
        return until([&] { return feedback.state == state; });
    }

    std::function<void()> each_turn;
    std::optional<DeviceInfo> description;
    std::optional<ReplyMessage> reply;
    Feedback feedback;  ///< the newest
    std::vector<Feedback> heard;
    const FrameDecoder& decoder() const { return decoder_; }

  private:
    void take(const Frame& one) {
        if (one.header.session != session_) return;
        DeviceInfo info;
        ReplyMessage answer;
        std::uint64_t time_us = 0;
        if (one.header.type == FrameType::description && codec_.decode_description(one.payload, info, time_us))
            description = info;
        if (one.header.type == FrameType::reply && codec_.decode_reply(one.payload, answer)) reply = answer;
        if (one.header.type == FrameType::feedback && codec_.decode_feedback(one.payload, feedback))
            heard.push_back(feedback);
    }

    std::unique_ptr<ByteStream> stream_;
    std::uint32_t session_, sequence_ = 0;
    Codec codec_;
    FrameDecoder decoder_;
};

/// Arms the table and has it swing by 20 mm at 1 Hz: setpoints at 500 Hz, 60 ms ahead, from each_turn.
class Swing {
  public:
    explicit Swing(BareHost& host) : host_(host) {}
    bool start() {
        if (!host_.command({CommandKind::arm, configuration_hash(quanser_st_iii())})->accepted) return false;
        start_us_ = (host_.feedback.device_time_us / 2000 + 75) * 2000;
        next_us_ = start_us_;
        send_due(host_.feedback.device_time_us + 210'000);
        host_.each_turn = [this] { send_due(host_.feedback.device_time_us + 60'000); };
        return host_.command({CommandKind::start, 0, start_us_})->accepted;
    }
    /// At its fastest, to the right.
    bool is_fast() const { return host_.feedback.axes[0].setpoint_velocity_m_s > 0.05; }

  private:
    void send_due(std::uint64_t until_us) {
        while (next_us_ < until_us) {
            const double w = 2.0 * 3.14159265358979, t = 1e-6 * static_cast<double>(next_us_ - start_us_);
            Setpoint knot;
            knot.device_time_us = next_us_;
            knot.axes[0] = {0.01 * (1.0 - std::cos(w * t)), 0.01 * w * std::sin(w * t), 0.01 * w * w * std::cos(w * t)};
            host_.send(FrameType::setpoints, std::span<const Setpoint>(&knot, 1));
            next_us_ += 2000;
        }
    }

    BareHost& host_;
    std::uint64_t start_us_ = 0, next_us_ = 0;
};

}  // namespace topple::tests
