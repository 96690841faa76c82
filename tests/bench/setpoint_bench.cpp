// A minute of motion over a real wire: does the table get every setpoint, once, and follow it?
// `topple emulate --pty` and `topple run` in processes of their own, in real time. usage: setpoint_bench [SECONDS]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "controller/profile/profile.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/support/background_topple.hpp"

using namespace topple;
using namespace topple::tests;
using hil::run_log::EventKind;

namespace {

constexpr std::uint64_t kPeriod_us = 2000;
constexpr double kDisplacement_m = 0.02, kHz = 2.0, kRampCycles = 2.0;

std::string experiment_text(double cycles) {
    return "name = \"setpoints\"\n[specimen]\nkind = \"none\"\n[excitation]\ntype = \"harmonic\"\ndisplacement_m = " +
           std::to_string(kDisplacement_m) + "\nfrequency_hz = " + std::to_string(kHz) +
           "\nramp_cycles = " + std::to_string(kRampCycles) + "\ncycles = " + std::to_string(cycles) + "\n";
}

/// Steps of a row of device times that are not one period.
struct Gaps {
    std::size_t count = 0, repeated = 0, skipped = 0;
};
template <class Records>
Gaps gaps_between(const Records& records, std::uint64_t from_us, std::uint64_t until_us) {
    Gaps gaps;
    std::uint64_t last_us = 0;
    for (const auto& record : records) {
        const std::uint64_t time_us = record.device_time_us;
        if (time_us < from_us || time_us > until_us) continue;
        if (gaps.count > 0 && time_us <= last_us) ++gaps.repeated;
        if (gaps.count > 0 && time_us > last_us + kPeriod_us + kPeriod_us / 2)
            gaps.skipped += static_cast<std::size_t>((time_us - last_us) / kPeriod_us) - 1;
        last_us = time_us;
        ++gaps.count;
    }
    return gaps;
}

}  // namespace

int main(int argc, char** argv) {
    const double seconds = argc > 1 ? std::atof(argv[1]) : 60.0;
    const double cycles = std::ceil(seconds * kHz);
    const TemporaryFolder folder;
    const std::string file = folder.write("setpoints.toml", experiment_text(cycles));
    Emulator emulator(file, {"--pty"});
    const std::string run = (folder.path() / "run").string();
    const ProgramResult result = run_topple({"run", file, "--device", emulator.uri(), "--out", run});
    if (result.exit_code != 0) {
        std::printf("topple run ended with exit code %d:\n%s%s", result.exit_code, result.out.c_str(),
                    result.err.c_str());
        return 1;
    }
    const hil::run_log::RunData log = hil::run_log::read_run_log(run);
    const auto start_us = log.event_time_us(EventKind::motion_start),
               done_us = log.event_time_us(EventKind::motion_done);
    if (!start_us || !done_us) {
        std::printf("the motion was not completed\n");
        return 1;
    }
    const auto profile = controller::place(
        solver::harmonic_displacement(kDisplacement_m, 2.0 * 3.141592653589793 * kHz, kRampCycles, cycles), true);
    double worst_m = 0.0;
    for (const auto& feedback : log.feedback) {
        if (feedback.device_time_us < *start_us || feedback.device_time_us > *done_us) continue;
        const double time_s = 1e-6 * static_cast<double>(feedback.device_time_us - *start_us);
        worst_m = std::max(worst_m, std::abs(feedback.axes[0].setpoint_position_m - profile.at(time_s).displacement_m));
    }
    const auto end_us = *start_us + static_cast<std::uint64_t>(1e6 * profile.duration_s());
    const Gaps sent = gaps_between(log.setpoints, *start_us, end_us),
               got = gaps_between(log.feedback, *start_us, *done_us);
    std::uint64_t missed = 0;
    for (const auto& timing : log.timing) missed += timing.cycles_missed;
    std::printf(
        "%.1f s of motion: %zu setpoints, %zu skipped, %zu repeated; the device's interpolated setpoint is at most "
        "%.2g um off the planned motion (a skipped setpoint would show); %zu feedbacks, %zu missing; %llu host "
        "deadlines missed\n",
        profile.duration_s(), sent.count, sent.skipped, sent.repeated, 1e6 * worst_m, got.count, got.skipped,
        static_cast<unsigned long long>(missed));
    return 0;
}
