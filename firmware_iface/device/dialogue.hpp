// One host at a time over a serial line: frames in, device core, frames out. No exceptions, no OS; a heap only if the
// codec has one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware_iface/device/board.hpp"
#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/samples.hpp"
#include "firmware_iface/wire/command.hpp"
#include "firmware_iface/wire/frame.hpp"

namespace topple::firmware_iface {

inline constexpr std::size_t kDialogueBacklog = 8192;  ///< bytes; about 90 ms at 921600 baud

/// Frames of sessions other than the controlling one are dropped, and so are those that come twice or late, but for a
/// stop that is newer than the newest accepted command of another kind. A hello with a new session number takes over
/// only while the platen does not move (and disarms); otherwise it is refused with session_busy. A reconnect therefore
/// never resumes a motion. A session that says nothing for kSilenceMax_us while nothing moves is ended: it would keep
/// others out.
///
/// `Codec` has the words Hello, Info and Reply and the functions of wire/codec.hpp that take them. `Core` is the
/// device, or what guards its functions against the interrupt that ticks it. Definitions: dialogue_impl.hpp.
template <class Codec, class Core = DeviceControl, std::size_t kBacklog = kDialogueBacklog>
class Dialogue {
  public:
    using Info = typename Codec::Info;
    using Reply = typename Codec::Reply;

    /// `core` must outlive the dialogue. `info` is what hello is answered with.
    Dialogue(Core& core, const Info& info);

    /// Another wire from now on; the session of the previous one is over (the core is informed).
    void begin_wire() noexcept;
    /// The device starts anew on the same wire: no session, nothing half received or half sent.
    void restart() noexcept;
    /// Of the controlling host; 0: none has said hello over the present wire, or it has gone.
    std::uint32_t id() const noexcept { return session_; }
    /// The last session over the present wire was silent for too long: the wire may be closed.
    bool let_go() const noexcept { return let_go_; }
    /// Answer to the hello `sequence` of another host: session_busy, what the controlling host calls itself, and for
    /// how long it has had the table.
    Reply busy_reply(std::uint32_t sequence, std::uint64_t now_us) const noexcept;

    /// Everything that has arrived, handed to the core in order; replies are queued. Before each tick, or as often as
    /// there is time.
    void receive(SerialLine& line, std::uint64_t now_us) noexcept;
    /// Queues one feedback frame; dropped (and counted) while a slow line still holds kBacklogMax bytes.
    void send_feedback(const Feedback& feedback) noexcept;
    /// One feedback is missing because it could not even be kept: the host sees it in the sequence.
    void skip_feedback() noexcept;
    /// Hands queued bytes to the line; bytes that do not fit now are kept.
    void flush(SerialLine& line) noexcept;
    bool has_bytes_to_send() const noexcept { return outgoing_size_ > 0; }

    std::uint64_t feedback_dropped() const noexcept { return feedback_dropped_; }
    const FrameDecoder& decoder() const noexcept { return decoder_; }
    static constexpr std::uint64_t kSilenceMax_us = 5'000'000;  ///< a host sends a sign of life every 20 ms
    static constexpr std::size_t kBacklogMax = kBacklog;

  private:
    using Size = typename Codec::Size;

    void handle(const Frame& frame, std::uint64_t now_us) noexcept;
    void handle_late(const Frame& frame, std::uint64_t now_us) noexcept;
    void handle_hello(const Frame& frame, std::uint64_t now_us) noexcept;
    void handle_command(const Frame& frame, std::uint64_t now_us) noexcept;
    void handle_setpoints(const Frame& frame) noexcept;
    RefusalCode execute(const CommandMessage& command) noexcept;
    void reply(std::uint32_t session, const Reply& message) noexcept;
    void heard() noexcept;
    void watch_silence(std::uint64_t now_us) noexcept;
    bool queue_frame(FrameType type, std::uint32_t session, Size payload) noexcept;

    Core& core_;
    Info info_;
    Codec codec_;
    FrameDecoder decoder_;
    std::uint32_t session_ = 0;             // 0: none
    std::uint32_t superseded_session_ = 0;  // the one before, whose belated hello must not take over again
    std::uint32_t sequence_ = 0;
    std::uint32_t heard_sequence_ = 0;     // of the session's newest frame
    std::uint32_t accepted_sequence_ = 0;  // of its newest accepted command that is no stop; of its hello before
    std::uint64_t feedback_dropped_ = 0;
    decltype(Reply::holder) client_{};
    std::uint64_t begun_us_ = 0;                     // of the session
    std::uint64_t received_us_ = 0, silent_us_ = 0;  // newest call of receive(); since the host was heard
    bool let_go_ = false;
    std::array<std::byte, kPayloadMax> payload_{};
    std::array<std::byte, kBacklog + 4 * kEncodedFrameMax> outgoing_{};
    std::size_t outgoing_size_ = 0;
    std::array<Setpoint, kSetpointBatchMax> setpoints_{};
};

}  // namespace topple::firmware_iface
