// Wavefront OBJ: lines `v x y z` and `f a b c ...`, all else is passed over.
#include "hil/mesh/formats.hpp"
#include "hil/mesh/mesh_text.hpp"

namespace topple::hil::mesh {
namespace {

/// "7", "7/1", "7//3" or "-1" (the newest point) as an index from 0; `count` points came before.
std::uint32_t index_of(const MeshText& text, std::string_view word, std::size_t count) {
    const auto number = text.number_of<std::int64_t>(word.substr(0, word.find('/')), "the number of a point");
    const std::int64_t index = number < 0 ? static_cast<std::int64_t>(count) + number : number - 1;
    if (number == 0 || index < 0 || index > std::int64_t{0xFFFF'FFFE})
        text.fail(
            fmt::format("a face names point {}, but points are counted from 1 ({} are defined above)", number, count));
    return static_cast<std::uint32_t>(index);
}

}  // namespace

TriangleMesh read_obj(std::string_view bytes, const std::string& name) {
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);  // a byte-order mark is no part of the first word
    TriangleMesh mesh;
    MeshText text(bytes, name);
    std::vector<std::uint32_t> corners;
    while (text.next_line()) {
        const std::string_view keyword = text.word();
        if (keyword == "v") {
            SpacePoint point;
            for (double& coordinate : point) coordinate = text.number<double>("a coordinate");
            mesh.points.push_back(point);
        } else if (keyword == "f") {
            corners.clear();
            for (std::string_view word = text.word(); !word.empty(); word = text.word())
                corners.push_back(index_of(text, word, mesh.points.size()));
            if (corners.size() < 3) text.fail(fmt::format("a face of {} points; allowed: 3 or more", corners.size()));
            add_face(corners, mesh.triangles);
        }
    }
    return mesh;
}

}  // namespace topple::hil::mesh
