// A specimen from a mesh in an experiment file, and what a run takes along of it.
#include <cmath>
#include <filesystem>
#include <string>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/mesh/mesh_body.hpp"
#include "hil/plan/mesh_account.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/solid_shapes.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
using hil::experiment::Experiment;

namespace {

const std::string kTail = "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 1.0\nfrequency_hz = 3\n";
const std::string kKeys = "mesh_unit = \"m\"\ndensity_kg_m3 = 2400\n";

std::string experiment_text(const std::string& keys) {
    return "name = \"x\"\n[specimen]\nkind = \"block\"\nmesh = \"box.obj\"\n" + keys + kTail;
}

struct Laboratory {
    tests::TemporaryFolder folder;
    Laboratory() { folder.write("box.obj", shapes::obj_text(shapes::box(0.1, 0.3, 0.4))); }
    Experiment read(const std::string& keys) const {
        return hil::experiment::read_experiment(folder.write("e.toml", experiment_text(keys)));
    }
    std::string refusal(const std::string& keys) const {
        try {
            read(keys);
        } catch (const hil::files::InputError& error) {
            return error.what();
        }
        return "accepted";
    }
};

}  // namespace

TEST_CASE("A specimen from a mesh stands on its section with the mass of its density") {
    const Laboratory lab;
    const Experiment experiment = lab.read(kKeys);
    const solver::Specimen& specimen = experiment.specimens.at(0);
    REQUIRE(specimen.foot);
    REQUIRE(specimen.solid);
    CHECK(specimen.blocks[0].mass_kg == Approx(28.8));
    CHECK(specimen.blocks[0].width_m == Approx(0.1));
    CHECK(specimen.blocks[0].height_m == Approx(0.4));
    CHECK(specimen.foot->corners_m[0][0] == Approx(-0.05));
    CHECK(hil::experiment::payload_kg(experiment) == Approx(28.8));
    CHECK(solver::uplift_acceleration_m_s2(specimen) == Approx(9.81 * 0.25));
    REQUIRE(experiment.shapes.at(0).mesh);
    CHECK(experiment.shapes[0].mesh->triangles == 12);
    const Experiment turned = lab.read(kKeys + "yaw_rad = 1.5707963267948966\n");
    CHECK(turned.specimens[0].foot->corners_m[0][0] == Approx(-0.15));
    const Experiment lying = lab.read("mesh_unit = \"m\"\nmass_kg = 5\nresting_face = 1\n");
    CHECK(lying.specimens[0].foot->corners_m[0][1] > -0.2);
    CHECK(lying.specimens[0].blocks[0].mass_kg == Approx(5.0));
}

TEST_CASE("The account of a mesh names what was read and the faces on which it can rest") {
    const Laboratory lab;
    const Experiment experiment = lab.read(kKeys + "yaw_rad = 0.25\n");
    const nlohmann::ordered_json mesh = hil::plan::mesh_json(experiment, 0);
    CHECK(mesh["triangles"] == 12);
    CHECK(mesh["volume_m3"].get<double>() == Approx(0.012));
    CHECK(mesh["mass_kg"].get<double>() == Approx(28.8));
    CHECK(mesh["centre_m"][2].get<double>() == Approx(0.2));
    CHECK(mesh["inertia_kg_m2"]["yy"].get<double>() == Approx(28.8 * 0.17 / 12));
    CHECK(mesh["resting_faces"].size() == 6);
    CHECK(mesh["stands_on"] == 0);
    CHECK(mesh["yaw_rad"] == 0.25);
    CHECK(mesh["section_m"].size() == 2);
    CHECK(mesh["mended"].empty());
    const std::string text = hil::plan::mesh_text(experiment, 0, 18);
    CHECK_THAT(text, ContainsSubstring("12 triangles of 8 points, in m; 0.1 x 0.3 x 0.4 m"));
    CHECK_THAT(text, ContainsSubstring("0.012 m3 of 2400 kg/m3: 28.8 kg"));
    CHECK_THAT(text,
               ContainsSubstring("resting face 0 of the hull") && ContainsSubstring("stands on it; settles on it"));
    CHECK_THAT(text, !ContainsSubstring("not vertical"));
    for (const std::string& shown : {text, mesh.dump()})
        CHECK_THAT(shown, !ContainsSubstring("e-1") && !ContainsSubstring("-0,") && !ContainsSubstring("-0.0,"));
    CHECK_THAT(hil::plan::mesh_text(lab.read(kKeys + "up = \"y\"\n"), 0, 18),
               ContainsSubstring("its longest extent is not vertical"));
}

TEST_CASE("A mesh that cannot be used is refused at its key with the reason") {
    const Laboratory lab;
    CHECK_THAT(lab.refusal(""), ContainsSubstring("mesh_unit is missing"));
    CHECK_THAT(lab.refusal("mesh_unit = \"m\"\n"), ContainsSubstring("density_kg_m3 or mass_kg"));
    CHECK_THAT(lab.refusal("mesh_unit = \"ft\"\nmass_kg = 1\n"), ContainsSubstring("mm"));
    CHECK_THAT(lab.refusal(kKeys + "mass_kg = 1\n"), ContainsSubstring("not allowed together with mass_kg"));
    CHECK_THAT(lab.refusal(kKeys + "width_m = 0.1\n"), ContainsSubstring("not allowed together with mesh"));
    CHECK_THAT(lab.refusal(kKeys + "resting_face = 6\n"),
               ContainsSubstring("e.toml, line 7") && ContainsSubstring("allowed: 0 to 5"));
    CHECK_THAT(lab.refusal(kKeys + "up = \"w\"\n"), ContainsSubstring("\"w\""));
    CHECK_THAT(lab.refusal("mesh_unit = \"mm\"\nmass_kg = 1\n"),
               ContainsSubstring("e.toml, line 4") && ContainsSubstring("\"m\" makes it 0.4 m"));
    lab.folder.write("box.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    CHECK_THAT(lab.refusal(kKeys), ContainsSubstring("box.obj: not closed: 1 hole with 3 open edges"));
    std::filesystem::remove(lab.folder.file("box.obj"));
    CHECK_THAT(lab.refusal(kKeys), ContainsSubstring("e.toml, line 4") && ContainsSubstring("box.obj"));
}

TEST_CASE("A run folder holds the mesh, also that of a specimen file") {
    const Laboratory lab;
    lab.folder.write("stone.toml", "kind = \"block\"\nmesh = \"box.obj\"\n" + kKeys);
    const std::string by_file = "name = \"x\"\nspecimen = \"stone.toml\"\n" + kTail;
    for (const std::string& text : {experiment_text(kKeys), by_file}) {
        const Experiment experiment = hil::experiment::read_experiment(lab.folder.write("e.toml", text));
        const auto portable = hil::experiment::make_portable(experiment);
        const tests::TemporaryFolder run;
        hil::experiment::write_portable(portable, run.path());
        const Experiment again = hil::experiment::read_experiment(run.file("experiment.toml"));
        CHECK(again.specimens[0].blocks[0].mass_kg == Approx(28.8));
        CHECK(portable.hashes().size() == portable.files.size());
        CHECK(portable.files.size() == (text == by_file ? 2U : 1U));
    }
}

TEST_CASE("Experiments that name the same mesh share its body") {
    const std::string file = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/stone_mesh.toml";
    const Experiment first = hil::experiment::read_experiment(file), second = hil::experiment::read_experiment(file);
    REQUIRE(first.shapes.at(0).mesh);
    CHECK(first.shapes[0].mesh == second.shapes.at(0).mesh);
}
