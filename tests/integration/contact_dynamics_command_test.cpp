// --model contact_dynamics and --after-validity as a user types them: answers, histories, maps, and bad input.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple::tests;

namespace {

using Json = nlohmann::json;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string kRest = "[excitation]\ntype = \"none\"\n";
const std::string kSine = "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nangular_frequency_rad_s = 25\n";

std::string b6m(const std::string& more) {
    return "[specimen]\nkind = \"block\"\nwidth_m = 0.045\nheight_m = 0.2025\nmass_kg = 1.0896\n" + more;
}

std::string stack_of(int blocks, const std::string& more) {
    std::string text = "[specimen]\nkind = \"stack\"\n" + more;
    for (int i = 0; i < blocks; ++i) text += "[[specimen.blocks]]\nwidth_m = 0.1\nheight_m = 0.05\nmass_kg = 1.0\n";
    return text;
}

struct Answer {
    int exit_code;
    std::string out, err;
    Json json() const { return Json::parse(out); }
};

Answer predict(const std::string& text, const std::vector<std::string>& more = {}) {
    const TemporaryFolder folder;
    std::vector<std::string> arguments = {"predict", folder.write("x.toml", "name = \"x\"\n" + text).string(),
                                          "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const ProgramResult result = run_topple(arguments);
    return {result.exit_code, result.out, result.err};
}

}  // namespace

TEST_CASE("predict --model contact_dynamics: outcome, turning points, impacts with centre velocities, confirmation") {
    const Answer answer =
        predict("[contact_dynamics]\ntime_step_s = 1e-5\n" +
                    b6m("initial_rotation_rad = -0.19666\nfriction = { static = 0.4, kinetic = 0.364 }\n") + kRest,
                {"--model", "contact_dynamics"});
    REQUIRE(answer.exit_code == 0);
    const Json json = answer.json();
    CHECK(json["outcome"] == "rocking");
    CHECK(json["model"] == "contact_dynamics");
    REQUIRE(json["turning_points"].size() > 5);
    CHECK(json["turning_points"][0]["rotation_rad"].get<double>() ==
          Approx(7.7665 * std::numbers::pi / 180.0).margin(2e-4));
    CHECK(json["turning_points"][0]["block"] == 0);
    REQUIRE(json["impacts"].size() > 5);
    CHECK(json["impacts"][0]["centre_velocity_before_m_s"].size() == 2);
    CHECK(json["impacts"][0]["centre_velocity_before_m_s"][1].get<double>() < 0.0);
    CHECK(json["impacts"][0]["centre_velocity_after_m_s"][1].get<double>() > 0.0);
    const Json& contact = json["contact_dynamics"];
    CHECK(contact["confirmed_by_half_step"] == true);
    CHECK(contact["time_step_s"] == 1e-5);
    CHECK(contact["turning_points_confirmed"].get<int>() > 3);
    CHECK(contact["unfinished_steps"] == 0);
}

TEST_CASE("predict says when half the time step does not confirm its result, in text and JSON") {
    const std::string coarse = "model = \"contact_dynamics\"\n[contact_dynamics]\ntime_step_s = 4e-3\n" +
                               b6m("initial_rotation_rad = -0.19666\n") + kRest;
    CHECK(predict(coarse).json()["contact_dynamics"]["confirmed_by_half_step"] == false);
    const TemporaryFolder folder;
    const std::string file = folder.write("x.toml", "name = \"x\"\n" + coarse).string();
    CHECK(has(run_topple({"predict", file}).out, "NOT CONFIRMED by half the time step"));
}

TEST_CASE("predict --model contact_dynamics writes histories with centres, and support none in flight") {
    const TemporaryFolder folder;
    const std::string csv = (folder.path() / "h.csv").string();
    const Answer answer = predict("model = \"contact_dynamics\"\n[contact_dynamics]\nrestitution = 0.5\n" +
                                      b6m("initial_velocity_m_s = [0.0, 1.0]\n") + kRest,
                                  {"--history", csv});
    REQUIRE(answer.exit_code == 0);
    const std::string text = content_of(csv);
    CHECK(has(text, "support_0,slip_m,centre_x_0_m,centre_z_0_m\n"));
    CHECK(has(text, ",none,"));
    CHECK(answer.json()["impacts"].size() >= 5);
}

TEST_CASE("contact dynamics takes stacks of up to 64 blocks with their own friction at every interface") {
    const std::string list = "friction = [{ static = 0.8, kinetic = 0.8 }, { static = 0.1, kinetic = 0.1 }]\n";
    const Json json =
        predict("model = \"contact_dynamics\"\n[contact_dynamics]\ntime_step_s = 1e-4\n" + stack_of(2, list) +
                "[excitation]\ntype = \"constant\"\namplitude_m_s2 = 2.0\nduration_s = 0.1\n")
            .json();
    CHECK(json["outcome"] == "sliding");
    CHECK(json["interface_slip"][0]["peak_m"].get<double>() < 1e-6);
    CHECK(json["interface_slip"][1]["peak_m"].get<double>() > 5e-3);
    CHECK(
        predict("[contact_dynamics]\ntime_step_s = 1e-3\n" + stack_of(64, "") + kRest, {"--model", "contact_dynamics"})
            .exit_code == 0);
    const Answer tall = predict("model = \"contact_dynamics\"\n" + stack_of(65, "") + kRest);
    CHECK(tall.exit_code == 2);
    CHECK(has(tall.err, "65 blocks; allowed: 1 to 64"));
    const Answer rocking = predict(stack_of(9, "") + kRest);
    CHECK(rocking.exit_code == 2);
    CHECK(has(rocking.err, "at most 8 blocks"));
    const Answer wrong_list = predict("model = \"contact_dynamics\"\n" + stack_of(3, list) + kRest);
    CHECK(wrong_list.exit_code == 2);
    CHECK(has(wrong_list.err, "friction"));
}

TEST_CASE("With --after-validity contact_dynamics it goes on where the full model is refused") {
    const std::string slippery = b6m("friction = { static = 0.2, kinetic = 0.2 }\n") + kSine;
    const Json joined = predict(slippery, {"--after-validity", "contact_dynamics"}).json();
    CHECK(joined["model"] == "full");
    CHECK(joined["left_validity"]["reason"] == "slip");
    const double from_s = joined["contact_dynamics"]["from_s"].get<double>();
    CHECK(from_s == Approx(joined["left_validity"]["time_s"].get<double>() - 1e-5).margin(1e-9));
    CHECK(joined["contact_dynamics"]["confirmed_by_half_step"] == true);
    CHECK(joined["outcome"] == predict(slippery, {"--model", "contact_dynamics"}).json()["outcome"]);
    const Json within =
        predict(b6m("") + kSine, {"--after-validity", "contact_dynamics"}).json();  // rough: nothing to hand over
    CHECK(within["left_validity"].is_null());
    CHECK_FALSE(within.contains("contact_dynamics"));
    CHECK(predict(slippery, {"--after-validity", "contact_dynamics", "--model", "linearised"}).exit_code == 2);
    CHECK(predict(slippery, {"--after-validity", "full"}).exit_code == 2);
}

TEST_CASE("map --model contact_dynamics solves every cell") {
    const TemporaryFolder folder;
    const std::string file =
        folder.write("x.toml", "name = \"x\"\n[contact_dynamics]\ntime_step_s = 1e-4\n" + b6m("") + kSine).string();
    const std::string csv = (folder.path() / "map.csv").string();
    const ProgramResult map = run_topple({"map", file, "--model", "contact_dynamics", "--frequency-ratio", "1:6:6",
                                          "--amplitude-ratio", "0.5:8:6", "--csv", csv});
    REQUIRE(map.exit_code == 0);
    const std::string cells = content_of(csv);
    CHECK(std::count(cells.begin(), cells.end(), '\n') == 37);
    CHECK(has(cells, ",translation,"));
    CHECK(has(cells, ",rocking,"));
    CHECK(has(cells, ",overturning,"));
    CHECK_FALSE(has(cells, ",failed,"));
}

TEST_CASE("contact dynamics refuses bad settings with key, value and what is allowed, exit code 2") {
    const auto refused = [](const std::string& section, const std::string& specimen, const std::string& word) {
        const Answer answer = predict("model = \"contact_dynamics\"\n" + section + specimen + kRest);
        CHECK(answer.exit_code == 2);
        CHECK(has(answer.err, word));
    };
    const std::string begin = "[contact_dynamics]\n";
    refused(begin + "restitution = 1.5\n", b6m(""), "restitution");
    refused(begin + "restitution = -0.1\n", b6m(""), "restitution");
    refused(begin + "time_step_s = 0\n", b6m(""), "time_step_s");
    refused(begin + "time_step_s = 1.0\n", b6m(""), "time_step_s");
    refused(begin + "time_step_s = 0.0095\n", b6m(""), "does not resolve a block");
    refused(begin + "theta = 0.3\n", b6m(""), "theta");
    refused(begin + "activation = 2\n", b6m(""), "activation");
    refused(begin + "tolerance = true\n", b6m(""), "tolerance");
    refused(begin + "time_steps = 1e-4\n", b6m(""), "time_steps");
    refused("", b6m("friction = { static = 0.4, kinetic = -0.1 }\n"), "kinetic");
    refused("", b6m("initial_velocity_m_s = [1.0]\n"), "initial_velocity_m_s");
    const std::string beam =
        "[specimen.base]\nbeam = { length_m = 0.3, width_m = 0.04, thickness_m = 0.002, density_kg_m3 = 2795";
    refused("", b6m(beam + " }\n"), "modulus_pa");
    refused("", b6m(beam + ", modulus_pa = 7e10, static_deflection_ratio = 0.001 }\n"), "static_deflection_ratio");
    refused("", b6m(beam + ", modulus_pa = 7e10, elements = 1 }\n"), "elements");
    const Answer rocking = predict(b6m(beam + ", modulus_pa = 7e10 }\n") + kRest);
    CHECK(rocking.exit_code == 2);
    CHECK(has(rocking.err, "contact_dynamics"));
    CHECK(predict(b6m(beam + ", modulus_pa = 7e10 }\n") + kRest, {"--model", "contact_dynamics"}).exit_code == 0);
}

TEST_CASE("what a model needs and the file does not have is refused where it stands: file, line, key, value, allowed") {
    const auto refused = [](const std::string& text, const std::vector<std::string>& words,
                            const std::vector<std::string>& more = {}) {
        const Answer answer = predict(text, more);
        INFO(answer.err);
        CHECK(answer.exit_code == 2);
        for (const std::string& word : words) CHECK(has(answer.err, word));
    };
    for (const char* model : {"multiple_impact", "slide_rock"})
        refused(b6m("") + kRest,
                {"x.toml, line 2", "specimen.friction is missing", model, "static = ..., kinetic = ...", "<= 10"},
                {"--model", model});
    const auto on_beam = [](const char* length, const char* modulus) {
        return b6m("[specimen.base]\nbeam = { length_m = " + std::string(length) +
                   ", width_m = 0.04, thickness_m = 0.002, density_kg_m3 = 2795, modulus_pa = " + modulus + " }\n") +
               kRest;
    };
    const std::vector<std::string> contact{"--model", "contact_dynamics"};
    refused(on_beam("0.045", "7e10"), {"x.toml, line 8", "length_m", "0.045 m", "must be > 0.045"}, contact);
    refused(on_beam("0.3", "1e6"), {"x.toml, line 8", "modulus_pa", "1e+06 Pa", "must be >= "}, contact);
    refused(b6m("initial_velocity_m_s = [0.5, 1.0]\n") + kRest,
            {"x.toml, line 2", "initial_velocity_m_s = [0.5", "contact_dynamics and multiple_impact"});
    refused(b6m("friction = { static = 0.5, kinetic = -0.2 }\n") + kRest, {"x.toml, line 7", "kinetic = -0.2", ">= 0"});
    refused("[multiple_impact]\nrestitution = 1.01\n" + b6m("friction = { static = 0.5, kinetic = 0.5 }\n") + kRest,
            {"x.toml, line 3", "restitution = 1.01", "<= 1"});
    for (const char* amplitude : {"1e-300", "-1e-300"})
        refused(b6m("") + "[excitation]\ntype = \"sine\"\nfrequency_hz = 4\namplitude_m_s2 = " + amplitude + "\n",
                {"x.toml, line 10", "amplitude_m_s2", "1e-300", "1e-12 or more"});
    refused(b6m("") +
                "[excitation]\ntype = \"harmonic\"\nfrequency_hz = 4\nramp_cycles = 1\ncycles = 3\n"
                "displacement_m = 1e-300\n",
            {"x.toml, line 12", "displacement_m", "too small"});
}

TEST_CASE("a time step that is coarse for the excitation is warned of") {
    const Answer answer = predict("model = \"contact_dynamics\"\n[contact_dynamics]\ntime_step_s = 1e-3\n" + b6m("") +
                                  "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 40\n");
    CHECK(answer.exit_code == 0);
    CHECK(has(answer.err, "time_step_s = 0.001 is coarse for the excitation"));
}
