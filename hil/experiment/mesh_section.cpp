// mesh = "stone.obj": a body from a mesh file, and how far a body goes on across the plane.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>

#include "hil/experiment/sections.hpp"
#include "hil/files/errors.hpp"
#include "hil/mesh/mesh_body.hpp"
#include "hil/mesh/shared_body.hpp"
#include "solver/study/standing_pose.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::int64_t kRestingFacesMax = 1'000'000;
const NumberRange kDensity = above(0.0, 1e5);
const NumberRange kTolerance = above(0.0, 0.1);
const NumberRange kYaw = between(-std::numbers::pi, std::numbers::pi);

mesh::MeshUnit read_unit(TomlTable& table) {
    std::vector<std::string_view> names;
    for (const mesh::MeshUnit& unit : mesh::kMeshUnits) names.push_back(unit.name);
    const std::string name = table.one_of("mesh_unit", names);
    for (const mesh::MeshUnit& unit : mesh::kMeshUnits)
        if (unit.name == name) return unit;
    table.fail("mesh_unit", "unknown");
}

mesh::MeshRequest read_request(TomlTable& table) {
    mesh::MeshRequest request;
    request.unit = read_unit(table);
    request.up = table.one_of_or("up", {"x", "y", "z", "-x", "-y", "-z"}, "z");
    if (table.has("density_kg_m3") && table.has("mass_kg"))
        table.fail("density_kg_m3", "not allowed together with mass_kg: write one of them");
    if (table.has("density_kg_m3"))
        request.density_kg_m3 = table.number("density_kg_m3", kDensity);
    else if (!table.has("mass_kg"))
        table.fail("mesh", "needs density_kg_m3 or mass_kg: write one of them");
    else
        request.mass_kg = table.number("mass_kg", above(0.0, kMassMax_kg));
    if (table.has("resting_face"))
        request.resting_face = static_cast<std::size_t>(table.integer_or("resting_face", 0, kRestingFacesMax, 0));
    request.contact_tolerance_m = table.optional_number("contact_tolerance_m", kTolerance);
    return request;
}

/// The section in the shaking plane, as the foot on which the body stands.
void take_section(TomlTable& table, solver::Specimen& specimen) {
    try {
        specimen.foot = solver::foot_of(*specimen.solid, specimen.yaw_rad).foot;
    } catch (const std::invalid_argument& error) {
        table.fail(table.has("yaw_rad") ? "yaw_rad" : "mesh",
                   fmt::format("the section in the shaking plane cannot be used: {}", error.what()));
    }
    specimen.blocks = {block_around(*specimen.foot, specimen.solid->mass_kg)};
}

}  // namespace

void read_mesh_keys(TomlTable& table, const std::filesystem::path& directory, WrittenSpecimen& written) {
    for (const char* key : {"width_m", "height_m", "depth_m", "centre_offset_y_m", "pivots", "foot", "inertia_kg_m2"})
        if (table.has(key))
            table.fail(key, "not allowed together with mesh, from which it follows: write mass_kg or density_kg_m3");
    const std::string name = table.text("mesh");
    const mesh::MeshRequest request = read_request(table);
    std::shared_ptr<const mesh::MeshBody> body;
    try {
        body = mesh::shared_mesh_body(directory / name, request);
    } catch (const mesh::RestingFaceError& error) {
        table.fail("resting_face", error.what());
    } catch (const files::InputError& error) {
        table.fail("mesh", error.what());
    }
    const NumberRange mass = above(0.0, kMassMax_kg);
    if (!mass.contains(body->solid->mass_kg))
        table.fail("density_kg_m3",
                   fmt::format("makes a body of {:.4g} kg; allowed: {}", body->solid->mass_kg, mass.text()));
    written.specimen.solid = body->solid;
    written.specimen.yaw_rad = table.number_or("yaw_rad", kYaw, 0.0);
    take_section(table, written.specimen);
    written.shape.mesh = std::move(body);
}

void read_depth(TomlTable& table, WrittenSpecimen& written) {
    SpecimenShape& shape = written.shape;
    shape.depth_m = table.optional_number("depth_m", above(0.0, kLengthMax_m));
    if (!shape.depth_m && table.has("centre_offset_y_m"))
        table.fail("centre_offset_y_m", "needs depth_m, the size of the body across the plane");
    shape.centre_offset_y_m = table.number_or("centre_offset_y_m", between(-kLengthMax_m, kLengthMax_m), 0.0);
    if (shape.depth_m && !(std::abs(shape.centre_offset_y_m) < 0.5 * *shape.depth_m))
        table.fail("centre_offset_y_m",
                   fmt::format("must be within half of depth_m, -{0:.4g} to {0:.4g}: the mass centre is over the foot",
                               0.5 * *shape.depth_m));
    solver::Specimen& specimen = written.specimen;
    if (shape.depth_m && !specimen.foot && !specimen.pivots)
        specimen.solid = std::make_shared<const solver::Solid>(
            solver::box_of(specimen.blocks.front(), *shape.depth_m, shape.centre_offset_y_m));
}

}  // namespace topple::hil::experiment
