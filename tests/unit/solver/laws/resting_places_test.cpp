// Where an irregular body rests, and what takes it from one face to the next.
#include "solver/laws/resting_places.hpp"

#include <algorithm>
#include <cmath>

#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kGravity = 9.81;

Specimen body(const std::vector<ProfilePoint>& points, double mass_kg, double inertia_kg_m2) {
    Specimen specimen;
    Block block;
    block.mass_kg = mass_kg;
    specimen.blocks = {block};
    specimen.initial_rotation_rad = {0.0};
    specimen.foot = standing_foot(points, inertia_kg_m2).foot;
    return specimen;
}

/// A prism of six equal faces, of which it shows the lower ones.
Specimen hexagon(double radius_m, double mass_kg) {
    std::vector<ProfilePoint> points;
    for (int i = 0; i < 6; ++i) {
        const double angle = (i + 0.5) * std::acos(-1.0) / 3.0;
        points.push_back({radius_m * std::sin(angle), -radius_m * std::cos(angle)});
    }
    return body(points, mass_kg, mass_kg * radius_m * radius_m * 5.0 / 12.0);
}

}  // namespace

TEST_CASE("a rectangle given as a foot rests on one face and passes the hill at its slenderness") {
    const double b = 0.06, h = 0.27, m = 2.5;
    const double inertia = m * (b * b + h * h) / 12.0;
    const Specimen specimen = body({{-b / 2, -h / 2}, {b / 2, -h / 2}}, m, inertia);
    const auto places = resting_places(specimen, kGravity);
    REQUIRE(places.size() == 1);
    const double alpha = std::atan2(b, h), radius = 0.5 * std::hypot(b, h);
    CHECK(places[0].uplift_left_m_s2 == Approx(kGravity * b / h).epsilon(1e-12));
    CHECK(places[0].uplift_right_m_s2 == Approx(kGravity * b / h).epsilon(1e-12));
    CHECK(places[0].to_right.balance_rad == Approx(alpha).epsilon(1e-12));
    CHECK(places[0].to_left.balance_rad == Approx(-alpha).epsilon(1e-12));
    CHECK(places[0].to_right.energy_j == Approx(m * kGravity * (radius - h / 2)).epsilon(1e-10));
    REQUIRE(places[0].to_right.rate_rad_s);
    const double inertia_about = inertia + m * radius * radius;
    CHECK(*places[0].to_right.rate_rad_s ==
          Approx(std::sqrt(2.0 * m * kGravity * (radius - h / 2) / inertia_about)).epsilon(1e-10));
    CHECK_FALSE(places[0].to_right.face);
    CHECK_FALSE(places[0].to_left.face);
}

TEST_CASE("the uplift thresholds of the standing face are those of the specimen, in a tilted seat too") {
    Specimen specimen = body({{-0.05, -0.09}, {-0.03, -0.12}, {0.04, -0.12}, {0.07, -0.08}}, 1.3, 0.004);
    for (const double tilt_rad : {0.0, 0.05, -0.1}) {
        specimen.initial_tilt_rad = tilt_rad;
        Specimen pivoted = specimen;
        pivoted.foot.reset();
        pivoted.pivots = pivots_of(specimen);
        const auto places = resting_places(specimen, kGravity);
        const auto standing =
            std::find_if(places.begin(), places.end(), [](const RestingPlace& at) { return at.rotation_rad == 0.0; });
        REQUIRE(standing != places.end());
        CHECK(std::min(standing->uplift_left_m_s2, standing->uplift_right_m_s2) ==
              Approx(uplift_acceleration_m_s2(pivoted, kGravity)).epsilon(1e-12));
    }
}

TEST_CASE("a hexagonal prism rests on three of its faces, each a hill apart") {
    const double radius = 0.1, m = 3.0;
    const Specimen specimen = hexagon(radius, m);
    const auto places = resting_places(specimen, kGravity);
    REQUIRE(places.size() == specimen.foot->corners_m.size() - 1);
    REQUIRE(places.size() == 3);
    const double hill_j = m * kGravity * radius * (1.0 - std::cos(std::acos(-1.0) / 6.0));
    for (const RestingPlace& at : places) {
        CHECK(at.to_right.energy_j == Approx(hill_j).epsilon(1e-9));
        CHECK(at.to_left.energy_j == Approx(hill_j).epsilon(1e-9));
    }
    CHECK(places[1].to_right.face == 2u);
    CHECK(places[1].to_left.face == 0u);
    CHECK_FALSE(places[2].to_right.face);
    CHECK_FALSE(places[0].to_left.face);
    const auto limits = no_return_rad(specimen);
    CHECK(limits[1] == Approx(std::acos(-1.0) / 2.0).epsilon(1e-9));
    CHECK(limits[0] == Approx(-std::acos(-1.0) / 2.0).epsilon(1e-9));
}

TEST_CASE("what an impact on a face between takes must be brought along") {
    // A narrow face beside the standing one, on which the body cannot rest.
    Specimen specimen = body({{-0.05, -0.20}, {0.04, -0.20}, {0.05, -0.199}}, 2.0, 0.03);
    const std::vector<FootFace> faces = faces_of(*specimen.foot, 2.0);
    REQUIRE_FALSE(faces[1].can_rest);
    const WayOver lossy = resting_places(specimen, kGravity).front().to_right;
    specimen.restitution.model = RestitutionModel::fixed;  // 1 everywhere
    const WayOver free = resting_places(specimen, kGravity).front().to_right;
    CHECK(lossy.balance_rad == Approx(std::atan2(0.05, 0.199)).epsilon(1e-12));
    CHECK(lossy.energy_j == Approx(2.0 * kGravity * (std::hypot(0.05, 0.199) - 0.20)).epsilon(1e-10));
    REQUIRE((lossy.rate_rad_s && free.rate_rad_s));
    CHECK(*lossy.rate_rad_s > *free.rate_rad_s);
    const auto inertia_about = [](double x, double z) { return 0.03 + 2.0 * (x * x + z * z); };
    const double first = std::atan2(0.04, 0.20), slope = std::atan2(0.001, 0.01);
    const double arc_one = 2.0 * kGravity * std::hypot(0.04, 0.20) * (std::cos(first - slope) - std::cos(first));
    const double arc_two = 2.0 * kGravity * std::hypot(0.05, 0.199) * (1.0 - std::cos(std::atan2(0.05, 0.199) - slope));
    const double expected = std::sqrt(2.0 * arc_two / inertia_about(0.05, 0.199) / std::pow(faces[1].left_to_right, 2) +
                                      2.0 * arc_one / inertia_about(0.04, 0.20));
    CHECK(*lossy.rate_rad_s == Approx(expected).epsilon(1e-10));
    specimen.restitution.fixed_left_to_right = 0.0;
    CHECK_FALSE(resting_places(specimen, kGravity).front().to_right.rate_rad_s);
}

TEST_CASE("the mirror image of a body has the mirrored ways") {
    const std::vector<ProfilePoint> points{{-0.09, -0.02}, {-0.05, -0.10}, {0.03, -0.12}, {0.08, -0.05}};
    std::vector<ProfilePoint> image;
    for (const ProfilePoint& point : points) image.push_back({-point[0], point[1]});
    Specimen specimen = body(points, 1.0, 0.002), other = body(image, 1.0, 0.002);
    specimen.initial_tilt_rad = 0.02;
    other.initial_tilt_rad = -0.02;
    const auto here = resting_places(specimen, kGravity), there = resting_places(other, kGravity);
    REQUIRE(here.size() == there.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
        const RestingPlace &a = here[i], &b = there[here.size() - 1 - i];
        CHECK(a.uplift_left_m_s2 == Approx(b.uplift_right_m_s2).epsilon(1e-9));
        CHECK(a.to_left.balance_rad == Approx(-b.to_right.balance_rad).epsilon(1e-9));
        CHECK(a.to_left.energy_j == Approx(b.to_right.energy_j).epsilon(1e-9));
        CHECK(a.to_left.rate_rad_s.value_or(-1.0) == Approx(b.to_right.rate_rad_s.value_or(-1.0)).epsilon(1e-9));
        CHECK(a.to_left.face.has_value() == b.to_right.face.has_value());
    }
}

TEST_CASE("a block and an asymmetric body return from below their slenderness") {
    CHECK(no_return_rad(topple::test::b6l())[1] == Approx(std::atan2(0.06, 0.27)));
    CHECK_FALSE(pivots_of(topple::test::b6l()));
    CHECK(resting_places(topple::test::b6l()).empty());
    CHECK(face_ratios(topple::test::b6l()).empty());
}
