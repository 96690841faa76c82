#include "hil/mesh/mesh_body.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hil/files/errors.hpp"
#include "hil/mesh/check_mesh.hpp"
#include "hil/mesh/mass_properties.hpp"
#include "hil/mesh/read_mesh.hpp"

namespace topple::hil::mesh {
namespace {

/// Rows of a rotation.
using Turn = std::array<SpacePoint, 3>;

SpacePoint turned(const Turn& turn, const SpacePoint& p) noexcept {
    return {dot(turn[0], p), dot(turn[1], p), dot(turn[2], p)};
}

/// Brings the axis of the file that is up to z. A turn about one axis, so that right-handed stays right-handed.
Turn turn_up(const std::string& up) {
    if (up == "z") return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (up == "-z") return {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    if (up == "y") return {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}};
    if (up == "-y") return {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    if (up == "x") return {{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}};
    if (up == "-x") return {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}};
    throw files::InputError(fmt::format("up = \"{}\"; allowed: x y z -x -y -z", up));
}

/// Brings this outward normal to straight down, about a horizontal axis (Rodrigues). Upside down: about x.
Turn turn_down(const SpacePoint& normal) noexcept {
    const double c = -normal[2];
    const double sideways = std::hypot(normal[0], normal[1]);
    if (sideways < 1e-15) {
        if (c > 0.0) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        return {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
    }
    // Axis k = normal x (0, 0, -1), of length sideways.
    const double kx = -normal[1] / sideways, ky = normal[0] / sideways, s = sideways, v = 1.0 - c;
    return {{{c + kx * kx * v, kx * ky * v, ky * s}, {kx * ky * v, c + ky * ky * v, -kx * s}, {-ky * s, kx * s, c}}};
}

/// R J R^T of the tensor {xx, yy, zz, xy, xz, yz} whose products have the sign of solver::Solid.
std::array<double, 6> turned_inertia(const Turn& turn, const std::array<double, 6>& i) noexcept {
    const std::array<SpacePoint, 3> tensor = {{{i[0], -i[3], -i[4]}, {-i[3], i[1], -i[5]}, {-i[4], -i[5], i[2]}}};
    const auto element = [&](std::size_t a, std::size_t b) {
        SpacePoint column{};
        for (std::size_t k = 0; k < 3; ++k) column[k] = dot(tensor[k], turn[b]);
        return dot(turn[a], column);
    };
    return {element(0, 0), element(1, 1), element(2, 2), -element(0, 1), -element(0, 2), -element(1, 2)};
}

void scale_and_turn(TriangleMesh& mesh, const MeshRequest& request) {
    const Turn turn = turn_up(request.up);
    for (SpacePoint& point : mesh.points) {
        for (double& coordinate : point) coordinate *= request.unit.length_m;
        point = turned(turn, point);
    }
}

/// The hull and its mass on the chosen face, which lies exactly level.
solver::Solid standing(const Hull& hull, const MassProperties& unit_density, const MeshBody& body) {
    const RestingFace& on = body.resting[body.stands_on];
    const Turn turn = turn_down(hull.faces[on.face].normal);
    solver::Solid solid;
    for (const SpacePoint& corner : hull.corners) solid.corners_m.push_back(turned(turn, corner - unit_density.centre));
    for (const std::uint32_t corner : hull.faces[on.face].corners) solid.corners_m[corner][2] = -on.height_m;
    // What lies within rounding of the base, or below it by the tolerance, lies on it.
    for (SpacePoint& corner : solid.corners_m) corner[2] = std::max(corner[2], -on.height_m);
    solid.edges = edges_of(hull);
    solid.mass_kg = body.density_kg_m3 * body.volume_m3;
    solid.inertia_kg_m2 = turned_inertia(turn, unit_density.inertia);
    for (double& element : solid.inertia_kg_m2) element *= body.density_kg_m3;
    return solid;
}

void choose_face(MeshBody& body, const Hull& hull, const MeshRequest& request) {
    body.resting = resting_faces(hull, body.centre_m);
    const std::optional<std::size_t> settled = settled_face(hull, body.centre_m, body.resting);
    if (!settled) throw files::InputError("no face of its hull is found on which it comes to rest");
    body.settled = *settled;
    body.stands_on = request.resting_face.value_or(body.settled);
    if (body.stands_on >= body.resting.size())
        throw RestingFaceError(fmt::format("resting_face = {}; allowed: 0 to {} (`topple plan` lists them)",
                                           body.stands_on, body.resting.size() - 1));
}

MeshBody body_of(TriangleMesh mesh, const MeshRequest& request) {
    CheckedMesh checked = check_mesh(std::move(mesh));
    require_likely_size(box_of(checked.mesh.points).largest_extent(), request.unit);
    scale_and_turn(checked.mesh, request);
    const MassProperties unit_density = mass_properties(checked.mesh);
    const Box box = box_of(checked.mesh.points);
    MeshBody body;
    body.unit = request.unit;
    body.triangles = checked.mesh.triangles.size();
    body.points = checked.mesh.points.size();
    body.shells = checked.shells;
    body.mended = std::move(checked.mended);
    body.extent_m = box.high - box.low;
    body.volume_m3 = unit_density.volume;
    body.density_kg_m3 = request.density_kg_m3.value_or(request.mass_kg.value_or(0.0) / unit_density.volume);
    body.centre_m = unit_density.centre;
    body.contact_tolerance_m = request.contact_tolerance_m.value_or(kContactToleranceShare * box.largest_extent());
    const Hull hull = hull_of(checked.mesh.points, body.contact_tolerance_m);
    body.hull_faces = hull.faces.size();
    choose_face(body, hull, request);
    body.solid = std::make_shared<const solver::Solid>(standing(hull, unit_density, body));
    return body;
}

}  // namespace

MeshBody mesh_body(TriangleMesh mesh, const std::string& name, const MeshRequest& request) {
    try {
        MeshBody body = body_of(std::move(mesh), request);
        body.file = name;
        return body;
    } catch (const RestingFaceError& error) {
        throw RestingFaceError(fmt::format("{}: {}", name, error.what()));
    } catch (const files::InputError& error) {
        throw files::InputError(fmt::format("{}: {}", name, error.what()));
    }
}

MeshBody mesh_body(const std::filesystem::path& file, const MeshRequest& request) {
    return mesh_body(read_mesh(file), file.string(), request);
}

}  // namespace topple::hil::mesh
