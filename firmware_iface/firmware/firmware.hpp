// The reference firmware: the device core in the control interrupt, its dialogue with the host in the main loop. No
// heap, no exceptions, no OS.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "firmware_iface/device/board.hpp"
#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/device/dialogue.hpp"
#include "firmware_iface/firmware/guarded_core.hpp"
#include "firmware_iface/wire/small_codec.hpp"

namespace topple::firmware {

inline constexpr std::size_t kSetpoints = 128;  ///< a quarter of a second at 500 Hz; at least kSetpointCapacityMin
inline constexpr std::size_t kBacklog = 1024;   ///< bytes of feedback that wait for a slow line
inline constexpr std::size_t kFeedbacks = 64;   ///< that wait for the main loop; an emulator catches up by 20 ms
using SmallDialogue = firmware_iface::Dialogue<firmware_iface::SmallCodec, GuardedCore, kBacklog>;

/// What the device is: numbers of the machine and what it says of itself. One function per board (boards.hpp).
struct Identity {
    firmware_iface::DeviceParameters parameters;
    firmware_iface::SmallInfo info;
    bool homed = false;  ///< the reference is known after power-on, at the encoder's zero
};

class Firmware {
  public:
    Firmware(firmware_iface::Board& board, const Identity& identity) noexcept;

    /// The control interrupt, every control period.
    void cycle() noexcept;
    /// The main loop's turn: as often as there is time. True: bytes wait for room on the line, so come back soon; no
    /// interrupt announces it.
    bool serve() noexcept;

    /// Not beside an interrupt that calls cycle().
    firmware_iface::DeviceControl& core() noexcept { return core_; }
    const firmware_iface::DeviceControl& core() const noexcept { return core_; }

  private:
    void send_feedback() noexcept;

    firmware_iface::Board& board_;
    firmware_iface::DeviceCoreOf<kSetpoints> core_;
    GuardedCore guarded_;
    SmallDialogue dialogue_;
    std::uint32_t feedback_period_us_;
    std::uint64_t feedback_due_us_ = 0;

    // From the interrupt to the main loop, which may be some periods late.
    std::array<firmware_iface::Feedback, kFeedbacks> feedback_{};
    volatile std::uint32_t written_ = 0, read_ = 0, lost_ = 0;
};

}  // namespace topple::firmware
