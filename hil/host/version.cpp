#include "hil/host/version.hpp"

namespace topple::hil::host {

std::string_view version() noexcept { return TOPPLE_VERSION; }

}  // namespace topple::hil::host
