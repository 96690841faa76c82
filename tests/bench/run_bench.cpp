// What a test costs: tick time, allocations per tick, log size, and how much faster than real time `sim:` is.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "hil/drive/drive_experiment.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/ticking_table.hpp"

using namespace topple;
namespace fs = std::filesystem;

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void bench_ticks(const hil::experiment::Experiment& experiment, const fs::path& folder) {
    tests::TickingTable test(experiment, folder / "ticks.mcap");
    test.begin();
    for (int i = 0; i < 5; ++i) test.tick();
    constexpr int kTicks = 5000;  // 10 s of a test
    std::vector<double> host_us;
    host_us.reserve(kTicks);
    const std::size_t by_the_table = test.clock().table_allocations;
    const std::uint64_t before = test::heap_allocations_of_this_thread();
    for (int i = 0; i < kTicks; ++i) {
        test.clock().table_busy = std::chrono::nanoseconds(0);
        const auto start = std::chrono::steady_clock::now();
        test.tick();
        host_us.push_back(1e6 * (seconds_since(start) - 1e-9 * static_cast<double>(test.clock().table_busy.count())));
    }
    const std::uint64_t by_all = test::heap_allocations_of_this_thread() - before;
    const std::uint64_t allocations = by_all - (test.clock().table_allocations - by_the_table);
    test.log().close();
    std::sort(host_us.begin(), host_us.end());
    std::printf("tick (host only, of 2000 us): p50 %.1f us  p99 %.1f us  max %.1f us\n", host_us[kTicks / 2],
                host_us[kTicks * 99 / 100], host_us.back());
    std::printf("heap allocations per tick: %.4f\n", static_cast<double>(allocations) / kTicks);
    std::printf("log: %.1f kB per second of test\n",
                static_cast<double>(fs::file_size(folder / "ticks.mcap")) / (kTicks * 0.002) / 1000.0);
}

void bench_sim(const hil::experiment::Experiment& experiment, const fs::path& folder) {
    const std::atomic<bool> stop{false};
    hil::drive::DriveOptions options;
    options.folder = folder / "sim";
    options.device = "sim:";
    const auto start = std::chrono::steady_clock::now();
    const auto result = hil::drive::drive_experiment(experiment, options, stop, {});
    const double wall_s = seconds_since(start);
    const auto run = hil::run_log::read_run_log(options.folder);
    const double test_s =
        1e-6 * static_cast<double>(run.feedback.back().device_time_us - run.feedback.front().device_time_us);
    std::printf("sim: %.2f s of test in %.3f s, %.1f times real time%s\n", test_s, wall_s, test_s / wall_s,
                result.drive.complete ? "" : " (NOT COMPLETE)");
}

}  // namespace

int main(int argc, char** argv) {
    const auto experiment =
        hil::experiment::read_experiment(argc > 1 ? argv[1] : TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml");
    const fs::path folder = fs::temp_directory_path() / ("topple_run_bench_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    bench_ticks(experiment, folder);
    bench_sim(experiment, folder);
    fs::remove_all(folder);
}
