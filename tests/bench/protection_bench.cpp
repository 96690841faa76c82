// Does protection save what can be saved, and leave alone what stands? Runs of B6L under a sine whose amplitude is
// drawn evenly between half and twice that which overturns it, each with its unprotected twin. The truth is drawn from
// the stated uncertainty. Judged against an oracle that knows the truth and may take any ending at any forecast. usage:
// protection_bench [RUNS [SEED]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "hil/drive/protection.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/plan/ensemble.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "solver/predict.hpp"

using namespace topple;
using namespace topple::hil;
using namespace topple::hil::drive;

namespace {

constexpr std::uint64_t kStart_us = 1'000'000, kPeriod_us = 2000;
constexpr double kAccelerationNoise_m_s2 = 0.02, kRotationNoise_rad = 2e-4;
constexpr double kThreshold = 0.99;
constexpr double kFrequency_hz = 2.5;

double normal(solver::SplitMix64& random) { return solver::normal_pair(random)[0]; }

bool falls(const solver::Specimen& specimen, const solver::BaseMotion& motion) {
    solver::SolverOptions options;
    options.outcome_only = true;
    return solver::is_overturning(solver::predict(specimen, motion, options).outcome);
}

controller::Profile sine(double amplitude_m_s2) {
    return controller::place(solver::sine_acceleration(amplitude_m_s2, 6.283185307179586 * kFrequency_hz), true);
}

struct Counts {
    int fell = 0, preventable = 0, saved = 0, saved_of_preventable = 0, stood = 0, disturbed = 0, disturbed_fell = 0;
};

/// Whether any ending, taken at any forecast, keeps the true specimen standing.
bool some_ending_saves(const solver::Specimen& truth, const ProtectionSettings& settings) {
    for (double now_s = 0.002; now_s < settings.planned.motion.end_s(); now_s += 0.02) {
        const double switch_s = std::ceil((now_s + kSwitchAfter_s) / 0.002) * 0.002;
        for (const controller::Ending& ending : controller::endings(settings.planned, switch_s, settings.machine))
            if (!falls(truth, ending.profile.motion)) return true;
    }
    return false;
}

/// One test with protection: the motion that the base made in the end, and whether it is another than planned.
struct Protected {
    solver::BaseMotion motion;
    bool changed = false;
};
Protected protected_test(const solver::Specimen& described, const solver::Specimen& truth,
                         const experiment::UncertaintySection& uncertainty, const ProtectionSettings& settings,
                         bool with_sensor, solver::SplitMix64& random) {
    ForecastMembers members;
    members.uncertainty = uncertainty;
    LiveForecast live({described}, settings.planned.motion, solver::kStandardGravity_m_s2, members);
    const Protection protection(settings);
    solver::SolverOptions options;
    options.history_step_s = 1e-6 * static_cast<double>(kPeriod_us);
    const auto history = solver::predict(truth, settings.planned.motion, options).history;
    const solver::BaseMotion& base = settings.planned.motion;
    std::size_t at = 0;
    for (std::uint64_t t = kStart_us - 500 * kPeriod_us; t <= kStart_us; t += kPeriod_us) {  // the zero of the sensor
        if (with_sensor) live.keep({t, 1, {kRotationNoise_rad * normal(random)}});
        live.at_rest();
    }
    for (std::uint64_t t = kStart_us + kPeriod_us; 1e-6 * static_cast<double>(t - kStart_us) < base.end_s();
         t += kPeriod_us) {
        const double time_s = 1e-6 * static_cast<double>(t - kStart_us);
        while (at + 1 < history.size() && history[at + 1].time_s <= time_s + 1e-9) ++at;
        if (with_sensor) live.keep({t, 1, {history[at].rotation_rad[0] + kRotationNoise_rad * normal(random)}});
        const solver::BaseState state = base.at(time_s);
        live.follow({t, state.displacement_m, state.velocity_m_s,
                     state.acceleration_m_s2 + kAccelerationNoise_m_s2 * normal(random)},
                    kStart_us);
        if (!live.is_due()) continue;
        live.run_ahead();
        if (auto chosen = protection.choose(live, kStart_us)) return {chosen->ending.profile.motion, true};
    }
    return {base, false};
}

void print(const char* what, const Counts& c) {
    const auto percent = [](int part, int of) { return of > 0 ? 100.0 * part / of : 0.0; };
    std::printf(
        "%-24s unprotected twins: %d fell, %d stood | of the falls %d preventable by some ending; saved %d of these "
        "(%.1f %%), lost anyway %d | standing twins disturbed %d (%.2f %%), of them fell %d\n",
        what, c.fell, c.stood, c.preventable, c.saved_of_preventable, percent(c.saved_of_preventable, c.preventable),
        c.fell - c.saved, c.disturbed, percent(c.disturbed, c.stood), c.disturbed_fell);
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const int runs = argc > 1 ? std::atoi(argv[1]) : 1000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
    const auto file = experiment::read_experiment(TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml");
    const solver::Specimen& described = file.specimens.front();
    experiment::UncertaintySection of_truth = file.uncertainty;
    of_truth.seed = 1000 + seed;  // other draws than those of the forecaster
    double critical_m_s2 = 1.0;
    while (!falls(described, sine(critical_m_s2).motion)) critical_m_s2 *= 1.005;
    std::printf("B6L, sine of %.1f Hz, overturns from %.3f m/s2 on; [table] protect = %.2f\n", kFrequency_hz,
                critical_m_s2, kThreshold);
    for (const bool with_sensor : {true, false}) {
        solver::SplitMix64 random(seed);
        Counts counts;
        for (int i = 0; i < runs; ++i) {
            const solver::Specimen truth =
                plan::draw_member(described, of_truth, static_cast<std::size_t>(i), plan::MotionIs::measured).specimen;
            ProtectionSettings settings;
            settings.planned = sine(critical_m_s2 * (0.5 + 1.5 * random.uniform()));
            settings.machine = file.table.description;
            settings.overturning_above = kThreshold;
            const bool twin_fell = falls(truth, settings.planned.motion);
            const Protected run = protected_test(described, truth, file.uncertainty, settings, with_sensor, random);
            const bool fell = run.changed ? falls(truth, run.motion) : twin_fell;
            (twin_fell ? counts.fell : counts.stood) += 1;
            if (!twin_fell) {
                counts.disturbed += run.changed;
                counts.disturbed_fell += run.changed && fell;
                continue;
            }
            const bool preventable = !fell || some_ending_saves(truth, settings);
            counts.preventable += preventable;
            counts.saved += !fell;
            counts.saved_of_preventable += preventable && !fell;
        }
        print(with_sensor ? "with a rotation sensor" : "without", counts);
    }
}
