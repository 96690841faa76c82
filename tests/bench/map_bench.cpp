// Outcome maps: time and memory of a megapixel map, every sampled cell checked against the scalar solver, and
// the time per cell against Boost.Odeint, thread for thread. Printed, never asserted.
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "hil/study/map_grid.hpp"
#include "tests/bench/odeint_rocking.hpp"

using namespace topple;
using namespace topple::bench;

namespace {

constexpr double kTwoPi = 6.283185307179586;
const solver::Block kB6L{0.06, 0.27, 2.5692};
const hil::study::GridAxis kRatios{0.1, 10.0, 1000};

double clock_s(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<solver::MapPoint> sampled_cells(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::uniform_int_distribution<std::size_t> index(0, kRatios.count - 1);
    std::vector<solver::MapPoint> points(count);
    for (solver::MapPoint& point : points) {
        point.frequency_ratio = kRatios.at(index(generator));
        do point.amplitude_ratio = kRatios.at(index(generator));
        while (std::abs(point.amplitude_ratio - 1.0) < 1e-9);  // there the outcome is a matter of rounding
    }
    return points;
}

std::vector<solver::MapOutcome> solve(const solver::StabilityMap& map, const std::vector<solver::MapPoint>& points) {
    std::vector<solver::MapOutcome> outcomes(points.size());
    map.solve(points, outcomes);
    return outcomes;
}

void measure_whole_map(const solver::StabilityMap& map) {
    const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    double load[1] = {-1.0};
    if (getloadavg(load, 1) != 1) load[0] = -1.0;
    double best_wall = 1e9, best_cpu = 1e9;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const double wall = clock_s(CLOCK_MONOTONIC), cpu = clock_s(CLOCK_PROCESS_CPUTIME_ID);
        hil::study::solve_grid(map, kRatios, kRatios, {threads});
        best_cpu = std::min(best_cpu, clock_s(CLOCK_PROCESS_CPUTIME_ID) - cpu);
        best_wall = std::min(best_wall, clock_s(CLOCK_MONOTONIC) - wall);
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf(
        "map of 1000 x 1000 cells, %u threads: %.3f s wall, %.3f s of processors (best of 5; load %.1f "
        "before), "
        "%.1f MiB peak\n",
        threads, best_wall, best_cpu, load[0], static_cast<double>(usage.ru_maxrss) / 1024.0);
}

bool is_near_boundary(const solver::StabilityMap& map, const solver::MapPoint& at) {
    const double near[] = {1.0 - 1e-6, 1.0, 1.0 + 1e-6};
    std::vector<solver::MapPoint> around;
    for (const double f : near)
        for (const double a : near) around.push_back({at.frequency_ratio * f, at.amplitude_ratio * a});
    const auto outcomes = solve(map, around);
    return !std::all_of(outcomes.begin(), outcomes.end(), [&](const auto& o) { return o.same_class(outcomes[0]); });
}

void check_against_scalar_solver(const solver::StabilityMap& map, std::size_t cells, std::uint64_t seed) {
    const auto points = sampled_cells(cells, seed);
    const auto outcomes = solve(map, points);
    std::size_t unexplained = 0;
    const double start = clock_s(CLOCK_THREAD_CPUTIME_ID);
    std::vector<std::size_t> differing;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!outcomes[i].same_class(map.solve_by_run(points[i]))) differing.push_back(i);
    const double scalar_us = 1e6 * (clock_s(CLOCK_THREAD_CPUTIME_ID) - start) / static_cast<double>(points.size());
    for (const std::size_t i : differing) {
        if (is_near_boundary(map, points[i])) continue;
        ++unexplained;
        std::printf("  differs at omega/p = %.17g, a0/(g tan alpha) = %.17g\n", points[i].frequency_ratio,
                    points[i].amplitude_ratio);
    }
    std::printf(
        "%zu sampled cells, seed %llu, against the scalar solver: %zu differ, %zu of them further than 1e-6 from a "
        "boundary; scalar solver %.1f us per cell\n",
        cells, static_cast<unsigned long long>(seed), differing.size(), unexplained, scalar_us);
}

/// Of one cell.
struct Answer {
    std::optional<solver::Outcome> outcome;
    unsigned steps;
};

struct Cost {
    double cell_us;  ///< median over the columns
    unsigned median_steps, p99_steps;
};

/// 40 whole columns of the map, evenly spread; one after the other, as the map solves them.
std::vector<std::vector<solver::MapPoint>> sampled_columns() {
    std::vector<std::vector<solver::MapPoint>> columns;
    for (std::size_t i = 12; i < kRatios.count; i += 25) {
        columns.emplace_back();
        for (std::size_t j = 0; j < kRatios.count; ++j)  // no amplitude is within 1e-9 of the uplift threshold
            columns.back().push_back({kRatios.at(i), kRatios.at(j)});
    }
    return columns;
}

/// Median processor time per cell over the columns; each column is solved three times, the fastest counts.
template <class SolveColumn>
Cost cost_of(const std::vector<std::vector<solver::MapPoint>>& columns, SolveColumn&& solve_column) {
    std::vector<double> times;
    std::vector<unsigned> steps;
    for (const auto& column : columns) {
        double best = 1e9;
        for (int repeat = 0; repeat < 3; ++repeat) {
            const double start = clock_s(CLOCK_THREAD_CPUTIME_ID);
            const std::vector<Answer> answers = solve_column(column);
            best = std::min(best, clock_s(CLOCK_THREAD_CPUTIME_ID) - start);
            if (repeat > 0) continue;
            for (const Answer& answer : answers) steps.push_back(answer.steps);
        }
        times.push_back(1e6 * best / static_cast<double>(column.size()));
    }
    std::sort(times.begin(), times.end());
    std::sort(steps.begin(), steps.end());
    return {times[times.size() / 2], steps[steps.size() / 2], steps[steps.size() * 99 / 100]};
}

solver::Outcome outcome_of(const BaselineAnswer& answer) {
    return answer.overturned ? solver::Outcome::overturning
           : answer.uplifted ? solver::Outcome::rocking
                             : solver::Outcome::translation;
}

void compare_with_odeint(const solver::StabilityMap& map, const solver::Specimen& specimen) {
    const auto columns = sampled_columns();
    const double ratio = solver::restitution_ratios(specimen)[0], window = 10.0 * map.frequency_parameter_rad_s();
    const auto by_lanes = [&](const std::vector<solver::MapPoint>& column) {
        std::vector<Answer> answers;
        for (const auto& outcome : solve(map, column)) answers.push_back({outcome.outcome, outcome.steps});
        return answers;
    };
    const auto by_odeint = [&](Decision decision) {
        return [&, decision](const std::vector<solver::MapPoint>& column) {
            std::vector<Answer> answers;
            for (const solver::MapPoint& point : column) {
                const double amplitude_g = point.amplitude_ratio * std::tan(map.slenderness_rad());
                const auto answer = solve_by_odeint(
                    {map.slenderness_rad(), ratio, point.frequency_ratio, amplitude_g, window}, decision);
                answers.push_back({outcome_of(answer), answer.steps});
            }
            return answers;
        };
    };
    const Cost lanes = cost_of(columns, by_lanes);
    const auto print = [&](const char* name, const Cost& cost) {
        std::printf("%-36s %8.3f us per cell, steps median %u, p99 %u, ratio %.1f\n", name, cost.cell_us,
                    cost.median_steps, cost.p99_steps, cost.cell_us / lanes.cell_us);
    };
    print("lanes, one thread", lanes);
    for (const Decision decision : {Decision::window, Decision::energy}) {
        print(decision == Decision::window ? "odeint dopri5 1e-9, 10 s window" : "odeint dopri5 1e-9, energy decision",
              cost_of(columns, by_odeint(decision)));
        std::size_t differ = 0;
        for (const auto& column : columns) {
            const auto ours = by_lanes(column), theirs = by_odeint(decision)(column);
            for (std::size_t i = 0; i < ours.size(); ++i) differ += ours[i].outcome != theirs[i].outcome;
        }
        std::printf("  outcomes that differ from the lanes': %zu of %zu\n", differ, columns.size() * kRatios.count);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t cells = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20000;
    const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20240917;
    solver::Specimen specimen;
    specimen.blocks = {kB6L};
    const solver::StabilityMap map(specimen, {solver::sine_acceleration(3.0, kTwoPi * 4.0), kTwoPi * 4.0, 3.0});
    measure_whole_map(map);
    check_against_scalar_solver(map, cells, seed);
    compare_with_odeint(map, specimen);
}
