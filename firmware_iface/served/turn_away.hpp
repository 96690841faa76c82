// Hosts that connect while another one has the table, each on its own stream: informed of it and disconnected.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "firmware_iface/served/device_session.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"

namespace topple::firmware_iface {

/// Nothing that such a host sends reaches the table. Its hello is answered with session_busy; it goes when it hangs up,
/// after kStayMax_us, or when kGuestsMax others have come since.
class TurnAway {
  public:
    void take(std::unique_ptr<ByteStream> host) noexcept;
    /// Every cycle. `busy`: the session of the host that has the table.
    void serve(const DeviceSession& busy, std::uint64_t now_us) noexcept;

    static constexpr std::size_t kGuestsMax = 4;
    static constexpr std::uint64_t kStayMax_us = 2'000'000;

  private:
    struct Guest {
        std::unique_ptr<ByteStream> stream;
        FrameDecoder decoder;
        std::uint64_t stayed_us = 0;
        std::array<std::byte, kEncodedFrameMax> answer{};
        std::size_t answer_size = 0, answer_sent = 0;
    };
    void read(Guest& guest, const DeviceSession& busy, std::uint64_t now_us) noexcept;
    void answer(Guest& guest, const Frame& frame, const DeviceSession& busy, std::uint64_t now_us) noexcept;

    std::array<Guest, kGuestsMax> guests_{};
    std::size_t next_ = 0;  // the place that was taken longest ago
    std::uint64_t served_us_ = 0;
    Codec codec_;
};

}  // namespace topple::firmware_iface
