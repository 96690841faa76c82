// When and to which side a single block lifts or falls.
#include <cmath>

#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::b6l;
using topple::test::piece;

namespace {

constexpr double kPi = 3.141592653589793;
constexpr double kGravity = 9.81;
const double kThreshold = kGravity * 0.06 / 0.27;

}  // namespace

TEST_CASE("positive base acceleration tips the block backwards about its left corner") {
    RockingRun run(b6l(), {});
    run.advance(piece(0.0, 0.1, 1.5 * kThreshold), 0.1);
    CHECK(run.rotation_rad(0) < 0.0);
    CHECK(run.support(0) == Support::left);
    RockingRun other(b6l(), {});
    other.advance(piece(0.0, 0.1, -1.5 * kThreshold), 0.1);
    CHECK(other.rotation_rad(0) == -run.rotation_rad(0));
    CHECK(other.rotation_rate_rad_s(0) == -run.rotation_rate_rad_s(0));
    CHECK(other.support(0) == Support::right);
}

TEST_CASE("at exactly the threshold the block stays, just above it lifts") {
    const double threshold = uplift_acceleration_m_s2(b6l());
    RockingRun at(b6l(), {});
    at.advance(piece(0.0, 1.0, threshold), 1.0);
    CHECK_FALSE(at.uplifted());
    CHECK(at.result().outcome == Outcome::translation);
    CHECK_FALSE(at.result().settled_time_s);
    RockingRun above(b6l(), {});
    above.advance(piece(0.0, 1.0, threshold * (1.0 + 1e-9)), 1.0);
    CHECK(above.uplifted());
    CHECK(predict(b6l(), sine_acceleration(threshold, 20.0)).outcome == Outcome::translation);
    CHECK(predict(b6l(), sine_acceleration(threshold * (1.0 + 1e-9), 20.0)).outcome == Outcome::rocking);
}

TEST_CASE("inside a linear piece the block lifts when the acceleration crosses the threshold") {
    SolverOptions options;
    options.history_step_s = 10.0;
    RockingRun run(b6l(), options);
    run.advance(piece(0.0, 1.0, 0.0, 5.0), 0.6);
    const auto history = run.result().history;
    REQUIRE(history.size() >= 2);
    // It lets go 1e-12 g beyond the threshold: 2e-12 s later.
    CHECK(history[1].time_s == Approx(kThreshold / 5.0).margin(3e-12).epsilon(0));
    CHECK(history[1].support[0] == Support::left);
}

TEST_CASE("a body lifts at the threshold of each of its sides") {
    Specimen body;
    body.blocks = {{0.0, 0.0, 2.0}};
    const double z = 0.13;
    body.pivots = Pivots{0.25, 0.15, z / std::cos(0.25), z / std::cos(0.15), 0.01};
    const auto lifts = [&](double acceleration) {
        RockingRun run(body, {});
        run.advance(piece(0.0, 0.05, acceleration), 0.05);
        return run.uplifted();
    };
    CHECK_FALSE(lifts(kGravity * std::tan(0.25) * (1.0 - 1e-9)));
    CHECK(lifts(kGravity * std::tan(0.25) * (1.0 + 1e-9)));
    CHECK_FALSE(lifts(-kGravity * std::tan(0.15) * (1.0 - 1e-9)));
    CHECK(lifts(-kGravity * std::tan(0.15) * (1.0 + 1e-9)));
}

TEST_CASE("a block that leans beyond its slenderness overturns unless the base brings it back") {
    const double alpha = b6l().blocks[0].slenderness_rad();
    const Prediction falls = predict(b6l(alpha + 0.01), {});
    CHECK(falls.outcome == Outcome::overturning);
    CHECK(falls.direction == Side::right);
    CHECK(falls.peak_rotation_rad[0] == Approx(kPi / 2).epsilon(1e-12));
    CHECK(falls.overturn_time_s.value() > 0.0);
    CHECK(predict(b6l(-alpha - 0.01), {}).direction == Side::left);
    // A base that runs after the leaning block: positive acceleration turns it back.
    const Prediction saved = predict(b6l(alpha + 0.01), constant_acceleration(1.0, 0.1));
    CHECK(saved.outcome == Outcome::rocking);
    CHECK(saved.peak_rotation_rad[0] >= alpha + 0.01);
}

TEST_CASE("a block on a slope steeper than its slenderness falls downhill by itself") {
    Specimen steep = b6l();
    steep.initial_tilt_rad = 0.25;
    const Prediction answer = predict(steep, {});
    CHECK(answer.outcome == Outcome::overturning);
    CHECK(answer.direction == Side::right);
}
