// What a plan and a prediction tell of an irregular body.
#include "hil/plan/foot_account.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "hil/plan/prediction_json.hpp"
#include "hil/plan/prediction_text.hpp"
#include "solver/study/foot_decay.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;

namespace {

hil::experiment::Experiment read(const std::string& foot, const std::string& more = "",
                                 const std::string& inertia_kg_m2 = "0.053") {
    const tests::TemporaryFolder folder;
    return hil::experiment::read_experiment(folder.write(
        "experiment.toml", "name = \"x\"\n[specimen]\nkind = \"block\"\nmass_kg = 7.4\ninertia_kg_m2 = " +
                               inertia_kg_m2 + "\nfoot = " + foot + "\n" + more + "\n[excitation]\ntype = \"none\"\n"));
}

const std::string kStone =
    "[[-0.085, -0.080], [-0.062, -0.112], [-0.020, -0.121], [0.004, -0.118], [0.035, -0.123], [0.058, -0.109], "
    "[0.082, -0.070]]";

}  // namespace

TEST_CASE("The account of a foot names its faces, where it can rest and what takes it there") {
    const hil::experiment::Experiment stone = read(kStone);
    const nlohmann::ordered_json foot = hil::plan::foot_json(stone, 0);
    CHECK(foot["left_out"] == nlohmann::json{3});
    CHECK(foot["turned_rad"].get<double>() == Approx(-std::atan2(0.002, 0.055)).epsilon(1e-9));
    CHECK(foot["standing_face"] == 2);
    REQUIRE(foot["faces"].size() == 5);
    CHECK(foot["corners_m"].size() == 6);
    CHECK(foot["faces"][2]["slope_rad"] == 0.0);
    CHECK(foot["faces"][2]["can_rest"] == true);
    CHECK(foot["faces"][1]["can_rest"] == true);
    CHECK(foot["faces"][3]["can_rest"] == false);
    CHECK_FALSE(foot["faces"][3].contains("to_left"));
    CHECK(foot["faces"][2]["to_left"]["face"] == 1);
    CHECK(foot["faces"][2]["to_right"]["face"].is_null());
    CHECK(foot["faces"][1]["to_right"]["face"] == 2);
    // One hill lies between the two, wherever one comes from.
    CHECK(foot["faces"][1]["to_right"]["balance_rad"].get<double>() ==
          Approx(foot["faces"][2]["to_left"]["balance_rad"].get<double>()).epsilon(1e-12));
    CHECK(foot["mass_kg"] == 7.4);
    CHECK(foot["radius_of_gyration_m"].get<double>() == Approx(std::sqrt(0.053 / 7.4)));
}

TEST_CASE("An inertia that the foot makes unlikely is told with its radius of gyration") {
    CHECK(hil::plan::inertia_remark(read(kStone), 0).empty());
    const hil::experiment::Experiment wrong = read(kStone, "", "5.3");
    CHECK_THAT(hil::plan::inertia_remark(wrong, 0), ContainsSubstring("radius of gyration of 0.8463 m, more than"));
    CHECK_THAT(hil::plan::foot_text(wrong, 0, 14), ContainsSubstring("radius of gyration 0.8463 m"));
    CHECK(hil::plan::motion_remarks(wrong).size() == 1);
}

TEST_CASE("Rounding noise of a foot is 0 in its account, never minus 0") {
    const nlohmann::ordered_json foot =
        hil::plan::foot_json(read("[[-0.05, -0.2], [0.05, -0.2], [0.08, 2.9411e-19]]"), 0);
    CHECK(foot.dump().find("e-19") == std::string::npos);
    CHECK(foot.dump().find("-0.0,") == std::string::npos);
}

TEST_CASE("The text of a foot says what was left out, how it was turned and on which faces it can rest") {
    const std::string text = hil::plan::foot_text(read(kStone), 0, 14);
    for (const char* part : {"6 corners, 5 faces", "1 of the 7 points", "left out: 3", "turned        by -0.036",
                             "stands on     face 2", "can rest on   face 1", "onto face 1 beyond", "overturns beyond"})
        CHECK_THAT(text, ContainsSubstring(part));
}

TEST_CASE("A body that comes to rest on another face is said to stand no longer as before") {
    const hil::experiment::Experiment stone = read(kStone);
    solver::Prediction prediction;
    CHECK(hil::plan::resting_words(prediction, stone.specimens[0]).empty());
    prediction.resting_face = 2;
    CHECK_THAT(hil::plan::resting_words(prediction, stone.specimens[0]), ContainsSubstring("as it stood"));
    prediction.resting_face = 1;
    CHECK_THAT(hil::plan::resting_words(prediction, stone.specimens[0]),
               ContainsSubstring("no longer stands on face 2"));
}

TEST_CASE("A prediction of a foot tells what its half cycles lose, and one of a plain block does not") {
    const auto stone = read(kStone, "initial_rotation_rad = 0.2");
    const auto prediction = hil::plan::predict_experiment(stone, {});
    const auto json = nlohmann::json::parse(hil::plan::prediction_json(stone, prediction));
    const std::vector<double> ratios = hil::plan::half_cycles(stone, 0, prediction.specimens.at(0).prediction);
    REQUIRE(ratios.size() > 4);
    CHECK(json.at("apparent_restitution").get<std::vector<double>>() == ratios);
    for (std::size_t k = 0; k < 4; ++k) CHECK((ratios[k] > 0.5 && ratios[k] < 1.0));
    CHECK_THAT(hil::plan::prediction_text(stone, prediction),
               ContainsSubstring(fmt::format("apparent rest. {:.4f}, {:.4f}, ", ratios[0], ratios[1])) &&
                   ContainsSubstring("... per half cycle"));

    const tests::TemporaryFolder folder;
    const auto block = hil::experiment::read_experiment(
        folder.write("block.toml",
                     "name = \"x\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.1\nheight_m = 0.4\n"
                     "mass_kg = 4\ninitial_rotation_rad = 0.1\n[excitation]\ntype = \"none\"\n"));
    const auto of_block = hil::plan::predict_experiment(block, {});
    CHECK_FALSE(nlohmann::json::parse(hil::plan::prediction_json(block, of_block)).contains("apparent_restitution"));
}

TEST_CASE("Half cycles of a foot count from the end of the motion") {
    const tests::TemporaryFolder folder;
    const auto stone = hil::experiment::read_experiment(
        folder.write("experiment.toml",
                     "name = \"x\"\n[specimen]\nkind = \"block\"\nmass_kg = 7.4\ninertia_kg_m2 = "
                     "0.053\nfoot = " +
                         kStone +
                         "\n[excitation]\ntype = \"sine\"\namplitude_m_s2 = 2.2\n"
                         "frequency_hz = 3.0\ncycles = 1\n"));
    const auto prediction = hil::plan::predict_experiment(stone, {});
    const double end_s = stone.excitation.planned_motion().end_s();
    const solver::Prediction& p = prediction.specimens.at(0).prediction;
    REQUIRE(p.turning_points.at(0).time_s < end_s);
    CHECK(hil::plan::half_cycles(stone, 0, p) ==
          solver::apparent_restitution(stone.specimens[0], p.turning_points, end_s));
    CHECK(hil::plan::half_cycles(stone, 0, p) !=
          solver::apparent_restitution(stone.specimens[0], p.turning_points, 0.0));
}
