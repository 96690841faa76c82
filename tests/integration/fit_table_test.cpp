// topple fit TABLE, as a user types it: what outcomes teach, and who uses it.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

const fs::path kExamples = fs::path(TOPPLE_SOURCE_DIR) / "docs/examples";
const std::string kTable = (kExamples / "outcomes_of_b6l.csv").string();
const std::string kExperiment = (kExamples / "b6l_outcomes.toml").string();

ProgramResult fit(std::vector<std::string> further) {
    std::vector<std::string> words{"fit",     kTable, "--experiment",     kExperiment,
                                   "--draws", "100",  "--draws-per-test", "6"};
    words.insert(words.end(), further.begin(), further.end());
    return run_topple(words);
}

std::string refused(const std::vector<std::string>& words) {
    const auto result = run_topple(words);
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
    return result.err;
}

/// `experiment` up to [uncertainty], then these lines, in `file`.
std::string with_uncertainty(const fs::path& file, const std::string& experiment, const std::string& lines) {
    std::ofstream(file) << experiment.substr(0, experiment.find("[uncertainty]")) << "[uncertainty]\n" << lines;
    return file.string();
}

double overturning(const std::string& experiment, const std::string& members) {
    const auto result = run_topple({"predict", experiment, "--ensemble", members, "--json"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out)["probability"]["overturning"].get<double>();
}

/// Both say the same, and both are refused for another block.
void compare_prior_and_members(const fs::path& out, std::string experiment) {
    const std::string amplitude = "amplitude_m_s2 = 3.0";
    experiment.replace(experiment.find(amplitude), amplitude.size(), "amplitude_m_s2 = 3.4");  // near its threshold
    const std::string by_prior = with_uncertainty(out / "by_prior.toml", experiment,
                                                  "prior = \"learned.toml\"\namplitude = { normal = 0.03 }\n");
    const std::string by_members =
        with_uncertainty(out / "by_members.toml", experiment, "members = \"learned_members.csv\"\n");
    const double of_prior = overturning(by_prior, "800"), of_members = overturning(by_members, "200");
    INFO(of_prior << " by the prior, " << of_members << " by the members");
    CHECK(of_prior > 0.02);
    CHECK(of_prior < 0.98);
    CHECK(std::abs(of_prior - of_members) < 4.0 * std::sqrt(0.25 / 200 + 0.25 / 800));
    experiment.replace(experiment.find("width_m = 0.06"), 14, "width_m = 0.07");
    const std::string other =
        with_uncertainty(out / "other_members.toml", experiment, "members = \"learned_members.csv\"\n");
    CHECK_THAT(refused({"predict", other}), ContainsSubstring("learned_members.csv") &&
                                                ContainsSubstring("learned on another specimen") &&
                                                ContainsSubstring("block_0_width_m = 0.06 there, 0.07 here"));
}

}  // namespace

TEST_CASE("a table of outcomes becomes a folder whose learned file a prediction names") {
    const TemporaryFolder folder;
    const fs::path out = folder.path() / "fit";
    const auto result = fit({"--out", out.string(), "--json"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto json = nlohmann::json::parse(result.out);
    CHECK(json["schema"] == "topple.outcome_fit/1");
    CHECK(json["verdict"] == "learned");
    CHECK(json == nlohmann::json::parse(content_of(out / "summary.json")));
    const auto& one = json["specimens"][0];
    CHECK(one["convergence"]["effective_samples"] >= 100.0);
    CHECK(one["parameters"]["width"]["informative"] == true);
    CHECK(json["held_out"]["learned"]["tests"] == json["tests"]);
    for (const char* file : {"learned.toml", "learned_members.csv", "tests.csv", "table.csv", "study.toml",
                             "index.html", "marginals.svg", "reliability_learned.svg", "reliability_prior.svg"})
        CHECK(fs::exists(out / file));
    CHECK(content_of(out / "table.csv") == content_of(kTable));

    CHECK_THAT(result.err,
               ContainsSubstring("[uncertainty] prior = \"" + (out / "learned.toml").string() + "\" or members"));
    CHECK(one["learned_file_is_prior"] == true);
    const std::string next = content_of(kExperiment);
    const std::string with_prior =
        next.substr(0, next.find("[uncertainty]")) + "[uncertainty]\nprior = \"learned.toml\"\n";
    std::ofstream(out / "next.toml") << with_prior;
    const auto predicted = run_topple({"predict", out / "next.toml", "--ensemble", "20"});
    CHECK(predicted.exit_code == 0);
    CHECK_THAT(predicted.out, ContainsSubstring("learned: learned.toml (SHA-256 "));
    std::string other = with_prior;
    other.replace(other.find("width_m = 0.06"), 14, "width_m = 0.07");
    std::ofstream(out / "other.toml") << other;
    CHECK_THAT(refused({"predict", out / "other.toml"}),
               ContainsSubstring("learned on another specimen") && ContainsSubstring("block_0_width_m"));
    CHECK_THAT(refused({"fit", kTable, "--experiment", out / "next.toml"}), ContainsSubstring("it would count twice"));
    compare_prior_and_members(out, next);
    CHECK_THAT(fit({"--out", out.string()}).err, ContainsSubstring("already exists"));
}

TEST_CASE("with a name that ends in toml, the learned file and its members table are all that is written") {
    const TemporaryFolder folder;
    const fs::path out = folder.path() / "b6l.toml";
    const auto result = fit({"--out", out.string(), "--parameters", "width", "--members", "50"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.out, ContainsSubstring("drawn anew for each test: restitution, tilt_rad, amplitude"));
    CHECK_THAT(result.out, ContainsSubstring("no score below is of tests that were fitted"));
    CHECK_THAT(content_of(out), ContainsSubstring("file = \"b6l_members.csv\""));
    const std::string members = content_of(folder.path() / "b6l_members.csv");
    CHECK_THAT(members, ContainsSubstring("# specimen.block_0_width_m = 0.06\n"));
    const auto header = members.find("weight,");
    REQUIRE(header != std::string::npos);
    CHECK(std::count(members.begin() + static_cast<std::ptrdiff_t>(header), members.end(), '\n') == 51);
    CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 2);
}

TEST_CASE("what outcomes teach of a foot or of pivots is in the members table, which the learned file names") {
    const TemporaryFolder folder;
    const std::string stone = content_of(kExamples / "stone_outcomes.toml");
    std::string pivots = stone;
    const auto foot = pivots.find("# From a template"), mass = pivots.find("mass_kg");
    pivots.replace(foot, pivots.find("restitution = {", mass) - foot,
                   "mass_kg = 7.4\npivots = { alpha_left_rad = 0.1, alpha_right_rad = 0.2, radius_left_m = 0.12, "
                   "radius_right_m = 0.1219, inertia_kg_m2 = 0.053 }\n");
    std::string rows;
    std::istringstream all(content_of(kExamples / "outcomes_of_stone.csv"));
    for (std::string line; rows.size() < 500 && std::getline(all, line);) rows += line + "\n";
    const std::string lifts =
        "test,amplitude_m_s2,frequency_hz,outcome\n1,0.5,4.5,T\n2,0.7,4.5,T\n3,0.8,4.5,T\n4,0.9,4.5,T\n5,1.1,4.5,R\n"
        "6,1.2,4.5,R\n7,1.3,4.5,R\n8,1.5,4.5,R\n";
    for (const auto& [name, text, tests] : {std::tuple{"foot", stone, rows}, std::tuple{"pivots", pivots, lifts}}) {
        INFO(name);
        const std::string table = folder.write("tests.csv", tests).string();
        const std::string experiment = folder.write(std::string(name) + ".toml", text).string();
        const fs::path out = folder.path() / name;
        const auto result = run_topple({"fit", table, "--experiment", experiment, "--draws", "50", "--draws-per-test",
                                        "4", "--parameters", "width_left,seat_m", "--out", out.string()});
        INFO(result.err);
        REQUIRE(result.exit_code == 0);
        CHECK_THAT(result.err, ContainsSubstring("prior has no place for what was learned"));
        const std::string members = content_of(out / "learned_members.csv");
        CHECK_THAT(members, ContainsSubstring("\nweight,width_left,width_right,seat_m,wear_m,amplitude\n"));
        CHECK_THAT(content_of(out / "learned.toml"), ContainsSubstring("# [uncertainty] members ="));
        CHECK_THAT(refused({"predict", with_uncertainty(out / "prior.toml", text, "prior = \"learned.toml\"\n")}),
                   ContainsSubstring("[uncertainty] members = \"learned_members.csv\""));
        CHECK(overturning(with_uncertainty(out / "next.toml", text, "members = \"learned_members.csv\"\n"), "200") >=
              0.0);
    }
}

TEST_CASE("options of a table and of runs are not mixed, and nonsense changes nothing") {
    const TemporaryFolder folder;
    CHECK_THAT(refused({"fit", kTable}), ContainsSubstring("add --experiment FILE"));
    CHECK_THAT(refused({"fit", kTable, "--lapse", "0.1"}), ContainsSubstring("--experiment"));
    CHECK_THAT(refused({"fit", kTable, "--experiment", kExperiment, "--force"}), ContainsSubstring("--force"));
    CHECK_THAT(refused({"fit", kTable, kTable, "--experiment", kExperiment}), ContainsSubstring("2 tables; give one"));
    CHECK_THAT(refused({"fit", kExperiment, "--experiment", kTable}), ContainsSubstring("fit TABLE.csv --experiment"));
    CHECK_THAT(refused({"fit", kTable, "--experiment", kTable}), ContainsSubstring("no experiment file"));
    for (const char* lapse : {"0", "0.6", "nan", "1e"})
        CHECK_THAT(refused({"fit", kTable, "--experiment", kExperiment, "--lapse", lapse}),
                   ContainsSubstring("--lapse"));
    CHECK_THAT(refused({"fit", kTable, "--experiment", kExperiment, "--draws", "10"}),
               ContainsSubstring("at least 50 are required"));
    CHECK_THAT(refused({"fit", kTable, "--experiment", kExperiment, "--folds", "1"}), ContainsSubstring("--folds"));
    CHECK_THAT(refused({"fit", kTable, "--experiment", kExperiment, "--parameters", "width,colour"}),
               ContainsSubstring("colour: no parameter of this specimen"));
    CHECK_THAT(refused({"fit", kTable, "--experiment", kExperiment, "--parameters", "width,,k"}),
               ContainsSubstring("--parameters"));
    const fs::path bad = folder.write("bad.csv", "test,amplitude_m_s2,outcome\n1,3,who knows\n");
    CHECK_THAT(refused({"fit", bad, "--experiment", kExperiment, "--out", folder.path() / "none"}),
               ContainsSubstring("none of its 1 rows can teach"));
    CHECK_FALSE(fs::exists(folder.path() / "none"));
}
