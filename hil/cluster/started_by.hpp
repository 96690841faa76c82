// How this process came to be.
#pragma once

#include <cstddef>

namespace topple::hil::cluster {

/// By mpirun, mpiexec or srun --mpi, as one of several ranks.
bool is_started_by_mpirun() noexcept;
/// Which of them this process is, from 0. 0 without mpirun.
std::size_t rank_of_this_process() noexcept;
/// 1 without mpirun.
std::size_t rank_count() noexcept;
/// All of them, whether this process may use them or not.
unsigned processors_of_the_computer() noexcept;

}  // namespace topple::hil::cluster
