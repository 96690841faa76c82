// Which Topple this is.
#pragma once

#include <string_view>

namespace topple::hil::host {

std::string_view version() noexcept;  ///< e.g. "0.1.0"

}  // namespace topple::hil::host
