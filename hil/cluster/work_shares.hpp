// Who does which part of a long work: the threads of one process, or of all ranks of an MPI job.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace topple::hil::cluster {

/// How one long work is done.
struct Sharing {
    unsigned threads = 1;                     ///< of each rank
    const std::atomic<bool>* stop = nullptr;  ///< set: no further index is begun, here or at any other rank
    /// Indices done by all ranks together; called on the first rank only, a few times a second.
    std::function<void(std::size_t done)> on_progress{};
};

/// What travelled between the ranks.
struct Traffic {
    std::size_t messages = 0, bytes = 0;
};

/// The ranks of one command. Every rank calls the same functions in the same order. Files are the only thing that they
/// share: between them travel numbers of shares and, a few times in a job, texts.
class WorkShares {
  public:
    virtual ~WorkShares() = default;
    virtual std::size_t rank() const noexcept = 0;
    virtual std::size_t count() const noexcept = 0;
    bool is_first() const noexcept { return rank() == 0; }

    /// What the first rank says, to all.
    virtual std::string from_first(const std::string& text) = 0;
    /// What each rank says, to all, in their order.
    virtual std::vector<std::string> from_all(const std::string& text) = 0;
    /// The failure of the lowest rank that has one, to all; empty if all of them can go on. It begins with the rank
    /// unless all fail alike.
    virtual std::string first_failure(const std::string& failure) = 0;
    /// Calls work(index) once for each of 0..count-1, on the threads of all ranks: whoever is free takes the next one.
    /// Returns on every rank when all are done or the work was stopped. An exception of `work` ends the whole job: a
    /// single process throws it, of several the rank that has it tells it and aborts all.
    virtual void share_out(std::size_t count, const Sharing& how, const std::function<void(std::size_t)>& work) = 0;
    /// Of share_out() so far, as seen by the first rank.
    virtual Traffic traffic() const noexcept = 0;
};

/// One process alone.
std::unique_ptr<WorkShares> alone();
/// All ranks if this process was started by mpirun (or srun), else one process alone; of several, all but the first are
/// silent from now on. MPI is ended with the object. Throws InputError if there is an mpirun but this program knows no
/// MPI.
std::unique_ptr<WorkShares> all_ranks();

/// This program was built with MPI.
bool has_mpi() noexcept;
/// Threads that this rank should use: its processors, shared with the other ranks that it shares them with.
unsigned usual_threads() noexcept;

}  // namespace topple::hil::cluster
