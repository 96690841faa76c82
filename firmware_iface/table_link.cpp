#include "firmware_iface/table_link.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "firmware_iface/wire/outbox.hpp"

namespace topple::firmware_iface {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr Nanoseconds kWaitStep = milliseconds(1);
constexpr Nanoseconds kHelloRepeat = milliseconds(500);   ///< boards that reset on opening miss the first one
constexpr Nanoseconds kStopRepeat = milliseconds(20);     ///< until the device has answered one of them
constexpr Nanoseconds kReplyTimeout = std::chrono::seconds(1);
constexpr std::size_t kFeedbackKept = 128;                ///< a quarter of a second at 500 Hz
constexpr std::size_t kReadSize = 4096, kReadsMax = 64;   ///< one poll takes at most 256 KiB
constexpr double kNominalBytesPerSecond = 92160.0;        ///< 921600 baud, where the stream does not know its own
constexpr std::size_t kUnsentMin = 64;                    ///< slow ports: room for the shortest frames

std::string in_seconds(Nanoseconds duration) {
    const auto ms = duration_cast<milliseconds>(duration).count();
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

std::string_view name(CommandKind kind) noexcept {
    switch (kind) {
        case CommandKind::home: return "home";
        case CommandKind::arm: return "arm";
        case CommandKind::disarm: return "disarm";
        case CommandKind::start: return "start";
        case CommandKind::stop: return "stop";
        case CommandKind::clear: return "clear";
        case CommandKind::release: return "release";
    }
    return "?";
}

/// The newest feedback received while a call was waiting; the oldest is lost when it overflows.
class KeptFeedback {
  public:
    void push(const Feedback& feedback) noexcept {
        if (count_ == kFeedbackKept) pop_front();
        slots_[(first_ + count_++) % kFeedbackKept] = feedback;
    }
    void pop_back() noexcept { --count_; }
    void pop_front() noexcept {
        first_ = (first_ + 1) % kFeedbackKept;
        --count_;
    }
    const Feedback& front() const noexcept { return slots_[first_]; }
    void clear() noexcept { count_ = 0; }
    bool empty() const noexcept { return count_ == 0; }

  private:
    std::array<Feedback, kFeedbackKept> slots_{};
    std::size_t first_ = 0, count_ = 0;
};

}  // namespace

struct TableLink::Impl {
    std::unique_ptr<ByteStream> stream;
    Clock& clock;
    const std::uint32_t session;
    Codec codec;
    FrameDecoder decoder;
    Outbox outbox;
    LinkStatistics statistics;
    std::uint32_t next_sequence = 0;
    bool connected = false;
    std::size_t unsent_max = 0;
    Nanoseconds last_sent{0}, last_room{0};
    double on_the_way = 0.0;  ///< bytes that the medium cannot have carried yet: pseudo-terminals do not tell

    std::optional<DeviceInfo> description;   ///< set by the answer to hello
    std::optional<std::uint32_t> awaited;    ///< sequence of the command whose reply is waited for
    std::optional<ReplyMessage> reply;
    std::optional<Feedback> newest;          ///< since the last reply
    KeptFeedback kept;                       ///< received while waiting, for the next poll()
    std::array<std::uint32_t, 8> stop_sequences{};
    std::size_t stop_count = 0;              ///< stop frames sent since one was answered
    Nanoseconds stop_sent{0};

    Impl(std::unique_ptr<ByteStream> s, Clock& c, std::uint32_t id) : stream(std::move(s)), clock(c), session(id) {
        set_period(2000);
    }

    /// Two feedback periods of what the medium carries.
    void set_period(std::uint32_t feedback_period_us) noexcept {
        const double known = stream->bytes_per_second();
        const double rate = known > 0.0 ? known : kNominalBytesPerSecond;
        const double bytes = 2.0e-6 * feedback_period_us * rate;
        unsent_max = std::max(kUnsentMin, static_cast<std::size_t>(std::min(bytes, 1.0e6)));
    }

    // ---- out ----
    bool push(FrameType type, std::span<const std::byte> payload) noexcept {
        if (!outbox.push({type, session, next_sequence}, payload)) return false;
        ++next_sequence;
        return true;
    }
    template <class Message>
    bool push_message(FrameType type, const Message& message) {
        std::array<std::byte, kPayloadMax> payload;
        const auto size = codec.encode(message, payload);
        return size && push(type, std::span(payload).first(*size));
    }
    void write_pending(std::size_t at_most) noexcept {
        const auto pending = outbox.pending();
        const std::size_t sent = stream->write_some(pending.first(std::min(at_most, pending.size())));
        if (sent == 0) return;
        outbox.pop(sent);
        statistics.bytes_sent += sent;
        on_the_way += static_cast<double>(sent);
        last_sent = clock.now();
    }
    /// Bytes that may be handed over now.
    std::size_t room() noexcept {
        const Nanoseconds now = clock.now();
        const double elapsed_s = std::chrono::duration<double>(now - std::exchange(last_room, now)).count();
        const double rate = stream->bytes_per_second();
        on_the_way = rate > 0.0 ? std::max(0.0, on_the_way - elapsed_s * rate) : 0.0;
        const std::size_t unsent = std::max(stream->unsent_bytes(), static_cast<std::size_t>(on_the_way));
        return unsent < unsent_max ? unsent_max - unsent : 0;
    }
    void send_stop() noexcept {
        outbox.clear();
        stream->discard_output();
        on_the_way = 0.0;
        stop_sequences[stop_count++ % stop_sequences.size()] = next_sequence;
        stop_sent = clock.now();
        push_message(FrameType::command, CommandMessage{CommandKind::stop});
        write_pending(outbox.pending().size());
    }
    void flush() noexcept {
        if (stop_count > 0 && clock.now() - stop_sent >= kStopRepeat) send_stop();
        if (connected && outbox.pending().empty() && clock.now() - last_sent >= kAlivePeriod)
            push(FrameType::alive, {});
        if (!outbox.pending().empty()) write_pending(room());
    }

    // ---- in ----
    void read(FeedbackSink sink, void* context) {
        std::array<std::byte, kReadSize> buffer;
        for (std::size_t i = 0; i < kReadsMax; ++i) {
            const std::size_t count = stream->read_some(buffer);
            statistics.bytes_received += count;
            std::span<const std::byte> bytes(buffer.data(), count);
            while (const auto frame = decoder.next(bytes)) accept(*frame, sink, context);
            if (count < kReadSize) break;
        }
        const auto& counters = decoder.counters();
        statistics.frames_received = counters.frames;
        statistics.bytes_damaged = counters.bytes_damaged;
        statistics.crc_errors = counters.crc_errors;
        statistics.sequence_gaps = counters.sequence_gaps;
    }
    void accept(const Frame& frame, FeedbackSink sink, void* context) {
        if (frame.header.session != session) {
            ++statistics.frames_stale;
            return;
        }
        bool known = false;
        if (frame.header.type == FrameType::feedback) known = accept_feedback(frame.payload, sink, context);
        if (frame.header.type == FrameType::reply) known = accept_reply(frame.payload);
        if (frame.header.type == FrameType::description) known = accept_description(frame.payload);
        if (!known) ++statistics.frames_unknown;
    }
    bool accept_feedback(std::span<const std::byte> payload, FeedbackSink sink, void* context) {
        Feedback feedback;
        if (!codec.decode_feedback(payload, feedback)) return false;
        newest = feedback;
        if (sink) {
            sink(context, feedback);
        } else {
            kept.push(feedback);
        }
        return true;
    }
    bool accept_reply(std::span<const std::byte> payload) {
        ReplyMessage message;
        if (!codec.decode_reply(payload, message)) return false;
        const auto stops = stop_sequences.begin() + std::min(stop_count, stop_sequences.size());
        if (std::find(stop_sequences.begin(), stops, message.request_sequence) != stops) stop_count = 0;
        if (awaited == message.request_sequence) {
            reply = message;
            awaited.reset();
            newest.reset();
        }
        return true;
    }
    bool accept_description(std::span<const std::byte> payload) {
        if (connected) return true;  // a second answer to a repeated hello
        DeviceInfo info;
        std::uint64_t device_time_us = 0;
        if (!codec.decode_description(payload, info, device_time_us)) return false;
        description = std::move(info);
        return true;
    }

    // ---- waiting ----
    void check_open() const {
        if (stream->status() == StreamStatus::open) return;
        const std::string why = stream->error_text();
        throw DeviceError("connection to " + stream->description() + " lost" + (why.empty() ? "" : " (" + why + ")") +
                          ": check power and cable, and that no other program controls the table");
    }
    /// Sends and receives until `arrived` or the time is over; false then.
    template <class Arrived>
    bool wait(Nanoseconds deadline, Arrived arrived) {
        for (;;) {
            flush();
            read(nullptr, nullptr);
            if (arrived()) return true;
            check_open();
            if (clock.now() >= deadline) return false;
            clock.sleep_for(std::min(kWaitStep, deadline - clock.now()));
        }
    }
    CommandResult command(const CommandMessage& message, Nanoseconds timeout) {
        if (!connected) throw DeviceError("no session with " + stream->description() + ": connect first");
        reply.reset();
        awaited = next_sequence;
        push_message(FrameType::command, message);
        if (wait(clock.now() + timeout, [this] { return reply.has_value(); }))
            return {reply->accepted, reply->refusal};
        awaited.reset();
        throw DeviceError("no answer to \"" + std::string(name(message.kind)) + "\" from " + stream->description() +
                          " within " + in_seconds(timeout) + ": is the table still on?");
    }
    void drop_stale_bytes() {
        std::array<std::byte, kReadSize> buffer;
        for (std::size_t i = 0; i < kReadsMax && stream->read_some(buffer) == kReadSize; ++i) {
        }
        decoder.reset();
        outbox.clear();
        stream->discard_output();
    }
    void greet() {
        awaited = next_sequence;
        push_message(FrameType::hello, HelloMessage{kProtocolVersion, "topple"});
    }
};

TableLink::TableLink(std::unique_ptr<ByteStream> stream, Clock& clock, std::uint32_t session)
    : impl_(std::make_unique<Impl>(std::move(stream), clock, session)) {}
TableLink::~TableLink() = default;

const DeviceInfo& TableLink::connect(Nanoseconds timeout) {
    auto& link = *impl_;
    link.connected = false;
    link.description.reset();
    link.reply.reset();
    link.stop_count = 0;
    link.kept.clear();
    link.drop_stale_bytes();
    const Nanoseconds deadline = link.clock.now() + timeout;
    Nanoseconds asked{0};
    const auto answered = [&] { return link.description.has_value() || link.reply.has_value(); };
    bool done = false;
    while (!done && link.clock.now() < deadline) {
        asked = link.clock.now();
        link.greet();
        done = link.wait(std::min(deadline, asked + kHelloRepeat), answered);
    }
    if (!done)
        throw DeviceError("no answer from " + link.stream->description() + " within " + in_seconds(timeout) +
                          ": is the table on, and is this its port?");
    if (!link.description)
        throw DeviceError(link.stream->description() + " refused the session: " +
                          std::string(explanation(link.reply->refusal)));
    link.statistics.round_trip = link.clock.now() - asked;
    if (link.description->protocol_version != kProtocolVersion)
        throw DeviceError(link.stream->description() + " speaks version " +
                          std::to_string(link.description->protocol_version) + " of the protocol, this program version " +
                          std::to_string(kProtocolVersion) + ": update the older of the two (docs/protocol.md)");
    device_ = *link.description;
    link.connected = true;
    link.set_period(device_.feedback_period_us);
    return device_;
}

CommandResult TableLink::home(Nanoseconds timeout) {
    auto& link = *impl_;
    const Nanoseconds deadline = link.clock.now() + timeout;
    const auto result = link.command({CommandKind::home}, std::min(timeout, kReplyTimeout));
    if (!result.accepted) return result;
    const auto ended = [&] {
        const bool known = link.newest.has_value();
        return known && link.newest->state != DeviceState::homing && link.newest->state != DeviceState::stopping;
    };
    if (!link.wait(deadline, ended)) {
        stop();
        throw DeviceError("homing of " + link.stream->description() + " did not end within " + in_seconds(timeout) +
                          "; a stop was sent: check the reference switch");
    }
    if (link.newest->state == DeviceState::ready) return result;
    const auto fault = static_cast<FaultCode>(link.newest->fault_code);
    throw DeviceError("homing of " + link.stream->description() + " failed: " + std::string(name(fault)) + ". " +
                      std::string(explanation(fault)));
}

CommandResult TableLink::arm(std::uint64_t configuration_hash, Nanoseconds timeout) {
    return impl_->command({CommandKind::arm, configuration_hash}, timeout);
}
CommandResult TableLink::disarm(Nanoseconds timeout) { return impl_->command({CommandKind::disarm}, timeout); }
CommandResult TableLink::clear_fault(Nanoseconds timeout) { return impl_->command({CommandKind::clear}, timeout); }

CommandResult TableLink::start(std::uint64_t start_time_us, bool release_specimen, Nanoseconds timeout) {
    try {
        return impl_->command({CommandKind::start, 0, start_time_us, release_specimen}, timeout);
    } catch (const DeviceError&) {
        stop();  // whether it started is not known
        throw;
    }
}

Feedback TableLink::wait_feedback(Nanoseconds timeout) {
    auto& link = *impl_;
    link.newest.reset();
    if (!link.wait(link.clock.now() + timeout, [&] { return link.newest.has_value(); }))
        throw DeviceError("no feedback from " + link.stream->description() + " within " + in_seconds(timeout) +
                          ": is the table still on?");
    link.kept.pop_back();
    return *link.newest;
}

void TableLink::poll(FeedbackSink on_feedback, void* context) noexcept {
    for (; !impl_->kept.empty(); impl_->kept.pop_front()) on_feedback(context, impl_->kept.front());
    impl_->read(on_feedback, context);
}

bool TableLink::send_setpoints(std::span<const Setpoint> setpoints) noexcept {
    if (setpoints.empty()) return true;
    return impl_->stop_count == 0 && impl_->push_message(FrameType::setpoints, setpoints);
}

void TableLink::stop() noexcept { impl_->send_stop(); }
void TableLink::flush() noexcept { impl_->flush(); }

StreamStatus TableLink::status() const noexcept { return impl_->stream->status(); }
const LinkStatistics& TableLink::statistics() const noexcept { return impl_->statistics; }
std::string TableLink::description() const { return impl_->stream->description(); }
void TableLink::close() noexcept { impl_->stream->close(); }

}  // namespace topple::firmware_iface
