// What the single-block models decide early, remember and draw: energy decisions, peaks, ends of sequences, friction.
#include <algorithm>
#include <cmath>

#include "solver/laws/air_track.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

const Block kB6L{0.06, 0.27, 2.5692};

Specimen block(double rotation_rad = 0.0) {
    Specimen specimen;
    specimen.blocks = {kB6L};
    if (rotation_rad != 0.0) specimen.initial_rotation_rad = {rotation_rad};
    return specimen;
}

}  // namespace

TEST_CASE("the energy decision of the sliding and of the linear models never changes the outcome") {
    for (const Model model : {Model::slide_rock, Model::linearised, Model::quasi_linear}) {
        Specimen specimen = block();
        if (model == Model::slide_rock) specimen.friction = Friction{0.9, 0.8};
        SolverOptions full, quick;
        full.model = quick.model = model;
        quick.outcome_only = true;
        int late_falls = 0;
        for (int i = 0; i < 60; ++i) {
            const BaseMotion motion = sine_acceleration(2.3 + 0.05 * i, 20.0);
            const Prediction answer = predict(specimen, motion, full);
            CHECK(predict(specimen, motion, quick).outcome == answer.outcome);
            late_falls += answer.overturn_time_s && *answer.overturn_time_s > motion.end_s() ? 1 : 0;
        }
        CHECK(late_falls > 2);
    }
}

TEST_CASE("a foot at rest holds by static friction, whatever the kinetic one") {
    // A jump to 1 g of a block of tan(alpha) = 1/4 needs 0.4156 to rock without slip.
    Specimen wide;
    wide.blocks = {{10.0, 40.0, 1.0}};
    const auto slips = [&](Friction friction) {
        wide.friction = friction;
        RockingRun run(wide, {});
        MotionPiece jump;
        jump.end_s = 1.0;
        jump.polynomial[0] = 9.81;
        run.advance(jump, 0.01);
        CHECK(run.support(0) == Support::left);
        return run.slip_m() != 0.0;
    };
    CHECK_FALSE(slips({0.42, 0.3}));
    CHECK(slips({0.41, 0.3}));
}

TEST_CASE("the linear models report the largest rotation between their steps") {
    for (const Model model : {Model::linearised, Model::quasi_linear}) {
        SolverOptions options;
        options.model = model;
        options.history_step_s = 1e-4;
        const Prediction answer = predict(block(), constant_acceleration(3.0, 0.1), options);
        REQUIRE(answer.outcome == Outcome::rocking);
        double largest = 0.0;
        for (const HistorySample& sample : answer.history)
            largest = std::max(largest, std::abs(sample.rotation_rad[0]));
        CHECK(answer.peak_rotation_rad[0] == Approx(largest).epsilon(1e-6));
    }
}

TEST_CASE("linearised free rocking ends at the sum of all its flights") {
    // From rest at x alpha a quarter takes acosh(1/(1 - x))/p; an impact leaves 1 - (1 - x)^2 times the ratio squared.
    const double ratio = 0.9, p = kB6L.frequency_parameter_rad_s(9.81), alpha = kB6L.slenderness_rad();
    Specimen specimen = block(0.1);
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.restitution.fixed_left_to_right = specimen.restitution.fixed_right_to_left = ratio;
    double energy = 1.0 - (1.0 - 0.1 / alpha) * (1.0 - 0.1 / alpha);
    const auto quarter_s = [&](double e) { return std::atanh(std::sqrt(e)) / p; };  // the same, exact for small e
    double end_s = quarter_s(energy);
    for (int i = 0; i < 2000; ++i) end_s += 2.0 * quarter_s(energy *= ratio * ratio);
    SolverOptions options;
    options.model = Model::linearised;
    // Impacts are placed to 1e-14 rad, which the last hops, of 1e-12 rad, feel.
    CHECK(predict(specimen, {}, options).settled_time_s.value() == Approx(end_s).margin(1e-6).epsilon(0));
}

TEST_CASE("on the coupled air track every impact draws its own random ratio") {
    Specimen specimen;
    specimen.blocks = {{0.045, 0.2025, 0.0955}};
    specimen.restitution.model = RestitutionModel::random;
    specimen.restitution.random_defect_ratio = 0.2;
    const Prediction answer = predict_coupled(specimen, {0.12, 0.1, 0.02});
    REQUIRE(answer.impacts.size() > 3);
    const auto ratio = [&](std::size_t i) {
        return std::abs(answer.impacts[i].rotation_rate_after_rad_s[0] /
                        answer.impacts[i].rotation_rate_before_rad_s[0]);
    };
    CHECK(std::abs(ratio(0) - ratio(1)) > 1e-4);
    CHECK(std::abs(ratio(1) - ratio(2)) > 1e-4);
}
