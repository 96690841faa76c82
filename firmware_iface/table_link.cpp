#include "firmware_iface/table_link.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string_view>
#include <utility>

#include "firmware_iface/table_link_impl.hpp"

namespace topple::firmware_iface {
namespace {

constexpr Nanoseconds kHelloRepeat =
    std::chrono::milliseconds(250);     ///< boards that reset on opening miss what comes while they start
constexpr std::size_t kRoundTrips = 5;  ///< questions of which the middle one counts
constexpr Nanoseconds kRoundTripMax = std::chrono::milliseconds(100);
constexpr Nanoseconds kLookOften = std::chrono::microseconds(250);

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

std::string in_seconds(Nanoseconds duration) {
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(duration).count();
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

/// "run" of "topple run". What another program calls itself goes to a terminal: only what can be read there.
std::string readable(const std::string& client) {
    constexpr std::string_view kOwn = "topple ";
    std::string text = client.starts_with(kOwn) ? client.substr(kOwn.size()) : client;
    for (char& c : text)
        if (c < ' ' || c > '~') c = '?';
    return text.empty() ? "another session" : text;
}

/// "busy: run since 15:04:05 (12 s)", on the wall clock of this computer.
std::string busy_since(const ReplyMessage& reply) {
    const auto held = std::chrono::microseconds(std::min<std::uint64_t>(reply.held_for_us, 1'000'000'000'000'000));
    const std::time_t began = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now() - held);
    std::tm local{};
    char clock_time[32] = "?";
    if (::localtime_r(&began, &local) != nullptr)
        std::strftime(clock_time, sizeof clock_time, held < std::chrono::hours(12) ? "%H:%M:%S" : "%Y-%m-%d %H:%M",
                      &local);
    return "busy: " + readable(reply.holder) + " since " + clock_time + " (" +
           std::to_string(std::chrono::duration_cast<std::chrono::seconds>(held).count()) + " s)";
}

}  // namespace

CommandResult TableLink::Impl::command(const CommandMessage& message, Nanoseconds timeout) {
    if (!connected) throw DeviceError("no session with " + stream->description() + ": connect first");
    reply.reset();
    reply_unreadable = false;
    awaited = next_sequence;
    push_message(FrameType::command, message);
    if (wait(clock.now() + timeout, [this] { return reply.has_value(); }))
        return {reply->accepted, reply->refusal, reply->cause};
    awaited.reset();
    if (reply_unreadable)
        throw DeviceError(
            stream->description() + " answers \"" + std::string(name(message.kind)) +
            "\" with something that is not a reply of this protocol: its firmware is defective (docs/protocol.md)");
    throw DeviceError("no answer to \"" + std::string(name(message.kind)) + "\" from " + stream->description() +
                      " within " + in_seconds(timeout) + ": is the table still on?");
}

CommandResult TableLink::Impl::command_or_stop(const CommandMessage& message, Nanoseconds timeout) {
    try {
        return command(message, timeout);
    } catch (const DeviceError&) {
        send_stop();  // whether it moves is not known
        throw;
    }
}

void TableLink::Impl::throw_refused() const {
    const bool told = reply->refusal == RefusalCode::session_busy && reply->held_for_us > 0;
    throw DeviceError(stream->description() +
                      (told ? " is " + busy_since(*reply) + ": end that first, or wait"
                            : " refused the session: " + std::string(explanation(reply->refusal))));
}

/// The first answer does not count: the board may have been starting. A table that answers hello only once is
/// taken at that.
void TableLink::Impl::measure_round_trip() {
    std::array<Nanoseconds, kRoundTrips> taken{};
    std::size_t count = 0;
    while (count < taken.size()) {
        description.reset();
        const Nanoseconds asked = clock.now();
        push_message(FrameType::hello, HelloMessage{kProtocolVersion, client});
        if (!wait(
                asked + kRoundTripMax, [this] { return description.has_value(); }, kLookOften))
            break;
        taken[count++] = clock.now() - asked;
    }
    if (count == 0) return;
    const auto middle = taken.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(taken.begin(), middle, taken.begin() + static_cast<std::ptrdiff_t>(count));
    statistics.round_trip = *middle;
}

TableLink::TableLink(std::unique_ptr<ByteStream> stream, Clock& clock, std::uint32_t session, std::string client)
    : impl_(std::make_unique<Impl>(std::move(stream), clock, session, std::move(client))) {}
TableLink::~TableLink() = default;

const DeviceInfo& TableLink::connect(Nanoseconds timeout) {
    auto& link = *impl_;
    link.connected = false;
    link.description.reset();
    link.reply.reset();
    link.heard_sequence.reset();
    link.unanswered_stop.reset();
    link.unsound_description.clear();
    link.feedback_defect = FeedbackDefect::none;
    link.drop_stale_bytes();
    const Nanoseconds deadline = link.clock.now() + timeout;
    Nanoseconds asked{0};
    const auto answered = [&] {
        return link.description.has_value() || link.reply.has_value() || !link.unsound_description.empty();
    };
    bool done = false;
    while (!done && link.clock.now() < deadline) {
        asked = link.clock.now();
        link.awaited = link.next_sequence;  // a busy table answers with a refusal
        link.push_message(FrameType::hello, HelloMessage{kProtocolVersion, link.client});
        done = link.wait(std::min(deadline, asked + kHelloRepeat), answered);
    }
    if (!done)
        throw DeviceError("no answer from " + link.stream->description() + " within " + in_seconds(timeout) +
                          ": is the table on, and is this its port?");
    if (!link.unsound_description.empty())
        throw DeviceError(link.stream->description() + " sent a description that cannot be used: " +
                          link.unsound_description + ". Its firmware is defective (docs/protocol.md)");
    if (!link.description) link.throw_refused();
    link.statistics.round_trip = link.clock.now() - asked;
    if (link.description->protocol_version != kProtocolVersion)
        throw DeviceError(link.stream->description() + " speaks version " +
                          std::to_string(link.description->protocol_version) +
                          " of the protocol, this program version " + std::to_string(kProtocolVersion) +
                          ": update the older of the two (docs/protocol.md)");
    device_ = *link.description;
    link.measure_round_trip();
    link.connected = true;
    link.set_period(device_.feedback_period_us);
    return device_;
}

CommandResult TableLink::start_homing(Nanoseconds timeout) {
    return impl_->command_or_stop({CommandKind::home}, timeout);
}
CommandResult TableLink::arm(std::uint64_t configuration_hash, Nanoseconds timeout) {
    return impl_->command({CommandKind::arm, configuration_hash}, timeout);
}
CommandResult TableLink::disarm(Nanoseconds timeout) { return impl_->command({CommandKind::disarm}, timeout); }
CommandResult TableLink::clear_fault(Nanoseconds timeout) { return impl_->command({CommandKind::clear}, timeout); }

CommandResult TableLink::start(std::uint64_t start_time_us, bool release_specimen, bool trigger, Nanoseconds timeout) {
    return impl_->command_or_stop({CommandKind::start, 0, start_time_us, release_specimen, trigger}, timeout);
}

Feedback TableLink::wait_feedback(Nanoseconds timeout) {
    auto& link = *impl_;
    link.newest.reset();
    const auto spoilt = [&] { return link.feedback_defect != FeedbackDefect::none; };
    const bool heard = link.wait(link.clock.now() + timeout, [&] { return link.newest.has_value() || spoilt(); });
    if (spoilt()) throw DeviceError(link.stream->description() + ": " + std::string(explanation(link.feedback_defect)));
    if (!heard)
        throw DeviceError("no feedback from " + link.stream->description() + " within " + in_seconds(timeout) +
                          ": is the table still on?");
    link.kept.pop_back();
    ++link.statistics.feedback_not_polled;
    return *link.newest;
}

void TableLink::poll(FeedbackSink on_feedback, void* context) noexcept {
    for (; !impl_->kept.empty(); impl_->kept.pop_front()) on_feedback(context, impl_->kept.front());
    impl_->read(on_feedback, context);
}

bool TableLink::send_setpoints(std::span<const Setpoint> setpoints) noexcept {
    if (setpoints.empty()) return true;
    auto& link = *impl_;
    if (link.unanswered_stop) return false;
    // After a stall the table first hears, in one short frame, that its host is back.
    if (link.outbox.pending().empty() && link.clock.now() - link.last_sent >= kAlivePeriod)
        link.push(FrameType::alive, {});
    return link.push_message(FrameType::setpoints, setpoints);
}

void TableLink::stop() noexcept { impl_->send_stop(); }
bool TableLink::stop_answered() const noexcept { return !impl_->unanswered_stop; }
void TableLink::flush() noexcept { impl_->flush(); }

FeedbackDefect TableLink::feedback_defect() const noexcept { return impl_->feedback_defect; }
StreamStatus TableLink::status() const noexcept { return impl_->stream->status(); }
const LinkStatistics& TableLink::statistics() const noexcept { return impl_->statistics; }
const std::string& TableLink::description() const noexcept { return impl_->stream_description; }
void TableLink::close() noexcept { impl_->stream->close(); }

}  // namespace topple::firmware_iface
