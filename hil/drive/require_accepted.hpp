// A command that the table refuses ends what was asked for.
#pragma once

#include <fmt/format.h>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/table_link.hpp"

namespace topple::hil::drive {

/// Throws DeviceError with the table's reason. `what`: "arm", "home", ...
inline void require_accepted(const firmware_iface::CommandResult& result, const char* what,
                             const firmware_iface::TableLink& link) {
    if (result.accepted) return;
    const bool named = result.cause != firmware_iface::FaultCode::none;
    throw firmware_iface::DeviceError(fmt::format(
        "{} refused to {}: {}{}", link.description(), what, explanation(result.refusal),
        named ? fmt::format(" It is {}. {}", name(result.cause), explanation(result.cause)) : std::string()));
}

}  // namespace topple::hil::drive
