#include "hil/check/computer.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "controller/rt/periodic_loop.hpp"
#include "firmware_iface/clock.hpp"

namespace topple::hil::check {
namespace {

using controller::ThreadSetup;

constexpr std::chrono::milliseconds kPeriod{2};
constexpr int kCycles = 1000;  // 2 s at 500 Hz

// Shares of the 2 ms period and of the 40 ms look-ahead: docs/check.md.
constexpr double kLateMedianMax_ms = 0.5, kLateP99Max_ms = 1.0, kLateMax_ms = 20.0;
constexpr double kClockStepMax_ns = 1000.0;
constexpr double kDiskMin_mb = 500.0;  // a test of one minute logs about 10 MB

CheckResult check_clock() {
    const firmware_iface::MonotonicClock clock;
    auto smallest = std::chrono::nanoseconds::max();
    for (int i = 0; i < 10'000; ++i) {
        const auto first = clock.now();
        auto next = first;
        while (next == first) next = clock.now();
        smallest = std::min(smallest, next - first);
    }
    return judge_at_most(
        {"computer.clock_step", static_cast<double>(smallest.count()), "ns"}, {kClockStepMax_ns},
        "the monotonic clock has a coarse step: check `cat /sys/devices/system/clocksource/clocksource0/"
        "current_clocksource`, it should be tsc");
}

std::vector<std::string> governors() {
    std::vector<std::string> found;
    for (int processor = 0;; ++processor) {
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/cpufreq/scaling_governor", processor));
        std::string word;
        if (!(file >> word)) return found;
        found.push_back(word);
    }
}

CheckResult check_disk(const std::filesystem::path& folder) {
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    if (error) return skipped_check("computer.disk_free", folder.string() + ": " + error.message());
    return judge_at_least({"computer.disk_free", static_cast<double>(space.available) * 1e-6, "MB"}, {kDiskMin_mb},
                          "free disk space for " + folder.string() + ": a test whose log cannot be written is stopped");
}

/// Lateness of each cycle under the scheduling that a test would get.
std::vector<std::int64_t> time_cycles(ThreadSetup& setup, const std::atomic<bool>& stop_requested) {
    firmware_iface::MonotonicClock clock;
    std::vector<std::int64_t> late_ns;
    late_ns.reserve(kCycles);
    const controller::RealTime real_time(clock);
    setup = real_time.setup();
    controller::PeriodicLoop loop(clock, kPeriod);
    for (int i = 0; i < kCycles && !stop_requested.load(); ++i) late_ns.push_back(loop.wait().wake_late_ns);
    return late_ns;
}

}  // namespace

std::vector<CheckResult> judge_timer(std::vector<std::int64_t> late_ns, const ThreadSetup& setup) {
    const std::string advice =
        setup.fifo
            ? "close other programs that keep this computer busy; switch off deep processor sleep states in the BIOS"
            : "close other programs that keep this computer busy, and allow real-time priority (see "
              "computer.scheduling)";
    const auto check = [&](const char* name, double ratio, double limit_ms) {
        const double late_ms = static_cast<double>(quantile(late_ns, ratio)) * 1e-6;
        return judge_at_most({name, late_ms, "ms"}, {limit_ms}, advice);
    };
    return {check("computer.timer_late_median", 0.5, kLateMedianMax_ms),
            check("computer.timer_late_p99", 0.99, kLateP99Max_ms), check("computer.timer_late_max", 1.0, kLateMax_ms)};
}

std::vector<CheckResult> judge_rights(const ThreadSetup& setup) {
    CheckResult scheduling = judge_at_least(
        {"computer.scheduling", static_cast<double>(setup.priority), ""}, {1.0},
        "the tick has no real-time priority: join the group topple (`sudo adduser $USER topple`, then log "
        "in again), or see docs/installation.md");
    scheduling.found = setup.fifo ? fmt::format("SCHED_FIFO priority {}", setup.priority)
                                  : fmt::format("ordinary scheduling (SCHED_FIFO refused: {})", setup.fifo_refusal);
    const bool locked = setup.memory_locked && setup.future_locked;
    std::string words = locked ? "locked" : setup.memory_locked ? "present pages locked" : "not locked";
    if (!setup.lock_refusal.empty()) words += fmt::format(" ({})", setup.lock_refusal);
    return {scheduling,
            worded_check("computer.memory_lock", locked ? Verdict::pass : Verdict::warn, words,
                         "memory may be swapped out in the middle of a test: join the group topple (`sudo adduser "
                         "$USER topple`, then log in again), or see docs/installation.md")};
}

CheckResult judge_governors(const std::vector<std::string>& governors) {
    const std::string name = "computer.frequency_governor";
    if (governors.empty()) return skipped_check(name, "this computer does not report it (usual in a virtual machine)");
    for (const std::string& governor : governors)
        if (governor != "performance")
            return worded_check(
                name, Verdict::warn, governor,
                "a processor that slows down when idle wakes up late: `cpupower frequency-set -g performance`");
    return worded_check(name, Verdict::pass, governors.front(), "");
}

std::vector<CheckResult> check_computer(const std::filesystem::path& run_folder,
                                        const std::atomic<bool>& stop_requested) {
    ThreadSetup setup;
    const std::vector<std::int64_t> late_ns = time_cycles(setup, stop_requested);
    std::vector<CheckResult> results{check_clock()};
    results.push_back(judge_at_least({"computer.processors", static_cast<double>(setup.processors), ""}, {2.0},
                                     "the tick shares one processor with everything else"));
    for (CheckResult& result : judge_rights(setup)) results.push_back(std::move(result));
    if (!late_ns.empty())
        for (CheckResult& result : judge_timer(late_ns, setup)) results.push_back(std::move(result));
    results.push_back(judge_governors(governors()));
    results.push_back(check_disk(run_folder));
    return results;
}

}  // namespace topple::hil::check
