#include "solver/study/outcome_boundary.hpp"

#include <cmath>

#include "solver/predict.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::b6l;

namespace {

std::optional<Outcome> outcome_at(const Specimen& specimen, const BaseMotion& motion, const MotionScale& scale) {
    return follow_scaled(specimen, motion, scale).outcome;
}

}  // namespace

TEST_CASE("A block below its uplift threshold is as far from rocking as the threshold is") {
    const double threshold_m_s2 = uplift_acceleration_m_s2(b6l());
    const BaseMotion motion = sine_acceleration(threshold_m_s2 / 1.2345, 60.0);
    const auto boundary = nearest_boundary(b6l(), motion, {}, MotionAxis::amplitude);
    REQUIRE(boundary);
    CHECK(boundary->change_ratio == Approx(0.2345).margin(2e-5));
    CHECK(boundary->outcome == Outcome::rocking);
    // The amplitude alone decides there: a faster sine lifts nothing.
    CHECK_FALSE(nearest_boundary(b6l(), motion, {}, MotionAxis::frequency));
}

TEST_CASE("The outcome differs beyond the boundary and not before it, on both axes, with lanes and without") {
    Specimen rough = b6l();
    rough.friction = Friction{0.6, 0.5};
    const BaseMotion motion = sine_acceleration(4.5, 26.0);
    for (const Specimen& specimen : {b6l(), rough})
        for (const MotionAxis axis : {MotionAxis::amplitude, MotionAxis::frequency}) {
            const auto boundary = nearest_boundary(specimen, motion, {}, axis);
            REQUIRE(boundary);
            const auto scale = [&](double change) {
                return axis == MotionAxis::amplitude ? MotionScale{1.0 + change, 1.0} : MotionScale{1.0, 1.0 + change};
            };
            const double inwards = std::copysign(2e-5, -boundary->change_ratio);
            const auto here = outcome_at(specimen, motion, {});
            CHECK(outcome_at(specimen, motion, scale(boundary->change_ratio)) == boundary->outcome);
            CHECK(boundary->outcome != here);
            CHECK(outcome_at(specimen, motion, scale(boundary->change_ratio + inwards)) == here);
        }
}

TEST_CASE("Nothing is found outside of the bounds, or for a base that does not move") {
    const double threshold_m_s2 = uplift_acceleration_m_s2(b6l());
    BoundarySearch search;
    search.low_ratio = -0.1;
    search.high_ratio = 0.2;
    const BaseMotion motion = sine_acceleration(threshold_m_s2 / 1.25, 60.0);
    CHECK_FALSE(nearest_boundary(b6l(), motion, {}, MotionAxis::amplitude, search));
    search.high_ratio = 0.3;
    CHECK(nearest_boundary(b6l(), motion, {}, MotionAxis::amplitude, search));
    CHECK_FALSE(nearest_boundary(b6l(), {}, {}, MotionAxis::amplitude));
}
