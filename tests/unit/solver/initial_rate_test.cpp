// Blocks that turn at t = 0 already.
#include <cmath>
#include <stdexcept>

#include "solver/laws/air_track.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/study/stability_map.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

Specimen set_turning(double rate_rad_s, double rotation_rad = 0.0) {
    Specimen specimen;
    specimen.blocks = {{0.06, 0.27, 2.5692}};
    specimen.initial_rotation_rad = {rotation_rad};
    specimen.initial_rotation_rate_rad_s = {rate_rad_s};
    return specimen;
}

/// 1/2 I0 w^2 = m g R (1 - cos(alpha)): just enough to stand on the corner.
double critical_rate_rad_s() {
    const Block block = set_turning(0.0).blocks[0];
    const double alpha = block.slenderness_rad(), p = block.frequency_parameter_rad_s(kStandardGravity_m_s2);
    return p * std::sqrt(2.0 * (1.0 - std::cos(alpha)));
}

}  // namespace

TEST_CASE("A block set turning from upright starts on the corner of that side") {
    for (const Model model : {Model::rocking, Model::linearised, Model::quasi_linear, Model::impulsive_force}) {
        SolverOptions options;
        options.model = model;
        RockingRun right(set_turning(0.3), options), left(set_turning(-0.3), options);
        CHECK(right.support(0) == Support::right);
        CHECK(right.rotation_rate_rad_s(0) == 0.3);
        right.coast(0.02);
        left.coast(0.02);
        CHECK(right.rotation_rad(0) > 0.0036);
        CHECK(right.rotation_rad(0) == -left.rotation_rad(0));
        CHECK(right.rotation_rate_rad_s(0) == -left.rotation_rate_rad_s(0));
        CHECK(left.result().outcome == Outcome::rocking);
    }
}

TEST_CASE("A block set turning overturns from the rate whose energy lifts it over its corner") {
    const double critical = critical_rate_rad_s();
    SolverOptions outcome;
    outcome.outcome_only = true;
    for (const SolverOptions& options : {SolverOptions{}, outcome}) {
        CHECK(predict(set_turning(critical * (1.0 - 1e-9)), {}, options).outcome == Outcome::rocking);
        const Prediction over = predict(set_turning(-critical * (1.0 + 1e-9)), {}, options);
        CHECK(over.outcome == Outcome::overturning);
        CHECK(over.direction == Side::left);
    }
}

TEST_CASE("The sliding block and the block with an impulsive force overturn from the same rate") {
    // Friction that always sticks; a force that is not felt on the way out. Their steps' errors allow 1e-7.
    Specimen rough = set_turning(0.0);
    rough.friction = Friction{5.0, 5.0};
    SolverOptions force;
    force.model = Model::impulsive_force;
    for (const double side : {1.0 - 1e-7, 1.0 + 1e-7}) {
        const Outcome expected = side > 1.0 ? Outcome::overturning : Outcome::rocking;
        rough.initial_rotation_rate_rad_s = {side * critical_rate_rad_s()};
        CHECK(predict(rough, {}).outcome == expected);
        CHECK(predict(set_turning(side * critical_rate_rad_s()), {}, force).outcome == expected);
    }
}

TEST_CASE("A rate and a rotation passed through on the way give the same future") {
    RockingRun from_rest(set_turning(0.0, 0.15), {});
    from_rest.coast(0.1);
    RockingRun later(set_turning(from_rest.rotation_rate_rad_s(0), from_rest.rotation_rad(0)), {});
    from_rest.coast(0.6);
    later.coast(0.5);
    CHECK(later.rotation_rad(0) == Approx(from_rest.rotation_rad(0)).margin(1e-10).epsilon(0));
    CHECK(later.result().impacts.size() == from_rest.result().impacts.size());
}

TEST_CASE("The upper block of a stack can be set turning alone") {
    Specimen pair;
    pair.blocks = {{0.06, 0.1, 1.0}, {0.04, 0.2, 1.0}};
    pair.initial_rotation_rate_rad_s = {0.0, -0.4};
    RockingRun run(pair, {});
    CHECK(run.support(0) == Support::full);
    CHECK(run.support(1) == Support::left);
    run.coast(0.01);
    CHECK(run.rotation_rad(1) < -0.003);
    pair.initial_rotation_rate_rad_s = {0.4, 0.4};
    RockingRun together(pair, {});
    CHECK(together.support(0) == Support::right);
    CHECK(together.support(1) == Support::full);
}

TEST_CASE("Maps solve a block that is set turning step by step, bad rates and the coupled track refuse") {
    const StabilityMap map(set_turning(0.3), {sine_acceleration(1.0, 10.0), 10.0, 1.0}, AmplitudeAxis::tangent,
                           SolverOptions{});
    CHECK_FALSE(map.in_lanes());
    MapPoint point{5.0, 0.0};
    MapOutcome outcome;
    map.solve({&point, 1}, {&outcome, 1});
    CHECK(outcome.outcome == Outcome::rocking);
    CHECK_THROWS_AS(predict_coupled(set_turning(0.3), AirTrack{5.0, 2.0, 0.1}, {}), std::invalid_argument);
    CHECK_THROWS_AS(validate(set_turning(std::nan(""))), std::invalid_argument);
    Specimen two = set_turning(0.1);
    two.initial_rotation_rate_rad_s.push_back(0.1);
    CHECK_THROWS_AS(validate(two), std::invalid_argument);
}
