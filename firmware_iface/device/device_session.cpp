#include "firmware_iface/device/device_session.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace topple::firmware_iface {

namespace {

constexpr std::uint64_t kCycleCounted_us = 100'000;  // of one silent cycle: a clock that jumps lets nobody go

/// A line that echoes brings the device's own frames back: they are no sign of life, and their numbers are not the
/// host's.
bool is_from_host(FrameType type) noexcept {
    return type == FrameType::command || type == FrameType::setpoints || type == FrameType::alive;
}

/// Both wrap.
bool comes_after(std::uint32_t sequence, std::uint32_t earlier) noexcept {
    return sequence != earlier && sequence - earlier <= UINT32_MAX / 2;
}

}  // namespace

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

DeviceSession::DeviceSession(DeviceCore& core, DeviceInfo info) : core_(core), info_(std::move(info)) {}

void DeviceSession::attach(std::unique_ptr<ByteStream> stream) noexcept {
    if (session_ != 0) core_.host_gone();
    stream_ = std::move(stream);
    restart();
}

void DeviceSession::restart() noexcept {
    decoder_.reset();
    session_ = superseded_session_ = 0;
    outgoing_size_ = 0;
    let_go_ = false;
}

void DeviceSession::receive(std::uint64_t now_us) noexcept {
    if (!stream_) return;
    std::array<std::byte, 2048> chunk;
    constexpr int kChunksMax = 32;  // bounds the work of one call; the rest waits for the next
    for (int i = 0; i < kChunksMax; ++i) {
        const std::size_t size = stream_->read_some(chunk);
        if (size == 0) break;
        std::span<const std::byte> input(chunk.data(), size);
        while (auto frame = decoder_.next(input)) handle(*frame, now_us);
    }
    if (stream_->status() != StreamStatus::open && session_ != 0) {
        core_.host_gone();
        session_ = 0;
    }
    watch_silence(now_us);
}

void DeviceSession::heard() noexcept {
    core_.host_heard();
    silent_us_ = 0;
}

// While something moves, or could, the core has shorter limits and stops by itself.
void DeviceSession::watch_silence(std::uint64_t now_us) noexcept {
    const std::uint64_t since_us = now_us - std::exchange(received_us_, now_us);
    if (session_ == 0 || may_move(core_.state()))
        silent_us_ = 0;
    else
        silent_us_ += std::min(since_us, kCycleCounted_us);
    if (silent_us_ <= kSilenceMax_us) return;
    core_.disarm();
    session_ = 0;
    outgoing_size_ = 0;
    let_go_ = true;
}

void DeviceSession::handle(const Frame& frame, std::uint64_t now_us) noexcept {
    if (frame.header.type == FrameType::hello) return handle_hello(frame, now_us);
    if (session_ == 0 || frame.header.session != session_ || !is_from_host(frame.header.type)) return;
    if (!comes_after(frame.header.sequence, heard_sequence_)) return handle_late(frame, now_us);
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
void DeviceSession::handle_late(const Frame& frame, std::uint64_t now_us) noexcept {
    CommandMessage command;
    if (frame.header.type != FrameType::command || !comes_after(frame.header.sequence, accepted_sequence_)) return;
    if (codec_.decode_command(frame.payload, command) && command.kind == CommandKind::stop)
        handle_command(frame, now_us);
}

void DeviceSession::handle_hello(const Frame& frame, std::uint64_t now_us) noexcept {
    HelloMessage hello;
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
    } else if (comes_after(frame.header.sequence, heard_sequence_)) {  // a copy that comes late is no sign of life
        heard_sequence_ = frame.header.sequence;
        heard();
    }
    // A host of another version gets the description too: only it can inform its user.
    queue_frame(FrameType::description, session_, codec_.encode(info_, now_us, payload_));
}

void DeviceSession::handle_command(const Frame& frame, std::uint64_t now_us) noexcept {
    CommandMessage command;
    const bool known = codec_.decode_command(frame.payload, command);
    const RefusalCode refusal = known ? execute(command) : RefusalCode::unknown_command;
    if (refusal == RefusalCode::none && command.kind != CommandKind::stop) accepted_sequence_ = frame.header.sequence;
    const FaultCode cause = refusal == RefusalCode::fault_latched ? core_.cause() : FaultCode::none;
    reply(session_, {frame.header.sequence, refusal == RefusalCode::none, refusal, now_us, {}, 0, cause});
}

RefusalCode DeviceSession::execute(const CommandMessage& command) noexcept {
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

void DeviceSession::handle_setpoints(const Frame& frame) noexcept {
    const std::size_t count = codec_.decode_setpoints(frame.payload, setpoints_);
    if (count == 0) return core_.refuse_data();
    for (std::size_t i = 0; i < count; ++i) core_.push(setpoints_[i]);
}

ReplyMessage DeviceSession::busy_reply(std::uint32_t sequence, std::uint64_t now_us) const noexcept {
    ReplyMessage busy{sequence, false, RefusalCode::session_busy, now_us};
    if (session_ == 0) return busy;
    busy.holder = client_;
    busy.held_for_us = now_us > begun_us_ ? now_us - begun_us_ : 0;
    return busy;
}

void DeviceSession::reply(std::uint32_t session, const ReplyMessage& message) noexcept {
    queue_frame(FrameType::reply, session, codec_.encode(message, payload_));
}

void DeviceSession::send_feedback(const Feedback& feedback) noexcept {
    if (session_ == 0) return;
    if (outgoing_size_ <= kBacklogMax && queue_frame(FrameType::feedback, session_, codec_.encode(feedback, payload_)))
        return;
    ++feedback_dropped_;
    ++sequence_;  // the host must see that one is missing
}

bool DeviceSession::queue_frame(FrameType type, std::uint32_t session, Codec::Size payload) noexcept {
    if (!payload) return false;
    const std::span<std::byte> room(outgoing_.data() + outgoing_size_, outgoing_.size() - outgoing_size_);
    const std::size_t size =
        encode_frame({type, session, sequence_}, std::span<const std::byte>(payload_.data(), *payload), room);
    outgoing_size_ += size;
    if (size > 0) ++sequence_;
    return size > 0;
}

void DeviceSession::flush() noexcept {
    if (!stream_ || outgoing_size_ == 0) return;
    const std::size_t sent = stream_->write_some(std::span<const std::byte>(outgoing_.data(), outgoing_size_));
    std::memmove(outgoing_.data(), outgoing_.data() + sent, outgoing_size_ - sent);
    outgoing_size_ -= sent;
}

}  // namespace topple::firmware_iface
