// How long a mesh of a million triangles takes from its file to its properties, step by step; usage: mesh_bench [FILE]
#include <fmt/format.h>

#include <chrono>
#include <ctime>
#include <optional>

#include "hil/mesh/check_mesh.hpp"
#include "hil/mesh/hull.hpp"
#include "hil/mesh/mass_properties.hpp"
#include "hil/mesh/mesh_body.hpp"
#include "hil/mesh/read_mesh.hpp"
#include "tests/support/solid_shapes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;

namespace {

/// Prints wall-clock and processor time of a step.
template <class Work>
auto timed(const char* name, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t used = std::clock();
    auto result = work();
    fmt::print("  {:<28}{:8.3f} s, {:8.3f} s of the processor\n", name,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
               static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC);
    return result;
}

void measure(const std::string& what, const std::filesystem::path& file) {
    const hil::mesh::TriangleMesh mesh = timed("read", [&] { return hil::mesh::read_mesh(file); });
    fmt::print("  {}: {} triangles\n", what, mesh.triangles.size());
    const auto checked = timed("check and mend", [&] { return hil::mesh::check_mesh(mesh); });
    timed("volume, centre, inertia", [&] { return hil::mesh::mass_properties(checked.mesh); });
    const double tolerance =
        hil::mesh::kContactToleranceShare * hil::mesh::box_of(checked.mesh.points).largest_extent();
    timed("hull", [&] { return hil::mesh::hull_of(checked.mesh.points, tolerance); });
    hil::mesh::MeshRequest request;
    request.density_kg_m3 = 2650.0;
    const auto body = timed("file to standing body", [&] { return hil::mesh::mesh_body(file, request); });
    fmt::print("  {} faces of the hull, it rests on {}\n\n", body.hull_faces, body.resting.size());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) return measure(argv[1], argv[1]), 0;
    const tests::TemporaryFolder folder;
    measure("stone", folder.write("stone.obj", shapes::obj_text(shapes::star(501, shapes::stone_radius))));
    measure("sphere", folder.write("sphere.obj", shapes::obj_text(shapes::star(501, [](const auto&) { return 0.2; }))));
}
