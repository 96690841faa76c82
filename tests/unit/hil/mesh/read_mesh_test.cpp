// Mesh files of every format, and files that are none.
#include "hil/mesh/read_mesh.hpp"

#include <bit>
#include <cstring>

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solid_shapes.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
using hil::mesh::parse_mesh;
using hil::mesh::TriangleMesh;

namespace {

template <class Number>
void put(std::string& text, Number number, std::endian order = std::endian::little) {
    std::string raw(sizeof number, '\0');
    std::memcpy(raw.data(), &number, sizeof number);
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    text += raw;
}

std::string text_stl(const TriangleMesh& mesh) {
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

std::string binary_stl(const TriangleMesh& mesh) {
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

std::string ply(const TriangleMesh& mesh, const std::string& format) {
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

std::string refusal(const std::string& bytes, const std::string& name) {
    try {
        parse_mesh(bytes, name);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "accepted";
}

void require_same(const TriangleMesh& read, const TriangleMesh& mesh) {
    REQUIRE(read.triangles.size() == mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k)
            CHECK(read.points[read.triangles[t][k]] == mesh.points[mesh.triangles[t][k]]);
}

const TriangleMesh kBox = shapes::box(0.25, 0.5, 0.75);  // exact as float

}  // namespace

TEST_CASE("Every format gives the same triangles, told by the content of the file") {
    require_same(parse_mesh(shapes::obj_text(kBox), "box.obj"), kBox);
    require_same(parse_mesh(text_stl(kBox), "box"), kBox);
    require_same(parse_mesh(binary_stl(kBox), "box"), kBox);
    for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"})
        require_same(parse_mesh(ply(kBox, format), "box.stl"), kBox);
}

TEST_CASE("An OBJ face may have textures, normals, many corners and negative numbers") {
    const TriangleMesh mesh = parse_mesh(
        "mtllib x.mtl\r\nv 0 0 0\r\nv 1 0 0 0.5 0.5 0.5\r\nv 1 1 +0\r\nv 0 1 -0\r\nvn 0 0 1\r\nf 1/1/1 2//1 3 -1\r\n",
        "square.OBJ");
    REQUIRE(mesh.triangles.size() == 2);
    CHECK(mesh.triangles[1] == hil::mesh::Triangle{0, 2, 3});
}

TEST_CASE("A file that is no sound mesh is refused with its line, its value and what is allowed") {
    CHECK_THAT(refusal("v 0 0\n", "a.obj"), ContainsSubstring("a.obj:1: a coordinate is missing"));
    CHECK_THAT(refusal("v 0 0 1,5\n", "a.obj"), ContainsSubstring("\"1,5\" is no number"));
    CHECK_THAT(refusal("v 0 0 nan\nv 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj"), ContainsSubstring("coordinate nan"));
    CHECK_THAT(refusal("v 0 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj"), ContainsSubstring("names point 2 (counted from 0)"));
    CHECK_THAT(refusal("v 0 0 0\nf 1 1 0\n", "a.obj"), ContainsSubstring("counted from 1"));
    CHECK_THAT(refusal("v 0 0 0\nf 1 -2 1\n", "a.obj"), ContainsSubstring("a.obj:2: a face names point -2"));
    CHECK_THAT(refusal("v 0 0 0\nf 1 1\n", "a.obj"), ContainsSubstring("a face of 2 points"));
    CHECK_THAT(refusal("# nothing\n", "a.obj"), ContainsSubstring("not one face"));
    CHECK_THAT(refusal("some text", "a.xyz"), ContainsSubstring("OBJ (.obj), STL"));
    CHECK_THAT(refusal(binary_stl(kBox).substr(0, 500), "a.stl"), ContainsSubstring("cut off"));
    CHECK_THAT(refusal("solid x\nfacet\nvertex 0 0 0\nendfacet\n", "a.stl"),
               ContainsSubstring("a facet of 1 vertices"));
    CHECK_THAT(refusal("solid x\nfacet\nvertex 0 0 0\n", "a.stl"), ContainsSubstring("ends within a facet"));
    CHECK_THAT(refusal(ply(kBox, "binary_big_endian").substr(0, 420), "a.ply"), ContainsSubstring("ends before"));
    CHECK_THAT(refusal("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n", "a.ply"),
               ContainsSubstring("x, y and z"));
    CHECK_THAT(refusal("ply\nformat binary 1.0\n", "a.ply"), ContainsSubstring("binary_big_endian"));
    CHECK_THAT(refusal("ply\nformat ascii 1.0\n", "a.ply"), ContainsSubstring("end_header"));
}
