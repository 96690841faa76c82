// Thesis chapter 8: four published tests on a base that is shot forward and stopped, beside what the models make of
// them.
#include <cmath>
#include <string>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kG = kStandardGravity_m_s2;
// The friction of the base on its rail is measured. Rise time and rebound of the stopper are not given: assumed.
constexpr double kBaseFriction = .23, kRise_s = .002, kRebound_ratio = .5;
constexpr double kMeasuredFriction = .54;      // of the blocks
constexpr double kFittedFriction = 1.0 / 3.0;  // with which all four come out

struct Published {
    const char* outcome;  // B the block or the top one, C the upper two, D all; L, R the side
    std::size_t blocks;
    double height_m, peak_velocity_m_s, gap_m;
};
constexpr Published kTests[] = {
    {"BR", 1, .045, .59, .020}, {"BL", 1, .045, .56, .030}, {"CL", 3, .015, .54, .025}, {"DL", 3, .015, .54, .030}};

std::string outcome_of(const Published& test, double friction, Model model, double time_step_s = 1e-5) {
    Specimen specimen;
    specimen.blocks.assign(test.blocks, Block{.01, test.height_m, .01 * .01 * test.height_m * 2700.0});
    specimen.friction = Friction{friction, friction};
    SolverOptions options;
    options.model = model;
    options.contact.time_step_s = time_step_s;
    const Prediction p =
        follow(specimen, double_pulse(test.peak_velocity_m_s, kRise_s, test.gap_m, kBaseFriction * kG, kRebound_ratio),
               options);
    if (p.blocks_overturned.empty()) return "A";
    const std::string side = p.direction == Side::left ? "L" : "R";
    return std::string(1, static_cast<char>('A' + p.blocks_overturned.size())) + side;
}

}  // namespace

TEST_CASE("double pulse: with the measured friction of the blocks two of the four published outcomes come out") {
    const char* predicted[] = {"BL", "BL", "DL", "DL"};
    for (std::size_t i = 0; i < 4; ++i) {
        INFO("published " << kTests[i].outcome);
        CHECK(outcome_of(kTests[i], kMeasuredFriction, Model::contact_dynamics) == predicted[i]);
        CHECK(outcome_of(kTests[i], kMeasuredFriction, Model::contact_dynamics, 5e-6) == predicted[i]);
    }
    for (const Model model : {Model::slide_rock, Model::multiple_impact})
        for (std::size_t i = 0; i < 2; ++i) CHECK(outcome_of(kTests[i], kMeasuredFriction, model) == predicted[i]);
}

TEST_CASE("double pulse: with a friction fitted to them, one third, all four come out, in a narrow window") {
    for (const Published& test : kTests) {
        INFO("published " << test.outcome);
        CHECK(outcome_of(test, kFittedFriction, Model::contact_dynamics) == test.outcome);
        CHECK(outcome_of(test, kFittedFriction, Model::contact_dynamics, 5e-6) == test.outcome);
        if (test.blocks > 1) continue;
        for (const Model model : {Model::slide_rock, Model::multiple_impact})
            CHECK(outcome_of(test, kFittedFriction, model) == test.outcome);
    }
    CHECK(outcome_of(kTests[2], .31, Model::contact_dynamics) == "BL");
    CHECK(outcome_of(kTests[2], .35, Model::contact_dynamics) == "DL");
    CHECK(outcome_of(kTests[0], .40, Model::contact_dynamics) == "A");
}
