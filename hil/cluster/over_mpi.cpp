// The ranks of an MPI job. The first one hands out numbers of shares and also works; only its calling thread, and that
// of every other rank, speaks MPI.
#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "hil/cluster/started_by.hpp"
#include "hil/cluster/work_shares.hpp"
#include "hil/text/silence.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using Number = std::uint64_t;

constexpr std::chrono::milliseconds kPause{1};  // between two looks: short beside a chunk, and a look costs nothing
constexpr std::chrono::milliseconds kProgressPeriod{200};
constexpr Number kNothingLeft = ~Number{0};
constexpr int kAsk = 1, kAnswer = 2;

/// To the first rank: so many shares were finished since the last one, and why it is told.
using Ask = std::array<Number, 2>;
constexpr Number kLeaving = 0, kAnother = 1, kStopping = 2;  // only kAnother is answered

class OverMpi : public WorkShares {
  public:
    OverMpi();
    ~OverMpi() override;
    OverMpi(const OverMpi&) = delete;
    OverMpi& operator=(const OverMpi&) = delete;

    std::size_t rank() const noexcept override { return static_cast<std::size_t>(rank_); }
    std::size_t count() const noexcept override { return static_cast<std::size_t>(count_); }
    std::string from_first(const std::string& text) override { return from(0, text); }
    std::vector<std::string> from_all(const std::string& text) override;
    std::string first_failure(const std::string& failure) override;
    void share_out(std::size_t count, const Sharing& how, const std::function<void(std::size_t)>& work) override;
    Traffic traffic() const noexcept override { return traffic_; }

  private:
    static void wait_for_all();
    std::string from(int rank, const std::string& text);
    void hand_out(std::size_t count, const Sharing& how, const std::function<void(std::size_t)>& work);
    void answer(std::size_t& next, std::size_t count, std::size_t& done, int& working);
    void fetch(const Sharing& how, const std::function<void(std::size_t)>& work);
    void safely(const std::function<void(std::size_t)>& work, std::size_t index) const;

    int rank_ = 0, count_ = 1;
    std::mutex handing_out_;
    bool is_stopped_ = false;  // no further share; guarded by handing_out_
    Traffic traffic_;
};

OverMpi::OverMpi() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    if (rank_ != 0) text::be_silent();
}

OverMpi::~OverMpi() {
    wait_for_all();  // the first rank writes the results meanwhile
    MPI_Finalize();
}

/// A barrier at which nobody keeps a processor busy.
void OverMpi::wait_for_all() {
    constexpr std::chrono::milliseconds kLook{2};
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int is_met = 0; !is_met;) {
        MPI_Test(&request, &is_met, MPI_STATUS_IGNORE);
        if (!is_met) std::this_thread::sleep_for(kLook);
    }
}

std::string OverMpi::from(int rank, const std::string& text) {
    Number size = text.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, rank, MPI_COMM_WORLD);
    std::string told = rank == rank_ ? text : std::string(size, '\0');
    MPI_Bcast(told.data(), static_cast<int>(size), MPI_CHAR, rank, MPI_COMM_WORLD);
    return told;
}

std::vector<std::string> OverMpi::from_all(const std::string& text) {
    std::vector<std::string> told;
    for (int rank = 0; rank < count_; ++rank) told.push_back(from(rank, text));
    return told;
}

std::string OverMpi::first_failure(const std::string& failure) {
    const int mine = failure.empty() ? count_ : rank_;
    int first = count_, failing = 0;
    const int fails = failure.empty() ? 0 : 1;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&fails, &failing, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (first == count_) return {};
    const std::string told = from(first, failure);
    return failing == count_ ? told : fmt::format("rank {} of {}: {}", first, count_, told);
}

/// A failure of one rank ends the job: the others would wait for its share for ever.
void OverMpi::safely(const std::function<void(std::size_t)>& work, std::size_t index) const {
    try {
        work(index);
    } catch (const std::exception& error) {
        text::speak();
        text::tell("topple: rank {} of {}: {}; the job ends here and goes on with --resume\n", rank_, count_,
                   error.what());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/// Answers everybody who has asked.
void OverMpi::answer(std::size_t& next, std::size_t count, std::size_t& done, int& working) {
    for (;;) {
        int is_there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, kAsk, MPI_COMM_WORLD, &is_there, &status);
        if (!is_there) return;
        Ask ask{};
        MPI_Recv(ask.data(), 2, MPI_UINT64_T, status.MPI_SOURCE, kAsk, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        ++traffic_.messages;
        traffic_.bytes += sizeof ask;
        done += static_cast<std::size_t>(ask[0]);
        if (ask[1] == kLeaving) --working;
        if (ask[1] == kStopping) {
            const std::scoped_lock lock(handing_out_);
            is_stopped_ = true;
        }
        if (ask[1] != kAnother) continue;
        Number number = kNothingLeft;
        {
            const std::scoped_lock lock(handing_out_);
            if (!is_stopped_ && next < count) number = next++;
        }
        MPI_Send(&number, 1, MPI_UINT64_T, status.MPI_SOURCE, kAnswer, MPI_COMM_WORLD);
        ++traffic_.messages;
        traffic_.bytes += sizeof number;
    }
}

/// The first rank: its threads take shares directly, the others by messages.
void OverMpi::hand_out(std::size_t count, const Sharing& how, const std::function<void(std::size_t)>& work) {
    std::size_t next = 0, done_elsewhere = 0;
    std::atomic<std::size_t> done{0};
    std::atomic<unsigned> busy{how.threads};
    int working = count_ - 1;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < how.threads; ++i)
        threads.emplace_back([&] {
            for (;;) {
                std::size_t index = 0;
                {
                    const std::scoped_lock lock(handing_out_);
                    if (is_stopped_ || next >= count) break;
                    index = next++;
                }
                safely(work, index);
                ++done;
            }
            --busy;
        });
    auto told = Clock::now();
    while (busy > 0 || working > 0) {
        if (how.stop && *how.stop) {
            const std::scoped_lock lock(handing_out_);
            is_stopped_ = true;
        }
        answer(next, count, done_elsewhere, working);
        if (how.on_progress && Clock::now() - told >= kProgressPeriod) {
            how.on_progress(done + done_elsewhere);
            told = Clock::now();
        }
        std::this_thread::sleep_for(kPause);
    }
}

/// Any other rank: one share waits here for each thread that is working, so that none waits for a message.
void OverMpi::fetch(const Sharing& how, const std::function<void(std::size_t)>& work) {
    std::mutex mutex;
    std::condition_variable arrived;
    std::deque<Number> waiting;
    bool is_over = false;
    unsigned idle = 0, busy = how.threads;
    Number done = 0;
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < how.threads; ++i)
        threads.emplace_back([&] {
            std::unique_lock lock(mutex);
            for (;;) {
                ++idle;
                arrived.wait(lock, [&] { return is_over || !waiting.empty(); });
                --idle;
                if (waiting.empty()) break;
                const Number index = waiting.front();
                waiting.pop_front();
                lock.unlock();
                safely(work, static_cast<std::size_t>(index));
                lock.lock();
                ++done;
            }
            --busy;
        });
    bool is_nothing_left = false, has_told_stop = false;
    for (;;) {
        std::optional<Ask> ask;
        {
            const std::scoped_lock lock(mutex);
            if (how.stop && *how.stop && !has_told_stop) {
                is_nothing_left = has_told_stop = true;
                waiting.clear();
                ask = {done, kStopping};
            } else if (is_nothing_left && busy == 0) {
                ask = {done, kLeaving};
            } else if (!is_nothing_left && waiting.size() < std::max(1u, idle)) {
                ask = {done, kAnother};
            }
            is_over = is_nothing_left;
            if (ask) done = 0;
        }
        if (is_nothing_left) arrived.notify_all();
        if (!ask) {
            std::this_thread::sleep_for(kPause);
            continue;
        }
        MPI_Send(ask->data(), 2, MPI_UINT64_T, 0, kAsk, MPI_COMM_WORLD);
        if ((*ask)[1] == kLeaving) return;
        if ((*ask)[1] == kStopping) continue;
        Number number = kNothingLeft;
        MPI_Recv(&number, 1, MPI_UINT64_T, 0, kAnswer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const std::scoped_lock lock(mutex);
        if (number == kNothingLeft)
            is_nothing_left = true;
        else
            waiting.push_back(number);
        arrived.notify_one();
    }
}

void OverMpi::share_out(std::size_t count, const Sharing& how, const std::function<void(std::size_t)>& work) {
    is_stopped_ = false;
    if (rank_ == 0)
        hand_out(count, how, work);
    else
        fetch(how, work);
    wait_for_all();
}

}  // namespace

bool has_mpi() noexcept { return true; }

std::unique_ptr<WorkShares> all_ranks() {
    if (!is_started_by_mpirun()) return alone();
    return std::make_unique<OverMpi>();
}

}  // namespace topple::hil::cluster
