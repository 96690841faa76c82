// The wire at its full rate for a long time. usage: soak SECONDS; checks go to stdout, exit 1 if one failed.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "tests/soak/process_memory.hpp"
#include "tests/soak/soak_host.hpp"
#include "tests/soak/soak_log.hpp"
#include "tests/support/background_topple.hpp"

using namespace topple;
using namespace topple::tests;

namespace {

constexpr std::uint64_t kPeriod_us = 2000;
constexpr double kMotion_s = 20.0;
constexpr double kAtEnds = 2.0;   // setpoints of a motion at whose instant the table was not yet, or no longer, running
constexpr double kQueued = 40.0;  // setpoints under way that a stop throws away: twice the look-ahead
// Interpolation at the very instant of a setpoint gives it back but for rounding.
constexpr double kSetpointError_m = 1e-12;
// Memory: a page here and there for the system's own buffers; the log keeps 0.2 kB per chunk for its index, which
// doubles its room as it grows, and has eight chunks per second. A sanitizer's own memory grows besides.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kJudgesMemory = false;
#else
constexpr bool kJudgesMemory = true;
#endif
constexpr double kGrowth_kb = 512.0, kIndexGrowth_kb_s = 4.0;
// Per sample: feedback, setpoint and timing with their heads; measured by tests/bench/log_bench.cpp.
constexpr double kBytesPerSampleMin = 200.0, kBytesPerSampleMax = 470.0;

std::string experiment_text(double duration_s) {
    const double motion_s = std::min(kMotion_s, 0.45 * duration_s);
    return fmt::format(
        "name = \"soak\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
        "[excitation]\ntype = \"harmonic\"\ndisplacement_m = 0.0075\nfrequency_hz = 3.0\nramp_cycles = 2\n"
        "cycles = {}\n[simulation]\ntruth = \"exact\"\n",
        std::max(5, static_cast<int>(3.0 * motion_s)));
}

/// A table of named checks: number, limit, verdict.
class Checks {
  public:
    void at_most(const char* what, double value, double limit) { add(what, value, "at most", limit, value <= limit); }
    void at_least(const char* what, double value, double limit) { add(what, value, "at least", limit, value >= limit); }
    void nothing(const char* what, const std::string& text) {
        fmt::print("{}  {}{}\n", text.empty() ? "ok  " : "FAIL", what, text.empty() ? "" : ": " + text);
        passed_ = passed_ && text.empty();
    }
    bool passed() const noexcept { return passed_; }

  private:
    void add(const char* what, double value, const char* kind, double limit, bool ok) {
        fmt::print("{}  {:<66} {:>14.6g}  {} {:.6g}\n", ok ? "ok  " : "FAIL", what, value, kind, limit);
        passed_ = passed_ && ok;
    }
    bool passed_ = true;
};

void check_wire(Checks& checks, const SoakCounts& host, const SoakLog& log) {
    const auto& link = host.link;
    checks.nothing("the session went through", host.failure);
    checks.at_most("frames lost on the way to the host (sequence gaps)", static_cast<double>(link.sequence_gaps), 0);
    checks.at_most("bytes damaged, frames stale or unknown",
                   static_cast<double>(link.bytes_damaged + link.crc_errors + link.malformed + link.frames_stale +
                                       link.frames_unknown),
                   0);
    checks.at_most("instants of device time without feedback", static_cast<double>(log.feedback_missing), 0);
    checks.at_most("feedback that came twice or out of order", static_cast<double>(log.feedback_repeated), 0);
    checks.at_most("setpoints that the table was not seen to follow",
                   static_cast<double>(log.setpoints - log.setpoints_followed),
                   kAtEnds * static_cast<double>(host.motions) + kQueued * static_cast<double>(host.stops));
    checks.at_most("difference between setpoint sent and interpolated (m)", log.setpoint_error_m, kSetpointError_m);
}

void check_rest(Checks& checks, const SoakCounts& host, const SoakLog& log, const MemoryWatch& here,
                const MemoryWatch& emulator) {
    checks.at_most("heap allocations in ticks", static_cast<double>(host.tick_allocations), 0);
    if (kJudgesMemory) {
        checks.at_most("growth of the host's memory (kB)", here.growth_kb(),
                       kGrowth_kb + kIndexGrowth_kb_s * log.device_s);
        checks.at_most("growth of the emulator's memory (kB)", emulator.growth_kb(), kGrowth_kb);
    }
    checks.nothing("the log took every record", host.log_failure);
    checks.nothing("the log reads, its index is right", log.damage);
    const double bytes_per_sample =
        static_cast<double>(log.bytes) / static_cast<double>(std::max<std::uint64_t>(log.feedback, 1));
    checks.at_least("bytes of log per sample", bytes_per_sample, kBytesPerSampleMin);
    checks.at_most("bytes of log per sample", bytes_per_sample, kBytesPerSampleMax);
}

bool soak(double duration_s) {
    const TemporaryFolder folder;
    const std::string file = folder.write("soak.toml", experiment_text(duration_s));
    Emulator table(file, {"--pty"});
    SoakHost host(hil::experiment::read_experiment(file), table.uri(), folder.path() / "soak.mcap", duration_s);
    MemoryWatch here(::getpid(), duration_s), emulator(table.program().process(), duration_s);
    SoakCounts counts;
    std::atomic<bool> ended{false};
    const auto began = std::chrono::steady_clock::now();
    std::thread ticking([&] {
        counts = host.run();
        ended.store(true);
    });
    while (!ended.load()) {
        here.read();
        emulator.read();
        for (int i = 0; i < 10 && !ended.load(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ticking.join();
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    const SoakLog log = read_soak_log(folder.path() / "soak.mcap", kPeriod_us);

    fmt::print(
        "{:.1f} s of device time in {:.1f} s; {} motions, {} samples, {} setpoints, {} bytes received, {} sent\n",
        log.device_s, wall_s, counts.motions, log.feedback, log.setpoints, counts.link.bytes_received,
        counts.link.bytes_sent);
    fmt::print("tick: {}; {} of {} deadlines missed, latest wake {:.1f} ms, longest tick {:.1f} ms\n", counts.thread,
               log.cycles_missed, log.cycles + log.cycles_missed, 1e3 * log.wake_late_max_s, 1e3 * log.busy_max_s);
    fmt::print("{} motions were stopped because the computer was late\n", counts.stops);
    fmt::print("memory at the end: host {} kB, emulator {} kB\n", here.last_kb(), emulator.last_kb());
    Checks checks;
    checks.at_least("device time (s)", log.device_s, duration_s);
    check_wire(checks, counts, log);
    check_rest(checks, counts, log, here, emulator);
    return checks.passed();
}

}  // namespace

int main(int argc, char** argv) {
    const double duration_s = argc == 2 ? std::atof(argv[1]) : 0.0;
    if (!(duration_s >= 2.0)) {
        std::fputs("usage: soak SECONDS (at least 2)\n", stderr);
        return 2;
    }
    try {
        return soak(duration_s) ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "soak: {}\n", error.what());
        return 1;
    }
}
