#include "hil/outcome_fit/table_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "hil/files/errors.hpp"
#include "hil/files/sha256.hpp"
#include "hil/outcome_fit/held_out_tests.hpp"
#include "solver/numerics/random_sequence.hpp"

namespace topple::hil::outcome_fit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using files::InputError;
using solver::DistributionKind;

/// Belief before the tests, and where it comes from.
struct Prior {
    solver::Uncertainty of;
    std::string source;
    std::vector<std::string> sha256;
};

/// What the first row whose base moves says: of a base at rest [uncertainty] knows no amplitude.
Prior prior_of(const SpecimenTests& tests, const TableTests& all, const FitRequest& request) {
    const auto moves = std::find_if(tests.tests.begin(), tests.tests.end(),
                                    [](const FitTest& test) { return !test.experiment->motion.empty(); });
    const auto& first = moves == tests.tests.end() ? tests.tests.front() : *moves;
    const experiment::UncertaintySection& section = first.experiment->uncertainty;
    if (section.members)
        throw InputError(
            fmt::format("{}: [uncertainty] members: a fit starts from distributions; allowed: without members",
                        all.table.experiment.source.string()));
    Prior prior{section.of, "[uncertainty] of " + all.table.experiment.source.string(), {}};
    if (request.prior) {
        if (const std::string why = experiment::not_of(*request.prior, tests.specimen); !why.empty())
            throw InputError(fmt::format("--prior {}: learned on another specimen: {}", request.prior->file, why));
        for (const solver::SpecimenParameter parameter : request.prior->learned)
            distribution_of(prior.of, parameter) = distribution_of(request.prior->of, parameter);
        prior.of.correlation = request.prior->of.correlation;
        prior.source = experiment::prior_words(*request.prior);
        prior.sha256 = request.prior->run_sha256;
    } else if (section.prior) {
        prior.source += ", learned: " + experiment::prior_words(*section.prior);
        prior.sha256 = section.prior->run_sha256;
    }
    return prior;
}

/// Departures of the learned parameters at every draw.
MatrixXd departures_of(const FitParameters& parameters, const std::vector<std::size_t>& learned,
                       const MatrixXd& draws) {
    const std::vector<double> middle(parameters.per_test().size(), 0.0);
    MatrixXd departures(draws.rows(), static_cast<Index>(learned.size()));
    std::vector<double> draw(static_cast<std::size_t>(draws.cols()));
    for (Index row = 0; row < draws.rows(); ++row) {
        for (std::size_t i = 0; i < draw.size(); ++i) draw[i] = draws(row, static_cast<Index>(i));
        const std::vector<double> values = parameters.values(draw, middle);
        for (std::size_t i = 0; i < learned.size(); ++i)
            departures(row, static_cast<Index>(i)) = parameters.all()[learned[i]].departure(values[learned[i]]);
    }
    return departures;
}

std::vector<std::size_t> learned_of(const FitParameters& parameters) {
    std::vector<std::size_t> learned;
    for (const std::size_t i : parameters.common())
        if (parameters.all()[i].role == Role::learned) learned.push_back(i);
    return learned;
}

void take_posterior(SpecimenFit& fit, const learn::WeightedDraws& sampled) {
    const std::vector<std::size_t> learned = learned_of(fit.parameters);
    const MatrixXd departures = departures_of(fit.parameters, learned, sampled.draws);
    const VectorXd of_prior = sampled.weights_of(VectorXd::Zero(sampled.powers.size()));
    std::vector<bool> as_logarithm;
    for (std::size_t i = 0; i < learned.size(); ++i) {
        FittedParameter one{fit.parameters.all()[learned[i]],
                            learn::marginal_of(departures.col(static_cast<Index>(i)), sampled.weights, of_prior),
                            {}};
        as_logarithm.push_back(one.parameter.is_factor() &&
                               learn::is_logarithmic(one.parameter.prior, one.marginal.deviation));
        fit.is_informative = fit.is_informative || one.marginal.is_informative;
        fit.learned.push_back(std::move(one));
    }
    const learn::NormalPosterior posterior = learn::normal_posterior(departures, as_logarithm, sampled.weights);
    fit.correlation = posterior.correlation;
    for (std::size_t i = 0; i < learned.size(); ++i)
        fit.learned[i].posterior =
            fit.learned[i].marginal.is_informative ? posterior.of[i] : fit.learned[i].parameter.prior;
}

/// Rows of a members table: systematic resampling of the draws (each as often as its weight says, to within one), and
/// beside each what varies from test to test, evenly spread.
std::vector<std::vector<double>> members_of(const FitParameters& parameters, const learn::WeightedDraws& sampled,
                                            const VectorXd& weights, std::size_t count, std::uint64_t seed) {
    solver::SplitMix64 random(seed ^ 0x6D656D62ull);
    const double start = random.uniform();
    const MatrixXd own = latin_normals(count, parameters.per_test().size(), random.next());
    std::vector<std::vector<double>> members;
    double sum = 0.0;
    for (Index row = 0; row < weights.size(); ++row) {
        sum += weights[row] * static_cast<double>(count);
        while (members.size() < count && static_cast<double>(members.size()) + start < sum) {
            const VectorXd common = sampled.draws.row(row).transpose();
            const VectorXd of_test = own.row(static_cast<Index>(members.size())).transpose();
            members.push_back(parameters.values({common.data(), static_cast<std::size_t>(common.size())},
                                                {of_test.data(), static_cast<std::size_t>(of_test.size())}));
        }
    }
    return members;
}

void require_converged(const SpecimenFit& fit, const FitRequest& request) {
    if (fit.convergence.failure.empty()) return;
    throw InputError(
        fmt::format("{}not converged: {}: nothing is written. Give a larger --draws (now {}) or --draws-per-test (now "
                    "{}), a larger "
                    "--lapse (now {:g}), or fewer --parameters",
                    fit.name.empty() ? "" : fit.name + ": ", fit.convergence.failure, request.sampling.draws_per_stage,
                    request.likelihood.draws_per_test, request.likelihood.lapse));
}

void require_new_and_few(const SpecimenTests& tests, const TableFit& table, const Prior& prior) {
    constexpr std::size_t kTestsMost = 20'000;  // times thousands of draws: gigabytes
    const std::string file = table.tests.table.file.string();
    if (tests.tests.size() > kTestsMost)
        throw InputError(fmt::format("{}: {} tests of one specimen; at most {} can be fitted at once", file,
                                     tests.tests.size(), kTestsMost));
    if (std::find(prior.sha256.begin(), prior.sha256.end(), table.table_sha256) != prior.sha256.end())
        throw InputError(fmt::format("{}: this table is in the prior already; it would count twice", file));
}

FitParameters parameters_of(const SpecimenTests& tests, const Prior& prior, const FitRequest& request) {
    try {
        FitParameters parameters(prior.of, tests.specimen, request.learned);
        if (learned_of(parameters).empty())
            throw InputError(
                "the prior leaves nothing open: every parameter of the specimen is fixed in [uncertainty]");
        return parameters;
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("--parameters {}", error.what()));
    }
}

SpecimenFit fit_specimen(const SpecimenTests& tests, const TableFit& table,
                         const std::map<std::string, std::size_t>& folds) {
    const FitRequest& request = table.request;
    const Prior prior = prior_of(tests, table.tests, request);
    require_new_and_few(tests, table, prior);
    SpecimenFit fit{.name = tests.name,
                    .specimen = tests.specimen,
                    .tests = tests.tests.size(),
                    .parameters = parameters_of(tests, prior, request),
                    .learned = {},
                    .correlation = {},
                    .convergence = {},
                    .prior_source = prior.source,
                    .prior_sha256 = prior.sha256,
                    .members = {},
                    .foretold = {}};
    const VectorXd all = VectorXd::Ones(static_cast<Index>(tests.tests.size()));
    const SearchedTable searched = search_table(tests, fit.parameters, request, all);
    fit.convergence = searched.found.convergence;
    require_converged(fit, request);
    const learn::WeightedDraws& draws = searched.found.draws;
    take_posterior(fit, draws);
    fit.members = members_of(fit.parameters, draws,
                             fit.is_informative ? draws.weights : draws.weights_of(VectorXd::Zero(all.size())),
                             request.members, request.sampling.seed);
    foretell(fit, searched, table.tests.table, folds, request);
    return fit;
}

void add_remarks(TableFit& fit) {
    for (const SpecimenFit& one : fit.specimens) {
        const auto& all = one.parameters.all();
        if (std::any_of(all.begin(), all.end(), [](const FitParameter& each) { return each.role == Role::varied; }))
            fit.remarks.push_back(
                fmt::format("{}every block of a stack has its own size: sizes were varied and not learned. The members "
                            "table has no "
                            "sizes; the learned file with [uncertainty] keeps them",
                            one.name.empty() ? "" : one.name + ": "));
        for (const FittedParameter& each : one.learned)
            if (!each.parameter.kind && each.marginal.is_informative)
                fit.remarks.push_back(
                    fmt::format("{}{} is in the members table alone: [uncertainty] prior has no place for it",
                                one.name.empty() ? "" : one.name + ": ", each.parameter.key));
    }
    if (fit.gain.brier.value > 0.0 || fit.gain.log_score.value > 0.0)
        fit.remarks.push_back(
            "WARNING: the prior foretells the held-out tests better than what was learned: do not use it before you "
            "know why");
}

}  // namespace

bool TableFit::is_informative() const noexcept {
    return std::any_of(specimens.begin(), specimens.end(), [](const SpecimenFit& one) { return one.is_informative; });
}

TableFit fit_table(TableTests tests, const FitRequest& request) {
    TableFit fit;
    fit.request = request;
    fit.tests = std::move(tests);
    fit.table_sha256 = files::sha256_hex(fit.tests.table.text.text);
    const auto folds = folds_of(fit.tests, request.folds < fit.tests.units ? request.folds : 0, request.sampling.seed);
    for (const auto& [unit, fold] : folds) fit.folds = std::max(fit.folds, fold + 1);
    std::vector<scores::ScoredTest> by_prior, by_others;
    for (const SpecimenTests& one : fit.tests.specimens) {
        fit.specimens.push_back(fit_specimen(one, fit, folds));
        for (const ForetoldTest& test : fit.specimens.back().foretold) {
            by_prior.push_back(test.by_prior);
            by_others.push_back(test.by_others);
            fit.searched_anew += test.searched_anew ? 1 : 0;
        }
    }
    fit.by_prior = scores::score(by_prior);
    fit.by_others = scores::score(by_others);
    fit.gain = scores::difference_of(by_others, by_prior);
    add_remarks(fit);
    return fit;
}

}  // namespace topple::hil::outcome_fit
