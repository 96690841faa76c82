// A specimen described in a file of its own.
#include <filesystem>
#include <string>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
namespace fs = std::filesystem;

namespace {

const std::string kBlock =
    "name = \"B4M\"\nkind = \"block\"\nwidth_m = 0.045\nheight_m = 0.135\nmass_kg = 0.7272\n"
    "[notes]\nmaterial = \"aluminium\"\n";
const std::string kRest = "[excitation]\ntype = \"none\"\n";

struct Laboratory {
    tests::TemporaryFolder folder;
    Laboratory() {
        fs::create_directories(folder.path() / "blocks");
        fs::create_directories(folder.path() / "run");
        folder.write("blocks/b4m.toml", kBlock);
    }
    hil::experiment::Experiment read(const std::string& specimen) const {
        return hil::experiment::read_experiment(
            folder.write("experiment.toml", "name = \"x\"\n" + specimen + "\n" + kRest));
    }
    std::string message_of(const std::string& specimen) const {
        try {
            read(specimen);
        } catch (const hil::files::InputError& error) {
            return error.what();
        }
        return "no error";
    }
};

}  // namespace

TEST_CASE("A specimen is named by its file, alone, in a list, or in a table that says how it stands") {
    const Laboratory lab;
    CHECK(lab.read("specimen = \"blocks/b4m.toml\"").specimens.at(0).blocks.at(0).height_m == 0.135);
    CHECK(lab.read("specimen = [\"blocks/b4m.toml\", \"blocks/b4m.toml\"]").specimens.size() == 2);
    const auto stands = lab.read(
        "[[specimen]]\nfile = \"blocks/b4m.toml\"\ninitial_rotation_rad = 0.1\ninitial_tilt_rad = 0.01\n"
        "[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692");
    REQUIRE(stands.specimens.size() == 2);
    CHECK(stands.specimens[0].initial_rotation_rad.at(0) == 0.1);
    CHECK(stands.specimens[0].initial_tilt_rad == 0.01);
    CHECK(stands.specimens[1].blocks.at(0).width_m == 0.06);
}

TEST_CASE("A mistake in a specimen file is reported with that file and its line") {
    const Laboratory lab;
    std::string wrong = kBlock;
    wrong.replace(wrong.find("0.135"), 5, "-1.00");
    lab.folder.write("blocks/wrong.toml", wrong);
    const std::string message = lab.message_of("specimen = \"blocks/wrong.toml\"");
    CHECK(message.find("wrong.toml, line 4, column ") != std::string::npos);
    CHECK(message.find("height_m = -1.00") != std::string::npos);
    lab.folder.write("blocks/unknown.toml", "colour = 3\n" + kBlock);
    CHECK(lab.message_of("specimen = \"blocks/unknown.toml\"").find("unknown.toml, line 1") != std::string::npos);
    lab.folder.write("blocks/none.toml", "kind = \"none\"\n");
    CHECK(lab.message_of("specimen = \"blocks/none.toml\"").find("none.toml, line 1") != std::string::npos);
    CHECK(lab.message_of("specimen = \"blocks/missing.toml\"").find("missing.toml") != std::string::npos);
    CHECK(lab.message_of("specimen = [\"blocks/b4m.toml\", 3]").find("experiment.toml, line 2") != std::string::npos);
    CHECK(lab.message_of("[specimen]\nfile = \"blocks/b4m.toml\"\nwidth_m = 0.1")
              .find("experiment.toml, line 4, column 1: unknown key specimen.width_m") != std::string::npos);
}

TEST_CASE("A run folder keeps the specimen file and is read without the original") {
    for (const std::string specimen :
         {"specimen = \"blocks/b4m.toml\"", "specimen = ['blocks/b4m.toml', \"blocks/b4m.toml\"]",
          "[[specimen]]\nfile = \"blocks/b4m.toml\"  # the small one\ninitial_rotation_rad = 0.1"}) {
        const Laboratory lab;
        const auto experiment = lab.read(specimen);
        const auto portable = hil::experiment::make_portable(experiment);
        REQUIRE(portable.files.size() == 1);
        CHECK(portable.files[0].name == "referenced/1_b4m.toml");
        CHECK(portable.hashes().contains("sha256 of referenced/1_b4m.toml"));
        hil::experiment::write_portable(portable, lab.folder.path() / "run");
        fs::remove_all(lab.folder.path() / "blocks");
        const auto again = hil::experiment::read_experiment(lab.folder.path() / "run" / "experiment.toml");
        REQUIRE(again.specimens.size() == experiment.specimens.size());
        CHECK(again.specimens.back().blocks.at(0).mass_kg == 0.7272);
        CHECK(again.specimens.back().initial_rotation_rad == experiment.specimens.back().initial_rotation_rad);
    }
}

TEST_CASE("Every specimen file of the examples can be read, with the slenderness of its name") {
    const fs::path examples = fs::path(TOPPLE_SOURCE_DIR) / "docs/examples";
    const Laboratory lab;
    int count = 0;
    for (const auto& entry : fs::directory_iterator(examples / "specimens")) {
        const auto experiment = lab.read("specimen = \"" + entry.path().string() + "\"");
        const solver::Block& block = experiment.specimens.at(0).blocks.at(0);
        const double density_kg_m3 = block.mass_kg / (block.width_m * block.width_m * block.height_m);
        INFO(entry.path().string());
        const std::string name = entry.path().stem().string();
        // The blocks are as deep as wide, but for B1 (deeper) and B0 (less deep).
        if (name.starts_with("b1s") || name.starts_with("b1m") || name.starts_with("b1l") || name.starts_with("b0"))
            CHECK(density_kg_m3 > 1000.0);
        else
            CHECK(density_kg_m3 == Approx(2680.0).epsilon(0.05));
        ++count;
    }
    CHECK(count == 31);
    CHECK(hil::experiment::read_experiment(examples / "b4m_from_file.toml").specimens.at(0).blocks.at(0).width_m ==
          0.045);
}
