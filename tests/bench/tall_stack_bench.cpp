// How long stacks of six to eight blocks take: one released, and two thousand at random. Printed, never asserted.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <vector>

#include "solver/predict.hpp"
#include "tests/support/stack_states.hpp"

using namespace topple::solver;

namespace {

struct Timed {
    Prediction prediction;
    double spent_s = 0.0;  ///< of processor time
};

Timed timed(const Specimen& specimen, const BaseMotion& motion) {
    const std::clock_t start = std::clock();
    Timed run{predict(specimen, motion), 0.0};
    run.spent_s = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return run;
}

void bench_release(double height_m, double rotation_rad) {
    Specimen eight;
    eight.blocks.assign(8, Block{0.06, height_m, 1.0});
    eight.initial_rotation_rad.assign(8, rotation_rad);
    Timed best = timed(eight, {});
    for (int i = 0; i < 4; ++i) best.spent_s = std::min(best.spent_s, timed(eight, {}).spent_s);
    std::printf("8 blocks 0.06 m x %.3f m from %.2f rad   %8.2f ms (best of 5), %zu impacts, %s\n", height_m,
                rotation_rad, 1e3 * best.spent_s, best.prediction.impacts.size(), name(best.prediction.outcome).data());
}

/// Released together or at rest; no motion, a sine or a pulse.
Timed random_run(std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    Specimen specimen = topple::tests::random_stack(random, 6 + static_cast<int>(3.0 * unit(random)));
    const double kind = unit(random);
    if (kind < 0.4) specimen.initial_rotation_rad.assign(specimen.blocks.size(), 0.1 * (unit(random) - 0.5));
    BaseMotion motion;
    const double amplitude = 0.3 + 15.0 * unit(random) * unit(random);
    if (kind > 0.2) motion = sine_acceleration(amplitude, 4.0 + 40.0 * unit(random), 1.0 + 4.0 * unit(random));
    if (kind > 0.8) motion = constant_acceleration(amplitude, 0.02 + 0.3 * unit(random));
    return timed(specimen, motion);
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // a long run is told when it ends
    const int runs = argc > 1 ? std::atoi(argv[1]) : 2000;
    const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
    bench_release(0.04, 0.05);
    bench_release(0.0225, 0.05);
    std::mt19937_64 random(seed);
    std::vector<double> spent_s;
    int failed = 0, overturned = 0, rocked = 0;
    for (int i = 0; i < runs; ++i) {
        const Timed run = random_run(random);
        spent_s.push_back(run.spent_s);
        failed += run.prediction.status == SolverStatus::ok ? 0 : 1;
        overturned += is_overturning(run.prediction.outcome) ? 1 : 0;
        rocked += run.prediction.outcome == Outcome::rocking ? 1 : 0;
        if (run.spent_s > 0.5 || run.prediction.status != SolverStatus::ok)
            std::printf("run %d: %.3f s, %zu impacts%s, %s\n", i, run.spent_s, run.prediction.impacts.size(),
                        run.prediction.impacts_truncated ? " and more" : "", name(run.prediction.status).data());
    }
    std::sort(spent_s.begin(), spent_s.end());
    std::printf(
        "%d random runs of 6 to 8 blocks, seed %u   median %.2f ms, 99 %% %.2f ms, longest %.2f ms; "
        "%d rocked, %d overturned, %d failed\n",
        runs, seed, 1e3 * spent_s[spent_s.size() / 2], 1e3 * spent_s[spent_s.size() * 99 / 100], 1e3 * spent_s.back(),
        rocked, overturned, failed);
}
