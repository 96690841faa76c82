#include "hil/experiment/experiment.hpp"

#include <fmt/format.h>

#include <numbers>

#include "hil/files/errors.hpp"
#include "hil/plan/motion_plan.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/sim_table/fault_script.hpp"
#include "solver/stack/geometry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

const std::string kBlock = "[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n";
const std::string kSine = "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";

hil::experiment::Experiment read(const std::string& text) {
    const tests::TemporaryFolder folder;
    return hil::experiment::read_experiment(folder.write("experiment.toml", text));
}

solver::Restitution read_restitution(const std::string& value) {
    return read("name = \"x\"\n" + kBlock + "restitution = " + value + "\n" + kSine).specimens.at(0).restitution;
}

}  // namespace

TEST_CASE("A block under a sine is read with its defaults") {
    const hil::experiment::Experiment experiment = read("name = \"x\"\n" + kBlock + kSine);
    REQUIRE(experiment.specimens.size() == 1);
    const solver::Specimen& specimen = experiment.specimens[0];
    CHECK(specimen.blocks.at(0).height_m == 0.27);
    CHECK(specimen.restitution.model == solver::RestitutionModel::housner);
    CHECK_FALSE(specimen.friction);
    CHECK(specimen.initial_rotation_rad == std::vector<double>{0.0});
    CHECK(experiment.gravity_m_s2 == 9.81);
    CHECK(experiment.table.description.stroke_m > 0.0);
    CHECK(experiment.table.device == "sim:");
    CHECK(experiment.table.centre);
    CHECK(experiment.simulation.seed == 1);
    CHECK_FALSE(experiment.simulation.truth.exact);
    CHECK(experiment.excitation.angular_frequency_rad_s == Approx(8 * std::numbers::pi));
    REQUIRE(experiment.excitation.table_motion);
    CHECK(experiment.excitation.planned_motion().end_s() == Approx(0.25));
    CHECK(experiment.excitation.remarks.at(0).find("29.8 mm") != std::string::npos);
}

TEST_CASE("A block's mass may be written as density and depth") {
    const auto with = [](const std::string& lines) {
        return read("name = \"x\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\n" + lines + kSine);
    };
    CHECK(with("density_kg_m3 = 2700\ndepth_m = 0.05\n").specimens.at(0).blocks.at(0).mass_kg ==
          Approx(2700 * 0.06 * 0.27 * 0.05));
    for (const char* wrong : {"", "density_kg_m3 = 2700\n", "depth_m = 0.05\n", "density_kg_m3 = 0\ndepth_m = 1\n",
                              "density_kg_m3 = 2700\ndepth_m = 0.05\nmass_kg = 2.0\n"})
        CHECK_THROWS_AS(with(wrong), hil::files::InputError);
    CHECK(with("mass_kg = 2.0\ndepth_m = 0.05\ncentre_offset_y_m = -0.02\n").shapes.at(0).depth_m == 0.05);
    CHECK_THROWS_AS(with("mass_kg = 2.0\ncentre_offset_y_m = 0.01\n"), hil::files::InputError);
    CHECK_THROWS_AS(with("mass_kg = 2.0\ndepth_m = 0.05\ncentre_offset_y_m = 0.025\n"), hil::files::InputError);
    const std::string block = "[[specimen.blocks]]\nwidth_m = 0.1\nheight_m = 0.1\ndensity_kg_m3 = 1000\ndepth_m = 1\n";
    const auto stack = [&](int count) {
        std::string text = "name = \"x\"\n[specimen]\nkind = \"stack\"\n";
        for (int i = 0; i < count; ++i) text += block;
        return read(text + kSine);
    };
    CHECK(hil::experiment::payload_kg(stack(2)) == Approx(20.0));
    CHECK(stack(solver::kBlocksMax).specimens.at(0).blocks.size() ==
          8);  // as many as the solver and the documentation say
    CHECK_THROWS_AS(stack(solver::kBlocksMax + 1), hil::files::InputError);
}

TEST_CASE("A vertical excitation has the keys of an excitation and is kept apart from it") {
    const std::string up = "[vertical_excitation]\ntype = \"cosine\"\namplitude_g = -0.5\nfrequency_hz = 2.0\n";
    const hil::experiment::Experiment experiment = read("name = \"x\"\n" + kBlock + kSine + up);
    CHECK(experiment.vertical_excitation.motion.at(0.0).acceleration_m_s2 == Approx(-4.905));
    CHECK(experiment.excitation.planned_motion().end_s() == Approx(0.25));
    CHECK(read("name = \"x\"\n" + kBlock + kSine).vertical_excitation.type == "none");
    CHECK(hil::plan::solver_options(experiment, "full").vertical->end_s() == Approx(0.5));
    CHECK_THROWS_AS(hil::experiment::require_drivable(experiment), hil::files::InputError);
    CHECK_THROWS_AS(hil::plan::plan_motion(experiment), hil::files::InputError);
    for (const char* wrong : {"type = \"constant\"\nmass_slider_kg = 1.0\nmass_hanging_kg = 1.0\ndrop_height_m = 0.1\n",
                              "type = \"sine\"\namplitude_m_s2 = 1.0\nfrequency_hz = 1.0\nunknown = 1\n"})
        CHECK_THROWS_AS(read("name = \"x\"\n" + kBlock + kSine + "[vertical_excitation]\n" + wrong),
                        hil::files::InputError);
}

TEST_CASE("A vertical excitation changes what is predicted, and a base in free fall is refused with its instant") {
    const auto with_up = [](double amplitude_m_s2) {
        return read("name = \"x\"\n" + kBlock +
                    "[excitation]\ntype = \"constant\"\namplitude_m_s2 = 2.0\nduration_s = 0.5\n" +
                    fmt::format("[vertical_excitation]\ntype = \"sine\"\namplitude_m_s2 = {}\nfrequency_hz = 1.0\n",
                                amplitude_m_s2));
    };
    hil::plan::PredictionRequest request;
    request.ensemble = 8;
    CHECK(hil::plan::predict_experiment(with_up(0.1), request).specimens.at(0).prediction.outcome ==
          solver::Outcome::translation);
    const auto lifted = hil::plan::predict_experiment(with_up(-6.0), request).specimens.at(0);
    CHECK(lifted.prediction.outcome != solver::Outcome::translation);
    for (const hil::plan::EnsembleMember& member : lifted.members)
        CHECK(member.outcome != solver::Outcome::translation);
    CHECK_THROWS_WITH(hil::plan::predict_experiment(with_up(-19.62), request),
                      Catch::Matchers::ContainsSubstring("falls freely at t = 0.0833"));
}

TEST_CASE("An initial rotation rate is read per block, and a table refuses it") {
    const hil::experiment::Experiment one =
        read("name = \"x\"\n" + kBlock + "initial_rotation_rate_rad_s = -0.5\n" + kSine);
    CHECK(one.specimens.at(0).initial_rotation_rate_rad_s == std::vector<double>{-0.5});
    CHECK_THROWS_AS(hil::plan::plan_motion(one), hil::files::InputError);
    const std::string block = "[[specimen.blocks]]\nwidth_m = 0.1\nheight_m = 0.2\nmass_kg = 1.0\n";
    const hil::experiment::Experiment pair = read("name = \"x\"\n[[specimen]]\nkind = \"stack\"\n" + block + block +
                                                  "initial_rotation_rate_rad_s = 0.2\n" + kSine);
    CHECK(pair.specimens.at(0).initial_rotation_rate_rad_s == std::vector<double>{0.0, 0.2});
    CHECK_THROWS_AS(read("name = \"x\"\n" + kBlock + "initial_rotation_rate_rad_s = 2000.0\n" + kSine),
                    hil::files::InputError);
}

TEST_CASE("Random restitution has a defect, and a mean and a seed if wanted") {
    const solver::Restitution plain = read_restitution("{ model = \"random\", defect = 0.05 }");
    CHECK(plain.model == solver::RestitutionModel::random);
    CHECK(plain.random_defect_ratio == 0.05);
    CHECK_FALSE(plain.random_mean);
    CHECK(plain.random_seed == 1);
    const solver::Restitution full = read_restitution("{ model = \"random\", defect = 0.0, mean = 0.9, seed = 7 }");
    CHECK(full.random_mean.value() == 0.9);
    CHECK(full.random_seed == 7);
    CHECK_THROWS_AS(read_restitution("{ model = \"random\" }"), hil::files::InputError);
    CHECK_THROWS_AS(read_restitution("{ model = \"random\", defect = 0.5 }"), hil::files::InputError);
    CHECK_THROWS_AS(read_restitution("{ model = \"random\", defect = 0.1, mean = 1.0 }"), hil::files::InputError);
}

TEST_CASE("A plain [specimen] is the same as one [[specimen]]") {
    std::string plain = kBlock;
    plain.replace(plain.find("[[specimen]]"), 12, "[specimen]");
    CHECK(read("name = \"x\"\n" + plain + kSine).specimens.size() == 1);
}

TEST_CASE("Integers are numbers and notes are kept as written") {
    const hil::experiment::Experiment experiment =
        read("name = \"x\"\ngravity_m_s2 = 10\n[notes]\noperator = \"N. N.\"\nblock = 7\nday = 2026-01-02\n" + kBlock +
             kSine);
    CHECK(experiment.gravity_m_s2 == 10.0);
    CHECK(experiment.notes.at("operator") == "N. N.");
    CHECK(experiment.notes.at("block") == "7");
    CHECK(experiment.notes.at("day") == "2026-01-02");
}

TEST_CASE("Every form of restitution is read") {
    CHECK(read_restitution("\"housner\"").model == solver::RestitutionModel::housner);
    const solver::Restitution improved = read_restitution("{ model = \"improved\", k = 0.73, material = 0.99 }");
    CHECK(improved.model == solver::RestitutionModel::improved);
    CHECK(improved.impulse_position_k == 0.73);
    CHECK(improved.material == std::vector<double>{0.99});
    CHECK(read_restitution("{ model = \"fixed\", value = 0.95 }").fixed_right_to_left == 0.95);
    const solver::Restitution sides =
        read_restitution("{ model = \"fixed\", left_to_right = 0.95, right_to_left = 0.93 }");
    CHECK(sides.fixed_left_to_right == 0.95);
    CHECK(sides.fixed_right_to_left == 0.93);
    CHECK(read_restitution("{ model = \"housner\", rule = \"literal\" }").rule == solver::RestitutionRule::literal);
}

TEST_CASE("A stack is read from the bottom up") {
    const std::string stack =
        "[specimen]\nkind = \"stack\"\nrestitution = { model = \"housner\", material = [0.99, 0.95] }\n"
        "friction = { static = 0.5, kinetic = 0.4 }\ninitial_tilt_rad = 0.001\n"
        "[[specimen.blocks]]\nwidth_m = 0.045\nheight_m = 0.1\nmass_kg = 0.5\n"
        "[[specimen.blocks]]\nwidth_m = 0.045\nheight_m = 0.2\nmass_kg = 1.0\ninitial_rotation_rad = 0.05\n";
    const hil::experiment::Experiment experiment = read("name = \"x\"\n" + stack + kSine);
    const solver::Specimen& specimen = experiment.specimens.at(0);
    REQUIRE(specimen.blocks.size() == 2);
    CHECK(specimen.blocks[1].height_m == 0.2);
    CHECK(specimen.initial_rotation_rad == std::vector<double>{0.0, 0.05});
    CHECK(specimen.restitution.material == std::vector<double>{0.99, 0.95});
    CHECK(specimen.friction->kinetic_ratio == 0.4);
    CHECK(specimen.initial_tilt_rad == 0.001);
    CHECK(hil::experiment::payload_kg(experiment) == Approx(1.5));
}

TEST_CASE("An asymmetric body replaces the sizes of a block") {
    const hil::experiment::Experiment experiment = read(
        "name = \"x\"\n[specimen]\nkind = \"block\"\nmass_kg = 2.0\npivots = { alpha_left_rad = 0.2, alpha_right_rad = "
        "0.25, "
        "radius_left_m = 0.14, radius_right_m = 0.15, inertia_kg_m2 = 0.02 }\n" +
        kSine);
    REQUIRE(experiment.specimens.at(0).pivots);
    CHECK(experiment.specimens[0].pivots->radius_right_m == 0.15);
    CHECK(hil::experiment::payload_kg(experiment) == 2.0);
}

TEST_CASE("Kind none leaves the table empty") {
    const hil::experiment::Experiment experiment = read("name = \"x\"\n[specimen]\nkind = \"none\"\n" + kSine);
    CHECK(experiment.specimens.empty());
    CHECK(std::isinf(hil::experiment::uplift_threshold_m_s2(experiment)));
}

TEST_CASE("The truth of a simulated table is exact, drawn or given") {
    const std::string head = "name = \"x\"\n" + kBlock + kSine + "[simulation]\nseed = 7\n";
    CHECK(read(head).simulation.seed == 7);
    CHECK(read(head + "truth = \"exact\"\n").simulation.truth.exact);
    const hil::experiment::Truth truth =
        read(head + "truth = { restitution_factor = 0.95, tilt_rad = 0.002 }\n").simulation.truth;
    CHECK(truth.restitution_factor == 0.95);
    CHECK(truth.tilt_rad == 0.002);
    CHECK_FALSE(truth.width_factor);
}

TEST_CASE("The examples of the documentation are read") {
    const std::filesystem::path folder = std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples";
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".toml" || entry.path().filename() == "faults.toml") continue;
        INFO(entry.path());
        CHECK_NOTHROW(hil::experiment::read_experiment(entry.path()));
        ++count;
    }
    CHECK(count >= 5);
    CHECK_NOTHROW(hil::sim_table::read_fault_script(folder / "faults.toml"));
}
