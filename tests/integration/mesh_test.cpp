// A specimen from a mesh file through every command, as a user types them.
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/background_topple.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/mesh_files.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/solid_shapes.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

const std::string kExamples = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/";
const std::string kStone = kExamples + "stone_mesh.toml";

std::string experiment(const std::string& keys, const std::string& amplitude_m_s2 = "5.0") {
    return "name = \"body\"\n[specimen]\nkind = \"block\"\nrestitution = { model = \"fixed\", value = 0.9 }\n" + keys +
           "[excitation]\ntype = \"sine\"\namplitude_m_s2 = " + amplitude_m_s2 +
           "\nfrequency_hz = 3.0\n[simulation]\nseed = 3\ntruth = \"exact\"\n";
}

/// Exit code 1 means: everything written, only gnuplot is missing.
bool done(const ProgramResult& result) {
    return result.exit_code == 0 || (result.exit_code == 1 && result.err.find("gnuplot") != std::string::npos);
}

Json json_of(const ProgramResult& result) {
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return Json::parse(result.out);
}

Json summary_of(const std::filesystem::path& folder) { return Json::parse(content_of(folder / "summary.json")); }

/// The made-up stone of the examples, on a motion that rocks it.
std::string stone_that_rocks(const TemporaryFolder& folder) {
    folder.write("stone.obj", content_of(kExamples + "stone.obj"));
    return folder
        .write("stone.toml", experiment("mesh = \"stone.obj\"\nmesh_unit = \"mm\"\ndensity_kg_m3 = 2650\n", "6.0"))
        .string();
}

/// What `predict` says of a box 0.12 m wide, 0.2 m deep and 0.4 m high of 24 kg, given by its measures.
Json prediction_of_the_box(const TemporaryFolder& folder) {
    return json_of(run_topple(
        {"predict",
         folder.write("block.toml", experiment("width_m = 0.12\nheight_m = 0.4\ndepth_m = 0.2\nmass_kg = 24\n"))
             .string(),
         "--json"}));
}

void require_same(const Json& of_mesh, const Json& of_block) {
    CHECK(of_mesh["outcome"] == of_block["outcome"]);
    CHECK(of_mesh["direction"] == of_block["direction"]);
    REQUIRE(of_mesh["impacts"].size() == of_block["impacts"].size());
    REQUIRE(!of_mesh["impacts"].empty());
    CHECK(of_mesh["impacts"][0]["time_s"].get<double>() ==
          Approx(of_block["impacts"][0]["time_s"].get<double>()).epsilon(1e-6));
    CHECK(of_mesh["three_dimensional"]["width_across_m"].get<double>() ==
          Approx(of_block["three_dimensional"]["width_across_m"].get<double>()).epsilon(1e-6));
}

}  // namespace

TEST_CASE("plan shows the example of a mesh in words, as JSON and as a figure") {
    const TemporaryFolder folder;
    const ProgramResult text = run_topple({"plan", kStone});
    INFO(text.err);
    CHECK(text.exit_code == 0);
    for (const char* part : {"2208 triangles of 1106 points, in mm", "2650 kg/m3", "17 of the 960 faces of its hull",
                             "stands on it; settles on it", "30 corners, 29 faces", "in space", "NOT A PLANE BODY"})
        CHECK_THAT(text.out, ContainsSubstring(part));
    const std::filesystem::path figure = folder.path() / "plan.svg";
    const ProgramResult drawn = run_topple({"plan", kStone, "--figure", figure.string()});
    INFO(drawn.err);
    CHECK(done(drawn));
    if (drawn.exit_code == 0) CHECK_THAT(content_of(figure), ContainsSubstring("<svg"));
    const Json plan = json_of(run_topple({"plan", kStone, "--json"}));
    const Json& mesh = plan["mesh"];
    CHECK(mesh["mass_kg"].get<double>() == Approx(2650.0 * mesh["volume_m3"].get<double>()));
    CHECK(mesh["volume_m3"].get<double>() == Approx(0.0189111).epsilon(1e-5));
    CHECK(mesh["extent_m"][2].get<double>() == Approx(0.40566));
    CHECK(mesh["mended"].empty());
    CHECK(mesh["stands_on"] == mesh["settles_on"]);
    CHECK(mesh["section_m"].size() == 30);
    CHECK(plan["foot"]["corners_m"].size() == 30);
    // It stands on a round base.
    CHECK(plan["three_dimensional"]["verdict"] == "not_planar");
    CHECK(plan["three_dimensional"]["edge_ratio"].get<double>() < 0.06);
}

TEST_CASE("a box from an STL file in mm moves like the block of its measures") {
    const TemporaryFolder folder;
    folder.write("box.stl", shapes::binary_stl(shapes::box(120, 200, 400)));
    const std::string keys = "mesh = \"box.stl\"\nmesh_unit = \"mm\"\ndensity_kg_m3 = 2500\n";
    const std::string file = folder.write("box.toml", experiment(keys)).string();
    const Json plan = json_of(run_topple({"plan", file, "--json"}));
    CHECK(plan["mesh"]["triangles"] == 12);
    CHECK(plan["mesh"]["mass_kg"].get<double>() == Approx(24.0));
    CHECK(plan["mesh"]["inertia_kg_m2"]["yy"].get<double>() == Approx(24.0 * (0.12 * 0.12 + 0.4 * 0.4) / 12));
    CHECK_THAT(plan["mesh"]["mended"].dump(), ContainsSubstring("welded"));
    require_same(json_of(run_topple({"predict", file, "--json"})), prediction_of_the_box(folder));
    const Json turned = json_of(run_topple(
        {"predict", folder.write("turned.toml", experiment(keys + "yaw_rad = 1.5707963267948966\n")).string(),
         "--json"}));
    CHECK(turned["three_dimensional"]["width_across_m"].get<double>() == Approx(0.12));
}

TEST_CASE("a box from a PLY file in cm whose y axis is up moves like the block of its measures") {
    const TemporaryFolder folder;
    folder.write("box.ply", shapes::ply(shapes::box(12, 40, 20), "binary_big_endian"));
    const std::string file =
        folder.write("box.toml", experiment("mesh = \"box.ply\"\nmesh_unit = \"cm\"\nmass_kg = 24\nup = \"y\"\n"))
            .string();
    require_same(json_of(run_topple({"predict", file, "--json"})), prediction_of_the_box(folder));
}

TEST_CASE("a stone from a mesh is run, marked, compared, exported and shown, and its folder holds the mesh") {
    const TemporaryFolder folder;
    const std::string file = stone_that_rocks(folder);
    const std::filesystem::path run = folder.path() / "run", other = folder.path() / "other";
    const ProgramResult result = run_topple({"run", file, "--out", run.string()});
    INFO(result.out << result.err);
    REQUIRE(done(result));
    REQUIRE(done(run_topple({"run", file, "--out", other.string()})));
    CHECK(content_of(run / "referenced/1_stone.obj") == content_of(folder.path() / "stone.obj"));
    const Json summary = summary_of(run);
    CHECK(summary["measured"]["outcome"] == "rocking");
    CHECK(summary["predicted"]["achieved"]["outcome"] == "rocking");
    CHECK(summary["agreement"]["verdict"] != "inconsistent");
    CHECK(summary["three_dimensional"]["verdict"] == "not_planar");
    CHECK(summary["three_dimensional"]["width_along_m"].get<double>() == Approx(0.173268).epsilon(1e-5));
    CHECK(summary["metadata"].contains("sha256 of referenced/1_stone.obj"));
    CHECK_THAT(content_of(run / "report.html"), ContainsSubstring("not a plane body"));
    // Only the folder is needed from now on.
    std::filesystem::remove(folder.path() / "stone.obj");
    CHECK(json_of(run_topple({"predict", (run / "experiment.toml").string(), "--json"}))["outcome"] == "rocking");
    const std::filesystem::path csv = folder.path() / "csv";
    CHECK(run_topple({"export", run.string(), "--format", "csv", "--out", csv.string()}).exit_code == 0);
    CHECK(done(run_topple({"compare", run.string(), other.string()})));
    CHECK(done(run_topple({"mark", run.string(), "--outcome", "R"})));
    CHECK(summary_of(run)["measured"]["source"] == "operator");
    BackgroundTopple page({"show", run.string(), "--live=127.0.0.1:0"});  // any free port
    CHECK(eventually([&] { return page.err().find("1 run at this address") != std::string::npos || !page.running(); }));
    page.signal(SIGINT);
    const ProgramResult shown = page.wait();
    CHECK_THAT(shown.err, ContainsSubstring("1 run at this address"));
}

TEST_CASE("a mesh that cannot be used is refused with what and where, exit code 2 and no folder") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& mesh, const std::string& keys, const std::string& part) {
        folder.write("body.obj", mesh);
        const std::string file = folder.write("bad.toml", experiment("mesh = \"body.obj\"\n" + keys)).string();
        const ProgramResult result = run_topple({"run", file, "--out", (folder.path() / "never").string()});
        INFO(part << "\n" << result.err);
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, ContainsSubstring("bad.toml, line ") && ContainsSubstring(part));
        CHECK_FALSE(std::filesystem::exists(folder.path() / "never"));
    };
    const std::string metres = "mesh_unit = \"m\"\nmass_kg = 24\n";
    const shapes::TriangleMesh box = shapes::box(0.12, 0.2, 0.4);
    const std::string whole = shapes::obj_text(box);
    shapes::TriangleMesh open = box;
    open.triangles.resize(10);  // the back, at y = 0.2, is missing
    refused(shapes::obj_text(open), metres, "1 hole with 4 open edges; one has 4 edges and is 0.4 wide");
    refused(shapes::obj_text(open), metres, "around (0.06, 0.2, 0.2)");
    refused("v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", metres, "not closed");
    refused("", metres, "not one face");
    refused("v 0 0 0\nf 1 2 3\n", metres, "body.obj");
    shapes::TriangleMesh twice = box;
    twice.triangles.push_back(box.triangles.front());
    refused(shapes::obj_text(twice), metres, "edges belong to more than two faces, the first at (");
    const std::string in_mm = shapes::obj_text(shapes::box(120, 200, 400));
    refused(in_mm, metres, "400 m large; allowed: 0.001 to 10 m");
    refused(in_mm, metres, "\"mm\" makes it 0.4 m");
    refused(whole, "mass_kg = 24\n", "mesh_unit is missing");
    refused(whole, metres + "density_kg_m3 = 2500\n", "not allowed together with mass_kg");
    refused(whole, metres + "width_m = 0.1\n", "not allowed together with mesh");
    refused(whole, metres + "resting_face = 6\n", "allowed: 0 to 5");
    refused(whole, metres + "yaw_rad = 4.0\n", "yaw_rad");
    const std::string gone = folder.write("gone.toml", experiment("mesh = \"none.obj\"\n" + metres)).string();
    const ProgramResult missing = run_topple({"run", gone, "--out", (folder.path() / "never").string()});
    CHECK(missing.exit_code == 2);
    CHECK_THAT(missing.err, ContainsSubstring("none.obj") && ContainsSubstring("No such file"));
    CHECK_FALSE(std::filesystem::exists(folder.path() / "never"));
}
