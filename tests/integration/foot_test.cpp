// An irregular body on its foot through every command, as a user types them.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

const std::string kExample = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/stone_foot.toml";

// The stone rests on faces 1 and 2 of 5; it stands on 2.
const std::string kStone =
    "[[specimen]]\nkind = \"block\"\nmass_kg = 7.4\ninertia_kg_m2 = 0.053\n"
    "foot = [[-0.085, -0.080], [-0.062, -0.112], [-0.020, -0.121], [0.035, -0.123], [0.058, -0.109], [0.082, -0.07]]\n";

std::string stone(const std::string& keys, const std::string& excitation, const std::string& sections = {}) {
    return "name = \"stone\"\n" + kStone + keys + "[excitation]\n" + excitation +
           "[simulation]\nseed = 3\ntruth = \"exact\"\n" + sections;
}

std::string sine(const std::string& amplitude_m_s2) {
    return "type = \"sine\"\namplitude_m_s2 = " + amplitude_m_s2 + "\nfrequency_hz = 3.0\n";
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

}  // namespace

TEST_CASE("plan tells on which faces a stone can rest, in words and as JSON") {
    const ProgramResult text = run_topple({"plan", kExample});
    INFO(text.err);
    CHECK(text.exit_code == 0);
    for (const char* part : {"6 corners, 5 faces", "left out: 3", "stands on", "can rest on", "onto face 1"})
        CHECK_THAT(text.out, ContainsSubstring(part));
    const Json plan = json_of(run_topple({"plan", kExample, "--json"}));
    REQUIRE(plan.contains("foot"));
    CHECK(plan["foot"]["standing_face"] == 2);
    CHECK(plan["foot"]["faces"][2]["to_left"]["face"] == 1);
}

TEST_CASE("predict says at which face each impact is, and on which face a stone comes to rest") {
    const TemporaryFolder folder;
    // Released beyond the hill to its left: it settles on the next face.
    const std::string file =
        folder.write("released.toml", stone("initial_rotation_rad = -0.16\n", "type = \"none\"\n")).string();
    const Json prediction = json_of(run_topple({"predict", file, "--json"}));
    CHECK(prediction["outcome"] == "rocking");
    CHECK(prediction["resting_face"] == 1);
    REQUIRE(!prediction["impacts"].empty());
    CHECK(prediction["impacts"][0]["face"] == 1);
    CHECK_THAT(run_topple({"predict", file}).out, ContainsSubstring("no longer stands on face 2"));
    // Below the hill it comes back.
    const std::string back =
        folder.write("back.toml", stone("initial_rotation_rad = -0.1\n", "type = \"none\"\n")).string();
    CHECK(json_of(run_topple({"predict", back, "--json"}))["resting_face"] == 2);
    const std::string over =
        folder.write("over.toml", stone("initial_rotation_rad = 0.33\n", "type = \"none\"\n")).string();
    const Json fall = json_of(run_topple({"predict", over, "--json"}));
    CHECK(fall["outcome"] == "overturning");
    CHECK(fall["resting_face"].is_null());
}

TEST_CASE("an ensemble of a stone has probabilities, and its history ends on the face on which it rests") {
    const TemporaryFolder folder;
    const std::string file = folder.write("stone.toml", stone("", sine("3.0"))).string();
    const std::filesystem::path history = folder.path() / "history.csv";
    const Json prediction =
        json_of(run_topple({"predict", file, "--json", "--ensemble", "40", "--history", history.string()}));
    const Json& probability = prediction["probability"];
    CHECK(probability["members"] == 40);
    CHECK(probability["rocking"].get<double>() + probability["overturning"].get<double>() == Approx(1.0));
    CHECK_THAT(content_of(history), ContainsSubstring("rotation_0_rad"));
}

TEST_CASE("a stone on the simulated table is predicted, measured and reported, and said to rest elsewhere") {
    const TemporaryFolder folder;
    const std::string file = folder.write("stone.toml", stone("initial_rotation_rad = -0.16\n", sine("0.2"))).string();
    const std::filesystem::path run = folder.path() / "run";
    const ProgramResult result = run_topple({"run", file, "--out", run.string()});
    INFO(result.out << result.err);
    REQUIRE(done(result));
    const Json summary = summary_of(run);
    CHECK(summary["predicted"]["planned"]["resting_face"] == 1);
    CHECK(summary["predicted"]["achieved"]["resting_face"] == 1);
    CHECK(summary["measured"]["outcome"] == "rocking");
    CHECK(summary["measured"]["resting_face"] == 1);
    CHECK(summary["agreement"]["verdict"] != "inconsistent");
    CHECK(std::filesystem::exists(run / "report.html"));
    CHECK_THAT(result.out, ContainsSubstring("on face 1"));
    CHECK(std::filesystem::exists(run / "figures/bodies.gp"));
    CHECK_THAT(content_of(run / "figures/corners_0.csv"), ContainsSubstring("-0.12"));
    CHECK_THAT(content_of(run / "report.html"), ContainsSubstring("How far it is a plane body is not known"));
    CHECK(done(run_topple({"mark", run.string(), "--outcome", "R"})));
    CHECK(summary_of(run)["measured"]["source"] == "operator");
    CHECK(
        run_topple({"export", run.string(), "--format", "csv", "--out", (folder.path() / "csv").string()}).exit_code ==
        0);
}

TEST_CASE("a body that is not plane is said to be so by run and mark, and at the top of the report") {
    const TemporaryFolder folder;
    const std::string file = folder.write("thin.toml", stone("depth_m = 0.005\n", sine("0.2"))).string();
    const std::filesystem::path run = folder.path() / "run";
    const ProgramResult result = run_topple({"run", file, "--out", run.string()});
    INFO(result.out << result.err);
    REQUIRE(done(result));
    const std::string note = "the specimen is NOT A PLANE BODY: towards -90 deg from +x it lifts at";
    CHECK_THAT(result.out, ContainsSubstring(note));
    CHECK_THAT(result.out, ContainsSubstring("translation: at rest on face 2") && !ContainsSubstring(":  "));
    CHECK_THAT(run_topple({"mark", run.string(), "--outcome", "S"}).out, ContainsSubstring(note));
    const std::string page = content_of(run / "report.html");
    CHECK(page.find(note) < page.find("<h2"));
    CHECK_THAT(page, ContainsSubstring("The body is <b>not a plane body</b>: "));
}

TEST_CASE("a stone that rocks and returns is judged against its ensemble") {
    const TemporaryFolder folder;
    const std::string file = folder.write("stone.toml", stone("", sine("1.6"))).string();
    const std::filesystem::path one = folder.path() / "one", other = folder.path() / "other";
    REQUIRE(done(run_topple({"run", file, "--out", one.string()})));
    const Json summary = summary_of(one);
    CHECK(summary["measured"]["outcome"] == summary["predicted"]["achieved"]["outcome"]);
    CHECK(summary["agreement"]["verdict"] != "inconsistent");
    CHECK(done(run_topple({"run", file, "--device", "replay:" + one.string()})));
    REQUIRE(done(run_topple({"run", file, "--out", other.string()})));
    CHECK(done(run_topple({"compare", one.string(), other.string()})));
}

TEST_CASE("maps, fragility studies and tables of tests take a stone") {
    const TemporaryFolder folder;
    const std::string file = folder.write("stone.toml", stone("", sine("3.0"))).string();
    const std::filesystem::path map = folder.path() / "map.csv";
    const ProgramResult mapped =
        run_topple({"map", file, "--frequency-ratio", "1:4:4", "--amplitude-ratio", "0.5:8:6", "--csv", map.string()});
    INFO(mapped.err);
    CHECK(mapped.exit_code == 0);
    CHECK_THAT(mapped.out, ContainsSubstring("irregular body on 5 faces"));
    CHECK_THAT(content_of(map), ContainsSubstring("overturning"));
    const ProgramResult keys = run_topple({"map", file, "--x", "excitation.frequency_hz=2:4:3", "--y",
                                           "amplitude_ratio=0.5:6:4", "--csv", (folder.path() / "k.csv").string()});
    INFO(keys.err);
    CHECK(keys.exit_code == 0);
    const std::string study =
        folder
            .write("study.toml", "name = \"stone\"\n" + kStone +
                                     "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [1.0, 3.0, 9.0]\n"
                                     "members = 3\n[[fragility.motions]]\ntype = \"sine\"\nfrequency_hz = 3.0\n"
                                     "amplitude_m_s2 = 1.0\n")
            .string();
    const ProgramResult fragility = run_topple({"map", study, "--out", (folder.path() / "fragility").string()});
    INFO(fragility.err);
    CHECK(done(fragility));
    const std::string table =
        folder.write("tests.csv", "test,excitation.amplitude_m_s2,outcome\na,0.5,T\nb,2.0,R\nc,9.0,O\n").string();
    const ProgramResult scored =
        run_topple({"import", table, "--experiment", file, "--out", (folder.path() / "table").string()});
    INFO(scored.err);
    CHECK(done(scored));
}

TEST_CASE("a test of a stone done elsewhere is imported with its rotation") {
    const TemporaryFolder folder;
    const std::string file = folder.write("stone.toml", stone("initial_rotation_rad = -0.16\n", sine("0.2"))).string();
    const std::filesystem::path run = folder.path() / "run";
    REQUIRE(done(run_topple({"run", file, "--out", run.string()})));
    const std::filesystem::path csv = folder.path() / "csv", again = folder.path() / "again";
    REQUIRE(run_topple({"plan", file, "--csv", (folder.path() / "motion.csv").string()}).exit_code == 0);
    const ProgramResult imported =
        run_topple({"import", file, "--motion", (folder.path() / "motion.csv").string(), "--out", again.string()});
    INFO(imported.err);
    CHECK(done(imported));
    CHECK(summary_of(again)["predicted"]["achieved"]["resting_face"] == 1);
}

TEST_CASE("what a foot does not go with is refused with exit code 2, and nothing is written") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& keys, const std::string& part) {
        const std::string file = folder.write("bad.toml", stone(keys, sine("3.0"))).string();
        const ProgramResult result = run_topple({"run", file, "--out", (folder.path() / "never").string()});
        CHECK(result.exit_code == 2);
        CHECK_THAT(result.err, ContainsSubstring(part));
        CHECK_FALSE(std::filesystem::exists(folder.path() / "never"));
    };
    refused("width_m = 0.1\n", "not allowed together with foot");
    refused("restitution = { model = \"random\", defect = 0.1 }\n", "a foot allows");
    refused("restitution = { model = \"fixed\", faces = [[1, 1]] }\n", "5 to 5 pairs");
    const std::string file = folder.write("stone.toml", stone("", sine("3.0"))).string();
    for (const char* model : {"linearised", "quasi_linear", "impulsive_force", "multiple_impact"}) {
        INFO(model);
        CHECK(run_topple({"predict", file, "--model", model}).exit_code == 2);
    }
    const ProgramResult decay =
        run_topple({"fit", "free-rocking", folder.write("r.csv", "0,0\n").string(), "--experiment", file});
    CHECK(decay.exit_code == 2);
}
