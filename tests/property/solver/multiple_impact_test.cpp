// Multiple impact without restitution is the sliding and rocking block, in random cases.
#include <cmath>
#include <random>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;

TEST_CASE("a bouncing block without restitution overturns, slips and falls when the sliding and rocking one does") {
    const topple::tests::RandomRuns runs(51, 120);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    int fallen = 0, slipped = 0, differ = 0;
    for (int trial = 0; trial < runs.count(); ++trial) {
        Specimen block;
        const double height = 0.1 + 0.2 * unit(random), width = height * (0.15 + 0.3 * unit(random));
        block.blocks = {{width, height, 1.0}};
        const double mu = 0.15 + 0.6 * unit(random);
        block.friction = Friction{mu, mu * (0.8 + 0.2 * unit(random))};
        const double w = 8.0 + 20.0 * unit(random), amplitude = 9.81 * width / height * (0.5 + 4.0 * unit(random));
        const BaseMotion motion = sine_acceleration(amplitude, w, 1.0 + std::floor(2.0 * unit(random)));
        SolverOptions bouncing;
        bouncing.model = Model::multiple_impact;
        bouncing.events_max = 20000;
        const Prediction p = predict(block, motion, bouncing), q = predict(block, motion, {});
        INFO("trial " << trial);
        CHECK(p.status == SolverStatus::ok);
        if (p.outcome != q.outcome) {
            ++differ;  // after many impacts the limit of 1e-5 m/s decides
            continue;
        }
        if (q.outcome == Outcome::overturning) {
            ++fallen;
            CHECK(p.direction == q.direction);
            if (q.impacts.empty()) CHECK(*p.overturn_time_s == Approx(*q.overturn_time_s).margin(1e-6));
        }
        if (q.outcome == Outcome::sliding || (q.outcome == Outcome::overturning && q.impacts.empty())) {
            ++slipped;
            CHECK(p.slip->peak_m == Approx(q.slip->peak_m).margin(1e-7));
        }
    }
    CHECK(fallen > runs.scaled(15));
    CHECK(slipped > runs.scaled(15));
    CHECK(differ <= runs.scaled(3));
}
