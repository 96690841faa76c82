// How long predictions take: one outcome, one full history, one step. Printed, never asserted.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <vector>

#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/study/stability_map.hpp"

using namespace topple::solver;

namespace {

constexpr double kTwoPi = 6.283185307179586, kGravity = 9.81;

/// Median processor microseconds of one call over several batches (a busy machine matters less).
template <class Call>
double microseconds(int calls, Call&& call) {
    std::vector<double> batches;
    for (int batch = 0; batch < 9; ++batch) {
        const std::clock_t start = std::clock();
        for (int i = 0; i < calls; ++i) call();
        batches.push_back(1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / calls);
    }
    std::nth_element(batches.begin(), batches.begin() + 4, batches.end());
    return batches[4];
}

/// Hand-written loop for comparison: classical Runge-Kutta, one block on its right corner.
double scalar_steps(const Block& block, double step_s, int steps) {
    const double alpha = block.slenderness_rad(), p = block.frequency_parameter_rad_s(kGravity);
    const auto f = [&](double t, double theta) {
        const double u = 0.3 * std::sin(20.0 * t) / kGravity;
        return -p * p * (std::sin(alpha - theta) + u * std::cos(alpha - theta));
    };
    double theta = 0.1, rate = 0.0, t = 0.0;
    for (int i = 0; i < steps; ++i, t += step_s) {
        const double h = step_s, k1 = f(t, theta), k2 = f(t + h / 2, theta + h / 2 * rate),
                     k3 = f(t + h / 2, theta + h / 2 * (rate + h / 2 * k1)),
                     k4 = f(t + h, theta + h * (rate + h / 2 * k2));
        theta += h * (rate + h / 6 * (k1 + k2 + k3));
        rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return theta;
}

}  // namespace

int main() {
    const Block b6l{0.06, 0.27, 2.5692}, b3m{.045, .10125, .5444};
    Specimen single, pair;
    single.blocks = {b6l};
    pair.blocks = {b3m, b3m};
    const BaseMotion sine = sine_acceleration(3.0, kTwoPi * 4.0);
    SolverOptions outcome;
    outcome.outcome_only = true;
    double sink = 0.0;
    std::printf("single sine, outcome only      %9.2f us\n",
                microseconds(2000, [&] { sink += predict(single, sine, outcome).peak_rotation_rad[0]; }));
    std::printf("  the same by the maps' method   %9.2f us\n",
                microseconds(2000, [&] { sink += static_cast<double>(outcome_along(single, sine).steps); }));
    std::size_t impacts = 0;
    const double full = microseconds(50, [&] { impacts = predict(single, sine).impacts.size(); });
    std::printf("single sine, history to rest   %9.4f ms (%zu impacts)\n", 1e-3 * full, impacts);
    SolverOptions short_run;
    short_run.settle_limit_s = 2.0;
    std::printf("two blocks, single sine, 2 s   %9.2f us\n",
                microseconds(50, [&] { sink += predict(pair, sine, short_run).peak_rotation_rad[0]; }));
    Specimen leaning = single;
    leaning.initial_rotation_rad = {0.1};
    const RockingRun start(leaning, {});
    MotionPiece piece = sine_acceleration(0.3, 20.0).pieces().front();
    for (const double step_s : {50e-6, 2e-3}) {
        const int steps = static_cast<int>(0.05 / step_s);
        const double spent = microseconds(200, [&] {
            RockingRun run = start;
            for (int i = 1; i <= steps; ++i) run.advance(piece, i * step_s);
            sink += run.rotation_rad(0);
        });
        const double scalar = microseconds(200, [&] { sink += scalar_steps(b6l, step_s, steps); });
        std::printf("advance by %6.0f us            %9.3f us (hand-written RK4 loop %.3f us)\n", 1e6 * step_s,
                    spent / steps, scalar / steps);
    }
    std::printf("fork (copy) of a run           %9.3f us\n", microseconds(2000, [&] {
                    const RockingRun copy = start;
                    sink += copy.time_s();
                }));
    return sink == 12345.678 ? 1 : 0;
}
