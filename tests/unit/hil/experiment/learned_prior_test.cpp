// [uncertainty] prior: what it takes over, and every way to get it wrong.
#include "hil/experiment/learned_prior.hpp"

#include <cmath>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/plan/prediction_json.hpp"
#include "hil/plan/prediction_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using hil::experiment::Experiment;
using solver::DistributionKind;
using solver::SpecimenParameter;

namespace {

const std::string kLearned =
    "schema = \"topple.learned/1\"\nverdict = \"learned\"\n"
    "[specimen]\nrestitution_law = \"housner\"\nblock_0_width_m = 0.06\nblock_0_height_m = 0.27\n"
    "block_0_mass_kg = 2.5692\nrestitution_k = 1\nrestitution_left_to_right = 1\nrestitution_right_to_left = 1\n"
    "restitution_material_0 = 1\ninitial_tilt_rad = 0\n"
    "[[data]]\nrun = \"a\"\nused = true\nsha256 = \"aa\"\n[[data]]\nrun = \"b\"\nused = false\n"
    "[posterior]\nsamples = 100\n"
    "[posterior.restitution]\nkind = \"normal\"\ncentre = -0.02\nspread = 0.004\n"
    "[posterior.tilt_rad]\nkind = \"normal\"\ncentre = 0.003\nspread = 0.001\n"
    "[posterior.correlation]\nrestitution = [1.0, 0.8]\ntilt_rad = [0.8, 1.0]\n";

std::string experiment_text(const std::string& lines, const std::string& height = "0.27") {
    return "name = \"x\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = " + height +
           "\nmass_kg = 2.5692\n[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n"
           "[uncertainty]\n" +
           lines;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

std::string message_of(const std::string& learned, const std::string& experiment) {
    const tests::TemporaryFolder folder;
    folder.write("learned.toml", learned);
    try {
        hil::experiment::read_experiment(folder.write("experiment.toml", experiment));
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

bool says(const std::string& learned, const std::string& words,
          const std::string& experiment = experiment_text("prior = \"learned.toml\"\n")) {
    const std::string message = message_of(learned, experiment);
    INFO(message);
    CHECK(message.find(words) != std::string::npos);
    return message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("a learned prior takes the place of the defaults of what it has learned") {
    const tests::TemporaryFolder folder;
    folder.write("learned.toml", kLearned);
    const Experiment experiment = hil::experiment::read_experiment(folder.write(
        "experiment.toml", experiment_text("prior = \"learned.toml\"\nwidth = { normal = 0.001 }\nseed = 3\n")));
    const solver::Uncertainty& of = experiment.uncertainty.of;
    CHECK(of.restitution.centre == -0.02);
    CHECK(of.restitution.spread == 0.004);
    CHECK(of.tilt_rad.centre == 0.003);
    CHECK(of.width.spread == 0.001);
    CHECK(of.amplitude.spread == 0.01);  // no property of the specimen: as ever
    REQUIRE(experiment.uncertainty.prior);
    CHECK(experiment.uncertainty.prior->runs_used == 1);
    CHECK(experiment.uncertainty.prior->run_sha256 == std::vector<std::string>{"aa"});

    // Members have the learned means, deviations and correlation.
    constexpr int kMembers = 4000;
    double sum_r = 0.0, sum_t = 0.0, rr = 0.0, tt = 0.0, rt = 0.0;
    for (std::uint64_t i = 0; i < kMembers; ++i) {
        const auto member = solver::draw_member(of, 3, i, 1).perturbation;
        const double r = (member.restitution_factor - 0.98) / 0.004, t = (member.tilt_rad - 0.003) / 0.001;
        sum_r += r, sum_t += t, rr += r * r, tt += t * t, rt += r * t;
    }
    const double five = 5.0 / std::sqrt(double{kMembers});
    CHECK(std::abs(sum_r / kMembers) < five);
    CHECK(std::abs(sum_t / kMembers) < five);
    CHECK(rr / kMembers == Approx(1.0).margin(1.5 * five));
    CHECK(tt / kMembers == Approx(1.0).margin(1.5 * five));
    CHECK(rt / kMembers == Approx(0.8).margin(1.5 * five));
}

TEST_CASE("prediction and run folder say which learned file was used, with its hash") {
    const tests::TemporaryFolder folder;
    folder.write("learned.toml", kLearned);
    const Experiment experiment = hil::experiment::read_experiment(
        folder.write("experiment.toml", experiment_text("prior = \"learned.toml\"\n")));
    const std::string sha256 = experiment.uncertainty.prior->sha256;
    hil::plan::PredictionRequest request;
    request.ensemble = 20;
    const auto prediction = hil::plan::predict_experiment(experiment, request);
    CHECK(prediction_text(experiment, prediction).find("learned: learned.toml (SHA-256 " + sha256.substr(0, 12)) !=
          std::string::npos);
    CHECK(prediction_json(experiment, prediction).find(sha256) != std::string::npos);
    const auto portable = hil::experiment::make_portable(experiment);
    REQUIRE(portable.files.size() == 1);
    CHECK(portable.files[0].text == kLearned);
    CHECK(portable.text.find("prior = \"referenced/1_learned.toml\"") != std::string::npos);
    CHECK(portable.hashes().begin()->second == sha256);
}

TEST_CASE("what was learned on another specimen is refused, naming the number that differs") {
    const std::string experiment = experiment_text("prior = \"learned.toml\"\n", "0.135");
    CHECK(says(kLearned, "block_0_height_m = 0.27 there, 0.135 here", experiment));
    CHECK(says(replaced(kLearned, "\"housner\"", "\"improved\""), "restitution_law = \"improved\" there, \"housner\""));
    CHECK(says(replaced(kLearned, "block_0_mass_kg = 2.5692\n", ""), "block_0_mass_kg is missing there"));
    CHECK(says(replaced(kLearned, "initial_tilt_rad = 0", "initial_tilt_rad = 0.01"), "initial_tilt_rad = 0.01 there"));
}

TEST_CASE("a number in both places, and a file that is none, are refused at their line") {
    CHECK(says(kLearned, "restitution is in learned.toml already",
               experiment_text("prior = \"learned.toml\"\nrestitution = { normal = 0.01 }\n")));
    CHECK(says(kLearned, "none.toml", experiment_text("prior = \"none.toml\"\n")));
    CHECK(says("x = 1\n", "schema is missing"));
    CHECK(says(replaced(kLearned, "learned/1", "learned/9"), "schema"));
    CHECK(says(replaced(kLearned, "spread = 0.004", "spread = -1"), "posterior.restitution.spread"));
    CHECK(says(replaced(kLearned, "spread = 0.004", "spread = 0.9"), "would reach 0"));
    CHECK(says(replaced(kLearned, "[0.8, 1.0]", "[0.7, 1.0]"), "not symmetric"));
    CHECK(says(replaced(kLearned, "[1.0, 0.8]", "[1.0, 0.8, 0.1]"), "array"));
    CHECK(says(replaced(replaced(kLearned, "[0.8, 1.0]", "[1.0, 1.0]"), "[1.0, 0.8]", "[1.0, 1.0]"),
               "positive definite"));
    CHECK(says(replaced(kLearned, "[posterior.tilt_rad]", "[posterior.tild_rad]"), "did you mean tilt_rad"));
}
