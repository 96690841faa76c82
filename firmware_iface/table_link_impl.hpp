// Inside of TableLink: what is sent, what is received, and waiting. Not for others to include.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "firmware_iface/table_link.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "firmware_iface/wire/outbox.hpp"

namespace topple::firmware_iface {

inline constexpr std::size_t kFeedbackKept = 128;  ///< a quarter of a second at 500 Hz

/// The newest feedback received while a call was waiting; the oldest is lost when it overflows.
class KeptFeedback {
  public:
    bool full() const noexcept { return count_ == kFeedbackKept; }
    void push(const Feedback& feedback) noexcept {
        if (full()) pop_front();
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

struct TableLink::Impl {
    std::unique_ptr<ByteStream> stream;
    Clock& clock;
    const std::uint32_t session;
    const std::string client;
    const std::string stream_description;
    Codec codec;
    FrameDecoder decoder;
    Outbox outbox;
    LinkStatistics statistics;
    std::uint32_t next_sequence = 0;
    std::optional<std::uint32_t> heard_sequence;  ///< of the device's newest frame since connect
    bool connected = false;
    Nanoseconds feedback_period{0};
    bool device_runs = false;    ///< by its newest feedback: its watchdog is then at its shortest
    std::size_t unsent_max = 0;  ///< bytes: two feedback periods of what the medium carries
    Nanoseconds last_sent{0}, last_room{0};
    double on_the_way = 0.0;  ///< bytes that the medium cannot have carried yet: pseudo-terminals do not report it

    std::optional<DeviceInfo> description;                  ///< set by the answer to hello
    std::string unsound_description;                        ///< why the answer to hello cannot be used
    FeedbackDefect feedback_defect = FeedbackDefect::none;  ///< the first since connect
    bool reply_unreadable = false;                          ///< one came while a reply was awaited
    std::optional<std::uint32_t> awaited;                   ///< sequence of the command whose reply is waited for
    std::optional<ReplyMessage> reply;
    ReplyMessage heard_reply;                      ///< reused: one may come while the tick reads
    std::optional<Feedback> newest;                ///< since the last reply
    KeptFeedback kept;                             ///< received while waiting, for the next poll()
    std::optional<std::uint32_t> unanswered_stop;  ///< sequence of the first of the stops that are being repeated
    Nanoseconds stop_sent{0};

    Impl(std::unique_ptr<ByteStream> stream, Clock& clock, std::uint32_t session, std::string client);
    void set_period(std::uint32_t feedback_period_us) noexcept;

    // ---- out ----
    bool push(FrameType type, std::span<const std::byte> payload) noexcept;
    template <class Message>
    bool push_message(FrameType type, const Message& message) {
        std::array<std::byte, kPayloadMax> payload;
        const auto size = codec.encode(message, payload);
        return size && push(type, std::span(payload).first(*size));
    }
    void write_pending(std::size_t at_most) noexcept;
    std::size_t room() noexcept;  ///< bytes that may be handed over now
    void send_stop() noexcept;    ///< ahead of all that waits, which is thrown away
    void push_stop() noexcept;
    void flush() noexcept;

    // ---- in: to `sink`, or kept if there is none ----
    void read(FeedbackSink sink, void* context);
    void accept(const Frame& frame, FeedbackSink sink, void* context);
    bool accept_feedback(std::span<const std::byte> payload, FeedbackSink sink, void* context);
    bool accept_reply(std::span<const std::byte> payload);
    bool accept_description(std::span<const std::byte> payload);

    // ---- waiting: DeviceError if the stream closes ----
    void check_open() const;
    /// Sends and receives, looking once every `look`, until `arrived` or the time is over; false then.
    template <class Arrived>
    bool wait(Nanoseconds deadline, Arrived arrived, Nanoseconds look = std::chrono::milliseconds(1)) {
        for (;;) {
            flush();
            read(nullptr, nullptr);
            if (arrived()) return true;
            check_open();
            const Nanoseconds now = clock.now();
            if (now >= deadline) return false;
            clock.sleep_until(std::min(now + look, deadline));
        }
    }
    CommandResult command(const CommandMessage& message, Nanoseconds timeout);
    CommandResult command_or_stop(const CommandMessage& message, Nanoseconds timeout);
    [[noreturn]] void throw_refused() const;
    void measure_round_trip();
    void drop_stale_bytes();
};

}  // namespace topple::firmware_iface
