// The accelerometer read for some seconds on a platen that must not move.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hil/check/checked_table.hpp"
#include "hil/check/tilt.hpp"

namespace topple::hil::check {

/// From the reported acceleration along x, with signs and scale of the machine file. Throws DeviceError if there is no
/// accelerometer, the platen moves (state or encoder), the noise is above kAccelerometerNoiseMax_m_s2, the reading
/// never changes, or the operator stops it.
RestMean read_at_rest(const CheckedTable& table, double duration_s);

/// Both directions. `ask` shows the operator what to do and returns when it is done. Throws as read_at_rest().
Tilt measure_tilt(const CheckedTable& table, double duration_s, double gravity_m_s2,
                  const std::function<void(const std::string&)>& ask);

}  // namespace topple::hil::check
