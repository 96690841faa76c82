// Members with weights, and uncertain poses, through the commands as a user types them.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

const std::string kExample = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/stone_members.toml";
const std::string kBlock = "[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n";
const std::string kMembers =
    "weight,restitution,width,amplitude\n4,0.98,1.01,0.7\n2,1.0,0.99,0.9\n1,1.01,1.0,1.3\n"
    "1,0.99,1.0,1.5\n2,1.0,1.0,0.65\n";

std::filesystem::path written(const TemporaryFolder& folder, const std::string& lines,
                              const std::string& members = kMembers, const std::string& frequency_hz = "1.5") {
    folder.write("members.csv", members);
    return folder.write("experiment.toml",
                        "name = \"members\"\n" + kBlock +
                            "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = " + frequency_hz +
                            "\n"
                            "[simulation]\nseed = 3\ntruth = \"exact\"\n[uncertainty]\n" +
                            lines);
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

}  // namespace

TEST_CASE("predict gives the probabilities of a members table by its weights, and says where they come from") {
    const TemporaryFolder folder;
    const std::string file = written(folder, "members = \"members.csv\"\n").string();
    const Json json = json_of(run_topple({"predict", file, "--ensemble", "5", "--json"}));
    double share = 0.0;
    const std::vector<double> weights{0.4, 0.2, 0.1, 0.1, 0.2};
    for (std::size_t i = 0; i < weights.size(); ++i)
        if (json["ensemble"]["outcomes"][i] == "overturning") share += weights[i];
    CHECK(share > 0.0);
    CHECK(share < 1.0);
    CHECK(json["probability"]["overturning"].get<double>() == Approx(share).margin(1e-12));
    CHECK(json["probability"]["members"] == 5);
    // Without --ensemble it is the same: the table is the ensemble.
    CHECK_THAT(run_topple({"predict", file}).out, ContainsSubstring("5 members worth 3.8 of equal weight"));
    CHECK(json["probability"]["effective_members"].get<double>() == Approx(100.0 / 26.0));
    const Json& members = json["ensemble"]["uncertainty"]["members"];
    CHECK(members["file"] == "members.csv");
    CHECK(members["rows"] == 5);
    CHECK(members["keys"] == Json::parse(R"(["restitution", "width", "amplitude"])"));
    CHECK(json["ensemble"]["weights"][0].get<double>() == Approx(0.4 * 100.0 / 26.0));
    CHECK(json["ensemble"]["restitution_held"] == 0);
    CHECK(members["sha256"].get<std::string>().size() == 64);
    const ProgramResult text = run_topple({"predict", file, "--ensemble", "5"});
    CHECK_THAT(text.out, ContainsSubstring("5 members worth 3.8 of equal weight"));
}

TEST_CASE("An ensemble of another size than the table, and a bad table, end with exit code 2 and change nothing") {
    const TemporaryFolder folder;
    const std::string file = written(folder, "members = \"members.csv\"\n").string();
    const ProgramResult size = run_topple({"predict", file, "--ensemble", "200"});
    CHECK(size.exit_code == 2);
    CHECK_THAT(size.err, ContainsSubstring("--ensemble 200") && ContainsSubstring("allowed: 5"));
    folder.write("members.csv", "width\n1.0\n-1.0\n");
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"predict", file}, {"plan", file}, {"run", file, "--out", "never"}}) {
        const ProgramResult bad = run_topple(command);
        INFO(bad.err);
        CHECK(bad.exit_code == 2);
        CHECK_THAT(bad.err, ContainsSubstring("members.csv:3: column \"width\" = -1; allowed: (0, 10]"));
    }
    std::filesystem::remove(folder.file("members.csv"));
    CHECK(run_topple({"plan", file}).exit_code == 2);
}

TEST_CASE("A run takes its table of members along and is judged by their weights") {
    const TemporaryFolder folder;
    std::string members = "weight,width,restitution\n";
    for (int i = 0; i < 60; ++i)
        members += std::to_string(1 + i % 3) + "," + std::to_string(0.99 + 0.0003 * i) + "," +
                   std::to_string(0.98 + 0.0007 * i) + "\n";
    const std::string file = written(folder, "members = \"members.csv\"\n", members, "3.0").string();
    const std::filesystem::path out = folder.file("run");
    const ProgramResult run = run_topple({"run", file, "--out", out.string()});
    INFO(run.err << run.out);
    REQUIRE(done(run));
    CHECK_THAT(run.out + run.err, ContainsSubstring("members.csv (SHA-256"));
    CHECK(content_of(out / "referenced/1_members.csv") == members);
    const Json summary = Json::parse(content_of(out / "summary.json"));
    CHECK(summary.dump().find("\"effective_members\":51.4") != std::string::npos);
    const ProgramResult fit = run_topple({"fit", out.string()});
    CHECK(fit.exit_code == 2);
    CHECK_THAT(fit.err, ContainsSubstring("[uncertainty] members"));
}

TEST_CASE("A table of tests is predicted by the members, and scored by their weights") {
    const TemporaryFolder folder;
    const std::string file = written(folder, "members = \"members.csv\"\n").string();
    const std::string table =
        folder.write("tests.csv", "test,excitation.amplitude_m_s2,outcome\na,1.0,T\nb,3.0,R\nc,6.0,O\n").string();
    const ProgramResult other = run_topple({"import", table, "--experiment", file, "--members", "7"});
    CHECK(other.exit_code == 2);
    CHECK_THAT(other.err, ContainsSubstring("--members 7") && ContainsSubstring("allowed: 5"));
    const ProgramResult result =
        run_topple({"import", table, "--experiment", file, "--out", folder.file("out").string(), "--json"});
    INFO(result.err);
    REQUIRE(done(result));
    CHECK(Json::parse(result.out)["members"] == 5);
    CHECK_THAT(content_of(folder.file("out") / "tests.csv"),
               ContainsSubstring(",0.6") || ContainsSubstring(",0.59999"));
}

TEST_CASE("The example of a stone with members and an uncertain pose is predicted") {
    const Json json = json_of(run_topple({"predict", kExample, "--ensemble", "40", "--json"}));
    CHECK(json["probability"]["members"] == 40);
    CHECK(json["probability"]["failed"] == 0.0);
    const Json& uncertainty = json["ensemble"]["uncertainty"];
    CHECK(uncertainty["yaw_rad"] == Json::parse(R"({"normal": 0.05})"));
    CHECK(uncertainty["wear_m"] == Json::parse(R"({"fixed": true})"));
    CHECK(uncertainty["members"]["keys"].size() == 6);
}
