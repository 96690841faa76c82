// The session of a device that runs on this computer: its wire is a stream that it owns. Allocates at hello only.
#pragma once

#include <cstdint>
#include <memory>

#include "firmware_iface/device/dialogue.hpp"
#include "firmware_iface/device_info.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/wire/codec.hpp"

namespace topple::firmware_iface {

extern template class Dialogue<Codec>;

/// What is said, and to whom: device/dialogue.hpp.
class DeviceSession {
  public:
    /// `core` must outlive the session. `info` is what hello is answered with.
    DeviceSession(DeviceControl& core, const DeviceInfo& info);

    /// Talks over `stream` from now on; the session of the previous stream is over (the core is informed).
    void attach(std::unique_ptr<ByteStream> stream) noexcept;
    void restart() noexcept { dialogue_.restart(); }
    /// The stream has ended, and every byte it brought has been read.
    bool hung_up() const noexcept { return !line_.connected(); }
    std::uint32_t id() const noexcept { return dialogue_.id(); }
    bool let_go() const noexcept { return dialogue_.let_go(); }
    ReplyMessage busy_reply(std::uint32_t sequence, std::uint64_t now_us) const noexcept {
        return dialogue_.busy_reply(sequence, now_us);
    }
    SerialLine& line() noexcept { return line_; }

    void receive(std::uint64_t now_us) noexcept;
    void send_feedback(const Feedback& feedback) noexcept { dialogue_.send_feedback(feedback); }
    void flush() noexcept;

    std::uint64_t feedback_dropped() const noexcept { return dialogue_.feedback_dropped(); }
    static constexpr std::uint64_t kSilenceMax_us = Dialogue<Codec>::kSilenceMax_us;
    static constexpr std::size_t kBacklogMax = Dialogue<Codec>::kBacklogMax;

  private:
    struct StreamLine final : SerialLine {
        std::size_t read_some(std::span<std::byte> into) noexcept override;
        std::size_t write_some(std::span<const std::byte> from) noexcept override;
        bool connected() const noexcept override;
        std::unique_ptr<ByteStream> stream;  // may be null: nobody is there
    };

    StreamLine line_;
    Dialogue<Codec> dialogue_;
};

/// The description a device of this machine gives of itself, with the core's usual queue and timing.
DeviceInfo describe(const MachineDescription& machine, const DeviceTiming& timing);

}  // namespace topple::firmware_iface
