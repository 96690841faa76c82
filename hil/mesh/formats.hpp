// The readers of the formats, one source each.
#pragma once

#include <string>
#include <string_view>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::hil::mesh {

bool looks_like_ply(std::string_view bytes) noexcept;
bool looks_like_binary_stl(std::string_view bytes) noexcept;
bool looks_like_text_stl(std::string_view bytes) noexcept;

// All throw files::InputError; indices are checked by parse_mesh().
TriangleMesh read_obj(std::string_view bytes, const std::string& name);
TriangleMesh read_text_stl(std::string_view bytes, const std::string& name);
TriangleMesh read_binary_stl(std::string_view bytes, const std::string& name);
TriangleMesh read_ply(std::string_view bytes, const std::string& name);

/// Cuts the face of these corners into triangles, from its first one.
template <class Corners>
void add_face(const Corners& corners, std::vector<Triangle>& triangles) {
    for (std::size_t i = 2; i < corners.size(); ++i)
        triangles.push_back({static_cast<std::uint32_t>(corners[0]), static_cast<std::uint32_t>(corners[i - 1]),
                             static_cast<std::uint32_t>(corners[i])});
}

}  // namespace topple::hil::mesh
