// What a board's source file must define: the linker chooses the board.
#pragma once

#include "firmware_iface/firmware/firmware.hpp"

namespace topple::firmware {

/// Clocks, pins, serial port. The drive is off and braked before, during and after it. Called once, interrupts off.
firmware_iface::Board& start_board() noexcept;

/// The machine on this board. After start_board().
Identity identity() noexcept;

/// From now on `firmware.cycle()` in every control period, in an interrupt; turns interrupts on.
void start_cycles(Firmware& firmware) noexcept;

}  // namespace topple::firmware
