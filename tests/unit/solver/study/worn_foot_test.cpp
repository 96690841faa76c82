#include "solver/study/worn_foot.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

Foot rectangle() { return {{{-0.03, -0.135}, {0.03, -0.135}}, 0.016}; }

/// Signed distance of a point over the line through face i.
double over(const Foot& foot, std::size_t i, const ProfilePoint& p) {
    const auto &a = foot.corners_m[i], &b = foot.corners_m[i + 1];
    return ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / std::hypot(b[0] - a[0], b[1] - a[1]);
}

/// Any convex foot that stands level, from slopes and lengths of its faces.
Foot random_foot(SplitMix64& random, int left, int right) {
    Foot foot{{{-0.02 - 0.02 * random.uniform(), -0.1}, {0.02 + 0.02 * random.uniform(), -0.1}}, 0.01};
    double slope = 0.0;
    for (int i = 0; i < right; ++i) {
        slope += 0.05 + 0.3 * random.uniform();
        const double dx = 0.002 + 0.01 * random.uniform();
        foot.corners_m.push_back({foot.corners_m.back()[0] + dx, foot.corners_m.back()[1] + slope * dx});
    }
    slope = 0.0;
    for (int i = 0; i < left; ++i) {
        slope += 0.05 + 0.3 * random.uniform();
        const double dx = 0.002 + 0.01 * random.uniform();
        const ProfilePoint& first = foot.corners_m.front();
        foot.corners_m.insert(foot.corners_m.begin(), {first[0] - dx, first[1] + slope * dx});
    }
    return foot;
}

}  // namespace

TEST_CASE("The worn corner of a rectangle is an arc tangent to the base and to the side") {
    const double radius_m = 0.004;
    const WornFoot result = worn(rectangle(), radius_m);
    validate(result.foot);
    const auto& corners = result.foot.corners_m;
    const auto chords = static_cast<std::size_t>(std::ceil(0.5 * std::numbers::pi / kWearChord_rad));
    REQUIRE(corners.size() == 2 * (chords + 1));
    CHECK(corners.front()[0] == Approx(-0.03).epsilon(1e-14));
    CHECK(corners.back()[1] == Approx(-0.135 + radius_m).epsilon(1e-14));
    CHECK(corners[chords][0] == Approx(-0.03 + radius_m).epsilon(1e-14));
    CHECK(corners[chords][1] == -0.135);
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const double centre_m = i <= chords ? -0.026 : 0.026;
        CHECK(std::hypot(corners[i][0] - centre_m, corners[i][1] + 0.131) == Approx(radius_m).epsilon(1e-12));
    }
    CHECK(result.face_before[chords] == std::size_t{0});
    CHECK_FALSE(result.face_before.front());
    CHECK(result.foot.inertia_kg_m2 == rectangle().inertia_kg_m2);
}

TEST_CASE("No wear leaves the foot as it was") {
    const WornFoot result = worn(rectangle(), 0.0);
    CHECK(result.foot.corners_m == rectangle().corners_m);
    CHECK(result.face_before.at(0) == std::size_t{0});
}

TEST_CASE("A chamfer shorter than its arcs is worn away, a longer one stays on its line") {
    const Foot chamfered{{{-0.03, -0.134}, {-0.029, -0.135}, {0.029, -0.135}, {0.03, -0.134}}, 0.016};
    const auto keeps = [&](double radius_m, std::size_t face) {
        for (const auto& before : worn(chamfered, radius_m).face_before)
            if (before == face) return true;
        return false;
    };
    CHECK(keeps(0.0005, 0));
    CHECK_FALSE(keeps(0.004, 0));
    CHECK(keeps(0.004, 1));
}

TEST_CASE("Wear that leaves no level face on one side of the mass centre is refused with how far it reaches") {
    CHECK_THROWS_WITH(worn(rectangle(), 0.03), Catch::Contains("0.030000 m to its left"));
    const Foot eccentric{{{-0.05, -0.135}, {0.01, -0.135}}, 0.016};
    CHECK_NOTHROW(worn(eccentric, 0.0099));
    CHECK_THROWS_AS(worn(eccentric, 0.0101), std::invalid_argument);
    CHECK_THROWS_AS(worn(rectangle(), -0.001), std::invalid_argument);
    CHECK_THROWS_AS(worn(rectangle(), NAN), std::invalid_argument);
}

TEST_CASE("A worn foot lies within the foot, touches the lines of the faces that are left and stands as before") {
    SplitMix64 random(11);
    for (int trial = 0; trial < 200; ++trial) {
        const Foot foot = random_foot(random, trial % 4, trial % 5);
        const double radius_m = 0.015 * random.uniform();
        CAPTURE(trial, radius_m);
        const WornFoot result = worn(foot, radius_m);
        validate(result.foot);
        REQUIRE(result.face_before.size() + 1 == result.foot.corners_m.size());
        REQUIRE(result.face_before[standing_face(result.foot)] == standing_face(foot));
        for (const ProfilePoint& corner : result.foot.corners_m)
            for (std::size_t i = 0; i + 1 < foot.corners_m.size(); ++i) REQUIRE(over(foot, i, corner) > -1e-15);
        for (std::size_t i = 0; i < result.face_before.size(); ++i) {
            if (!result.face_before[i]) continue;
            REQUIRE(std::abs(over(foot, *result.face_before[i], result.foot.corners_m[i])) < 1e-15);
            REQUIRE(std::abs(over(foot, *result.face_before[i], result.foot.corners_m[i + 1])) < 1e-15);
        }
    }
}
