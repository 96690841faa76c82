// The foot of a profile: hull, the pose in which it stands, equilibria.
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "solver/foot.hpp"
#include "solver/solid.hpp"
#include "solver/specimen.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/feet.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

std::vector<ProfilePoint> turned_by(std::vector<ProfilePoint> points, double clockwise_rad) {
    const double s = std::sin(clockwise_rad), c = std::cos(clockwise_rad);
    for (ProfilePoint& p : points) p = {p[0] * c + p[1] * s, p[1] * c - p[0] * s};
    return points;
}

const std::vector<ProfilePoint> kThreeFaces = {{-2.0, -0.6}, {-1.0, -1.0}, {1.0, -1.0}, {1.6, -0.7}};

}  // namespace

TEST_CASE("the hull leaves out points above it and on its faces") {
    const std::vector<ProfilePoint> points = {{1.0, -1.0}, {-1.0, -1.0}, {0.0, -1.0}, {0.2, -0.5}, {-2.0, -0.6},
                                              {1.6, -0.7}, {-1.5, -0.8}, {1.6, 1.0},  {0.0, 2.0}};
    const StandingFoot standing = standing_foot(points, 1.0);
    CHECK(standing.foot.corners_m == kThreeFaces);
    CHECK(standing.left_out == std::vector<std::size_t>{2, 3, 6, 7, 8});
    CHECK(standing.turned_rad == 0.0);
}

TEST_CASE("of a side that is vertical but for rounding the foot keeps the corner on the ground") {
    const double beside = std::nextafter(-0.1, -1.0);
    for (const double top : {-0.15, 0.2})
        for (const double mirror : {1.0, -1.0}) {
            const StandingFoot standing =
                standing_foot({{mirror * -0.1, -0.2}, {mirror * beside, top}, {mirror * 0.1, -0.2}}, 0.01);
            CHECK(standing.turned_rad == 0.0);
            CHECK(standing.left_out == std::vector<std::size_t>{1});
            CHECK(standing.foot.corners_m.size() == 2);
        }
}

TEST_CASE("the section of a box at any yaw is as wide as the side that the plane meets first") {
    for (const SpacePoint& size : {SpacePoint{0.1, 0.08, 0.2}, {0.064, 0.032, 0.128}, {0.24, 0.115, 0.071}}) {
        Solid box;
        for (std::size_t i = 0; i < 8; ++i) {
            SpacePoint corner;
            for (std::size_t axis = 0; axis < 3; ++axis)
                corner[axis] = ((i >> axis) % 2 == 1 ? 0.5 : -0.5) * size[axis];
            box.corners_m.push_back(corner);
            for (std::size_t bit = 1; bit < 8; bit *= 2)
                if ((i & bit) == 0) box.edges.push_back({i, i | bit});
        }
        box.mass_kg = 1.0;
        box.inertia_kg_m2 = {0.01, 0.01, 0.01, 0.0, 0.0, 0.0};
        for (int k = -800; k <= 800; ++k) {
            const double yaw = 0.25 * std::numbers::pi * k / 200.0;
            const double half = 0.5 * std::fmin(size[0] / std::abs(std::cos(yaw)), size[1] / std::abs(std::sin(yaw)));
            const Foot foot = foot_of(box, yaw).foot;
            INFO("yaw " << yaw);
            REQUIRE(foot.corners_m.size() == 2);
            CHECK(std::abs(foot.corners_m[0][0] + half) < 1e-15);
            CHECK(std::abs(foot.corners_m[1][0] - half) < 1e-15);
        }
    }
}

TEST_CASE("a profile drawn leaning settles on the face to which its weight turns it") {
    for (const double drawn_rad : {-0.3, -0.1, 0.1, 0.3, 0.6}) {
        const StandingFoot standing = standing_foot(turned_by(kThreeFaces, drawn_rad), 1.0);
        CAPTURE(drawn_rad);
        CHECK(standing.turned_rad == Approx(-drawn_rad).margin(1e-14));
        REQUIRE(standing.foot.corners_m.size() == 4);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t k = 0; k < 2; ++k)
                CHECK(standing.foot.corners_m[i][k] == Approx(kThreeFaces[i][k]).margin(1e-14));
    }
}

TEST_CASE("a profile that rests on two faces settles on the one on its side of the barrier between them") {
    const std::vector<ProfilePoint> boat = {{-1.0, -0.8}, {0.0, -1.0}, {1.0, -0.8}};
    const StandingFoot left = standing_foot(turned_by(boat, -0.01), 1.0),
                       right = standing_foot(turned_by(boat, 0.01), 1.0);
    CHECK(standing_face(left.foot) == 0);
    CHECK(standing_face(right.foot) == 1);
    CHECK(left.turned_rad == Approx(-std::atan(0.2) + 0.01).margin(1e-14));
    CHECK(standing_face(standing_foot(boat, 1.0).foot) == 1);  // balanced: to the right
    for (const FootFace& face : faces_of(right.foot, 1.0)) CHECK(face.can_rest);
}

TEST_CASE("the faces of a foot tell their slopes, heights and where the body can rest") {
    const std::vector<FootFace> faces = faces_of({kThreeFaces, 2.0}, 3.0);
    REQUIRE(faces.size() == 3);
    CHECK(faces[0].slope_rad == Approx(-std::atan(0.4)));
    CHECK(faces[1].slope_rad == 0.0);
    CHECK(faces[2].slope_rad == Approx(std::atan(0.5)));
    CHECK(faces[1].height_m == Approx(1.0));
    CHECK(faces[2].height_m == Approx(1.5 * std::cos(std::atan(0.5))));
    CHECK(faces[1].can_rest);
    CHECK_FALSE(faces[0].can_rest);  // the mass centre is over its right end's outside
    CHECK_FALSE(faces[2].can_rest);
}

TEST_CASE("the rate ratios of a face keep the angular momentum about the new corner") {
    const double mass_kg = 3.0, inertia_kg_m2 = 2.0;
    for (std::size_t i = 0; i < 3; ++i) {
        const ProfilePoint &a = kThreeFaces[i], &b = kThreeFaces[i + 1];
        // Turning at rate 1 about a: the mass centre, at -a from it, moves with [-a_z, a_x]; its moment of momentum
        // about b, then about b alone.
        const double vx = -a[1], vz = a[0];
        const double before = inertia_kg_m2 + mass_kg * (-b[1] * vx + b[0] * vz);
        const double after = inertia_kg_m2 + mass_kg * (b[0] * b[0] + b[1] * b[1]);
        CHECK(faces_of({kThreeFaces, inertia_kg_m2}, mass_kg)[i].left_to_right == Approx(before / after));
    }
}

TEST_CASE("an impact on a face takes the share of the kinetic energy that its length and height say") {
    const double mass_kg = 3.0, k2 = 2.0 / 3.0;
    const std::vector<FootFace> faces = faces_of({kThreeFaces, mass_kg * k2}, mass_kg);
    for (std::size_t i = 0; i < 3; ++i) {
        const ProfilePoint &a = kThreeFaces[i], &b = kThreeFaces[i + 1];
        const double left = k2 + a[0] * a[0] + a[1] * a[1], right = k2 + b[0] * b[0] + b[1] * b[1];
        const double length = faces[i].length_m, height = faces[i].height_m;
        const double kept = 1.0 - length * length * (k2 + height * height) / (left * right);
        CHECK(faces[i].left_to_right * faces[i].left_to_right * right / left == Approx(kept));
        CHECK(faces[i].right_to_left * faces[i].right_to_left * left / right == Approx(kept));
    }
}

TEST_CASE("a foot that cannot stand is refused with the reason") {
    using Catch::Matchers::ContainsSubstring;
    CHECK_THROWS_WITH(standing_foot({{0.0, -1.0}}, 1.0), ContainsSubstring("1 corners touch"));
    CHECK_THROWS_WITH(standing_foot({{0.5, -1.0}, {1.0, -1.0}}, 1.0), ContainsSubstring("rests on none"));
    CHECK_THROWS_WITH(validate(Foot{{{-1.0, -1.0}, {0.0, -0.9}, {1.0, -1.0}}, 1.0}), ContainsSubstring("not convex"));
    CHECK_THROWS_WITH(validate(Foot{kThreeFaces, 0.0}), ContainsSubstring("inertia_kg_m2"));
    Specimen specimen = with_foot({kThreeFaces, 1.0}, 1.0);
    specimen.restitution.model = RestitutionModel::improved;
    CHECK_THROWS_WITH(validate(specimen), ContainsSubstring("housner"));
}
