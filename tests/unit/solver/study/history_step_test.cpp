// The step of a history follows the specimen's own time scale.
#include "solver/study/history_step.hpp"

#include <cmath>

#include "solver/options.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::kB6l;
using topple::test::stack;

namespace {

constexpr double kGravity = 9.81;

double step_s(const Specimen& specimen, const BaseMotion& motion = {}) {
    return history_step_s(specimen, motion, kGravity);
}

}  // namespace

TEST_CASE(
    "histories of the laboratory's blocks have steps of 2 ms, shorter ones of small blocks, longer ones of large") {
    CHECK(step_s(stack({kB6l})) == Approx(0.002).epsilon(1e-12));
    CHECK(step_s(stack({{0.0006, 0.0027, 1e-6}})) == Approx(0.0002).epsilon(1e-12));
    CHECK(step_s(stack({{5.0, 100.0, 1.0}})) == Approx(0.02).epsilon(1e-12));
    CHECK(step_s(stack({})) == Approx(0.002).epsilon(1e-12));
    // The quickest block counts.
    CHECK(step_s(stack({{5.0, 100.0, 1.0}, {0.0006, 0.0027, 1e-6}})) == Approx(0.0002).epsilon(1e-12));
    for (const double size : {1e-4, 1e-2, 1.0, 1e2, 1e4}) {
        const Specimen block = stack({{0.3 * size, size, 1.0}});
        const double share = step_s(block) * block.blocks[0].frequency_parameter_rad_s(kGravity);
        CHECK(share <= 0.015 * (1.0 + 1e-9));
        CHECK(share > 0.015 / 2.6);
    }
}

TEST_CASE("a large block's history also shows the motion, a long motion does not make it endless") {
    const Specimen tower = stack({{5.0, 100.0, 1.0}});
    CHECK(step_s(tower, sine_acceleration(1.0, 2.0 * 3.141592653589793 * 5.0)) == Approx(0.005).epsilon(1e-12));
    CHECK(step_s(tower, sine_acceleration(1.0, 2.0 * 3.141592653589793 * 50.0)) == Approx(0.002).epsilon(1e-12));
    const Specimen grain = stack({{1e-7, 3e-7, 1e-12}});
    CHECK(1000.0 / step_s(grain, constant_acceleration(1e-6, 1000.0)) <= 2.0e6 * (1.0 + 1e-9));
}

TEST_CASE("asymmetric bodies have the step of their quicker side") {
    Specimen body = stack({kB6l});
    const double radius = kB6l.half_diagonal_m(), inertia = kB6l.mass_kg * radius * radius / 3.0;
    body.pivots = Pivots{0.2, 0.2, radius, radius, inertia};
    CHECK(step_s(body) == Approx(0.002).epsilon(1e-12));
}
