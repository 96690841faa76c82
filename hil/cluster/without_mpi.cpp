// The ranks of a build without MPI: none but this one.
#include "hil/cluster/started_by.hpp"
#include "hil/cluster/work_shares.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::cluster {

bool has_mpi() noexcept { return false; }

std::unique_ptr<WorkShares> all_ranks() {
    if (is_started_by_mpirun())
        throw files::InputError(
            "started by mpirun, but this program was built without MPI: every rank would do the whole work; install "
            "libopenmpi-dev and configure anew, or start one process");
    return alone();
}

}  // namespace topple::hil::cluster
