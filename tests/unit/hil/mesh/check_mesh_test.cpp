// What is mended in a mesh, with which words, and what is refused.
#include "hil/mesh/check_mesh.hpp"

#include <algorithm>
#include <random>

#include "hil/files/errors.hpp"
#include "hil/mesh/mass_properties.hpp"
#include "hil/mesh/mesh_body.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solid_shapes.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
using hil::mesh::check_mesh;
using hil::mesh::TriangleMesh;

namespace {

double volume(const hil::mesh::CheckedMesh& checked) { return hil::mesh::mass_properties(checked.mesh).volume; }

std::string refusal(const TriangleMesh& mesh) {
    try {
        check_mesh(mesh);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::string size_refusal(double scale, const char* unit) {
    TriangleMesh mesh = shapes::box(0.2 * scale, 0.3 * scale, 0.5 * scale);
    hil::mesh::MeshRequest request;
    request.mass_kg = 1.0;
    for (const hil::mesh::MeshUnit& known : hil::mesh::kMeshUnits)
        if (known.name == unit) request.unit = known;
    try {
        hil::mesh::mesh_body(std::move(mesh), "box.obj", request);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "accepted";
}

/// A sphere of 1 m without the triangles at its top.
TriangleMesh open_sphere(std::size_t rings) {
    TriangleMesh mesh = shapes::star(40, [](const auto&) { return 1.0; });
    const double lowest = std::cos(std::numbers::pi * static_cast<double>(rings) / 40) - 1e-9;
    std::erase_if(mesh.triangles, [&](const auto& t) {
        return std::all_of(t.begin(), t.end(), [&](auto corner) { return mesh.points[corner][2] >= lowest; });
    });
    return mesh;
}

}  // namespace

TEST_CASE("A sound mesh is taken as it is") {
    const auto checked = check_mesh(shapes::box(0.2, 0.3, 0.5));
    CHECK(checked.mended.empty());
    CHECK(checked.shells == 1);
    CHECK(volume(checked) == Approx(0.03).epsilon(1e-12));
}

TEST_CASE("Points that come once per triangle are welded, and so are those within rounding on an open edge") {
    const TriangleMesh box = shapes::box(0.2, 0.3, 0.5);
    TriangleMesh soup;
    std::mt19937 random(1);
    for (const double noise : {0.0, 1e-9}) {
        soup = {};
        std::uniform_real_distribution<double> shift(-noise, noise);
        for (const auto& t : box.triangles) {
            const auto first = static_cast<std::uint32_t>(soup.points.size());
            for (const auto corner : t) {
                soup.points.push_back(box.points[corner]);
                for (double& x : soup.points.back()) x += shift(random);
            }
            soup.triangles.push_back({first, first + 1, first + 2});
        }
        const auto checked = check_mesh(soup);
        REQUIRE(checked.mended.size() == 1);
        CHECK_THAT(checked.mended[0], ContainsSubstring("28"));
        CHECK(volume(checked) == Approx(0.03).epsilon(1e-7));
    }
}

TEST_CASE("Faces that point the other way than their neighbours are turned, and the whole body if it is inside out") {
    TriangleMesh box = shapes::box(0.2, 0.3, 0.5);
    for (const std::size_t t : {2U, 7U, 8U}) std::swap(box.triangles[t][0], box.triangles[t][1]);
    const auto checked = check_mesh(box);
    REQUIRE(checked.mended.size() == 1);
    CHECK_THAT(checked.mended[0], ContainsSubstring("3 of 12 faces"));
    CHECK(volume(checked) == Approx(0.03).epsilon(1e-12));
    for (auto& t : box.triangles) std::swap(t[1], t[2]);
    const auto inverted = check_mesh(box);
    REQUIRE(inverted.mended.size() == 2);
    CHECK_THAT(inverted.mended[1], ContainsSubstring("1 of 1 surfaces were inside out"));
    CHECK(volume(inverted) == Approx(0.03).epsilon(1e-12));
}

TEST_CASE("A surface within another is a cavity however it points, and one beside it a second body") {
    for (const bool inverted : {false, true}) {
        TriangleMesh hollow = shapes::box(0.4, 0.4, 0.4);
        shapes::append(hollow, shapes::box(0.1, 0.1, 0.1), {0.1, 0.1, 0.1}, inverted);
        const auto checked = check_mesh(hollow);
        CHECK(checked.shells == 2);
        CHECK(volume(checked) == Approx(0.063).epsilon(1e-12));
        CHECK_THAT(checked.mended.back(), ContainsSubstring("taken as cavities"));
        CHECK(checked.mended.size() == (inverted ? 1U : 2U));
    }
    TriangleMesh pair = shapes::box(0.4, 0.4, 0.4);
    shapes::append(pair, shapes::box(0.1, 0.1, 0.1), {0.5, 0.1, 0.1});
    CHECK(volume(check_mesh(pair)) == Approx(0.065).epsilon(1e-12));
}

TEST_CASE("A small plane hole is closed with a word, a large or crooked one is refused with its place") {
    const auto checked = check_mesh(open_sphere(1));  // 2 sin(pi / 40) = 0.157 wide of 2
    REQUIRE(checked.mended.size() == 1);
    CHECK_THAT(checked.mended[0], ContainsSubstring("1 plane hole closed, the largest 0.157 wide around (") &&
                                      ContainsSubstring("0.996917)"));
    // The cap is missing: its volume is known.
    const double whole = volume(check_mesh(shapes::star(40, [](const auto&) { return 1.0; })));
    CHECK(volume(checked) < whole);
    CHECK(whole - volume(checked) < 1e-4);
    CHECK_THAT(refusal(open_sphere(5)), ContainsSubstring("not closed: 1 hole with 80 open edges") &&
                                            ContainsSubstring("0.765 wide (0.38 of the body)"));
    TriangleMesh crooked = open_sphere(1);
    crooked.points[1][2] -= 0.05;  // on the edge of the hole
    CHECK_THAT(refusal(crooked), ContainsSubstring("not closed"));
    // Both caps of a box without its ends.
    TriangleMesh tube = shapes::box(0.2, 0.3, 0.5);
    std::erase_if(tube.triangles, [&](const auto& t) {
        return tube.points[t[0]][2] == tube.points[t[1]][2] && tube.points[t[0]][2] == tube.points[t[2]][2];
    });
    CHECK_THAT(refusal(tube), ContainsSubstring("2 holes with 8 open edges"));
}

TEST_CASE("What encloses nothing is refused") {
    // A band that is twisted once, closed by an edge that it shares with itself.
    TriangleMesh band;
    constexpr std::uint32_t n = 12;
    for (std::uint32_t i = 0; i < n; ++i) {
        const double at = 2 * std::numbers::pi * i / n, twist = at / 2;
        for (const double side : {-0.1, 0.1})
            band.points.push_back({(1 + side * std::cos(twist)) * std::cos(at),
                                   (1 + side * std::cos(twist)) * std::sin(at), side * std::sin(twist)});
        const bool last = i + 1 == n;
        const std::uint32_t a = 2 * i, b = 2 * i + 1, c = last ? 1 : a + 2, d = last ? 0 : b + 2;
        band.triangles.push_back({a, c, b});
        band.triangles.push_back({c, d, b});
    }
    CHECK_THAT(refusal(band), ContainsSubstring("one side only"));
    TriangleMesh flat = shapes::box(0.2, 0.3, 0.0);
    CHECK(refusal(flat) != "accepted");
    TriangleMesh twice = shapes::box(0.2, 0.3, 0.5);
    twice.triangles.push_back(twice.triangles.front());
    CHECK_THAT(refusal(twice), ContainsSubstring("belong to more than two faces"));
    TriangleMesh crumbs;
    for (int i = 0; i < 70; ++i) shapes::append(crumbs, shapes::box(0.1, 0.1, 0.1), {0.2 * i, 0, 0});
    CHECK_THAT(refusal(crumbs), ContainsSubstring("70 separate surfaces"));
}

TEST_CASE("A size that no body of a table has is refused with the units that would fit") {
    CHECK(size_refusal(1.0, "m") == "accepted");
    CHECK(size_refusal(500.0, "mm") == "accepted");
    CHECK_THAT(size_refusal(1000.0, "m"), ContainsSubstring("500 m") && ContainsSubstring("\"mm\" makes it 0.5 m"));
    CHECK_THAT(size_refusal(1.0, "mm"), ContainsSubstring("0.0005 m") && ContainsSubstring("\"m\" makes it 0.5 m"));
}
