// How long the outcome of one pulse takes for a body on a polygon foot, by its number of edges. Printed, never
// asserted.
//
// Two bodies of the same size: a block whose corners are rounded into facets, and a segment of a circle. The same
// pulses for all, in turns with the rectangular block, so that a busy machine matters less.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

#include "solver/predict.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

constexpr int kBatches = 15, kRepeats = 20;

/// The block B6L with corners rounded into facets over 0.35 rad: one level edge and edges - 1 facets.
Specimen rounded_block(int edges) {
    const int right = edges / 2, left = edges - 1 - right;
    const double width = kB6l.width_m, height = kB6l.height_m;
    Foot foot;
    foot.inertia_kg_m2 = kB6l.mass_kg * (width * width + height * height) / 12.0;
    const auto add = [&](int side, int count) {
        double x = side * 0.3 * width, z = -0.5 * height;
        foot.corners_m.push_back({x, z});
        for (int i = 1; i <= count; ++i) {
            const double slope = 0.35 * i / count, length = 0.2 * width / count;
            x += side * length * std::cos(slope);
            z += length * std::sin(slope);
            foot.corners_m.push_back({x, z});
        }
    };
    add(-1, left);
    std::reverse(foot.corners_m.begin(), foot.corners_m.end());
    add(1, right);
    return with_foot(foot, kB6l.mass_kg);
}

/// The same mass on a foot rounded all over, as wide as the block; an odd number of edges, the middle one level.
Specimen rolling_body(int edges) {
    const double width = kB6l.width_m, height = kB6l.height_m, half_rad = 0.35;
    const double radius = 0.5 * width / std::sin(half_rad);
    return circle_segment(radius, radius * std::cos(half_rad / edges) - 0.5 * height, half_rad, edges, kB6l.mass_kg,
                          kB6l.mass_kg * (width * width + height * height) / 12.0);
}

struct Timed {
    double microseconds = 0.0, crossings = 0.0;
    int rocked = 0, overturned = 0;
};

/// Processor time of one outcome, median over batches of all pulses; every batch times all specimens in turn.
std::vector<Timed> timed(const std::vector<Specimen>& specimens, const std::vector<BaseMotion>& pulses) {
    SolverOptions options;
    options.outcome_only = true;
    std::vector<std::vector<double>> batches(specimens.size());
    for (int batch = 0; batch < kBatches; ++batch)
        for (std::size_t k = 0; k < specimens.size(); ++k) {
            const std::clock_t start = std::clock();
            for (int i = 0; i < kRepeats; ++i)
                for (const BaseMotion& pulse : pulses) follow(specimens[k], pulse, options);
            batches[k].push_back(1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / kRepeats /
                                 static_cast<double>(pulses.size()));
        }
    std::vector<Timed> results(specimens.size());
    for (std::size_t k = 0; k < specimens.size(); ++k) {
        std::nth_element(batches[k].begin(), batches[k].begin() + kBatches / 2, batches[k].end());
        results[k].microseconds = batches[k][kBatches / 2];
        for (const BaseMotion& pulse : pulses) {
            const Prediction prediction = follow(specimens[k], pulse, options);
            results[k].crossings += static_cast<double>(prediction.impacts.size()) / static_cast<double>(pulses.size());
            results[k].rocked += prediction.outcome == Outcome::rocking ? 1 : 0;
            results[k].overturned += prediction.outcome == Outcome::overturning ? 1 : 0;
        }
    }
    return results;
}

}  // namespace

int main() {
    std::vector<BaseMotion> pulses;
    for (const double frequency_rad_s : {8.0, 14.0, 22.0, 35.0})
        for (const double amplitude : {1.5, 2.5, 4.0, 6.0})
            pulses.push_back(sine_acceleration(amplitude, frequency_rad_s));
    const std::vector<int> edges = {1, 2, 4, 8, 16, 32};
    std::vector<Specimen> specimens = {b6l()};
    for (const int count : edges) specimens.push_back(rounded_block(count));
    for (const int count : edges)
        if (count > 2) specimens.push_back(rolling_body(count + 1));
    const std::vector<Timed> results = timed(specimens, pulses);
    std::printf("outcome of one single sine, mean of %zu pulses     us   of block  crossings  rock  overturn\n",
                pulses.size());
    for (std::size_t k = 0; k < specimens.size(); ++k) {
        const std::size_t count = specimens[k].foot ? specimens[k].foot->corners_m.size() - 1 : 1;
        const char* what = !specimens[k].foot ? "rectangular block" : k <= edges.size() ? "rounded corners" : "segment";
        std::printf("%-18s %3zu edges                   %8.2f   %8.2f  %9.1f  %4d  %8d\n", what, count,
                    results[k].microseconds, results[k].microseconds / results[0].microseconds, results[k].crossings,
                    results[k].rocked, results[k].overturned);
    }
    return 0;
}
