// STL: triangles with three points each; the same point comes once per triangle and is welded later.
#include "hil/mesh/bytes.hpp"
#include "hil/mesh/formats.hpp"
#include "hil/mesh/mesh_text.hpp"

namespace topple::hil::mesh {
namespace {

constexpr std::size_t kHeader = 84;    // 80 bytes of free text and the count of triangles
constexpr std::size_t kTriangle = 50;  // normal, three points, 2 bytes of attributes

std::size_t stated_triangles(std::string_view bytes) noexcept {
    return number_at<std::uint32_t>(bytes, kHeader - 4, std::endian::little);
}

void add_triangle(TriangleMesh& mesh) {
    const auto next = static_cast<std::uint32_t>(mesh.points.size());
    mesh.triangles.push_back({next - 3, next - 2, next - 1});
}

}  // namespace

bool looks_like_binary_stl(std::string_view bytes) noexcept {
    return bytes.size() >= kHeader && bytes.size() == kHeader + kTriangle * stated_triangles(bytes);
}

bool looks_like_text_stl(std::string_view bytes) noexcept {
    return bytes.substr(0, 5) == "solid" && bytes.find("facet") != std::string_view::npos;
}

TriangleMesh read_binary_stl(std::string_view bytes, const std::string& name) {
    if (bytes.size() < kHeader)
        throw files::InputError(fmt::format("{}: {} bytes; a binary STL file has at least 84", name, bytes.size()));
    const std::size_t count = stated_triangles(bytes);
    if (bytes.size() != kHeader + kTriangle * count)
        throw files::InputError(
            fmt::format("{}: {} bytes, but the {} triangles that its byte 80 states take {}: it is cut off or no STL "
                        "file",
                        name, bytes.size(), count, kHeader + kTriangle * count));
    TriangleMesh mesh;
    mesh.points.reserve(3 * count);
    mesh.triangles.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 3; ++k) {
            SpacePoint point;
            for (std::size_t axis = 0; axis < 3; ++axis)
                point[axis] = number_at<float>(bytes, kHeader + kTriangle * i + 12 + 12 * k + 4 * axis,
                                               std::endian::little);
            mesh.points.push_back(point);
        }
        add_triangle(mesh);
    }
    return mesh;
}

TriangleMesh read_text_stl(std::string_view bytes, const std::string& name) {
    TriangleMesh mesh;
    MeshText text(bytes, name);
    bool is_open = false;  // a facet
    int corners = 0;       // of it
    while (text.next_line()) {
        const std::string_view keyword = text.word();
        if (keyword == "facet") {
            if (is_open) text.fail("a facet begins before the one above has its endfacet");
            is_open = true;
            corners = 0;
        } else if (keyword == "vertex") {
            if (!is_open) text.fail("a vertex outside of any facet");
            SpacePoint point;
            for (double& coordinate : point) coordinate = text.number<double>("a coordinate");
            mesh.points.push_back(point);
            ++corners;
        } else if (keyword == "endfacet") {
            if (!is_open || corners != 3) text.fail(fmt::format("a facet of {} vertices; allowed: 3", corners));
            add_triangle(mesh);
            is_open = false;
        }
    }
    if (is_open) text.fail("the file ends within a facet");
    return mesh;
}

}  // namespace topple::hil::mesh
