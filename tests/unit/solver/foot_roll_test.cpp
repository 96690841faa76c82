#include <algorithm>
#include <cmath>

#include "solver/foot_roll.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;

TEST_CASE("the corner that carries a foot is its lowest one at every rotation") {
    topple::test::FootDraw draw(11);
    for (int i = 0; i < 200; ++i) {
        const Foot foot = *topple::test::random_foot(draw, 1 + i % 9).foot;
        const FootRoll roll(foot);
        const double rotation = draw.between(-1.5, 1.5);
        const auto height = [&](const ProfilePoint& c) {
            return c[0] * std::sin(rotation) - c[1] * std::cos(rotation);
        };
        double lowest = 0.0;
        for (const ProfilePoint& corner : foot.corners_m) lowest = std::max(lowest, height(corner));
        CHECK(height(roll.corner_m(roll.corner_at(rotation))) == lowest);
        CHECK(roll.height_m(rotation) == lowest);
    }
}

TEST_CASE("flat on a face the rate says which corner carries") {
    const FootRoll roll(Foot{{{-.1, -.4}, {.1, -.4}, {.2, -.3}}, 1.0});
    CHECK(roll.corner_at(0.0, -1.0) == 0);
    CHECK(roll.corner_at(0.0, 1.0) == 1);
    CHECK(roll.corner_at(roll.slope_rad(1), -1.0) == 1);
    CHECK(roll.corner_at(roll.slope_rad(1), 1.0) == 2);
    CHECK(roll.face_near(0.3) == 0);
    CHECK(roll.face_near(0.5) == 1);
}

TEST_CASE("a foot that rolls is laid out along the base by the lengths of its faces") {
    const FootRoll roll(Foot{{{-.4, -.1}, {-.1, -.5}, {.2, -.5}, {.5, -.1}}, 1.0});
    CHECK(roll.laid_m(0) == Approx(-.6).margin(1e-15));
    CHECK(roll.laid_m(1) == -.1);
    CHECK(roll.laid_m(2) == Approx(.2).margin(1e-15));
    CHECK(roll.laid_m(3) == Approx(.7).margin(1e-15));
}

TEST_CASE("the barrier is the lower of the highest points on both ways to overturning") {
    topple::test::FootDraw draw(12);
    for (int i = 0; i < 100; ++i) {
        const FootRoll roll(*topple::test::random_foot(draw, 1 + i % 9).foot);
        const double from = draw.between(-1.2, 1.2);
        constexpr int kPlaces = 20000;
        double left = 0.0, right = 0.0;
        for (int k = 0; k <= kPlaces; ++k) {
            const double share = static_cast<double>(k) / kPlaces;
            left = std::max(left, roll.height_m(from + share * (-1.5707963267948966 - from)));
            right = std::max(right, roll.height_m(from + share * (1.5707963267948966 - from)));
        }
        // Where the way only leads down there is no barrier; it may then be anything below the present height.
        const double found = std::max(roll.barrier_m(from), roll.height_m(from));
        CHECK(found == Approx(std::min(left, right)).margin(1e-7));
    }
}
