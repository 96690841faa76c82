#include "hil/cli/build_identity.hpp"

#include <fmt/format.h>

#include "firmware_iface/device_info.hpp"
#include "hil/host/version.hpp"

namespace topple::hil::cli {

std::string version_text(const BuildIdentity& build) {
    return fmt::format("topple {}\ncommit    {}\ncompiler  {}\nprotocol  {}\nfeatures  {}", host::version(),
                       build.commit, build.compiler, firmware_iface::kProtocolVersion,
                       build.features.empty() ? "none" : build.features);
}

}  // namespace topple::hil::cli
