// The foot of an irregular body in an experiment file.
#include <cmath>
#include <string>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/learned_prior.hpp"
#include "hil/files/errors.hpp"
#include "solver/laws/resting_places.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kFoot = "foot = [[-0.06, -0.10], [-0.03, -0.12], [0.03, -0.12], [0.07, -0.09]]\n";
const std::string kRest = "mass_kg = 2.0\ninertia_kg_m2 = 0.01\n";

hil::experiment::Experiment read(const std::string& keys) {
    const tests::TemporaryFolder folder;
    return hil::experiment::read_experiment(
        folder.write("experiment.toml", "name = \"x\"\n[specimen]\nkind = \"block\"\n" + keys +
                                            "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 1.0\nfrequency_hz = 3\n"));
}

std::string refusal(const std::string& keys) {
    try {
        read(keys);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "";
}

solver::Restitution restitution(const std::string& value) {
    return read(kFoot + kRest + "restitution = " + value + "\n").specimens.at(0).restitution;
}

}  // namespace

TEST_CASE("A foot that is drawn as it stands is taken point by point") {
    const hil::experiment::Experiment experiment = read(kFoot + kRest + "initial_rotation_rad = 0.1\n");
    const solver::Specimen& specimen = experiment.specimens.at(0);
    REQUIRE(specimen.foot);
    CHECK(specimen.foot->corners_m ==
          std::vector<solver::ProfilePoint>{{-0.06, -0.10}, {-0.03, -0.12}, {0.03, -0.12}, {0.07, -0.09}});
    CHECK(specimen.foot->inertia_kg_m2 == 0.01);
    CHECK(specimen.blocks.at(0).mass_kg == 2.0);
    CHECK(specimen.initial_rotation_rad == std::vector<double>{0.1});
    REQUIRE(experiment.drawn_feet.size() == 1);
    CHECK(experiment.drawn_feet[0].points == 4);
    CHECK(experiment.drawn_feet[0].turned_rad == 0.0);
    CHECK(experiment.drawn_feet[0].left_out.empty());
}

TEST_CASE("A foot drawn leaning, in any order and with points that touch nothing, is hulled and turned level") {
    const double lean_rad = 0.1, c = std::cos(lean_rad), s = std::sin(lean_rad);
    const auto point = [&](double x, double z) {  // as standing, turned anticlockwise
        return "[" + std::to_string(x * c - z * s) + ", " + std::to_string(x * s + z * c) + "]";
    };
    const hil::experiment::Experiment experiment =
        read("foot = [" + point(0.07, -0.09) + ", " + point(0.0, 0.05) + ", " + point(-0.03, -0.12) + ", " +
             point(0.03, -0.12) + ", " + point(-0.06, -0.10) + "]\n" + kRest);
    const solver::Foot& foot = experiment.specimens.at(0).foot.value();
    REQUIRE(foot.corners_m.size() == 4);
    CHECK(foot.corners_m[1][0] == Approx(-0.03).margin(1e-5));
    CHECK(foot.corners_m[1][1] == Approx(-0.12).margin(1e-5));
    CHECK(foot.corners_m[2][1] == foot.corners_m[1][1]);
    CHECK(experiment.drawn_feet.at(0).turned_rad == Approx(lean_rad).margin(1e-4));
    CHECK(experiment.drawn_feet.at(0).left_out == std::vector<std::size_t>{1});
}

TEST_CASE("The restitution of a foot is one number or one for each face from the left") {
    CHECK(restitution("\"housner\"").material == std::vector<double>{1.0});
    CHECK(restitution("{ model = \"housner\", material = [0.9, 0.8, 0.7] }").material ==
          std::vector<double>{0.9, 0.8, 0.7});
    const solver::Restitution fixed = restitution("{ model = \"fixed\", left_to_right = 0.9, right_to_left = 0.8 }");
    CHECK((fixed.fixed_left_to_right == 0.9 && fixed.fixed_right_to_left == 0.8));
    const solver::Specimen faces =
        read(kFoot + kRest + "restitution = { model = \"fixed\", faces = [[0.9, 0.8], [0.7, 0.6], [0.5, 0.4]] }\n")
            .specimens.at(0);
    CHECK(solver::face_ratios(faces) == std::vector<std::array<double, 2>>{{0.9, 0.8}, {0.7, 0.6}, {0.5, 0.4}});
}

TEST_CASE("A foot that cannot be is refused with its line, what is there and what is allowed") {
    const auto refused = [](const std::string& keys, const std::vector<std::string>& parts) {
        const std::string said = refusal(keys);
        INFO(keys);
        for (const std::string& part : parts) CHECK_THAT(said, ContainsSubstring(part));
    };
    refused("foot = [[0.0, -0.1]]\n" + kRest, {"line 4", "specimen.foot", "2 to 20000 pairs", "1 given"});
    refused("foot = [[0.0, -0.1], [0.1]]\n" + kRest, {"line 4", "foot[1]", "a pair of numbers"});
    refused("foot = [[0.0, -0.1], [0.1, nan]]\n" + kRest, {"line 4", "foot[1][1] = nan"});
    refused("foot = [[-30.0, -120.0], [30.0, -120.0]]\n" + kRest,
            {"line 4", "foot[0][1]", "-120", "<= 100", "millimetres?", "is in m: -0.12"});
    refused("foot = [[-40, -90], [40, -90]]\n" + kRest, {"line 4", "98.49 m from the mass centre", "millimetres?"});
    refused(kFoot + "mass_kg = 2.0\ninertia_kg_m2 = 10\n",
            {"line 6", "inertia_kg_m2 = 10", "radius of gyration of 2.236 m", "up to 10 times the 0.12"});
    refused("foot = [[0.01, -0.1], [0.01, -0.2]]\n" + kRest, {"line 4", "1 corners touch, allowed: 2 to 1025"});
    refused("foot = [[-0.03, 0.12], [0.03, 0.12]]\n" + kRest, {"line 4", "mass centre", "0.12 m below the foot"});
    refused("foot = [[0.03, -0.12], [0.06, -0.12]]\n" + kRest, {"line 4", "rests on none of its faces"});
    refused(kFoot + "mass_kg = 2.0\n", {"inertia_kg_m2 is missing"});
    refused(kFoot + "mass_kg = 2.0\ninertia_kg_m2 = 0\n", {"line 6", "inertia_kg_m2 = 0", "> 0"});
    refused(kFoot + kRest + "width_m = 0.1\n", {"line 7", "width_m", "not allowed together with foot"});
    refused(kFoot + kRest + "restitution = { model = \"improved\", k = 0.9 }\n", {"line 7", "\"housner\" and"});
    refused(kFoot + kRest + "restitution = { model = \"housner\", material = [0.9, 0.8] }\n",
            {"line 7", "one number or 3, one for each face"});
    refused(kFoot + kRest + "restitution = { model = \"fixed\", faces = [[0.9, 0.9]] }\n", {"line 7", "3 to 3 pairs"});
    refused(kFoot + kRest + "restitution = { model = \"fixed\", value = 1, faces = [[1, 1], [1, 1], [1, 1]] }\n",
            {"line 7", "value", "faces"});
}

TEST_CASE("What was learned of one foot is not taken for another") {
    const solver::Specimen here = read(kFoot + kRest).specimens.at(0);
    solver::Specimen other = here;
    other.foot->corners_m[3][0] = 0.071;
    const auto numbers = [](const solver::Specimen& specimen) {
        std::string text;
        for (const auto& number : hil::experiment::described_numbers(specimen))
            text += number.key + "=" + std::to_string(number.value) + "\n";
        return text;
    };
    CHECK_THAT(numbers(here), ContainsSubstring("foot_corner_3_x_m=0.070000"));
    CHECK(numbers(here) != numbers(other));
}
