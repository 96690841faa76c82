// Meshes in the formats in which programs write them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "hil/mesh/triangle_mesh.hpp"

namespace topple::shapes {

using hil::mesh::TriangleMesh;

template <class Number>
void put(std::string& text, Number number, std::endian order = std::endian::little) {
    std::string raw(sizeof number, '\0');
    std::memcpy(raw.data(), &number, sizeof number);
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    text += raw;
}

inline std::string text_stl(const TriangleMesh& mesh) {
    std::string text = "solid box\n";
    for (const auto& t : mesh.triangles) {
        text += "facet normal 0 0 0\nouter loop\n";
        for (const auto corner : t)
            text += fmt::format("  vertex {} {} {}\n", mesh.points[corner][0], mesh.points[corner][1],
                                mesh.points[corner][2]);
        text += "endloop\nendfacet\n";
    }
    return text + "endsolid box\n";
}

inline std::string binary_stl(const TriangleMesh& mesh) {
    std::string text = "solid, but binary";
    text.resize(80, ' ');
    put(text, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const auto& t : mesh.triangles) {
        for (int i = 0; i < 3; ++i) put(text, 0.0F);
        for (const auto corner : t)
            for (const double x : mesh.points[corner]) put(text, static_cast<float>(x));
        put(text, std::uint16_t{0});
    }
    return text;
}

inline std::string ply(const TriangleMesh& mesh, const std::string& format) {
    std::string text = fmt::format(
        "ply\nformat {} 1.0\ncomment made by a test\nelement vertex {}\nproperty double x\nproperty double y\nproperty "
        "double z\nproperty uchar red\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
        format, mesh.points.size(), mesh.triangles.size());
    const auto order = format == "binary_big_endian" ? std::endian::big : std::endian::little;
    if (format == "ascii") {
        for (const auto& p : mesh.points) text += fmt::format("{} {} {} 7\n", p[0], p[1], p[2]);
        for (const auto& t : mesh.triangles) text += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
        return text;
    }
    for (const auto& p : mesh.points) {
        for (const double x : p) put(text, x, order);
        put(text, std::uint8_t{7});
    }
    for (const auto& t : mesh.triangles) {
        put(text, std::uint8_t{3});
        for (const auto corner : t) put(text, static_cast<std::int32_t>(corner), order);
    }
    return text;
}

}  // namespace topple::shapes
