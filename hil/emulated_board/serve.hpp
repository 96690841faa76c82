// The emulated board on a real wire: what `topple emulate --firmware` does.
#pragma once

#include <atomic>

#include "hil/experiment/experiment.hpp"
#include "hil/sim_table/emulate.hpp"

namespace topple::hil::emulated_board {

/// As sim_table::emulate(), with the reference firmware in QEMU for the table: serves one host after the other until
/// `stop`. Of the options it takes address, on_ready and say; what only the simulated table can do is refused with
/// InputError. Each time `reset` is found true, it is set false and the board's reset button pressed. Throws
/// DeviceError where something is not installed.
void serve(const experiment::Experiment& experiment, const sim_table::EmulateOptions& options,
           const std::atomic<bool>& stop, std::atomic<bool>& reset);

}  // namespace topple::hil::emulated_board
