// Turns the bytes of a fuzz input into choices and numbers, front to back; zeros when they are used up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace topple::fuzz {

class InputReader {
  public:
    InputReader(const std::uint8_t* bytes, std::size_t size) : left_(reinterpret_cast<const std::byte*>(bytes), size) {}

    bool empty() const noexcept { return left_.empty(); }
    /// Little-endian as in memory.
    template <class T>
    T take() noexcept {
        T value{};
        const std::size_t size = std::min(sizeof(T), left_.size());
        std::memcpy(&value, left_.data(), size);
        left_ = left_.subspan(size);
        return value;
    }
    std::uint8_t byte() noexcept { return take<std::uint8_t>(); }
    /// -1 .. 1 in 256 steps.
    double ratio() noexcept { return take<std::int8_t>() / 127.0; }
    std::span<const std::byte> bytes(std::size_t count) noexcept {
        const auto front = left_.first(std::min(count, left_.size()));
        left_ = left_.subspan(front.size());
        return front;
    }
    std::span<const std::byte> rest() noexcept { return bytes(left_.size()); }

  private:
    std::span<const std::byte> left_;
};

}  // namespace topple::fuzz
