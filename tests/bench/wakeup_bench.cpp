// How late the host's 2 ms cycle wakes up, beside cyclictest (Debian: rt-tests) at the same period and priority.
// Stretches of Topple, cyclictest and cyclictest again alternate, so that all three meet the same load; the two series
// of cyclictest say how far two equal measurements differ. usage: wakeup_bench [SECONDS_PER_STRETCH [STRETCHES]]
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "controller/rt/periodic_loop.hpp"
#include "controller/rt/thread_setup.hpp"
#include "firmware_iface/clock.hpp"

using namespace topple;

namespace {

constexpr int kPeriod_us = 2000;
constexpr int kHistogramMax_us = 100'000;

/// Wake-ups by lateness in whole microseconds; cyclictest keeps no finer ones.
class Lateness {
  public:
    void add(std::int64_t late_us, std::int64_t times) {
        const auto place = static_cast<std::size_t>(std::clamp<std::int64_t>(late_us, 0, kHistogramMax_us));
        counts_[place] += times;
        total_ += times;
    }
    std::int64_t total() const { return total_; }
    int quantile_us(double share) const {
        std::int64_t below = 0;
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            below += counts_[i];
            if (static_cast<double>(below) >= share * static_cast<double>(total_)) return static_cast<int>(i);
        }
        return kHistogramMax_us;
    }

  private:
    std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(kHistogramMax_us + 1, 0);
    std::int64_t total_ = 0;
};

/// Deadlines skipped, of all cycles.
std::uint64_t run_topple(double seconds, Lateness& lateness) {
    firmware_iface::MonotonicClock clock;
    const controller::RealTime real_time(clock);
    controller::PeriodicLoop loop(clock, std::chrono::microseconds(kPeriod_us));
    const int cycles = static_cast<int>(1e6 * seconds / kPeriod_us);
    for (int i = 0; i < cycles; ++i) lateness.add(loop.wait().wake_late_ns / 1000, 1);
    return loop.cycles_missed();
}

/// False if cyclictest is not installed or has no right to run.
bool run_cyclictest(double seconds, Lateness& lateness) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("topple_wakeup_" + std::to_string(::getpid()));
    const std::string command =
        "cyclictest --mlockall --quiet --priority=" + std::to_string(controller::kTickPriority) +
        " --interval=" + std::to_string(kPeriod_us) +
        " --loops=" + std::to_string(static_cast<int>(1e6 * seconds / kPeriod_us)) +
        " --histogram=" + std::to_string(kHistogramMax_us) + " --default-system --histfile=" + file.string() +
        " >/dev/null 2>&1";
    const bool ran = std::system(command.c_str()) == 0;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') continue;
        long late_us = 0, times = 0;
        if (std::sscanf(line.c_str(), "%ld %ld", &late_us, &times) == 2 && times > 0) lateness.add(late_us, times);
    }
    std::filesystem::remove(file);
    return ran && lateness.total() > 0;
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10.0;
    const int stretches = argc > 2 ? std::atoi(argv[2]) : 6;
    Lateness topple_late, first, second;
    std::uint64_t missed = 0;
    bool with_peer = true;
    for (int i = 0; i < stretches; ++i) {
        missed += run_topple(seconds, topple_late);
        with_peer = with_peer && run_cyclictest(seconds, first) && run_cyclictest(seconds, second);
    }
    firmware_iface::MonotonicClock clock;
    std::printf("%s\n", controller::RealTime(clock).setup().text().c_str());
    std::printf("wake-up lateness in us, cycle of %d us, %d stretches of %g s; Topple skipped %llu deadlines of %lld\n",
                kPeriod_us, stretches, seconds, static_cast<unsigned long long>(missed),
                static_cast<long long>(topple_late.total()));
    if (!with_peer)
        std::printf("peer not installed, or without the right to SCHED_FIFO: cyclictest (package rt-tests)\n");
    for (const double share : {0.5, 0.99, 0.999}) {
        std::printf("p%-5g topple %6d", 100.0 * share, topple_late.quantile_us(share));
        if (with_peer) {
            const int one = first.quantile_us(share), other = second.quantile_us(share);
            std::printf("  cyclictest %6d  ratio %5.2f  cyclictest against itself %5.2f", one,
                        static_cast<double>(topple_late.quantile_us(share)) / std::max(one, 1),
                        static_cast<double>(other) / std::max(one, 1));
        }
        std::printf("\n");
    }
    return 0;
}
