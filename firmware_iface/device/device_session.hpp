// One host at a time over a byte stream: frames in, device core, frames out. Allocates at hello only.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/device_info.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"

namespace topple::firmware_iface {

/// Frames of sessions other than the controlling one are dropped, and so are those that come twice or late, but for a
/// stop that is newer than the newest accepted command of another kind. A hello with a new session number takes over
/// only while the platen does not move (and disarms); otherwise it is refused with session_busy. A reconnect therefore
/// never resumes a motion. A session that says nothing for kSilenceMax_us while nothing moves is ended: it would keep
/// others out.
class DeviceSession {
  public:
    /// `core` must outlive the session. `info` is what hello is answered with.
    DeviceSession(DeviceCore& core, DeviceInfo info);

    /// Talks over `stream` from now on; the session of the previous stream is over (the core is informed).
    void attach(std::unique_ptr<ByteStream> stream) noexcept;
    /// The device starts anew on the same wire: no session, nothing half received or half sent.
    void restart() noexcept;
    /// The stream has ended, and every byte it brought has been read.
    bool hung_up() const noexcept { return stream_ && stream_->status() != StreamStatus::open; }
    /// Of the controlling host; 0: none has said hello over the present stream, or it has gone.
    std::uint32_t id() const noexcept { return session_; }
    /// The last session over the present stream was silent for too long: the stream may be closed.
    bool let_go() const noexcept { return let_go_; }
    /// Answer to the hello `sequence` of another host: session_busy, what the controlling host calls itself, and for
    /// how long it has had the table.
    ReplyMessage busy_reply(std::uint32_t sequence, std::uint64_t now_us) const noexcept;

    /// Everything that has arrived, handed to the core in order; replies are queued. Before each tick.
    void receive(std::uint64_t now_us) noexcept;
    /// Queues one feedback frame; dropped (and counted) while a slow line still holds kBacklogMax bytes.
    void send_feedback(const Feedback& feedback) noexcept;
    /// Hands queued bytes to the stream; bytes that do not fit now are kept.
    void flush() noexcept;

    std::uint64_t feedback_dropped() const noexcept { return feedback_dropped_; }
    static constexpr std::uint64_t kSilenceMax_us = 5'000'000;  ///< a host sends a sign of life every 20 ms
    static constexpr std::size_t kBacklogMax = 8192;            ///< about 90 ms at 921600 baud

  private:
    void handle(const Frame& frame, std::uint64_t now_us) noexcept;
    void handle_late(const Frame& frame, std::uint64_t now_us) noexcept;
    void handle_hello(const Frame& frame, std::uint64_t now_us) noexcept;
    void handle_command(const Frame& frame, std::uint64_t now_us) noexcept;
    void handle_setpoints(const Frame& frame) noexcept;
    RefusalCode execute(const CommandMessage& command) noexcept;
    void reply(std::uint32_t session, const ReplyMessage& message) noexcept;
    void heard() noexcept;
    void watch_silence(std::uint64_t now_us) noexcept;
    bool queue_frame(FrameType type, std::uint32_t session, Codec::Size payload) noexcept;

    DeviceCore& core_;
    DeviceInfo info_;
    Codec codec_;
    FrameDecoder decoder_;
    std::unique_ptr<ByteStream> stream_;
    std::uint32_t session_ = 0;             // 0: none
    std::uint32_t superseded_session_ = 0;  // the one before, whose belated hello must not take over again
    std::uint32_t sequence_ = 0;
    std::uint32_t heard_sequence_ = 0;     // of the session's newest frame
    std::uint32_t accepted_sequence_ = 0;  // of its newest accepted command that is no stop; of its hello before
    std::uint64_t feedback_dropped_ = 0;
    std::string client_;
    std::uint64_t begun_us_ = 0;                     // of the session
    std::uint64_t received_us_ = 0, silent_us_ = 0;  // newest call of receive(); since the host was heard
    bool let_go_ = false;
    std::array<std::byte, kPayloadMax> payload_{};
    std::array<std::byte, kBacklogMax + 4 * kEncodedFrameMax> outgoing_{};
    std::size_t outgoing_size_ = 0;
    std::array<Setpoint, kSetpointBatchMax> setpoints_{};
};

/// The description a device of this machine gives of itself, with the core's queue and timing.
DeviceInfo describe(const MachineDescription& machine, const DeviceTiming& timing);

}  // namespace topple::firmware_iface
