#include <algorithm>
#include <utility>

#include "firmware_iface/sound_description.hpp"
#include "firmware_iface/table_link_impl.hpp"

namespace topple::firmware_iface {
namespace {

constexpr Nanoseconds kStopRepeat = std::chrono::milliseconds(20);  ///< until the device has answered one of them
constexpr std::size_t kReadSize = 4096, kReadsMax = 64;             ///< one poll takes at most 256 KiB
constexpr double kNominalBytesPerSecond = 92160.0;  ///< 921600 baud, where the stream does not know its own
constexpr std::size_t kUnsentMin = 64;              ///< slow ports: room for the shortest frames

}  // namespace

TableLink::Impl::Impl(std::unique_ptr<ByteStream> s, Clock& c, std::uint32_t id, std::string name)
    : stream(std::move(s)), clock(c), session(id), client(std::move(name)), stream_description(stream->description()) {
    heard_reply.holder.reserve(kTextMax);
    set_period(2000);
}

/// Two feedback periods of what the medium carries.
void TableLink::Impl::set_period(std::uint32_t feedback_period_us) noexcept {
    const double known = stream->bytes_per_second();
    const double rate = known > 0.0 ? known : kNominalBytesPerSecond;
    const double bytes = 2.0e-6 * feedback_period_us * rate;
    feedback_period = std::chrono::microseconds(feedback_period_us);
    unsent_max = std::max(kUnsentMin, static_cast<std::size_t>(std::min(bytes, 1.0e6)));
}

bool TableLink::Impl::push(FrameType type, std::span<const std::byte> payload) noexcept {
    if (!outbox.push({type, session, next_sequence}, payload)) return false;
    ++next_sequence;
    return true;
}

void TableLink::Impl::write_pending(std::size_t at_most) noexcept {
    const auto pending = outbox.pending();
    const std::size_t sent = stream->write_some(pending.first(std::min(at_most, pending.size())));
    if (sent == 0) return;
    outbox.pop(sent);
    statistics.bytes_sent += sent;
    on_the_way += static_cast<double>(sent);
    last_sent = clock.now();
}

/// Bytes that may be handed over now.
std::size_t TableLink::Impl::room() noexcept {
    const Nanoseconds now = clock.now();
    const double elapsed_s = std::chrono::duration<double>(now - std::exchange(last_room, now)).count();
    const double rate = stream->bytes_per_second();
    on_the_way = rate > 0.0 ? std::max(0.0, on_the_way - elapsed_s * rate) : 0.0;
    const std::size_t unsent = std::max(stream->unsent_bytes(), static_cast<std::size_t>(on_the_way));
    return unsent < unsent_max ? unsent_max - unsent : 0;
}

void TableLink::Impl::send_stop() noexcept {
    outbox.clear();
    stream->discard_output();
    on_the_way = 0.0;
    if (!unanswered_stop) unanswered_stop = next_sequence;
    push_stop();
    write_pending(outbox.pending().size());
}

void TableLink::Impl::push_stop() noexcept {
    stop_sent = clock.now();
    push_message(FrameType::command, CommandMessage{CommandKind::stop});
}

void TableLink::Impl::flush() noexcept {
    // Nothing that moves the table is sent meanwhile: a repeat throws nothing away, least of all the operator's CLEAR.
    if (unanswered_stop && clock.now() - stop_sent >= kStopRepeat && outbox.pending().empty()) push_stop();
    // While the table runs every period counts: a stall may begin right after.
    const Nanoseconds alive_period = device_runs ? std::min(feedback_period, kAlivePeriod) : kAlivePeriod;
    if (connected && outbox.pending().empty() && clock.now() - last_sent >= alive_period) push(FrameType::alive, {});
    if (!outbox.pending().empty()) write_pending(room());
}

void TableLink::Impl::read(FeedbackSink sink, void* context) {
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
    statistics.malformed = counters.malformed;
    statistics.sequence_gaps = counters.sequence_gaps;
}

void TableLink::Impl::accept(const Frame& frame, FeedbackSink sink, void* context) {
    statistics.sequence_gaps = decoder.counters().sequence_gaps;                               // as of this frame
    const std::uint32_t newer = heard_sequence ? frame.header.sequence - *heard_sequence : 1;  // wraps
    const bool counts_anew = frame.header.type == FrameType::description;  // a board that has restarted
    if (frame.header.session != session ||
        (!counts_anew && (newer == 0 || newer > UINT32_MAX / 2))) {  // foreign, twice, late
        ++statistics.frames_stale;
        return;
    }
    bool known = false;
    if (frame.header.type == FrameType::feedback) known = accept_feedback(frame.payload, sink, context);
    if (frame.header.type == FrameType::reply) known = accept_reply(frame.payload);
    if (frame.header.type == FrameType::description) known = accept_description(frame.payload);
    if (known)
        heard_sequence = frame.header.sequence;  // not of what a line echoes: those are the host's own numbers
    else
        ++statistics.frames_unknown;
}

bool TableLink::Impl::accept_feedback(std::span<const std::byte> payload, FeedbackSink sink, void* context) {
    Feedback feedback;
    const FeedbackDefect defect = codec.read_feedback(payload, feedback);
    if (defect != FeedbackDefect::none) {
        if (feedback_defect == FeedbackDefect::none) feedback_defect = defect;
        return false;
    }
    newest = feedback;
    device_runs = feedback.state == DeviceState::running;
    if (sink) {
        sink(context, feedback);
    } else {
        statistics.feedback_not_polled += kept.full() ? 1 : 0;
        kept.push(feedback);
    }
    return true;
}

bool TableLink::Impl::accept_reply(std::span<const std::byte> payload) {
    if (!codec.decode_reply(payload, heard_reply)) {
        reply_unreadable = true;
        return false;
    }
    const bool since_stop =
        unanswered_stop && heard_reply.request_sequence - *unanswered_stop <= UINT32_MAX / 2;  // wraps
    if (awaited == heard_reply.request_sequence) {
        reply = heard_reply;
        awaited.reset();
        newest.reset();
    } else if (since_stop) {  // whatever the round trip: the first answer to any of the repeats is enough
        unanswered_stop.reset();
    }
    return true;
}

bool TableLink::Impl::accept_description(std::span<const std::byte> payload) {
    if (connected) return true;  // a second answer to a repeated hello
    DeviceInfo info;
    std::uint64_t device_time_us = 0;
    const bool sound = codec.decode_description(payload, info, device_time_us);
    const bool mine = info.protocol_version == kProtocolVersion;
    unsound_description = mine ? unsound(info) : "";
    if (!sound && unsound_description.empty()) unsound_description = "it is not a description, or a text is not UTF-8";
    if (!unsound_description.empty()) return false;
    description = std::move(info);
    return true;
}

void TableLink::Impl::check_open() const {
    if (stream->status() == StreamStatus::open) return;
    const std::string why = stream->error_text();
    throw DeviceError("connection to " + stream->description() + " lost" + (why.empty() ? "" : " (" + why + ")") +
                      ": check power and cable, and that no other program controls the table");
}

void TableLink::Impl::drop_stale_bytes() {
    std::array<std::byte, kReadSize> buffer;
    for (std::size_t i = 0; i < kReadsMax && stream->read_some(buffer) == kReadSize; ++i) {
    }
    decoder.reset();
    outbox.clear();
    kept.clear();
    stream->discard_output();
}

}  // namespace topple::firmware_iface
