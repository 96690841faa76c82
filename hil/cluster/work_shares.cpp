#include "hil/cluster/work_shares.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <thread>

#include "hil/cluster/started_by.hpp"
#include "hil/host/watched_work.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::cluster {
namespace {

class Alone : public WorkShares {
  public:
    std::size_t rank() const noexcept override { return 0; }
    std::size_t count() const noexcept override { return 1; }
    std::string from_first(const std::string& text) override { return text; }
    std::vector<std::string> from_all(const std::string& text) override { return {text}; }
    std::string first_failure(const std::string& failure) override { return failure; }
    void share_out(std::size_t count, const Sharing& how, const std::function<void(std::size_t)>& work) override {
        host::share_out(count, {.threads = how.threads, .stop = how.stop, .on_done = how.on_progress}, work);
    }
    Traffic traffic() const noexcept override { return {}; }
};

std::size_t whole_number_of(std::initializer_list<const char*> names) noexcept {
    for (const char* name : names)
        if (const char* value = std::getenv(name))
            if (const auto number = text::parse_whole_number(value)) return static_cast<std::size_t>(*number);
    return 0;
}

}  // namespace

std::unique_ptr<WorkShares> alone() { return std::make_unique<Alone>(); }

bool is_started_by_mpirun() noexcept {
    // Open MPI; MPICH and its relatives; PMIx, of srun --mpi=pmix.
    constexpr std::array names{"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    return std::any_of(names.begin(), names.end(), [](const char* name) { return std::getenv(name) != nullptr; });
}

std::size_t rank_of_this_process() noexcept {
    return whole_number_of({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"});
}

std::size_t rank_count() noexcept {
    if (!is_started_by_mpirun()) return 1;
    return std::max<std::size_t>(1, whole_number_of({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}));
}

unsigned usual_threads() noexcept {
    const unsigned here = std::max(1u, std::thread::hardware_concurrency());  // those that this process may use
    const std::size_t sharing =
        std::max<std::size_t>(1, whole_number_of({"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}));
    const bool is_bound = here < processors_of_the_computer();
    return is_bound ? here : std::max(1u, static_cast<unsigned>(here / sharing));
}

}  // namespace topple::hil::cluster
