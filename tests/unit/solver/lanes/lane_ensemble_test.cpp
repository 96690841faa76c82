// An ensemble that is carried along and run ahead ends as if each body had gone through the whole motion at once.
#include "solver/lanes/lane_ensemble.hpp"

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "solver/lanes/outcomes_in_lanes.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/map_points.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

std::vector<Specimen> bodies(int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    std::vector<Specimen> specimens;
    for (int i = 0; i < count; ++i) {
        Specimen specimen = one({0.06 + 0.002 * unit(random), 0.27, 2.5});
        specimen.initial_tilt_rad = 0.005 * unit(random);
        if (i % 5 == 0) specimen.initial_rotation_rad = {0.1 * unit(random)};
        specimen.restitution.model = RestitutionModel::fixed;
        specimen.restitution.fixed_left_to_right = 0.92 + 0.05 * unit(random);
        specimen.restitution.fixed_right_to_left = 0.92 + 0.05 * unit(random);
        specimens.push_back(specimen);
    }
    return specimens;
}

/// A sine as an estimator gives it: straight lines between samples; they end at rest.
std::vector<double> samples(double amplitude_m_s2, double angular_frequency_rad_s, double step_s) {
    std::vector<double> values;
    const double end_s = 2.0 * 3.14159265358979323846 / angular_frequency_rad_s;
    for (double t = 0.0; t < end_s; t += step_s)
        values.push_back(amplitude_m_s2 * std::sin(angular_frequency_rad_s * t));
    values.push_back(0.0);
    return values;
}

BaseMotion lines(const std::vector<double>& values, double step_s) {
    std::vector<double> time_s(values.size());
    for (std::size_t i = 0; i < time_s.size(); ++i) time_s[i] = static_cast<double>(i) * step_s;
    return sampled_acceleration(time_s, values);
}

std::vector<std::size_t> all_of(const LaneEnsemble& ensemble) {
    std::vector<std::size_t> which(ensemble.size());
    std::iota(which.begin(), which.end(), std::size_t{0});
    return which;
}

SolverOptions outcome_only() {
    SolverOptions options;
    options.outcome_only = true;
    return options;
}

}  // namespace

TEST_CASE("followed and run ahead from any instant, all members end as along the whole motion") {
    const topple::tests::RandomRuns runs(11, 300);
    const auto specimens = bodies(runs.count(), runs.seed());
    const double step_s = 0.002;
    const auto values = samples(2.45, 14.0, step_s);
    const BaseMotion motion = lines(values, step_s);
    const auto whole = outcomes_in_lanes(specimens, motion, {});
    const WaveShape shape(motion, 1.0, 1.0);
    LaneEnsemble ensemble(specimens, {});
    int fallen = 0, checked = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (i % 45 == 1) {
            const auto ends = ensemble.ends_along(shape, all_of(ensemble));
            for (std::size_t k = 0; k < specimens.size(); ++k) {
                INFO("member " << k << " from " << ensemble.time_s() << " s");
                CHECK(ends[k].outcome == whole[k]->outcome);
                CHECK(ends[k].direction == whole[k]->direction);
                fallen += ends[k].outcome == Outcome::overturning ? 1 : 0;
                ++checked;
            }
        }
        ensemble.follow(static_cast<double>(i) * step_s, values[i - 1], values[i]);
    }
    CHECK(fallen > checked / 10);
    CHECK(fallen < checked * 9 / 10);
}

TEST_CASE("a carried member rotates as the scalar solver's body does, impacts and all") {
    const auto specimens = bodies(60, 5);
    const double step_s = 0.002;
    auto values = samples(2.6, 14.0, step_s);
    values.resize(values.size() + 600, 0.0);
    LaneEnsemble ensemble(specimens, {});
    std::vector<RockingRun> runs;
    for (const Specimen& specimen : specimens) runs.emplace_back(specimen, SolverOptions{});
    const BaseMotion motion = lines(values, step_s);
    double worst_rad = 0.0, largest_rad = 0.0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        ensemble.follow(static_cast<double>(i) * step_s, values[i - 1], values[i]);
        for (std::size_t k = 0; k < runs.size(); ++k) {
            runs[k].advance(motion.pieces()[i - 1], static_cast<double>(i) * step_s);
            worst_rad = std::max(worst_rad, std::abs(ensemble.rotation_rad(k) - runs[k].rotation_rad(0)));
            largest_rad = std::max(largest_rad, std::abs(ensemble.rotation_rad(k)));
        }
    }
    CHECK(largest_rad > 1.5);  // some have fallen
    CHECK(worst_rad < 1e-7);   // both solvers' tolerance per step, over a second and its impacts
}

TEST_CASE("times of fall and of rest are those of the scalar solver") {
    const auto specimens = bodies(200, 21);
    for (const BaseMotion& motion : {sine_acceleration(2.45, 14.0), constant_acceleration(2.6, 0.15)}) {
        const WaveShape shape(motion, 1.0, 1.0);
        const LaneEnsemble ensemble(specimens, {});
        const auto ends = ensemble.ends_along(shape, all_of(ensemble));
        double worst_fall_s = 0.0, worst_rest_s = 0.0;
        int fallen = 0, settled = 0;
        for (std::size_t k = 0; k < specimens.size(); ++k) {
            const Prediction alone = follow(specimens[k], motion, SolverOptions{});
            REQUIRE(ends[k].outcome == alone.outcome);
            if (alone.overturn_time_s) {
                worst_fall_s = std::max(worst_fall_s, std::abs(ends[k].time_s - *alone.overturn_time_s));
                ++fallen;
            } else if (alone.settled_time_s) {
                worst_rest_s = std::max(worst_rest_s, std::abs(ends[k].time_s - *alone.settled_time_s));
                ++settled;
            }
        }
        CHECK(fallen > 10);
        CHECK(settled > 10);
        CHECK(worst_fall_s < 1e-5);
        CHECK(worst_rest_s < 1e-5);
    }
}

TEST_CASE("run ahead from the middle of a piece: every kind of piece goes on where it is") {
    const auto specimens = bodies(100, 3);
    for (const BaseMotion& motion :
         {sine_acceleration(2.45, 14.0), harmonic_displacement(0.02, 14.0, 2, 5), constant_acceleration(3.0, 0.2),
          sampled_acceleration({0, 0.1, 0.15, 0.3, 0.4}, {0, 3, -4, 2, 0})}) {
        const auto whole = outcomes_in_lanes(specimens, motion, {});
        const WaveShape shape(motion, 1.0, 1.0);
        LaneEnsemble ensemble(specimens, {});
        const double step_s = 1e-4;  // straight lines that are all but the curve
        for (int i = 1; i <= 1370; ++i)
            ensemble.follow(i * step_s, motion.at((i - 1) * step_s).acceleration_m_s2,
                            motion.before(i * step_s).acceleration_m_s2);
        const auto ends = ensemble.ends_along(shape, all_of(ensemble));
        int alike = 0;
        for (std::size_t k = 0; k < specimens.size(); ++k)
            alike += ends[k].outcome == whole[k]->outcome && ends[k].direction == whole[k]->direction ? 1 : 0;
        CHECK(alike >= 98);  // the curve is not quite the straight lines
    }
}

TEST_CASE("an amplitude factor multiplies the motion still to come") {
    const std::vector<Specimen> same(2, one(kB6L));
    const BaseMotion motion = sine_acceleration(3.0, 14.0);
    const LaneEnsemble ensemble(same, {});
    const std::vector<std::size_t> which{0, 1};
    const std::vector<double> factors{0.3, 1.5};
    const auto ends = ensemble.ends_along(WaveShape(motion, 1.0, 1.0), which, factors);
    for (const std::size_t k : which)
        CHECK(ends[k].outcome == predict(same[k], motion.scaled(factors[k]), outcome_only()).outcome);
    CHECK(ends[0].outcome != ends[1].outcome);
}

TEST_CASE("a motion that is over leaves the verdict to the energy of where the bodies are") {
    const auto specimens = bodies(100, 8);
    const double step_s = 0.002;
    const auto values = samples(2.45, 14.0, step_s);
    const BaseMotion motion = lines(values, step_s);
    const auto whole = outcomes_in_lanes(specimens, motion, {});
    LaneEnsemble ensemble(specimens, {});
    for (std::size_t i = 1; i < values.size(); ++i)
        ensemble.follow(static_cast<double>(i) * step_s, values[i - 1], values[i]);
    const WaveShape nothing(BaseMotion{}, 1.0, 1.0);
    const auto before = ensemble.ends_along(nothing, all_of(ensemble));
    for (int i = 0; i < 5000; ++i) ensemble.follow(ensemble.time_s() + step_s, 0.0, 0.0);
    const auto after = ensemble.ends_along(nothing, all_of(ensemble));
    for (std::size_t k = 0; k < specimens.size(); ++k) {
        CHECK(before[k].outcome == whole[k]->outcome);
        CHECK(after[k].outcome == whole[k]->outcome);
        CHECK(std::abs(after[k].time_s - before[k].time_s) < 0.01);
        CHECK((ensemble.at_rest(k) || ensemble.has_fallen(k)));
    }
}
