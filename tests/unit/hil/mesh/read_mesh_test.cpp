// Mesh files of every format, and files that are none.
#include "hil/mesh/read_mesh.hpp"

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/mesh_files.hpp"
#include "tests/support/solid_shapes.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
using hil::mesh::parse_mesh;
using hil::mesh::TriangleMesh;
using shapes::binary_stl;
using shapes::ply;
using shapes::put;
using shapes::text_stl;

namespace {

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
    require_same(
        parse_mesh("\xEF\xBB\xBF" + shapes::obj_text(kBox).substr(shapes::obj_text(kBox).find("v ")), "bom.obj"), kBox);
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
