// What all models say of one experiment, through the real program.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/temporary_folder.hpp"

using topple::tests::run_topple;
using Json = nlohmann::json;

namespace {

std::string file_in(const topple::tests::TemporaryFolder& folder, const std::string& more) {
    const std::string path = (folder.path() / "b4m.toml").string();
    std::ofstream(path) << "name = \"B4M\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.045\nheight_m = 0.135\n"
                           "mass_kg = 1.0\ninitial_rotation_rad = -0.25898\n"
                        << more << "[excitation]\ntype = \"none\"\n";
    return path;
}

const Json& model_of(const Json& document, const std::string& name) {
    for (const Json& model : document.at("models"))
        if (model.at("model") == name) return model;
    throw std::runtime_error("no model " + name);
}

double first_peak(const Json& document, const std::string& name, std::size_t impact = 0) {
    return model_of(document, name).at("specimens").at(0).at("impact_times_s").at(impact).get<double>();
}

}  // namespace

TEST_CASE("models that must agree agree: full, contact dynamics and multiple impact without restitution, slide_rock") {
    const topple::tests::TemporaryFolder folder;
    const std::string file = file_in(folder, "friction = { static = 0.7, kinetic = 0.7 }\n");
    const auto result = run_topple({"predict", file, "--model", "all", "--json"});
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const Json document = Json::parse(result.out);
    CHECK(document.at("schema") == "topple.models/1");
    const double expected = first_peak(document, "slide_rock", 2);
    CHECK(first_peak(document, "full", 2) == Approx(expected).margin(1e-9));
    CHECK(first_peak(document, "multiple_impact", 2) == Approx(expected).margin(1e-7));
    CHECK(first_peak(document, "contact_dynamics", 2) == Approx(expected).margin(1e-3));
    CHECK(model_of(document, "full").at("specimens").at(0).at("model") == "slide_rock");
    CHECK_FALSE(model_of(document, "linearised").at("refused").is_null());
    const auto text = run_topple({"predict", file, "--model", "all"});
    CHECK(text.out.find("linearised        not used: friction") != std::string::npos);
    CHECK(text.out.find("as slide_rock") != std::string::npos);
}

TEST_CASE("a question to all models takes no option that only one can answer") {
    const topple::tests::TemporaryFolder folder;
    const auto result = run_topple({"predict", file_in(folder, ""), "--model", "all", "--ensemble", "5"});
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("--model all: not together with") != std::string::npos);
}
