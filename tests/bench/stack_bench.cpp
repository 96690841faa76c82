// How long stacks take: an outcome map against a plain Newmark program, a run of one block against a loop
// written by hand. Printed, never asserted.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <thread>
#include <vector>

#include "solver/run.hpp"
#include "solver/study/stability_map.hpp"
#include "tests/bench/newmark_stack.hpp"
#include "tests/bench/scalar_block.hpp"

using namespace topple;
using namespace topple::solver;

namespace {

constexpr double kMaterial = 0.95;
constexpr int kSide = 30, kStride = 3;  // the plain program gets every third cell each way

std::vector<MapPoint> grid(int stride) {
    std::vector<MapPoint> points;
    for (int i = 0; i < kSide; i += stride)
        for (int j = 0; j < kSide; j += stride)
            points.push_back({0.1 + 14.9 * i / (kSide - 1), 0.1 + 29.9 * j / (kSide - 1)});
    return points;
}

/// Median of several timings: wall seconds, or processor seconds of this thread's process.
template <class Call>
double median_s(int repeats, bool processor, Call&& call) {
    std::vector<double> times;
    for (int i = 0; i < repeats; ++i) {
        const auto wall = std::chrono::steady_clock::now();
        const std::clock_t cpu = std::clock();
        call();
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - wall;
        times.push_back(processor ? static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC : spent.count());
    }
    std::nth_element(times.begin(), times.begin() + repeats / 2, times.end());
    return times[static_cast<std::size_t>(repeats / 2)];
}

void bench_map() {
    const Block b3m{.045, .10125, .5444};
    Specimen pair;
    pair.blocks = {b3m, b3m};
    pair.restitution.material = {kMaterial};
    const StabilityMap map(pair, {sine_acceleration(3.0, 25.0), 25.0, 3.0});
    const auto points = grid(1), some = grid(kStride);
    std::vector<MapOutcome> outcomes(points.size()), some_outcomes(some.size());
    const double both = median_s(5, false, [&] {
        const std::size_t half = points.size() / 2;
        std::jthread other([&] { map.solve(std::span(points).first(half), std::span(outcomes).first(half)); });
        map.solve(std::span(points).subspan(half), std::span(outcomes).subspan(half));
    });
    const double one = median_s(5, true, [&] { map.solve(points, outcomes); });
    std::printf("DB3M3M %d x %d            2 threads %.3f s wall; 1 thread %.3f s processor\n", kSide, kSide, both,
                one);

    const double engine = median_s(5, true, [&] { map.solve(some, some_outcomes); });
    int same = 0;
    long steps = 0;
    const double plain = median_s(3, true, [&] {
        same = 0, steps = 0;
        for (std::size_t i = 0; i < some.size(); ++i) {
            const auto answer =
                bench::solve_by_newmark(b3m, b3m, kMaterial, some[i].amplitude_ratio * map.amplitude_unit_m_s2(),
                                        some[i].frequency_ratio * map.frequency_parameter_rad_s(), 1e-4);
            same += answer.blocks_overturned == static_cast<int>(some_outcomes[i].blocks_overturned) ? 1 : 0;
            steps += answer.steps;
        }
    });
    std::printf(
        "%zu of its cells, 1 thread  engine %.4f s, plain Newmark-Newton at 1e-4 s %.3f s (%ld steps): "
        "ratio %.1f; same overturning in %d\n",
        some.size(), engine, plain, steps, plain / engine, same);
}

void bench_single(double amplitude_m_s2, double until_s, bool watched) {
    const Block b6l{0.06, 0.27, 2.5692};
    Specimen single;
    single.blocks = {b6l};
    const double w = 25.0;
    const BaseMotion motion = sine_acceleration(amplitude_m_s2, w);
    SolverOptions options;
    options.outcome_only = !watched;  // coasting goes on to the end; nothing is watched
    std::size_t impacts = 0;
    double peak = 0.0;
    constexpr int kCalls = 40;
    bench::ScalarBlock hand(b6l, amplitude_m_s2, w);
    std::vector<double> engine_us, hand_us, ratio;
    for (int repeat = 0; repeat < 25; ++repeat) {  // in turn, so that a busy machine slows both
        engine_us.push_back(1e6 / kCalls * median_s(1, true, [&] {
                                for (int i = 0; i < kCalls; ++i) {
                                    RockingRun run(single, options);
                                    for (const MotionPiece& piece : motion.pieces()) run.advance(piece, piece.end_s);
                                    run.coast(until_s);
                                    const Prediction answer = run.result();
                                    impacts = answer.impacts.size();
                                    peak = answer.peak_rotation_rad[0];
                                }
                            }));
        hand_us.push_back(1e6 / kCalls * median_s(1, true, [&] {
                              for (int i = 0; i < kCalls; ++i)
                                  hand = bench::ScalarBlock(b6l, amplitude_m_s2, w), hand.run(until_s);
                          }));
        ratio.push_back(engine_us.back() / hand_us.back());
    }
    for (auto* values : {&engine_us, &hand_us, &ratio})
        std::nth_element(values->begin(), values->begin() + 12, values->end());
    std::printf(
        "one block, %.0f m/s2, %4.1f s%s engine %.1f us (%zu impacts, peak %.8f), by hand %.1f us (%ld "
        "impacts, "
        "%ld steps, peak %.8f): ratio %.2f\n",
        amplitude_m_s2, until_s, watched ? ", contacts watched," : ",", engine_us[12], impacts, peak, hand_us[12],
        hand.impacts, hand.steps, hand.peak_rad, ratio[12]);
}

}  // namespace

int main() {
    bench_map();
    for (const double until_s : {2.0, 20.0})
        for (const bool watched : {false, true}) bench_single(3.0, until_s, watched);
}
