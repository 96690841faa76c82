// What the live forecast costs, and how old it is in real time. Printed, never asserted.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "controller/profile/profile.hpp"
#include "hil/drive/live_forecast.hpp"
#include "hil/drive/predictor.hpp"
#include "hil/experiment/experiment.hpp"
#include "tests/bench/earthquake.hpp"

using namespace topple;
using namespace topple::hil;
using namespace topple::hil::drive;

namespace {

constexpr std::uint64_t kStart_us = 1'000'000, kPeriod_us = 2000, kDelay_us = 10'000;

/// Of this thread's processor time: other programs do not count.
double processor_ms() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

controller::MotionEstimate estimate_of(const solver::BaseMotion& motion, std::uint64_t device_time_us) {
    const solver::BaseState state = motion.at(static_cast<double>(device_time_us - kStart_us) * 1e-6);
    return {device_time_us, state.displacement_m, state.velocity_m_s, state.acceleration_m_s2};
}

struct Case {
    std::string name;
    std::vector<solver::Specimen> specimens;
    solver::BaseMotion motion;
};

/// Processor time of one core, a forecast for every ten measurements and so many members in all of them.
void bench_cost(const Case& what, const ForecastMembers& members) {
    LiveForecast live(what.specimens, what.motion, 9.81, members);
    std::vector<double> following_ms, ahead_ms, both_ms;
    const auto end_us = kStart_us + static_cast<std::uint64_t>((what.motion.end_s() + 1.0) * 1e6);
    double following = 0.0;
    for (std::uint64_t t = kStart_us + kPeriod_us; t < end_us; t += kPeriod_us) {
        double start = processor_ms();
        live.follow(estimate_of(what.motion, t), kStart_us);
        following += processor_ms() - start;
        if (!live.is_due()) continue;
        start = processor_ms();
        live.run_ahead();
        following_ms.push_back(following);
        ahead_ms.push_back(processor_ms() - start);
        both_ms.push_back(following + ahead_ms.back());
        following = 0.0;
    }
    std::printf(
        "%-24s %4u members, %4u run ahead: a forecast costs median %6.2f ms, p99 %6.2f ms, most %6.2f ms "
        "(following 10 samples %.2f ms, running ahead %.2f ms)\n",
        what.name.c_str(), live.outcome(0).forecast.members, live.outcome(0).forecast.members_run_ahead,
        quantile(both_ms, 0.5), quantile(both_ms, 0.99), quantile(both_ms, 1.0), quantile(following_ms, 0.5),
        quantile(ahead_ms, 0.5));
}

/// Beside a clock that goes: an estimate every 2 ms, 10 ms old, and the age of the forecast that a tick then sees.
void bench_age(const Case& what) {
    Predictor predictor(what.specimens, what.motion, 9.81,
                        {.in_lanes = 1000, .in_lanes_ahead = 1000, .in_lanes_ahead_of_record = 100, .in_runs = 200});
    predictor.set_motion_start(kStart_us);
    predictor.start_thread();
    std::vector<double> age_ms, members, ahead;
    const auto end_us = kStart_us + static_cast<std::uint64_t>((what.motion.end_s() + 1.0) * 1e6);
    auto deadline = std::chrono::steady_clock::now();
    for (std::uint64_t t = kStart_us + kPeriod_us; t < end_us; t += kPeriod_us) {
        predictor.push(estimate_of(what.motion, t));
        deadline += std::chrono::microseconds(kPeriod_us);
        std::this_thread::sleep_until(deadline);
        const PredictorSnapshot latest = predictor.latest();
        if (latest.forecast_time_us == 0) continue;
        age_ms.push_back(1e-3 * static_cast<double>(t + kDelay_us - latest.forecast_time_us));
        members.push_back(latest.forecast[0].members);
        ahead.push_back(latest.forecast[0].members_run_ahead);
    }
    predictor.stop_thread();
    std::printf(
        "%-24s in real time: age median %5.1f ms, p99 %5.1f ms, most %5.1f ms; members least %.0f, run ahead "
        "median %.0f, least %.0f; %llu measurements lost\n",
        what.name.c_str(), quantile(age_ms, 0.5), quantile(age_ms, 0.99), quantile(age_ms, 1.0), quantile(members, 0.0),
        quantile(ahead, 0.5), quantile(ahead, 0.0), static_cast<unsigned long long>(predictor.dropped()));
}

}  // namespace

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const auto sine = experiment::read_experiment(TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml");
    const auto stack = experiment::read_experiment(TOPPLE_SOURCE_DIR "/docs/examples/stack_db3m6m.toml");
    const auto sliding = experiment::read_experiment(TOPPLE_SOURCE_DIR "/docs/examples/sliding_block.toml");
    const std::vector<solver::Specimen> block = sine.specimens;
    const solver::BaseMotion wave = sine.excitation.planned_motion(), record = bench::earthquake();
    const std::vector<Case> cases{
        {"block, sine", block, wave},
        {"block, record", block, record},
        {"two blocks, sine", {block[0], block[0]}, wave},
        {"stack, its excitation", stack.specimens, stack.excitation.planned_motion()},
        {"stack, record", stack.specimens, record},
        {"sliding block, its exc.", sliding.specimens, sliding.excitation.planned_motion()},
    };
    for (const Case& what : cases) bench_cost(what, {});
    for (const Case& what : cases) bench_age(what);
}
