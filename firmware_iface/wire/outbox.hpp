// Encoded frames that wait for room in the operating system: bounded, first in first out, never allocating.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "firmware_iface/wire/frame.hpp"

namespace topple::firmware_iface {

class Outbox {
  public:
    /// More than 600 setpoints of one axis: a third of a second of motion sent ahead at 2 ms a knot, twice
    /// over.
    static constexpr std::size_t kCapacity = 32768;

    /// False, and nothing queued, if the whole frame does not fit.
    bool push(const FrameHeader& header, std::span<const std::byte> payload) noexcept {
        if (first_ > 0 && kCapacity - end_ < kEncodedFrameMax) compact();
        const std::size_t size = encode_frame(header, payload, std::span(bytes_).subspan(end_));
        end_ += size;
        return size > 0;
    }
    std::span<const std::byte> pending() const noexcept { return std::span(bytes_).subspan(first_, end_ - first_); }
    void pop(std::size_t count) noexcept {
        first_ += count;
        if (first_ == end_) clear();
    }
    void clear() noexcept { first_ = end_ = 0; }

  private:
    void compact() noexcept {
        std::copy(bytes_.begin() + first_, bytes_.begin() + end_, bytes_.begin());
        end_ -= first_;
        first_ = 0;
    }

    std::array<std::byte, kCapacity> bytes_{};  // zeroed: every page is in memory before the first tick
    std::size_t first_ = 0, end_ = 0;
};

}  // namespace topple::firmware_iface
