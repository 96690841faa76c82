// topple table tilt: the operator turns the sensor, the program reads it.
#pragma once

#include "hil/check/checked_table.hpp"

namespace topple::hil::cli {

/// Throws InputError where nobody can turn the sensor: a simulated table, no terminal.
void measure_and_print_tilt(const check::CheckedTable& table, double duration_s, double gravity_m_s2);

}  // namespace topple::hil::cli
