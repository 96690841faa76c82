// Blocks in a basin through the real program: predict, map, run, and files that cannot be.
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"

using topple::tests::content_of;
using topple::tests::ProgramResult;
using topple::tests::run_topple;
using Json = nlohmann::json;

namespace {

constexpr const char* kExample = TOPPLE_SOURCE_DIR "/docs/examples/assembly.toml";

std::string file_with(const std::string& excitation, const std::string& specimen_more = "",
                      const std::string& second_block = "") {
    return "name = \"basin\"\n[specimen]\nkind = \"assembly\"\nbasin_length_m = 0.3\nfriction = 0.05\n"
           "restitution = { walls = 0.3, blocks = 0.6 }\n" +
           specimen_more + "[[specimen.blocks]]\nlength_m = 0.04\nmass_kg = 0.05\n[[specimen.blocks]]\n" +
           "length_m = 0.04\nmass_kg = 0.05\n" + second_block + "[excitation]\n" + excitation;
}

const std::string kHarmonic =
    "type = \"harmonic\"\ndisplacement_m = 0.03\nfrequency_hz = 2.0\ncycles = 8\nramp_cycles = 2\n";
const std::string kSine = "type = \"displacement_sine\"\ndisplacement_m = 0.03\nfrequency_hz = 2.0\ncycles = 4\n";

struct Written {
    topple::tests::TemporaryFolder folder;
    std::string path;
    explicit Written(const std::string& text) : path((folder.path() / "basin.toml").string()) {
        std::ofstream(path) << text;
    }
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("predict of an assembly: no outcome, the impacts by pair, indices, history and figure") {
    topple::tests::TemporaryFolder folder;
    const std::string history = (folder.path() / "h.csv").string(), figure = (folder.path() / "f.svg").string();
    const ProgramResult result = run_topple({"predict", kExample, "--json", "--history", history, "--figure", figure});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const Json json = Json::parse(result.out);
    CHECK(json.at("schema") == "topple.prediction/1");
    CHECK(json.at("model") == "assembly");
    CHECK(json.at("outcome").is_null());
    CHECK(json.at("impacts").at(0).at("pair") == 0);
    CHECK(json.at("impacts").at(0).at("time_s") == 0.0);
    CHECK(json.at("impacts").size() == json.at("impacts_count").get<std::size_t>());
    CHECK(json.at("inertia_index_max").get<double>() >= json.at("inertia_index_end").get<double>());
    const auto lines = lines_of(content_of(history));
    CHECK(lines.at(0) ==
          "time_s,basin_displacement_m,position_0_m,velocity_0_m_s,position_1_m,velocity_1_m_s,position_2_m,"
          "velocity_2_m_s,position_3_m,velocity_3_m_s,centroid_m,inertia_index");
    CHECK(lines.size() > 200);
    CHECK(content_of(figure).find("<svg") != std::string::npos);
    const ProgramResult text = run_topple({"predict", kExample});
    CHECK(text.out.find("4 blocks in a basin of 0.394 m, 0.21696 kg") != std::string::npos);
    CHECK(text.out.find("inertia index at most") != std::string::npos);
}

TEST_CASE("map of an assembly: ratio 1 is the file's own motion") {
    topple::tests::TemporaryFolder folder;
    const std::string csv = (folder.path() / "map.csv").string();
    const ProgramResult result =
        run_topple({"map", kExample, "--frequency-ratio", "1:2:2", "--amplitude-ratio", "0.5:1:2", "--csv", csv});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto lines = lines_of(content_of(csv));
    REQUIRE(lines.size() == 5);
    CHECK(lines[0] ==
          "frequency_ratio,amplitude_ratio,frequency_hz,displacement_m,index_max,index_end,centroid_end,impacts");
    const Json own = Json::parse(run_topple({"predict", kExample, "--json"}).out);
    CHECK(lines[2].substr(0, 11) == "1,1,1,0.04,");
    CHECK(lines[2].ends_with("," + std::to_string(own.at("impacts_count").get<int>())));
    CHECK(lines[4].substr(0, 11) == "2,1,2,0.04,");
    CHECK(run_topple({"map", kExample, "--model", "slide_rock"}).exit_code == 2);
}

TEST_CASE("a basin is driven like any specimen, the report shows what was predicted and judges nothing") {
    const Written file(file_with(kHarmonic));
    const std::string run = (file.folder.path() / "run").string();
    const ProgramResult result = run_topple({"run", file.path, "--out", run});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const Json summary = Json::parse(content_of(run + "/summary.json"));
    CHECK(summary.at("status") == "completed");
    CHECK(summary.at("verdict").is_null());
    CHECK(summary.at("measured").at("outcome").is_null());
    const Json &planned = summary.at("assembly").at("planned"), &achieved = summary.at("assembly").at("achieved");
    CHECK(planned.at("impacts_count").get<int>() > 5);
    CHECK(achieved.at("impacts_count").get<int>() > 5);
    CHECK(Json::parse(content_of(run + "/prediction.json")).at("impacts_count") == planned.at("impacts_count"));
    CHECK(content_of(run + "/report.html").find("Blocks in the basin, as predicted") != std::string::npos);
    CHECK(content_of(run + "/figures/assembly.svg").find("<svg") != std::string::npos);
}

TEST_CASE("what no basin can be, and what no table can do, is refused with its place, and nothing is written") {
    const auto refused = [](const std::vector<std::string>& words, const std::string& text, const char* reason) {
        const Written file(text);
        std::vector<std::string> arguments = words;
        arguments.insert(arguments.begin() + 1, file.path);
        const ProgramResult result = run_topple(arguments);
        INFO(result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.err.find(reason) != std::string::npos);
    };
    refused({"run", "--dry-run"}, file_with(kSine), "starts with a jump of velocity");
    refused({"plan"}, file_with(kSine), "use type = \"harmonic\"");
    refused({"predict"}, file_with(kSine, "", "initial_position_m = 0.05\n"), "overlaps the block on its left");
    refused({"predict"}, file_with(kSine, "", "initial_position_m = 0.29\n"), "beyond the right wall");
    refused({"predict"}, file_with(kSine, "width_m = 0.1\n"), "width_m");
    refused({"predict", "--model", "linearised"}, file_with(kSine), "an assembly has equations of its own");
    std::string bad = file_with(kSine);
    refused({"predict"}, bad.replace(bad.find("walls = 0.3"), 11, "walls = 1.3"), "restitution.walls = 1.3");
    bad = file_with(kSine);
    refused({"predict"}, bad.replace(bad.find("friction = 0.05"), 15, "friction = -0.1"), "friction = -0.1");
    std::string many = file_with(kSine);
    for (int i = 0; i < 64; ++i)
        many.insert(many.find("[excitation]"), "[[specimen.blocks]]\nlength_m = 1e-3\nmass_kg = 1\n");
    refused({"predict"}, many, "66 blocks; allowed: 1 to 64");
}
