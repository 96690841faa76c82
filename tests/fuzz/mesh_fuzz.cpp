// Any bytes as a mesh file of any name: refused with a reason, or a closed body with finite properties.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "hil/files/errors.hpp"
#include "hil/mesh/mesh_body.hpp"
#include "hil/mesh/read_mesh.hpp"
#include "tests/fuzz/require.hpp"

using namespace topple;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    constexpr const char* kNames[] = {"mesh.obj", "mesh.stl", "mesh.ply"};
    const char* name = kNames[bytes[0] % 3];  // 'o' (111) obj, 'p' (112) stl, 'n' (110) ply
    try {
        hil::mesh::TriangleMesh mesh =
            hil::mesh::parse_mesh({reinterpret_cast<const char*>(bytes) + 1, size - 1}, name);
        for (const auto& triangle : mesh.triangles)
            for (const auto corner : triangle) require(corner < mesh.points.size(), "corners are points");
        hil::mesh::MeshRequest request;
        request.density_kg_m3 = 1000.0;
        const auto body = hil::mesh::mesh_body(std::move(mesh), name, request);
        require(body.volume_m3 > 0.0 && std::isfinite(body.volume_m3), "a body has a volume");
        require(body.stands_on < body.resting.size(), "a body stands on a face");
        for (const double moment : body.solid->inertia_kg_m2) require(std::isfinite(moment), "inertia is finite");
    } catch (const hil::files::InputError& refused) {
        require(refused.what()[0] != '\0', "a refusal has a reason");
    }
    return 0;
}
