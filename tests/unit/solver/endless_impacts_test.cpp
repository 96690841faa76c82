// Impacts that lose no energy never end: their outcome is decided by energy once the base rests.
#include <cmath>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

Specimen lossless(double rotation_rad) {
    Specimen specimen;
    specimen.blocks = {{0.0469787, 0.0546538, 1.0}};
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.initial_rotation_rad = {rotation_rad};
    return specimen;
}

}  // namespace

TEST_CASE("a block that bounces without loss and too often to be followed is rocking by its energy, not failed") {
    SolverOptions options;
    options.events_max = 1000;
    for (const Model model : {Model::rocking, Model::linearised, Model::quasi_linear, Model::impulsive_force}) {
        INFO("model " << static_cast<int>(model));
        options.model = model;
        const Prediction answer = predict(lossless(4e-4), BaseMotion(), options);
        CHECK(answer.status == SolverStatus::ok);
        CHECK(answer.outcome == Outcome::rocking);
        CHECK_FALSE(answer.settled_time_s.has_value());
        CHECK(answer.peak_rotation_rad[0] == Approx(4e-4).epsilon(1e-6));
        CHECK(answer.impacts.size() >= 300);
    }
}

TEST_CASE("a million bounces of a block without loss are no failure") {
    const Prediction answer = predict(lossless(4e-8), BaseMotion());
    CHECK(answer.status == SolverStatus::ok);
    CHECK(answer.outcome == Outcome::rocking);
    CHECK(answer.impacts_truncated);
}

TEST_CASE("a linearised block that loses little at an impact comes to rest when its flights add up to") {
    Specimen specimen;
    specimen.blocks = {{0.02, 0.13, 1.0}};
    specimen.restitution.model = RestitutionModel::fixed;
    const double ratio = 0.9995, alpha = specimen.blocks[0].slenderness_rad(), start = 0.005 * alpha;
    const double p = specimen.blocks[0].frequency_parameter_rad_s(kStandardGravity_m_s2);
    specimen.restitution.fixed_left_to_right = specimen.restitution.fixed_right_to_left = ratio;
    specimen.initial_rotation_rad = {start};
    SolverOptions options;
    options.model = Model::linearised;
    const Prediction answer = predict(specimen, BaseMotion(), options);
    double rest_s = std::acosh(alpha / (alpha - start)) / p;
    for (double rate = ratio * p * std::sqrt(start * (2.0 * alpha - start)); rate > 1e-12 * p; rate *= ratio)
        rest_s += 2.0 / p * std::atanh(rate / (p * alpha));
    CHECK(answer.settled_time_s.value_or(0.0) == Approx(rest_s).margin(1e-4));
}
