// What a log costs: bytes per second of a 500 Hz run, time and allocations of a tick's pushes.
// usage: log_bench [TICKS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "tests/support/heap_counter.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple;
using namespace topple::hil::run_log;

namespace {

void measure(const char* name, bool synchronous, std::size_t ticks) {
    const TemporaryFolder folder;
    RunLogOptions options = sample_options(synchronous);
    const double duration_s = static_cast<double>(ticks) * 0.002;
    options.queue_records = log_records_for(duration_s, 500.0);
    options.reserve_bytes = log_bytes_for(duration_s, 500.0, 2);
    RunLog log(folder.file("run.mcap"), options);
    std::vector<double> push_us;
    push_us.reserve(ticks);
    std::size_t allocations = 0;
    for (std::size_t tick = 0; tick < ticks; ++tick) {
        const auto feedback = sample_feedback(tick);
        const auto setpoint = sample_setpoint(tick);
        const auto prediction = sample_prediction(tick);
        const auto timing = sample_timing(tick);
        const std::uint64_t before = test::heap_allocations_of_this_thread();
        const auto start = std::chrono::steady_clock::now();
        log.push(feedback);
        log.push(setpoint);
        log.push(prediction);
        log.push(timing);
        push_us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
        allocations += test::heap_allocations_of_this_thread() - before;
    }
    log.close();
    std::sort(push_us.begin(), push_us.end());
    const auto bytes = static_cast<double>(std::filesystem::file_size(folder.file("run.mcap")));
    std::printf(
        "%-12s %9.0f bytes/s (reserved %9.0f)   pushes of a tick: p50 %.2f us  p99 %.2f us  max %.1f us   "
        "allocations %zu%s\n",
        name, bytes / duration_s, static_cast<double>(options.reserve_bytes) / duration_s, push_us[ticks / 2],
        push_us[ticks * 99 / 100], push_us.back(), allocations, log.failed() ? "   FAILED" : "");
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t ticks = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 30'000;
    if (ticks < 100) return 2;
    measure("real time", false, ticks);
    measure("lockstep", true, ticks);
}
