// How this process came to be.
#pragma once

namespace topple::hil::cluster {

/// By mpirun, mpiexec or srun --mpi, as one of several ranks.
bool is_started_by_mpirun() noexcept;
/// All of them, whether this process may use them or not.
unsigned processors_of_the_computer() noexcept;

}  // namespace topple::hil::cluster
