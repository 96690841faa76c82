// Mass properties of bodies whose closed forms are known, read from their files.
#include <cmath>

#include "hil/mesh/check_mesh.hpp"
#include "hil/mesh/hull.hpp"
#include "hil/mesh/mass_properties.hpp"
#include "hil/mesh/read_mesh.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solid_shapes.hpp"

using namespace topple;
using hil::mesh::MassProperties;
using hil::mesh::SpacePoint;
using hil::mesh::TriangleMesh;

namespace {

/// Second moments of volume about the centre: {xx, yy, zz, xy, xz, yz} per volume.
using Moments = std::array<double, 6>;

MassProperties closed_form(double volume, const SpacePoint& centre, const Moments& m) {
    return {volume,
            centre,
            {volume * (m[1] + m[2]), volume * (m[0] + m[2]), volume * (m[0] + m[1]), volume * m[3], volume * m[4],
             volume * m[5]}};
}

/// Every body is read from its file and lies off the origin.
void require_properties(TriangleMesh mesh, MassProperties expected) {
    const SpacePoint shift{3.0, -2.0, 0.7};
    for (SpacePoint& p : mesh.points)
        for (std::size_t i = 0; i < 3; ++i) p[i] += shift[i];
    for (std::size_t i = 0; i < 3; ++i) expected.centre[i] += shift[i];
    const auto checked = hil::mesh::check_mesh(hil::mesh::parse_mesh(shapes::obj_text(mesh), "body.obj"));
    CHECK(checked.mended.size() == (checked.shells > 1 ? 1U : 0U));  // a cavity is told
    const MassProperties found = hil::mesh::mass_properties(checked.mesh);
    constexpr double kRelative = 1e-9;
    const double length = std::cbrt(expected.volume);
    CHECK(std::abs(found.volume - expected.volume) <= kRelative * expected.volume);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(found.centre[i] - expected.centre[i]) <= kRelative * length);
    for (std::size_t i = 0; i < 6; ++i)
        CHECK(std::abs(found.inertia[i] - expected.inertia[i]) <= kRelative * expected.volume * length * length);
}

TriangleMesh of_hull(const std::vector<SpacePoint>& points) {
    const hil::mesh::Hull hull = hil::mesh::hull_of(points, 1e-9);
    TriangleMesh mesh{hull.corners, {}};
    for (const hil::mesh::HullFace& face : hull.faces) shapes::add_polygon(mesh, face.corners);
    return mesh;
}

/// Every sign and every cyclic order of (0, a, b).
std::vector<SpacePoint> cyclic(double a, double b) {
    std::vector<SpacePoint> points;
    for (const double sa : {-a, a})
        for (const double sb : {-b, b}) {
            points.push_back({0.0, sa, sb});
            points.push_back({sb, 0.0, sa});
            points.push_back({sa, sb, 0.0});
        }
    return points;
}

TriangleMesh frustum(double a, double b, double h) {
    return of_hull({{-a / 2, -a / 2, 0},
                    {a / 2, -a / 2, 0},
                    {a / 2, a / 2, 0},
                    {-a / 2, a / 2, 0},
                    {-b / 2, -b / 2, h},
                    {b / 2, -b / 2, h},
                    {b / 2, b / 2, h},
                    {-b / 2, b / 2, h}});
}

const double kGolden = 0.5 * (1.0 + std::sqrt(5.0));

}  // namespace

TEST_CASE("A box has its closed form") {
    require_properties(shapes::box(0.2, 0.3, 0.5),
                       closed_form(0.03, {0.1, 0.15, 0.25}, {0.04 / 12, 0.09 / 12, 0.25 / 12, 0, 0, 0}));
}

TEST_CASE("A cube has the same moment about every axis however it is turned") {
    const TriangleMesh cube = shapes::turned(shapes::box(0.4, 0.4, 0.4), 0.7);
    const SpacePoint& far = cube.points[6];  // opposite of the origin, which stays
    REQUIRE(cube.points[0] == SpacePoint{0, 0, 0});
    const double m = 0.16 / 12;
    const TriangleMesh middle = shapes::turned({{{0.2, 0.2, 0.2}}, {}}, 0.7);
    CHECK(far[0] != 0.4);
    require_properties(cube, closed_form(0.064, middle.points[0], {m, m, m, 0, 0, 0}));
}

TEST_CASE("A regular tetrahedron has its closed form") {
    // Edge s: V = s^3 / (6 sqrt 2), I = m s^2 / 20.
    const double s = 2.0 * std::sqrt(2.0) * 0.1;
    const double m = s * s / 40;
    require_properties(of_hull({{0.1, 0.1, 0.1}, {0.1, -0.1, -0.1}, {-0.1, 0.1, -0.1}, {-0.1, -0.1, 0.1}}),
                       closed_form(s * s * s / (6 * std::sqrt(2.0)), {}, {m, m, m, 0, 0, 0}));
}

TEST_CASE("A wedge has its closed form with its product of inertia") {
    const double a = 0.3, b = 0.2, c = 0.4;
    require_properties(
        shapes::prism({{0, 0}, {a, 0}, {0, c}}, b),
        closed_form(0.5 * a * b * c, {a / 3, b / 2, c / 3}, {a * a / 18, b * b / 12, c * c / 18, 0, -a * c / 36, 0}));
}

TEST_CASE("A regular octahedron has its closed form") {
    // Edge s: V = sqrt(2) s^3 / 3, I = m s^2 / 10.
    const double r = 0.15, s = r * std::sqrt(2.0), m = s * s / 20;
    require_properties(of_hull({{r, 0, 0}, {-r, 0, 0}, {0, r, 0}, {0, -r, 0}, {0, 0, r}, {0, 0, -r}}),
                       closed_form(std::sqrt(2.0) * s * s * s / 3, {}, {m, m, m, 0, 0, 0}));
}

TEST_CASE("A square pyramid has its closed form") {
    const double a = 0.3, h = 0.5;
    require_properties(
        of_hull({{-a / 2, -a / 2, 0}, {a / 2, -a / 2, 0}, {a / 2, a / 2, 0}, {-a / 2, a / 2, 0}, {0, 0, h}}),
        closed_form(a * a * h / 3, {0, 0, h / 4}, {a * a / 20, a * a / 20, 3 * h * h / 80, 0, 0, 0}));
}

TEST_CASE("A frustum is a pyramid without its tip") {
    const double a = 0.4, b = 0.1, h = 0.6, whole = h * a / (a - b), tip = whole - h;
    const double va = a * a * whole / 3, vb = b * b * tip / 3, v = va - vb;
    const double first = a * a * whole * whole / 12 - (b * b * tip * tip / 12 + h * vb);
    const double second =
        a * a * std::pow(whole, 3) / 30 - (b * b * std::pow(tip, 3) / 30 + 2 * h * b * b * tip * tip / 12 + h * h * vb);
    const double z = first / v, xx = (va * a * a / 20 - vb * b * b / 20) / v;
    require_properties(frustum(a, b, h), closed_form(v, {0, 0, z}, {xx, xx, second / v - z * z, 0, 0, 0}));
}

TEST_CASE("An L is the sum of its two boxes") {
    // A foot of 0.3 x 0.1 and a leg of 0.1 x 0.4 above its left end, depth 0.2, in x-z.
    const double va = 0.3 * 0.1 * 0.2, vb = 0.1 * 0.4 * 0.2, v = va + vb;
    const double ax = 0.15, az = 0.05, bx = 0.05, bz = 0.3;
    const double x = (va * ax + vb * bx) / v, z = (va * az + vb * bz) / v;
    const double xx = (va * (0.09 / 12 + (ax - x) * (ax - x)) + vb * (0.01 / 12 + (bx - x) * (bx - x))) / v;
    const double zz = (va * (0.01 / 12 + (az - z) * (az - z)) + vb * (0.16 / 12 + (bz - z) * (bz - z))) / v;
    const double xz = (va * (ax - x) * (az - z) + vb * (bx - x) * (bz - z)) / v;
    // The outline is star-shaped about its inner corner's neighbour at the origin only if that comes first.
    require_properties(shapes::prism({{0.1, 0.1}, {0.1, 0.5}, {0, 0.5}, {0, 0}, {0.3, 0}, {0.3, 0.1}}, 0.2),
                       closed_form(v, {x, 0.1, z}, {xx, 0.04 / 12, zz, 0, xz, 0}));
}

TEST_CASE("A box with a cavity is the difference of two boxes") {
    TriangleMesh mesh = shapes::box(0.4, 0.4, 0.4);
    shapes::append(mesh, shapes::box(0.1, 0.2, 0.2), {0.05, 0.1, 0.1}, true);
    const double va = 0.064, vb = 0.004, v = va - vb, x = (va * 0.2 - vb * 0.1) / v;
    const double xx = (va * (0.16 / 12 + (0.2 - x) * (0.2 - x)) - vb * (0.01 / 12 + (0.1 - x) * (0.1 - x))) / v;
    const double yy = (va * 0.16 / 12 - vb * 0.04 / 12) / v;
    require_properties(mesh, closed_form(v, {x, 0.2, 0.2}, {xx, yy, yy, 0, 0, 0}));
}

TEST_CASE("A regular icosahedron has its closed form") {
    // Edge s: V = 5 (3 + sqrt 5) s^3 / 12, I = phi^2 m s^2 / 10.
    const double s = 0.2, m = kGolden * kGolden * s * s / 20;
    require_properties(of_hull(cyclic(s / 2, s / 2 * kGolden)),
                       closed_form(5 * (3 + std::sqrt(5.0)) * s * s * s / 12, {}, {m, m, m, 0, 0, 0}));
}

TEST_CASE("A regular dodecahedron has its closed form") {
    // Edge s: V = (15 + 7 sqrt 5) s^3 / 4, I = (39 phi + 28) m s^2 / 150.
    const double s = 0.1, half = s * kGolden / 2, m = (39 * kGolden + 28) * s * s / 300;
    std::vector<SpacePoint> points = cyclic(half / kGolden, half * kGolden);
    for (const double x : {-half, half})
        for (const double y : {-half, half})
            for (const double z : {-half, half}) points.push_back({x, y, z});
    require_properties(of_hull(points), closed_form((15 + 7 * std::sqrt(5.0)) * s * s * s / 4, {}, {m, m, m, 0, 0, 0}));
}
