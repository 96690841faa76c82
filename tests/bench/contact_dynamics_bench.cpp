// Contact dynamics: steps per second, and what a map of outcomes costs. Printed, never asserted.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <span>
#include <thread>
#include <vector>

#include "solver/predict.hpp"
#include "solver/study/stability_map.hpp"
#include "tests/bench/siconos_block.hpp"

using namespace topple::solver;

namespace {

double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

SolverOptions contact_options(double time_step_s) {
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = time_step_s;
    return options;
}

void steps(const char* what, const Specimen& specimen, const BaseMotion& motion, SolverOptions options,
           double until_s) {
    options.settle_limit_s = until_s;
    double spent_s = 1e9;
    ContactReport report;
    for (int batch = 0; batch < 5; ++batch) {
        const double start_s = processor_s();
        report = *follow(specimen, motion, options).contact;
        spent_s = std::min(spent_s, processor_s() - start_s);
    }
    std::printf("%-39s %8.2e steps/s  %6.2f sweeps/step  %llu of %llu not solved\n", what,
                static_cast<double>(report.steps) / spent_s,
                static_cast<double>(report.sweeps) / static_cast<double>(report.steps),
                static_cast<unsigned long long>(report.unfinished_steps),
                static_cast<unsigned long long>(report.steps));
}

void map_of_pulses(const Specimen& specimen, std::size_t cells, unsigned threads) {
    const double w = 20.0;
    const StabilityMap map(specimen, {sine_acceleration(1.0, w), w, 1.0}, AmplitudeAxis::tangent,
                           contact_options(1e-4));
    std::vector<MapPoint> points;
    for (std::size_t i = 0; i < cells; ++i)
        for (std::size_t j = 0; j < cells; ++j)
            points.push_back({1.0 + 9.0 * static_cast<double>(i) / static_cast<double>(cells),
                              1.0 + 9.0 * static_cast<double>(j) / static_cast<double>(cells)});
    std::vector<MapOutcome> outcomes(points.size());
    const double start_s = processor_s();
    std::vector<std::thread> workers;
    for (unsigned t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            for (std::size_t i = t; i < points.size(); i += threads)
                map.solve(std::span(points).subspan(i, 1), std::span(outcomes).subspan(i, 1));
        });
    for (std::thread& worker : workers) worker.join();
    std::size_t fallen = 0;
    for (const MapOutcome& outcome : outcomes) fallen += is_overturning(outcome.outcome) ? 1u : 0u;
    std::printf("map %zux%zu, 1e-4 s: %.1f s of processor time, i.e. %.1f s on %u processors (%zu overturn)\n", cells,
                cells, processor_s() - start_s, (processor_s() - start_s) / threads, threads, fallen);
}

/// B4M of the paper, both programs in turn, the best of three.
void beside_peer() {
    constexpr double kWidth_m = .045, kHeight_m = .135, kFriction = .364, kRotation_rad = -.25898942, kStep_s = 1e-4;
    Specimen block;
    block.blocks = {{kWidth_m, kHeight_m, 1.0}};
    block.friction = Friction{kFriction, kFriction};
    block.initial_rotation_rad = {kRotation_rad};
    SolverOptions options = contact_options(kStep_s);
    options.settle_limit_s = 2.0;
    double ours = 0.0, theirs = 0.0, our_peak = 0.0, their_peak = 0.0;
    for (int turn = 0; turn < 3; ++turn) {
        const double start_s = processor_s();
        std::uint64_t steps = 0;
        for (int i = 0; i < 100; ++i) {
            const Prediction p = follow(block, {}, options);
            steps += p.contact->steps;
            our_peak = std::abs(p.turning_points.at(0).rotation_rad);
        }
        ours = std::max(ours, static_cast<double>(steps) / (processor_s() - start_s));
        const auto peer =
            topple::bench::siconos_free_rocking(kWidth_m, kHeight_m, 1.0, kFriction, kRotation_rad, kStep_s);
        if (!peer) {
            std::printf("free rocking of B4M, 1e-4 s: %.2e steps/s; Siconos: peer not installed\n", ours);
            return;
        }
        theirs = std::max(theirs, peer->steps_per_s);
        their_peak = peer->first_peak_rad;
    }
    std::printf("free rocking of B4M, 1e-4 s: %.2e steps/s, Siconos %.2e, ratio %.0f; first peaks %.6f and %.6f deg\n",
                ours, theirs, ours / theirs, our_peak * 57.29577951308232, their_peak * 57.29577951308232);
}

}  // namespace

int main() {
    beside_peer();
    Specimen block;
    block.blocks = {{.045, .2025, 1.0896}};
    block.friction = Friction{.7, .7};
    Specimen released = block;
    released.initial_rotation_rad = {.19};
    steps("free rocking, one block, 1e-4 s", released, {}, contact_options(1e-4), 10.0);
    steps("free rocking, one block, 1e-5 s", released, {}, contact_options(1e-5), 10.0);
    Specimen on_beam = block;
    on_beam.friction = Friction{.364, .364};
    on_beam.initial_rotation_rad = {-.19666370};
    on_beam.beam = BeamBase{.30, .04, .00171, 2795.0, 3.0e14, std::nullopt, 6, .05, .2};
    steps("one block on a beam, 6 elements, 1e-5 s", on_beam, {}, contact_options(1e-5), 4.0);
    Specimen three;
    three.blocks = {{.06, .135, 1.2843}, {.045, .10125, .5444}, {.045, .10125, .5444}};
    three.friction = Friction{.7, .7};
    steps("three blocks, sine, 1e-4 s", three, sine_acceleration(2.5, 20.0), contact_options(1e-4), 10.0);
    steps("three blocks, sine, 1e-5 s", three, sine_acceleration(2.5, 20.0), contact_options(1e-5), 10.0);
    three.initial_rotation_rad = {.05, .05, .05};
    steps("three blocks released, 1e-5 s", three, {}, contact_options(1e-5), 10.0);
    Specimen twenty;
    twenty.blocks.assign(20, {.1, .05, 1.0});
    twenty.friction = Friction{.5, .5};
    steps("twenty blocks, sine, 1e-4 s", twenty, sine_acceleration(3.0, 20.0), contact_options(1e-4), 0.2);
    map_of_pulses(block, 200, 2);
    return 0;
}
