// The host's end of the wire: one session with one table over any byte stream.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/device_info.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/feedback_defect.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"
#include "firmware_iface/transport/byte_stream.hpp"

namespace topple::firmware_iface {

/// flush() and every waiting call send a sign of life (FrameType::alive) when nothing else went out for this
/// long; while the table runs, for one feedback period.
inline constexpr Nanoseconds kAlivePeriod = std::chrono::milliseconds(20);

/// Counters of the receiving side.
struct LinkStatistics {
    std::uint64_t frames_received = 0, bytes_received = 0, bytes_sent = 0;
    std::uint64_t bytes_damaged = 0, sequence_gaps = 0, frames_unknown = 0, frames_stale = 0;
    std::uint64_t crc_errors = 0,
                  malformed = 0;  ///< damaged frames, by what betrays them: checksum; stuffing or length
    std::uint64_t feedback_not_polled =
        0;                      ///< received while a call waited: returned by it, or pushed out by newer ones
    Nanoseconds round_trip{0};  ///< of hello, measured at connect
};

/// A refused command, with the device's reason.
struct CommandResult {
    bool accepted = false;
    RefusalCode refusal = RefusalCode::none;
    FaultCode cause =
        FaultCode::none;  ///< with fault_latched, if reported: the one whose cause is still present, or the latched one
};

class TableLink {
  public:
    /// `session`: not 0, and different from the previous ones of the same table (frames of another session
    /// are stale).
    /// `client`: this host's name, which the table sends to other hosts that connect in the meantime.
    TableLink(std::unique_ptr<ByteStream> stream, Clock& clock, std::uint32_t session, std::string client = "topple");
    ~TableLink();
    TableLink(const TableLink&) = delete;
    TableLink& operator=(const TableLink&) = delete;

    // ---- before real time: these wait (on the clock) up to `timeout` and throw DeviceError ----
    // Feedback that arrives meanwhile is kept (the newest 128) and given to the next poll().
    /// Flushes stale bytes, says hello until it is answered (a board that starts when its port is opened takes some
    /// seconds), checks the protocol version and that the description can be true (sound_description.hpp).
    const DeviceInfo& connect(Nanoseconds timeout = std::chrono::seconds(5));
    const DeviceInfo& device() const noexcept { return device_; }
    /// Only begins: feedback shows the progress. Without an answer a stop is sent before DeviceError is thrown.
    CommandResult start_homing(Nanoseconds timeout = std::chrono::seconds(1));
    CommandResult arm(std::uint64_t configuration_hash, Nanoseconds timeout = std::chrono::seconds(1));
    CommandResult disarm(Nanoseconds timeout = std::chrono::seconds(1));
    CommandResult clear_fault(Nanoseconds timeout = std::chrono::seconds(1));
    /// Without an answer a stop is sent before DeviceError is thrown: it may have started.
    /// `trigger`: the trigger output shows this motion; a device without one refuses (not_supported).
    CommandResult start(std::uint64_t start_time_us, bool release_specimen, bool trigger = false,
                        Nanoseconds timeout = std::chrono::seconds(1));
    /// First feedback after the call (poll() does not get this one). Throws DeviceError on timeout, if the stream
    /// closes, or if one comes that has a defect.
    Feedback wait_feedback(Nanoseconds timeout = std::chrono::seconds(1));

    // ---- on the tick path: noexcept, no allocation, never block ----
    /// Reads all that has arrived; calls `on_feedback(context, feedback)` for each new feedback in order.
    using FeedbackSink = void (*)(void* context, const Feedback&);
    void poll(FeedbackSink on_feedback, void* context) noexcept;
    /// Queues setpoints for sending (at most kBatchMax). False if the outgoing buffer is full: try next tick;
    /// also while a stop is unanswered, and for what must never be sent (numbers that are not finite, wrong
    /// counts).
    static constexpr std::size_t kBatchMax = 16;
    bool send_setpoints(std::span<const Setpoint> setpoints) noexcept;
    /// Discards everything not sent, flushes the operating system's buffer, sends the stop frame first.
    /// flush() repeats it every 20 ms until the device has answered.
    void stop() noexcept;
    bool stop_answered() const noexcept;  ///< or none has been sent
    /// Hands buffered bytes to the stream, at most two feedback periods' worth unsent in the operating
    /// system.
    void flush() noexcept;

    StreamStatus status() const noexcept;
    /// Of the first feedback since connect() that had one. Such a feedback reaches nobody.
    FeedbackDefect feedback_defect() const noexcept;
    const LinkStatistics& statistics() const noexcept;
    const std::string& description() const noexcept;  ///< of the stream; lives as long as this link
    void close() noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
    DeviceInfo device_;
};

}  // namespace topple::firmware_iface
