// Stacks against a single block where they must rock like one, and against the known events of two blocks.
#include <cmath>

#include "solver/predict.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::kB6l;
using topple::test::stack;

namespace {

constexpr double kGravity = 9.81;

/// The two-block stack of the literature: R = 1.606 m, alpha = 0.25.
Specimen kounadis() {
    const Block block{2 * 1.606 * std::sin(.25), 2 * 1.606 * std::cos(.25), 1000.0};
    return stack({block, block});
}

}  // namespace

TEST_CASE("a stack that never opens inside is one block of the summed height") {
    SolverOptions options;
    options.settle_limit_s = 1.0;
    const Specimen two = stack({{0.06, 0.1, 1.0}, {0.06, 0.15, 1.5}}), one = stack({{0.06, 0.25, 2.5}});
    Specimen released_two = two, released_one = one;
    released_two.initial_rotation_rad = {0.1, 0.1};
    released_one.initial_rotation_rad = {0.1};
    const Prediction a = predict(released_two, {}, options), b = predict(released_one, {}, options);
    REQUIRE(!b.impacts.empty());
    REQUIRE(!a.impacts.empty());
    CHECK(a.impacts[0].time_s == Approx(b.impacts[0].time_s).margin(1e-10).epsilon(0));
    CHECK(a.impacts[0].rotation_rate_after_rad_s[1] ==
          Approx(b.impacts[0].rotation_rate_after_rad_s[0]).margin(1e-10).epsilon(0));
    CHECK(uplift_acceleration_m_s2(two) == Approx(uplift_acceleration_m_s2(one)).epsilon(1e-14));
}

TEST_CASE("a tiny block on top leaves the lower block alone") {
    Specimen single = stack({kB6l}), loaded = stack({kB6l, {0.04, 0.005, 1e-9}});
    SolverOptions options;
    options.settle_limit_s = 0.5;
    const BaseMotion motion = sine_acceleration(3.0, 25.0);
    const Prediction a = predict(single, motion, options), b = predict(loaded, motion, options);
    std::vector<double> base;
    for (const Impact& impact : b.impacts)
        if (impact.interface_index == 0) base.push_back(impact.time_s);
    REQUIRE(a.impacts.size() >= 2);
    REQUIRE(base.size() >= 2);
    for (std::size_t i = 0; i < 2; ++i) CHECK(base[i] == Approx(a.impacts[i].time_s).margin(1e-7).epsilon(0));
}

TEST_CASE("a short top block barely moves on a wide one: the wide block stays, the top rocks as on the floor") {
    Specimen stacked = stack({{0.5, 0.05, 1000.0}, kB6l}), alone = stack({kB6l});
    stacked.initial_rotation_rad = {0.0, 0.15};
    alone.initial_rotation_rad = {0.15};
    const Prediction a = predict(stacked, {}), b = predict(alone, {});
    REQUIRE(a.impacts.size() > 3);
    CHECK(a.peak_rotation_rad[0] == 0.0);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(a.impacts[i].time_s == Approx(b.impacts[i].time_s).margin(1e-9).epsilon(0));
}

TEST_CASE("two blocks under a single sine follow the known list of events") {
    // Kounadis's stack, material 0.95 at the interface on all velocities; first events only, the rest is
    // chaotic.
    Specimen specimen = kounadis();
    specimen.restitution.material = {1.0, 0.95};
    specimen.restitution.rule = RestitutionRule::literal;
    SolverOptions options;
    options.history_step_s = 1000.0;
    options.settle_limit_s = 1.5;
    const Prediction answer = predict(specimen, sine_acceleration(10.7808 * kGravity * 0.125, 12.0), options);
    struct Event {
        double time_s;
        Support lower, upper;
    };
    const auto L = Support::left, R = Support::right, F = Support::full;
    const Event expected[] = {{.00791, L, F},  {.28551, L, L},  {.81163, R, L},
                              {1.14794, L, L}, {1.39287, L, R}, {1.57466, L, L}};
    std::size_t i = 1;
    for (const Event& event : expected) {
        while (i + 1 < answer.history.size() && answer.history[i + 1].time_s == answer.history[i].time_s) ++i;
        CHECK(answer.history.at(i).time_s == Approx(event.time_s).margin(6e-6).epsilon(0));
        CHECK(answer.history[i].support[0] == event.lower);
        CHECK(answer.history[i].support[1] == event.upper);
        ++i;
    }
    CHECK(answer.peak_rotation_rad[1] == Approx(.2613).margin(5e-5).epsilon(0));
}

TEST_CASE("free releases of the two-block stack open and impact when they should") {
    Specimen top = kounadis();
    top.initial_rotation_rad = {0.0, 0.125};
    SolverOptions options;
    options.history_step_s = 1000.0;
    options.settle_limit_s = 0.5;
    const auto history = predict(top, {}, options).history;
    CHECK(history.at(1).time_s == Approx(.41174).margin(6e-6).epsilon(0));
    CHECK(history[1].rotation_rad[1] == Approx(.0734).margin(6e-5).epsilon(0));
    Specimen both = kounadis();
    const double alpha = std::atan(0.5 * both.blocks[0].width_m / both.blocks[0].height_m);
    both.initial_rotation_rad = {alpha / 2, alpha / 2};
    options.settle_limit_s = 6.0;
    const auto impacts = predict(both, {}, options).impacts;
    const double expected[] = {.86039, 2.47958, 4.01103, 5.46531};
    for (std::size_t i = 0; i < 4; ++i) CHECK(impacts.at(i).time_s == Approx(expected[i]).margin(6e-6).epsilon(0));
}
