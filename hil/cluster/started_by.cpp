#include "hil/cluster/started_by.hpp"

#include <unistd.h>

namespace topple::hil::cluster {

unsigned processors_of_the_computer() noexcept {
    const long count = ::sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? static_cast<unsigned>(count) : 1u;
}

}  // namespace topple::hil::cluster
