// A solution that failed says until when it is known and has no outcome, whatever the model.
#include <cmath>
#include <numbers>

#include "solver/predict.hpp"
#include "solver/study/critical_drop.hpp"
#include "solver/study/stability_map.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

Specimen blocks(std::size_t count) {
    Specimen specimen;
    specimen.blocks.assign(count, {0.06, 0.27, 2.5});
    specimen.restitution.material = {0.9};
    return specimen;
}

BaseMotion long_sine() { return sine_acceleration(2.6, 2.0 * std::numbers::pi * 3.0, 30.0); }

void check_failed(const Prediction& answer) {
    CHECK(answer.status == SolverStatus::event_budget_spent);
    CHECK_FALSE(answer.outcome.has_value());
    CHECK_FALSE(answer.settled_time_s.has_value());
    CHECK(name(answer.outcome) == "failed");
    CHECK_FALSE(is_overturning(answer.outcome));
    REQUIRE_FALSE(answer.history.empty());
    CHECK(answer.history.back().time_s <= answer.status_time_s);
    for (const HistorySample& sample : answer.history) CHECK(std::isfinite(sample.rotation_rad[0]));
}

}  // namespace

TEST_CASE("a solution that spends its event budget under a motion has no outcome, in any model") {
    SolverOptions options;
    options.history_step_s = 0.002;
    options.events_max = 3;
    const struct {
        std::size_t blocks;
        bool friction;
        Model model;
    } cases[] = {{1, false, Model::rocking},        {2, false, Model::rocking},    {3, false, Model::rocking},
                 {1, true, Model::slide_rock},      {1, false, Model::linearised}, {1, false, Model::quasi_linear},
                 {1, false, Model::impulsive_force}};
    for (const auto& one : cases) {
        INFO("blocks " << one.blocks << " model " << static_cast<int>(one.model));
        Specimen specimen = blocks(one.blocks);
        if (one.friction) specimen.friction = Friction{0.5, 0.4};
        options.model = one.model;
        check_failed(predict(specimen, long_sine(), options));
    }
}

TEST_CASE("a coupled air track whose solution fails has no outcome, and its search for the critical drop none either") {
    SolverOptions options;
    options.history_step_s = 0.002;
    options.events_max = 0;
    Specimen specimen;
    specimen.blocks = {{0.016, 0.07, 0.0955}};
    const AirTrack track{0.12, 0.115, 0.01};
    CHECK(predict_coupled(specimen, track).outcome == Outcome::overturning);
    check_failed(predict_coupled(specimen, track, options));
    CHECK(critical_drop(specimen, track).coupled_m.has_value());
    CHECK_FALSE(critical_drop(specimen, track, options).coupled_m.has_value());
}

TEST_CASE("an outcome and its number in files belong together, every other number is no outcome") {
    for (const Outcome outcome : {Outcome::translation, Outcome::sliding, Outcome::rocking, Outcome::overturning,
                                  Outcome::partial_overturning, Outcome::total_overturning})
        CHECK(outcome_of_code(outcome_code(outcome)) == outcome);
    CHECK(outcome_code(std::nullopt) == kFailedCode);
    for (unsigned code = 6; code < 20; ++code) CHECK_FALSE(outcome_of_code(code).has_value());
}
