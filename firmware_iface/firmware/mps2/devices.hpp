// What the firmware needs of an ARM MPS2 board: its Ethernet controller, two timers and their interrupt (application
// notes AN385, AN386, AN500; data sheet of the LAN9118; CMSDK technical reference).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "firmware_iface/device/board.hpp"

namespace topple::firmware::mps2 {

inline constexpr std::uint32_t kClock_hz = 25'000'000;
inline constexpr std::uint32_t kTicks_per_us = kClock_hz / 1'000'000;

/// Bytes in Ethernet frames of the local experimental type 0x88B5: two bytes of length, little-endian, then the bytes.
/// The board's UARTs take one byte at a time, which costs an emulator an interrupt each; its LAN9118 takes a frame.
class EthernetLine final : public firmware_iface::SerialLine {
  public:
    void start() noexcept;
    std::size_t read_some(std::span<std::byte> into) noexcept override;
    std::size_t write_some(std::span<const std::byte> from) noexcept override;
    std::uint32_t received_count() const noexcept { return received_; }  ///< bytes since the start, wraps

    static constexpr std::size_t kHeader = 16;  ///< two addresses, type, length
    static constexpr std::size_t kBytesMax = 1024;

  private:
    bool take_frame() noexcept;

    std::array<std::byte, kHeader + kBytesMax + 8> frame_{};
    std::size_t next_ = 0, end_ = 0;  // of frame_: not read yet
    std::uint32_t received_ = 0;
};

/// Timer 1 counts all the time: ticks since start_clock(), wraps after 171 s.
void start_clock() noexcept;
std::uint32_t clock_ticks() noexcept;
/// Timer 0 interrupts every `period_us`; turns interrupts on.
void start_interrupts(std::uint32_t period_us) noexcept;
void acknowledge_timer() noexcept;

}  // namespace topple::firmware::mps2
