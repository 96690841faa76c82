// One side of python_bench.py: for every line on standard input solves an outcome map and prints the seconds it took.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <string>

#include "hil/experiment/models.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/study/map_grid.hpp"

using namespace topple;

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    const hil::study::GridAxis axis{0.1, 10.0, static_cast<std::size_t>(std::stoul(argv[2]))};
    for (std::string line; std::getline(std::cin, line);) {
        const auto begin = std::chrono::steady_clock::now();
        const auto experiment = hil::experiment::read_experiment_for(argv[1], "");
        const solver::StabilityMap map(experiment.specimens.at(0), hil::study::map_wave(experiment),
                                       solver::AmplitudeAxis::tangent,
                                       hil::plan::solver_options(experiment, experiment.model));
        const auto grid = hil::study::solve_grid(map, axis, axis, {});
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        fmt::print("{} {}\n", seconds, grid.done_count());
        std::fflush(stdout);
    }
}
