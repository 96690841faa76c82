// One end of a real wire within this computer whose bytes are there as soon as the other end has written them: for a
// clock in lockstep, which does not wait for the kernel.
#pragma once

#include <time.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "firmware_iface/transport/forwarding_stream.hpp"

namespace topple::test {

/// Bytes that each end has written, by its side.
using Written = std::array<std::uint64_t, 2>;

class DeliveredStream final : public firmware_iface::ForwardingStream {
  public:
    /// `side`: 0 or 1. Both ends share `written`, live in one thread, and are the only ones on this wire.
    DeliveredStream(std::unique_ptr<firmware_iface::ByteStream> end, std::size_t side, std::shared_ptr<Written> written)
        : ForwardingStream(std::move(end)), side_(side), written_(std::move(written)) {}

    /// Waits for the kernel, up to a second, while it has not brought all that the other end has written. What has not
    /// come by then was discarded on its way (a stop does that) and is not waited for again.
    std::size_t read_some(std::span<std::byte> into) noexcept override {
        constexpr timespec kMoment{0, 20'000};  // and 50 us of the kernel's own slack
        for (int look = 0; look < 14'000; ++look) {
            const std::size_t count = inner().read_some(into);
            received_ += count;
            const bool all =
                received_ >= (*written_)[1 - side_] || inner().status() != firmware_iface::StreamStatus::open;
            if (count > 0 || all) return count;
            ::nanosleep(&kMoment, nullptr);
        }
        received_ = (*written_)[1 - side_];
        return 0;
    }
    std::size_t write_some(std::span<const std::byte> from) noexcept override {
        const std::size_t count = inner().write_some(from);
        (*written_)[side_] += count;
        return count;
    }

  private:
    std::size_t side_;
    std::shared_ptr<Written> written_;
    std::uint64_t received_ = 0;
};

}  // namespace topple::test
