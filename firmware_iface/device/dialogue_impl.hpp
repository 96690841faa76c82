// Definitions of dialogue.hpp, for the files that instantiate it. Not for others to include.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>

#include "firmware_iface/device/dialogue.hpp"
#include "firmware_iface/fault.hpp"

namespace topple::firmware_iface {
namespace dialogue {

inline constexpr int kChunksMax = 32;                       // bounds the work of one call; the rest waits for the next
inline constexpr std::uint64_t kCycleCounted_us = 100'000;  // of one silent cycle: a clock that jumps lets nobody go

/// A line that echoes brings the device's own frames back: they are no sign of life, and their numbers are not the
/// host's.
inline bool is_from_host(FrameType type) noexcept {
    return type == FrameType::command || type == FrameType::setpoints || type == FrameType::alive;
}

/// Both wrap.
inline bool comes_after(std::uint32_t sequence, std::uint32_t earlier) noexcept {
    return sequence != earlier && sequence - earlier <= UINT32_MAX / 2;
}

}  // namespace dialogue

template <class Codec, class Core, std::size_t kBacklog>
Dialogue<Codec, Core, kBacklog>::Dialogue(Core& core, const Info& info) : core_(core), info_(info) {}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::begin_wire() noexcept {
    if (session_ != 0) core_.host_gone();
    restart();
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::restart() noexcept {
    decoder_.reset();
    session_ = superseded_session_ = 0;
    outgoing_size_ = 0;
    let_go_ = false;
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::receive(SerialLine& line, std::uint64_t now_us) noexcept {
    std::array<std::byte, kBacklog / 4> chunk;
    for (int i = 0; i < dialogue::kChunksMax; ++i) {
        const std::size_t size = line.read_some(chunk);
        if (size == 0) break;
        std::span<const std::byte> input(chunk.data(), size);
        while (auto frame = decoder_.next(input)) handle(*frame, now_us);
    }
    if (!line.connected() && session_ != 0) {
        core_.host_gone();
        session_ = 0;
    }
    watch_silence(now_us);
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::heard() noexcept {
    core_.host_heard();
    silent_us_ = 0;
}

// While something moves, or could, the core has shorter limits and stops by itself.
template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::watch_silence(std::uint64_t now_us) noexcept {
    const std::uint64_t since_us = now_us - std::exchange(received_us_, now_us);
    if (session_ == 0 || may_move(core_.state()))
        silent_us_ = 0;
    else
        silent_us_ += std::min(since_us, dialogue::kCycleCounted_us);
    if (silent_us_ <= kSilenceMax_us) return;
    core_.disarm();
    session_ = 0;
    outgoing_size_ = 0;
    let_go_ = true;
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::handle(const Frame& frame, std::uint64_t now_us) noexcept {
    if (frame.header.type == FrameType::hello) return handle_hello(frame, now_us);
    if (session_ == 0 || frame.header.session != session_ || !dialogue::is_from_host(frame.header.type)) return;
    if (!dialogue::comes_after(frame.header.sequence, heard_sequence_)) return handle_late(frame, now_us);
    heard_sequence_ = frame.header.sequence;
    heard();
    switch (frame.header.type) {
        case FrameType::command: return handle_command(frame, now_us);
        case FrameType::setpoints: return handle_setpoints(frame);
        case FrameType::alive:
        case FrameType::hello:
        case FrameType::description:
        case FrameType::reply:
        case FrameType::feedback: return;
    }
}

// What comes twice or late is dropped, but not a stop that something else has overtaken: to stop is always safe. A stop
// from before the newest accepted command belongs to what that command has ended, and must not disturb what it began.
template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::handle_late(const Frame& frame, std::uint64_t now_us) noexcept {
    CommandMessage command;
    if (frame.header.type != FrameType::command || !dialogue::comes_after(frame.header.sequence, accepted_sequence_))
        return;
    if (codec_.decode_command(frame.payload, command) && command.kind == CommandKind::stop)
        handle_command(frame, now_us);
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::handle_hello(const Frame& frame, std::uint64_t now_us) noexcept {
    typename Codec::Hello hello;
    const std::uint32_t session = frame.header.session;
    if (session == 0 || !codec_.decode_hello(frame.payload, hello)) return;
    if (session != session_) {
        const bool belated = session == superseded_session_;
        if (belated || may_move(core_.state())) return reply(session, busy_reply(frame.header.sequence, now_us));
        core_.disarm();
        superseded_session_ = std::exchange(session_, session);
        sequence_ = 0;
        outgoing_size_ = 0;
        heard_sequence_ = accepted_sequence_ = frame.header.sequence;
        client_ = hello.client;
        begun_us_ = now_us;
        let_go_ = false;
        heard();
    } else if (dialogue::comes_after(frame.header.sequence,
                                     heard_sequence_)) {  // a copy that comes late is no sign of life
        heard_sequence_ = frame.header.sequence;
        heard();
    }
    // A host of another version gets the description too: only it can inform its user.
    queue_frame(FrameType::description, session_, codec_.encode(info_, now_us, payload_));
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::handle_command(const Frame& frame, std::uint64_t now_us) noexcept {
    CommandMessage command;
    const bool known = codec_.decode_command(frame.payload, command);
    const RefusalCode refusal = known ? execute(command) : RefusalCode::unknown_command;
    if (refusal == RefusalCode::none && command.kind != CommandKind::stop) accepted_sequence_ = frame.header.sequence;
    const FaultCode cause = refusal == RefusalCode::fault_latched ? core_.cause() : FaultCode::none;
    reply(session_, {frame.header.sequence, refusal == RefusalCode::none, refusal, now_us, {}, 0, cause});
}

template <class Codec, class Core, std::size_t kBacklog>
RefusalCode Dialogue<Codec, Core, kBacklog>::execute(const CommandMessage& command) noexcept {
    switch (command.kind) {
        case CommandKind::home: return core_.home();
        case CommandKind::arm: return core_.arm(command.configuration_hash);
        case CommandKind::disarm: return core_.disarm();
        case CommandKind::start: return core_.start(command.start_time_us, command.release_specimen, command.trigger);
        case CommandKind::stop: core_.request_stop(); return RefusalCode::none;
        case CommandKind::clear: return core_.clear();
        case CommandKind::release: return RefusalCode::not_supported;  // only an air track has something to release
    }
    return RefusalCode::unknown_command;
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::handle_setpoints(const Frame& frame) noexcept {
    const std::size_t count = codec_.decode_setpoints(frame.payload, setpoints_);
    if (count == 0) return core_.refuse_data();
    for (std::size_t i = 0; i < count; ++i) core_.push(setpoints_[i]);
}

template <class Codec, class Core, std::size_t kBacklog>
auto Dialogue<Codec, Core, kBacklog>::busy_reply(std::uint32_t sequence, std::uint64_t now_us) const noexcept -> Reply {
    Reply busy{sequence, false, RefusalCode::session_busy, now_us};
    if (session_ == 0) return busy;
    busy.holder = client_;
    busy.held_for_us = now_us > begun_us_ ? now_us - begun_us_ : 0;
    return busy;
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::reply(std::uint32_t session, const Reply& message) noexcept {
    queue_frame(FrameType::reply, session, codec_.encode(message, payload_));
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::send_feedback(const Feedback& feedback) noexcept {
    if (session_ == 0) return;
    if (outgoing_size_ <= kBacklogMax && queue_frame(FrameType::feedback, session_, codec_.encode(feedback, payload_)))
        return;
    skip_feedback();
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::skip_feedback() noexcept {
    ++feedback_dropped_;
    ++sequence_;  // the host must see that one is missing
}

template <class Codec, class Core, std::size_t kBacklog>
bool Dialogue<Codec, Core, kBacklog>::queue_frame(FrameType type, std::uint32_t session, Size payload) noexcept {
    if (!payload) return false;
    const std::span<std::byte> room(outgoing_.data() + outgoing_size_, outgoing_.size() - outgoing_size_);
    const std::size_t size =
        encode_frame({type, session, sequence_}, std::span<const std::byte>(payload_.data(), *payload), room);
    outgoing_size_ += size;
    if (size > 0) ++sequence_;
    return size > 0;
}

template <class Codec, class Core, std::size_t kBacklog>
void Dialogue<Codec, Core, kBacklog>::flush(SerialLine& line) noexcept {
    if (outgoing_size_ == 0) return;
    const std::size_t sent = line.write_some(std::span<const std::byte>(outgoing_.data(), outgoing_size_));
    std::memmove(outgoing_.data(), outgoing_.data() + sent, outgoing_size_ - sent);
    outgoing_size_ -= sent;
}

}  // namespace topple::firmware_iface
