// Specimens, waves and points of outcome maps in tests.
#pragma once

#include <random>
#include <vector>

#include "solver/study/stability_map.hpp"
#include "tests/support/random_runs.hpp"

namespace topple::test {

using solver::Block;
using solver::MapOutcome;
using solver::MapPoint;
using solver::MapWave;
using solver::Specimen;
using solver::StabilityMap;

inline const Block kB6L{0.06, 0.27, 2.5692};
inline const Block kB3L{0.06, 0.135, 1.2843};
inline const MapWave kSine{solver::sine_acceleration(3.0, 25.0), 25.0, 3.0};

inline Specimen one(const Block& block) {
    Specimen specimen;
    specimen.blocks = {block};
    return specimen;
}

inline MapOutcome at(const StabilityMap& map, double frequency_ratio, double amplitude_ratio) {
    const MapPoint point{frequency_ratio, amplitude_ratio};
    MapOutcome outcome;
    map.solve({&point, 1}, {&outcome, 1});
    return outcome;
}

inline std::vector<MapPoint> random_points(const topple::tests::RandomRuns& runs, double low, double high) {
    std::mt19937_64 generator(runs.seed());
    std::uniform_real_distribution<double> ratio(low, high);
    std::vector<MapPoint> points(static_cast<std::size_t>(runs.count()));
    for (MapPoint& point : points) {
        point.frequency_ratio = ratio(generator);
        point.amplitude_ratio = ratio(generator);
    }
    return points;
}

inline std::vector<MapOutcome> solve(const StabilityMap& map, const std::vector<MapPoint>& points) {
    std::vector<MapOutcome> outcomes(points.size());
    map.solve(points, outcomes);
    return outcomes;
}

}  // namespace topple::test
