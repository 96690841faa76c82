// Can what a table says of itself be true? Asked before anything is computed from it.
#pragma once

#include <string>

#include "firmware_iface/device_info.hpp"

namespace topple::firmware_iface {

/// Empty if every number lies within the ranges of docs/protocol.md and every text can be printed; else the first that
/// does not: its name, its value and what is allowed. Whether the table is the one of the machine file is not asked
/// here.
std::string unsound(const DeviceInfo& info);

}  // namespace topple::firmware_iface
