// What runs teach, from their folders to the posterior.
#include "hil/learn/learning.hpp"

#include <cmath>
#include <fstream>

#include "hil/files/errors.hpp"
#include "hil/learn/learned_document.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/taught_runs.hpp"

using namespace topple;
using namespace topple::tests;
using hil::learn::EvidenceKind;
using hil::learn::LearnedParameter;
using hil::learn::Learning;
using hil::learn::LearningRequest;
using solver::SpecimenParameter;

namespace {

const TaughtTruth kTruth{0.02, 0.003, 0.0025};

std::string refusal(const LearningRequest& request) {
    try {
        learn(request);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

/// A test that stays far below uplift: it rests whatever the restitution is.
std::filesystem::path still_run(const std::string& name) { return taught_run({}, name, 1, 0.3); }

}  // namespace

TEST_CASE("a run with a rotation sensor moves restitution and tilt to the truth and narrows them") {
    const Learning learning = learn(request_of({taught_run(kTruth, "moves")}));
    REQUIRE(learning.is_informative);
    const LearnedParameter& restitution = parameter_of(learning, SpecimenParameter::restitution);
    const LearnedParameter& tilt = parameter_of(learning, SpecimenParameter::tilt_rad);
    CHECK(restitution.is_informative);
    CHECK(restitution.deviation < 0.5 * 0.015);
    CHECK(std::abs(restitution.mean - kTruth.restitution) < 3.0 * restitution.deviation);
    CHECK(std::abs(tilt.mean - kTruth.tilt_rad) < 3.0 * tilt.deviation);
    CHECK(restitution.posterior.centre == Approx(restitution.mean));
    CHECK_FALSE(learning.held_out_not_possible.empty());
}

namespace {

/// What the second of two runs teaches after the first, through a file.
Learning learned_after(const std::filesystem::path& first, const std::filesystem::path& second,
                       const hil::learn::SamplingSettings& sampling) {
    const TemporaryFolder folder;
    LearningRequest one = request_of({first});
    one.sampling = sampling;
    const auto file = folder.write("first.toml", hil::learn::learned_toml(learn(one), "2026-01-01T00:00:00Z"));
    const auto prior = hil::experiment::read_learned_prior(file);
    LearningRequest then = request_of({second});
    then.sampling = sampling;
    then.prior = prior.of;
    then.prior_runs = prior.run_sha256;
    return learn(then);
}

}  // namespace

TEST_CASE("learning release after release gives what learning from all at once gives") {
    const auto first = taught_release(kTruth, "first", 1), second = taught_release(kTruth, "second", 2);
    LearningRequest both = request_of({first, second});
    both.sampling = {.draws_per_stage = 200, .enough = 200.0};
    const Learning batch = learn(both), sequence = learned_after(first, second, both.sampling);
    for (const LearnedParameter& of_batch : batch.parameters) {
        const LearnedParameter& of_sequence = parameter_of(sequence, of_batch.parameter);
        INFO(hil::experiment::key_of(of_batch.parameter));
        // Monte Carlo: 200 effective draws know a mean to 0.07 deviations and a deviation to 5 %; three times that for
        // both, and half as much again for the normal distribution in between.
        CHECK(std::abs(of_batch.mean - of_sequence.mean) < 0.45 * of_batch.deviation);
        CHECK(of_sequence.deviation / of_batch.deviation == Approx(1.0).margin(0.3));
    }
    CHECK(hil::learn::learned_toml(sequence, "").find(both.runs.front().sha256) != std::string::npos);
}

TEST_CASE("learning run after run is wider than from all at once, because the motion's error counts as new each time") {
    const auto first = taught_run(kTruth, "first_driven", 1), second = taught_run(kTruth, "second_driven", 2, 0.92);
    LearningRequest both = request_of({first, second});
    const Learning batch = learn(both), sequence = learned_after(first, second, both.sampling);
    for (const LearnedParameter& of_batch : batch.parameters) {
        const LearnedParameter& of_sequence = parameter_of(sequence, of_batch.parameter);
        INFO(hil::experiment::key_of(of_batch.parameter));
        CHECK(std::abs(of_batch.mean - of_sequence.mean) < 1.5 * of_sequence.deviation);
        CHECK(of_sequence.deviation > 0.7 * of_batch.deviation);
    }
}

TEST_CASE("a run without information gives the prior back to the digit, and says so") {
    const Learning learning = learn(request_of({still_run("still")}));
    CHECK_FALSE(learning.is_informative);
    for (const LearnedParameter& one : learning.parameters) {
        CHECK_FALSE(one.is_informative);
        CHECK(one.posterior.kind == one.prior.kind);
        CHECK(one.posterior.centre == one.prior.centre);
        CHECK(one.posterior.spread == one.prior.spread);
    }
    CHECK(learning_text(learning).find("uninformative: these runs teach nothing") != std::string::npos);
    CHECK(learned_toml(learning, "").find("verdict = \"uninformative\"") != std::string::npos);
}

TEST_CASE("a run that no specimen of the prior explains is left out with its reason") {
    LearningRequest request = request_of({taught_run({}, "wrong_model")});
    for (auto& feature : request.runs.front().features) feature.value *= 1.7;  // as of a block of another size
    const Learning learning = learn(request);
    CHECK_FALSE(learning.is_informative);
    CHECK(learning.runs.front().left_out.find("no specimen that the prior allows") != std::string::npos);
    for (const LearnedParameter& one : learning.parameters) CHECK(one.posterior.spread == one.prior.spread);
}

TEST_CASE("an operator's mark alone teaches through the outcome") {
    SyntheticRun run{.experiment = b6l_sine()};
    run.rotation_sensor = false;
    run.recorded_s = 3.0;
    run.scale = 1.09;  // at the edge of overturning: half of the prior's specimens fall
    const std::string folder = write_run_folder(run, "taught_mark").string();
    const auto unmarked = hil::learn::read_evidence(folder);
    CHECK(unmarked.kind == EvidenceKind::none);
    CHECK(unmarked.left_out.find("nothing was measured") != std::string::npos);
    run_topple({"mark", folder, "--outcome", "R"});
    const LearningRequest request = request_of({folder});
    REQUIRE(request.runs.front().kind == EvidenceKind::mark);
    const Learning learning = learn(request);
    // A block that stood although half of its kind would have fallen loses more energy or is wider than described.
    CHECK(learning.is_informative);
    const auto& evidence = request.runs.front();
    CHECK(explain(evidence, evidence.specimen(), 0.9).is_outcome_right);
    CHECK_FALSE(explain(evidence, evidence.specimen(), 1.2).is_outcome_right);
    run_topple({"mark", folder, "--discard", "camera fell over"});
    CHECK(hil::learn::read_evidence(folder).left_out.find("camera fell over") != std::string::npos);
}

TEST_CASE("each of several runs is foretold from the others") {
    const Learning learning =
        learn(request_of({taught_run(kTruth, "held_1", 1), taught_run(kTruth, "held_2", 2, 0.95)}));
    REQUIRE(learning.held_out.size() == 2);
    for (const auto& one : learning.held_out) {
        INFO(one.not_possible);
        REQUIRE(one.not_possible.empty());
        CHECK(one.log_score_gain > 0.0);  // the truth is more than one deviation from the prior's middle
        CHECK(one.covered + 1 >= one.features);
    }
}

TEST_CASE("what cannot be learned from is refused with its reason") {
    const auto run = taught_run({}, "refused");
    LearningRequest request = request_of({run, run});
    CHECK(refusal(request).find("given twice") != std::string::npos);
    request = request_of({run});
    request.prior_runs = {request.runs.front().sha256};
    CHECK(refusal(request).find("in the prior already") != std::string::npos);
    request = request_of({run});
    request.prior = {};
    for (const auto parameter : hil::experiment::kLearnable) distribution_of(request.prior, parameter) = {};
    CHECK(refusal(request).find("leaves nothing open") != std::string::npos);
    request = request_of({run, taught_run({}, "refused_other", 2)});
    request.runs[1].experiment.specimens[0].blocks[0].height_m = 0.135;
    CHECK(refusal(request).find("block_0_height_m = 0.27 there, 0.135 here") != std::string::npos);
    SyntheticRun stopped{.experiment = b6l_sine()};
    stopped.stop_s = 0.2;
    request = request_of({write_run_folder(stopped, "taught_stopped")});
    CHECK(refusal(request).find("it was stopped") != std::string::npos);
}
