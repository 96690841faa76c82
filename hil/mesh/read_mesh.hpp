// Mesh files: OBJ, STL (text and binary) and PLY (text and binary of both byte orders), told by their content.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::hil::mesh {

inline constexpr std::size_t kMeshBytesMax = std::size_t{1} << 30;

/// Faces of more than three corners are cut into triangles from their first one. Nothing is checked or welded yet, but
/// every index is within range and every coordinate finite. Throws files::InputError naming file, line (or byte) and
/// what is wrong.
TriangleMesh read_mesh(const std::filesystem::path& file);

/// The same of a file's bytes; `name` is used in messages, and its ending where the content leaves it open.
TriangleMesh parse_mesh(std::string_view bytes, const std::string& name);

}  // namespace topple::hil::mesh
