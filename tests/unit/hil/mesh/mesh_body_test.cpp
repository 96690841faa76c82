// The hull of a body, the faces on which it can rest, and how it stands.
#include "hil/mesh/mesh_body.hpp"

#include <cmath>
#include <random>

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solid_shapes.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
using hil::mesh::mesh_body;
using hil::mesh::MeshRequest;
using hil::mesh::TriangleMesh;

namespace {

MeshRequest of_mass(double mass_kg) {
    MeshRequest request;
    request.mass_kg = mass_kg;
    return request;
}

}  // namespace

TEST_CASE("A box rests on six faces and stands on the one below it") {
    const auto body = mesh_body(shapes::box(0.2, 0.3, 0.5), "box.obj", of_mass(12.0));
    REQUIRE(body.resting.size() == 6);
    CHECK(body.settled == 0);
    CHECK(body.resting[0].tilt_rad == Approx(0.0).margin(1e-12));
    CHECK(body.resting[0].area_m2 == Approx(0.06));
    CHECK(body.resting[0].stability_rad == Approx(std::atan2(0.1, 0.25)));
    CHECK(body.resting[5].tilt_rad == Approx(std::numbers::pi));
    CHECK(body.density_kg_m3 == Approx(400.0));
    CHECK(body.solid->mass_kg == Approx(12.0));
    CHECK(body.solid->corners_m.size() == 8);
    CHECK(body.solid->edges.size() == 12);
    CHECK(body.solid->inertia_kg_m2[1] == Approx(12.0 * (0.04 + 0.25) / 12));
    // Its section is the block of its width and height.
    const solver::StandingFoot stands = solver::foot_of(*body.solid, 0.0);
    REQUIRE(stands.foot.corners_m.size() == 2);
    CHECK(stands.turned_rad == 0.0);
    CHECK(stands.foot.corners_m[1][0] == Approx(0.1));
    CHECK(stands.foot.corners_m[1][1] == Approx(-0.25));
    const solver::StandingFoot across = solver::foot_of(*body.solid, 0.5 * std::numbers::pi);
    CHECK(across.foot.corners_m[1][0] == Approx(0.15));
    CHECK(across.foot.inertia_kg_m2 == Approx(12.0 * (0.09 + 0.25) / 12));
}

TEST_CASE("Turned any way and chosen by number a body stands level on the face, with its inertia turned along") {
    for (const double angle_rad : {0.0, 0.4, 1.9, 3.0}) {
        const TriangleMesh mesh = shapes::turned(shapes::box(0.2, 0.3, 0.5), angle_rad);
        for (std::size_t face = 0; face < 6; ++face) {
            MeshRequest request = of_mass(12.0);
            request.resting_face = face;
            const auto body = mesh_body(mesh, "box.obj", request);
            const double height_m = body.resting[face].height_m;
            int level = 0;
            for (const auto& corner : body.solid->corners_m) {
                CHECK(corner[2] >= -height_m);
                if (corner[2] == -height_m) ++level;
            }
            CHECK(level == 4);
            // About the vertical: the inertia of the two sides that are level.
            const double area_m2 = body.resting[face].area_m2, long_m = 0.03 / area_m2;
            const double level_sum = 0.04 + 0.09 + 0.25 - long_m * long_m;
            CHECK(body.solid->inertia_kg_m2[2] == Approx(12.0 * level_sum / 12).epsilon(1e-9));
            CHECK(body.solid->inertia_kg_m2[4] == Approx(0.0).margin(1e-12));
        }
    }
}

TEST_CASE("A body settles from the pose of its file the way that its weight turns it") {
    // A box on its edge, leaning by 0.3 rad more to one side than to the other.
    TriangleMesh box = shapes::box(0.2, 0.3, 0.2);
    for (const double lean_rad : {0.5, 1.0}) {
        TriangleMesh leaning = box;
        for (auto& p : leaning.points)
            p = {p[0] * std::cos(lean_rad) + p[2] * std::sin(lean_rad), p[1],
                 p[2] * std::cos(lean_rad) - p[0] * std::sin(lean_rad)};
        const auto body = mesh_body(leaning, "box.obj", of_mass(1.0));
        // Below 45 deg it falls back by the angle, above it goes on to the next face.
        const double expected_rad = lean_rad < std::numbers::pi / 4 ? lean_rad : std::numbers::pi / 2 - lean_rad;
        CHECK(body.resting[body.settled].tilt_rad == Approx(expected_rad).epsilon(1e-9));
    }
}

TEST_CASE("The noise of a scan makes no faces, and a face is what it was without the noise") {
    TriangleMesh mesh = shapes::star(60, [](const auto& d) {
        return 0.2 / std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
    });
    std::mt19937 random(7);
    std::normal_distribution<double> noise(0.0, 5e-6);  // the tolerance is 4e-5
    for (auto& p : mesh.points)
        for (double& x : p) x += noise(random);
    const auto body = mesh_body(mesh, "scan.obj", of_mass(1.0));
    CHECK(body.resting[body.stands_on].stability_rad == Approx(std::numbers::pi / 4).margin(0.01));
    CHECK(body.hull_faces < 100);
}

TEST_CASE("The axis of the file that is up becomes z") {
    const std::pair<const char*, double> cases[] = {{"x", 0.2},  {"-x", 0.2}, {"y", 0.3},
                                                    {"-y", 0.3}, {"z", 0.5},  {"-z", 0.5}};
    for (const auto& [up, height_m] : cases) {
        MeshRequest request = of_mass(1.0);
        request.up = up;
        const auto body = mesh_body(shapes::box(0.2, 0.3, 0.5), "box.obj", request);
        CHECK(body.extent_m[2] == Approx(height_m));
        CHECK(body.resting[body.settled].height_m == Approx(height_m / 2));
    }
}

TEST_CASE("A resting face that is not there is refused with how many there are") {
    MeshRequest request = of_mass(1.0);
    request.resting_face = 6;
    CHECK_THROWS_WITH(mesh_body(shapes::box(0.2, 0.3, 0.5), "box.obj", request),
                      ContainsSubstring("resting_face = 6; allowed: 0 to 5"));
}
