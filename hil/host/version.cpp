#include "hil/host/version.hpp"

namespace topple::hil {

std::string_view version() noexcept { return TOPPLE_VERSION; }

}  // namespace topple::hil
