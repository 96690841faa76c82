// Weighted members: shares, quantiles and predictions.
#include "hil/plan/member_shares.hpp"

#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "hil/plan/prediction_json.hpp"
#include "hil/plan/prediction_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using namespace topple::hil;
using plan::EnsembleMember;
using solver::Outcome;

namespace {

plan::ExperimentPrediction predicted(const std::string& members, std::size_t count, double amplitude_m_s2 = 3.2) {
    const tests::TemporaryFolder folder;
    folder.write("members.csv", members);
    const auto experiment = experiment::read_experiment(
        folder.write("experiment.toml",
                     "name = \"x\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
                     "[excitation]\ntype = \"sine\"\nfrequency_hz = 1.5\namplitude_m_s2 = " +
                         std::to_string(amplitude_m_s2) + "\n[uncertainty]\nmembers = \"members.csv\"\n"));
    plan::PredictionRequest request;
    request.ensemble = count;
    return plan::predict_experiment(experiment, request);
}

std::string even_amplitudes(const std::vector<double>& weights) {
    std::string text = "weight,amplitude\n";
    for (std::size_t i = 0; i < weights.size(); ++i)
        text += std::to_string(weights[i]) + "," + std::to_string(0.6 + 0.05 * static_cast<double>(i)) + "\n";
    return text;
}

}  // namespace

TEST_CASE("Shares count by weight, and members that count 1 each are counted exactly") {
    const std::vector<EnsembleMember> members{
        {Outcome::rocking, {}, 2.0}, {Outcome::overturning, {}, 1.0}, {std::nullopt, {}, 1.0}};
    const auto falls = [](const EnsembleMember& member) { return solver::is_overturning(member.outcome); };
    CHECK(plan::share_of(members, falls) == 0.25);
    CHECK(plan::sound_weight(members) == 3.0);
    CHECK(plan::effective_count(members) == Approx(16.0 / 6.0));
    CHECK(plan::is_weighted(members));
    CHECK(plan::likeliest(members) == Outcome::rocking);
    CHECK(plan::probability_text(members) == "50 % rocking, 25 % overturning, 25 % failed");
    const std::vector<EnsembleMember> equal(7, {Outcome::overturning, {}});
    CHECK(plan::share_of(equal, falls) == 1.0);
    CHECK_FALSE(plan::is_weighted(equal));
    CHECK(plan::effective_count(equal) == 7.0);
}

TEST_CASE("Quantiles of equal weights are those without weights, and a heavy value draws them to itself") {
    std::vector<double> values(101);
    std::iota(values.begin(), values.end(), 0.0);
    const plan::Quantiles plain = plan::quantiles_of(values);
    const std::vector<double> equal(values.size(), 0.25);
    CHECK(plan::weighted_quantile(values, equal, 0.05) == Approx(plain.p05).epsilon(1e-12));
    CHECK(plan::weighted_quantile(values, equal, 0.5) == Approx(plain.p50).epsilon(1e-12));
    CHECK(plan::weighted_quantile(values, equal, 0.0) == 0.0);
    CHECK(plan::weighted_quantile(values, equal, 1.0) == 100.0);
    std::vector<double> heavy = equal;
    heavy[80] = 1000.0;
    CHECK(plan::weighted_quantile(values, heavy, 0.5) == Approx(80.0).margin(0.5));
    CHECK(plan::weighted_quantile(std::vector<double>{3.0}, std::vector<double>{0.5}, 0.3) == 3.0);
    std::vector<double> unordered{2.0, 1.0, 3.0}, weights{20.0, 10.0, 30.0};
    plan::sort_together(unordered, weights);
    CHECK(weights == std::vector<double>{10.0, 20.0, 30.0});
}

TEST_CASE("Weights of whole numbers give the probabilities of a table in which each row stands so often") {
    const std::vector<double> weights{3, 1, 2, 4, 1, 5, 2, 2, 3, 1, 1, 2, 4, 3};
    std::string repeated = "amplitude\n";
    for (std::size_t i = 0; i < weights.size(); ++i)
        for (int k = 0; k < static_cast<int>(weights[i]); ++k)
            repeated += std::to_string(0.6 + 0.05 * static_cast<double>(i)) + "\n";
    const auto weighted = predicted(even_amplitudes(weights), weights.size()).specimens.at(0);
    const auto often = predicted(repeated, 34).specimens.at(0);
    for (const Outcome outcome : {Outcome::translation, Outcome::rocking, Outcome::overturning}) {
        const auto is = [outcome](const EnsembleMember& member) { return member.outcome == outcome; };
        CHECK(plan::share_of(weighted.members, is) == Approx(plan::share_of(often.members, is)).margin(1e-12));
        CHECK(plan::share_of(weighted.members, is) > 0.0);
    }
    const auto json = nlohmann::json::parse(plan::probability_json(weighted.members, false));
    CHECK(json["members"] == 14);
    CHECK(json["effective_members"].get<double>() == Approx(34.0 * 34.0 / 104.0).epsilon(1e-9));
    CHECK_FALSE(nlohmann::json::parse(plan::probability_json(often.members, false)).contains("effective_members"));
}

TEST_CASE("A table of equal weights gives the numbers of the same members without weights to the last digit") {
    const std::vector<double> ones(14, 1.0), thirds(14, 1.0 / 3.0);
    const auto one = predicted(even_amplitudes(ones), 14), third = predicted(even_amplitudes(thirds), 14);
    CHECK(one.specimens[0].spread.peak_rad[0].quantiles.p50 == third.specimens[0].spread.peak_rad[0].quantiles.p50);
    CHECK(plan::probability_json(one.specimens[0].members, false) ==
          plan::probability_json(third.specimens[0].members, false));
}

TEST_CASE("An ensemble of another size than the table is refused, and none is allowed") {
    CHECK_THROWS_WITH(predicted("width\n1\n1.01\n", 200),
                      Catch::Contains("--ensemble 200: the ensemble is the 2 members of members.csv; allowed: 2"));
    CHECK(predicted("width\n1\n1.01\n", 0).specimens[0].members.empty());
}
