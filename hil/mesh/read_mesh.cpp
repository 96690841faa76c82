#include "hil/mesh/read_mesh.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/mesh/formats.hpp"

namespace topple::hil::mesh {
namespace {

std::string ending_of(const std::string& name) {
    std::string ending = std::filesystem::path(name).extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return ending;
}

TriangleMesh parse(std::string_view bytes, const std::string& name) {
    if (looks_like_ply(bytes)) return read_ply(bytes, name);
    // First the length, which is exact: the free text of a binary file often begins with "solid", too.
    if (looks_like_binary_stl(bytes)) return read_binary_stl(bytes, name);
    if (looks_like_text_stl(bytes)) return read_text_stl(bytes, name);
    const std::string ending = ending_of(name);
    if (ending == ".obj") return read_obj(bytes, name);
    if (ending == ".stl") return read_binary_stl(bytes, name);  // says what is wrong with it
    throw files::InputError(
        fmt::format("{}: no mesh file that is known; allowed: OBJ (.obj), STL (.stl, text or binary), PLY (.ply)", name));
}

void require_sound(const TriangleMesh& mesh, const std::string& name) {
    if (mesh.triangles.empty()) throw files::InputError(fmt::format("{}: there is not one face in it", name));
    if (mesh.triangles.size() > kTrianglesMax)
        throw files::InputError(
            fmt::format("{}: {} triangles; allowed: {}", name, mesh.triangles.size(), kTrianglesMax));
    for (std::size_t i = 0; i < mesh.points.size(); ++i)
        for (const double coordinate : mesh.points[i])
            if (!std::isfinite(coordinate) || std::abs(coordinate) > 1e9)
                throw files::InputError(
                    fmt::format("{}: point {} (counted from 0) has the coordinate {}; allowed: -1e9 to 1e9", name, i,
                                coordinate));
    for (const Triangle& triangle : mesh.triangles)
        for (const std::uint32_t corner : triangle)
            if (corner >= mesh.points.size())
                throw files::InputError(fmt::format("{}: a face names point {} (counted from 0), but there are {}", name,
                                                    corner, mesh.points.size()));
}

}  // namespace

TriangleMesh parse_mesh(std::string_view bytes, const std::string& name) {
    TriangleMesh mesh = parse(bytes, name);
    require_sound(mesh, name);
    return mesh;
}

TriangleMesh read_mesh(const std::filesystem::path& file) {
    return parse_mesh(files::read_text_file(file, kMeshBytesMax), file.string());
}

}  // namespace topple::hil::mesh
