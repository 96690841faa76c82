#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "solver/foot_roll.hpp"
#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;

namespace {

SolverOptions contact_options(double time_step_s = 1e-5) {
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = time_step_s;
    return options;
}

Specimen with_corners(const std::vector<ProfilePoint>& corners_m, double inertia_kg_m2 = 0.5, double mass_kg = 10.0) {
    return topple::test::with_foot(Foot{corners_m, inertia_kg_m2}, mass_kg);
}

/// Stands on .2 m; a face of .14 m beside it on which it can rest, one more beyond.
Specimen two_wells() { return with_corners({{-.1, -.2}, {.1, -.2}, {.22, -.1}, {.26, 0.0}}); }

}  // namespace

TEST_CASE("a rectangle given as a foot does in contact dynamics what the block does") {
    Specimen block;
    block.blocks = {{.06, .27, 2.5692}};
    block.friction = Friction{.4, .4};
    Specimen foot = with_corners({{-.03, -.135}, {.03, -.135}}, 2.5692 * (.06 * .06 + .27 * .27) / 12.0, 2.5692);
    foot.friction = block.friction;
    const BaseMotion motion = sine_acceleration(3.0, 25.0);
    const Prediction a = follow(block, motion, contact_options()), b = follow(foot, motion, contact_options());
    REQUIRE(name(a.outcome) == "rocking");
    CHECK(b.outcome == a.outcome);
    // The block's steps are not split at impacts: both are right to the order of the step.
    CHECK(b.peak_rotation_rad[0] == Approx(a.peak_rotation_rad[0]).margin(1e-4));
    REQUIRE(std::min(a.impacts.size(), b.impacts.size()) >= 2);
    for (std::size_t i = 0; i < 2; ++i) CHECK(b.impacts[i].time_s == Approx(a.impacts[i].time_s).margin(5e-4));
    CHECK(b.resting_face == std::size_t{0});
}

TEST_CASE("in contact dynamics a plastic impact on a face keeps the angular momentum about the corner it leads to") {
    Specimen stone = two_wells();
    stone.initial_rotation_rad = {FootRoll(*stone.foot).slope_rad(1) - .05};
    stone.initial_rotation_rate_rad_s = {1.0};
    const Prediction result = follow(stone, {}, contact_options());
    REQUIRE_FALSE(result.impacts.empty());
    const Impact& first = result.impacts.front();
    REQUIRE(first.face == std::size_t{1});
    const double ratio = first.rotation_rate_after_rad_s[0] / first.rotation_rate_before_rad_s[0];
    CHECK(ratio == Approx(faces_of(*stone.foot, 10.0)[1].left_to_right).margin(1e-4));
}

TEST_CASE("in contact dynamics a foot comes to rest in the well into which it rolls, and says on which face") {
    Specimen stone = two_wells();
    REQUIRE(faces_of(*stone.foot, 10.0)[1].can_rest);
    const FootRoll roll(*stone.foot);
    stone.initial_rotation_rad = {roll.slope_rad(1)};
    const Prediction laid = follow(stone, {}, contact_options(1e-4));
    CHECK(laid.resting_face == std::size_t{1});
    CHECK(laid.impacts.empty());
    stone.initial_rotation_rad = {roll.slope_rad(1) - .02};
    const Prediction rolled = follow(stone, {}, contact_options(1e-4));
    CHECK(rolled.outcome == Outcome::rocking);
    CHECK(rolled.resting_face == std::size_t{1});
    REQUIRE(rolled.settled_time_s);
    SolverOptions only_outcome = contact_options(1e-4);
    only_outcome.outcome_only = true;
    CHECK(follow(stone, {}, only_outcome).outcome == Outcome::rocking);
}

TEST_CASE("in contact dynamics a foot that rolls on over its faces strikes them in their order and overturns") {
    Specimen stone = two_wells();
    stone.initial_rotation_rate_rad_s = {4.5};
    const Prediction result = follow(stone, {}, contact_options(1e-4));
    CHECK(result.outcome == Outcome::overturning);
    CHECK(result.direction == Side::right);
    REQUIRE(result.impacts.size() == 2);
    CHECK(result.impacts[0].face == std::size_t{1});
    CHECK(result.impacts[1].face == std::size_t{2});
}

TEST_CASE("a foot slides over the base as far as friction says, on its face and along its corners") {
    Specimen stone = two_wells();
    stone.friction = Friction{.1, .1};
    const double a = 3.0, pulse = .2, g = kStandardGravity_m_s2;
    const Prediction result = follow(stone, constant_acceleration(a, pulse), contact_options());
    // It slides with -(a - mu g), then stops with mu g.
    const double v = (a - .1 * g) * pulse, slip = -.5 * v * pulse - .5 * v * v / (.1 * g);
    CHECK(result.outcome == Outcome::sliding);
    CHECK(result.slip->residual_m == Approx(slip).margin(2e-5));
    stone.initial_rotation_rad = {.6};
    stone.friction = Friction{1e3, 1e3};
    CHECK(follow(stone, {}, contact_options(1e-4)).slip->peak_m < 1e-5);
}

TEST_CASE("a foot that starts in flight lands") {
    Specimen stone = two_wells();
    stone.initial_velocity_m_s = {{0.0, 1.0}};
    SolverOptions options = contact_options(1e-4);
    options.history_step_s = .01;
    const Prediction result = follow(stone, {}, options);
    CHECK(std::any_of(result.history.begin(), result.history.end(),
                      [](const HistorySample& h) { return h.support[0] == Support::none; }));
    REQUIRE_FALSE(result.impacts.empty());
    CHECK(result.impacts[0].time_s == Approx(2.0 / kStandardGravity_m_s2).margin(3e-4));
    CHECK(result.resting_face == std::size_t{0});
}

TEST_CASE("contact dynamics refuses a foot on a flexible base, and a step that does not resolve it") {
    Specimen stone = two_wells();
    const Specimen pebble = with_corners({{-.01, -.02}, {.01, -.02}}, .0005, 1.0);
    CHECK_THROWS_WITH(follow(pebble, {}, contact_options(.009)),
                      Catch::Matchers::ContainsSubstring("does not resolve"));
    stone.beam = BeamBase{1.0, .04, .01, 2795.0, 3.0e14, std::nullopt, 6, .05, .2};
    CHECK_THROWS_WITH(follow(stone, {}, contact_options()), Catch::Matchers::ContainsSubstring("foot"));
}

TEST_CASE("where a foot would lift off the rocking model hands it over to contact dynamics") {
    // A sharp nose: what rolls onto it fast cannot be held down.
    Specimen stone = with_corners({{-.1, -.2}, {.1, -.2}, {.3, -.15}}, .05);
    stone.initial_rotation_rate_rad_s = {7.0};
    const Prediction rocking = follow(stone, {});
    REQUIRE(rocking.left_validity);
    CHECK(rocking.left_validity->breach != Breach::slip);
    SolverOptions options;
    options.contact.time_step_s = 1e-5;
    options.history_step_s = 1e-3;
    const Prediction joined = predict_handing_over(stone, {}, options, true);
    REQUIRE(joined.contact);
    REQUIRE(joined.contact->from_s);
    CHECK(*joined.contact->from_s <= rocking.left_validity->time_s);
    CHECK(joined.contact->half_step.has_value());
    CHECK(std::any_of(joined.history.begin(), joined.history.end(),
                      [](const HistorySample& h) { return h.support[0] == Support::none; }));
    for (std::size_t i = 1; i < joined.history.size(); ++i) {
        const double step = joined.history[i].rotation_rad[0] - joined.history[i - 1].rotation_rad[0];
        CHECK(std::abs(step) < 9.0 * (joined.history[i].time_s - joined.history[i - 1].time_s) + 1e-4);
        if (std::abs(joined.history[i].rotation_rad[0]) > 1.5) break;
    }
}

TEST_CASE("contact dynamics of a foot is confirmed by half its time step where it is robust") {
    Specimen stone = two_wells();
    stone.initial_rotation_rad = {.1};
    const Prediction result = predict_confirmed(stone, {}, contact_options());
    REQUIRE(result.contact->half_step);
    CHECK(result.contact->half_step->is_confirmed);
}
