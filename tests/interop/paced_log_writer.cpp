// Writes a log at 500 Hz until it is killed; prints the device time of every tick that has been pushed.
// usage: paced_log_writer RUN.mcap
#include <chrono>
#include <cstdio>
#include <thread>

#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple::hil::run_log;

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    RunLogOptions options = sample_options(false);
    options.reserve_bytes = log_bytes_for(60.0, 500.0, 2);
    RunLog log(argv[1], options);
    auto next = std::chrono::steady_clock::now();
    for (std::size_t tick = 0; tick < 30'000; ++tick) {
        if (!push_tick(log, tick)) return 1;
        std::printf("%llu\n", static_cast<unsigned long long>(sample_time_us(tick)));
        std::fflush(stdout);
        next += std::chrono::microseconds(kPeriod_us);
        std::this_thread::sleep_until(next);
    }
}
