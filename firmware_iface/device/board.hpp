// All that separates the device core from a machine: what the electronics read, drive and say. One class per board.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware_iface/device/device_core.hpp"

namespace topple::firmware_iface {

/// Bytes to and from the host. Nothing here waits.
class SerialLine {
  public:
    /// Bytes that are there now, possibly 0.
    virtual std::size_t read_some(std::span<std::byte> into) noexcept = 0;
    /// Takes as many bytes as it has room for now, possibly 0.
    virtual std::size_t write_some(std::span<const std::byte> from) noexcept = 0;
    /// False: whoever was at the other end has gone, and every byte from there has been read. A UART never knows.
    virtual bool connected() const noexcept { return true; }

  protected:
    ~SerialLine() = default;
};

/// The machine, once per control cycle in this order: measure(), now_us(), drive(), kick_watchdog(). What a board must
/// do by itself, whatever the program does: take the drive's power and set the brake when the emergency stop is
/// pressed, after a reset, and when the watchdog has not been kicked for DeviceTiming::stall_us.
class Board {
  public:
    /// Encoders (64 bits, from their own zero), accelerometers in m/s2, auxiliary inputs in volts, reference and end
    /// switches, emergency stop, drive ready: all of one moment. What is not fitted stays as it is in a new
    /// Measurement.
    virtual Measurement measure() noexcept = 0;
    /// Device time of that moment: never back, never reset but by a restart; 64 bits of microseconds.
    virtual std::uint64_t now_us() noexcept = 0;
    /// Drive on or off, brake, force or setpoint, trigger output: holds until the next call.
    virtual void drive(const DriveCommand& command) noexcept = 0;
    /// A control cycle is complete.
    virtual void kick_watchdog() noexcept = 0;
    virtual SerialLine& line() noexcept = 0;

  protected:
    ~Board() = default;
};

/// One control cycle. A watchdog is kicked by nothing else.
inline void control_cycle(Board& board, DeviceControl& core) noexcept {
    const Measurement measurement = board.measure();
    board.drive(core.tick(board.now_us(), measurement));
    board.kick_watchdog();
}

}  // namespace topple::firmware_iface
