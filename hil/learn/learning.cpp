#include "hil/learn/learning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "hil/files/errors.hpp"
#include "hil/host/for_each_index.hpp"
#include "hil/learn/held_out.hpp"
#include "hil/learn/open_parameters.hpp"

namespace topple::hil::learn {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using files::InputError;
using solver::Distribution;
using solver::SpecimenParameter;

void require_one_specimen(const std::vector<RunEvidence>& runs) {
    if (runs.front().specimen().restitution.model == solver::RestitutionModel::random)
        throw InputError(
            fmt::format("{}: random restitution: every impact is another draw, and what one run shows teaches "
                        "nothing of the next; allowed: housner, improved, fixed",
                        runs.front().folder.string()));
    experiment::LearnedPrior first;
    first.law = experiment::law_of(runs.front().specimen());
    first.specimen = experiment::described_numbers(runs.front().specimen());
    for (const RunEvidence& run : runs)
        if (const std::string why = experiment::not_of(first, run.specimen()); !why.empty())
            throw InputError(fmt::format("{} and {} are not of one specimen: {}; fit learns from runs of one block",
                                         runs.front().folder.string(), run.folder.string(), why));
}

void require_new_data(const LearningRequest& request) {
    std::set<std::string> known(request.prior_runs.begin(), request.prior_runs.end());
    for (const RunEvidence& run : request.runs)
        if (!known.insert(run.sha256).second)
            throw InputError(
                fmt::format("{}: its log is {}; it would count twice: leave it out", run.folder.string(),
                            std::count(request.prior_runs.begin(), request.prior_runs.end(), run.sha256) > 0
                                ? "in the prior already"
                                : "given twice"));
}

/// All parameters at every draw: factors less 1, and what is added.
MatrixXd departures(const OpenParameters& free, const MatrixXd& draws) {
    MatrixXd values(draws.rows(), free.count());
    for (Index i = 0; i < draws.rows(); ++i) {
        const solver::StandardDraw at = solver::correlated(free.prior, free.standard(draws.row(i).transpose()));
        for (Index j = 0; j < free.count(); ++j) {
            const SpecimenParameter parameter = free.parameters[j];
            const Distribution& distribution = distribution_of(free.prior, parameter);
            const double standard = at[static_cast<std::size_t>(parameter)];
            values(i, j) = parameter == SpecimenParameter::tilt_rad ? distribution.offset(standard)
                                                                    : distribution.factor(standard) - 1.0;
        }
    }
    return values;
}

void take_posterior(Learning& learning, const OpenParameters& free, const WeightedDraws& sampled) {
    std::vector<bool> as_logarithm(free.parameters.size(), false);
    const MatrixXd values = departures(free, sampled.draws);
    const VectorXd of_prior = sampled.weights_of(VectorXd::Zero(sampled.powers.size()));
    for (Index j = 0; j < free.count(); ++j) {
        LearnedParameter one;
        static_cast<Marginal&>(one) = marginal_of(values.col(j), sampled.weights, of_prior);
        one.parameter = free.parameters[j];
        one.prior = distribution_of(free.prior, one.parameter);
        learning.is_informative = learning.is_informative || one.is_informative;
        as_logarithm[j] = one.parameter != SpecimenParameter::tilt_rad && is_logarithmic(one.prior, one.deviation);
        learning.parameters.push_back(std::move(one));
    }
    const NormalPosterior posterior = normal_posterior(values, as_logarithm, sampled.weights);
    learning.correlation = posterior.correlation;
    for (Index j = 0; j < free.count(); ++j) learning.parameters[j].posterior = posterior.of[j];
}

/// What taught nothing leaves the prior as it was, to the digit.
void give_back_prior(Learning& learning, const OpenParameters& free) {
    const Index n = free.count();
    learning.correlation = MatrixXd::Identity(n, n);
    if (free.prior.correlation)
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j) {
                const auto& a = (*free.prior.correlation)[static_cast<std::size_t>(free.parameters[i])];
                const auto& b = (*free.prior.correlation)[static_cast<std::size_t>(free.parameters[j])];
                learning.correlation(i, j) = i == j ? 1.0
                                                    : Eigen::Map<const VectorXd>(a.data(), a.size())
                                                          .dot(Eigen::Map<const VectorXd>(b.data(), b.size()));
            }
    for (LearnedParameter& parameter : learning.parameters) parameter.posterior = parameter.prior;
}

std::vector<std::size_t> used_runs(const std::vector<RunEvidence>& runs) {
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i].left_out.empty()) used.push_back(i);
    return used;
}

/// Explanations are kept beside the likelihoods: held-out runs are foretold from them.
class Explanations {
  public:
    Explanations(const std::vector<RunEvidence>& runs, std::vector<std::size_t> used, const OpenParameters& free,
                 unsigned threads)
        : runs_(runs), used_(std::move(used)), free_(free), threads_(threads), of_(used_.size()) {}

    MatrixXd log_likelihood(const MatrixXd& draws) {
        const std::size_t rows = static_cast<std::size_t>(draws.rows()), before = of_.front().size();
        for (auto& of_run : of_) of_run.resize(before + rows);
        MatrixXd result(draws.rows(), static_cast<Index>(used_.size()));
        host::for_each_index(rows * used_.size(), threads_, [&](std::size_t index) {
            const std::size_t row = index / used_.size(), column = index % used_.size();
            const RunEvidence& run = runs_[used_[column]];
            Explanation& explanation = of_[column][before + row];
            try {
                const VectorXd draw = draws.row(static_cast<Index>(row)).transpose();
                explanation =
                    explain(run, specimen_at(run.specimen(), free_, draw, before + row), free_.motion_factor(draw));
            } catch (const std::invalid_argument&) {  // no valid specimen: impossible
            }
            result(static_cast<Index>(row), static_cast<Index>(column)) = learn::log_likelihood(run, explanation);
        });
        return result;
    }
    VectorXd powers(const MatrixXd& log_likelihood) const {
        VectorXd powers(log_likelihood.cols());
        for (Index column = 0; column < powers.size(); ++column)
            powers[column] =
                power_of(runs_[used_[static_cast<std::size_t>(column)]], log_likelihood.col(column).maxCoeff());
        return powers;
    }
    const std::vector<Explanation>& of(std::size_t column) const { return of_[column]; }

  private:
    const std::vector<RunEvidence>& runs_;
    std::vector<std::size_t> used_;
    const OpenParameters& free_;
    unsigned threads_;
    std::vector<std::vector<Explanation>> of_;  ///< [used run][draw]
};

void note_powers(Learning& learning, const std::vector<std::size_t>& used, const WeightedDraws& sampled) {
    learning.power.assign(learning.runs.size(), 0.0);
    learning.misfit.assign(learning.runs.size(), 0.0);
    for (std::size_t i = 0; i < used.size(); ++i) {
        const Index column = static_cast<Index>(i);
        RunEvidence& run = learning.runs[used[i]];
        learning.power[used[i]] = sampled.powers[column];
        learning.misfit[used[i]] = misfit_of(run, sampled.log_likelihood.col(column).maxCoeff());
        if (sampled.powers[column] == 0.0)
            run.left_out = fmt::format(
                "no specimen that the prior allows comes nearer than {:.1f} errors (at most {:g}): are sizes, motion "
                "and "
                "restitution law right?",
                learning.misfit[used[i]], kMisfitMax);
    }
}

void require_effective(const Learning& learning) {
    if (learning.effective >= kEffectiveMin) return;
    throw InputError(
        fmt::format("only {:.0f} of {} draws count after {} stages, at least {:g} are required: the runs agree with "
                    "hardly any specimen that the prior allows, or each with another one; look at them one by one, "
                    "widen the prior, or give a larger --draws",
                    learning.effective, learning.draws, learning.stages, kEffectiveMin));
}

}  // namespace

solver::Uncertainty Learning::posterior() const {
    solver::Uncertainty all;
    for (const SpecimenParameter parameter : experiment::kLearnable) distribution_of(all, parameter) = {};
    all.amplitude = {};
    for (const LearnedParameter& one : parameters) distribution_of(all, one.parameter) = one.posterior;
    return all;
}

Learning learn(LearningRequest request) {
    if (request.runs.empty()) throw InputError("no runs");
    require_one_specimen(request.runs);
    require_new_data(request);
    Learning learning;
    learning.runs = std::move(request.runs);
    learning.prior_source = request.prior_source;
    learning.prior_runs = request.prior_runs;
    const OpenParameters free = open_parameters(request.prior, learning.runs.front().specimen());
    if (free.parameters.empty())
        throw InputError("the prior leaves nothing open: every parameter of the specimen is fixed in [uncertainty]");
    const std::vector<std::size_t> used = used_runs(learning.runs);
    if (used.empty())
        throw InputError(fmt::format("no run can be used; {}: {}", learning.runs.front().folder.string(),
                                     learning.runs.front().left_out));
    Explanations explanations(learning.runs, used, free, request.threads);
    const WeightedDraws sampled = sample_posterior(
        free.columns(), [&](const MatrixXd& draws) { return explanations.log_likelihood(draws); },
        [&](const MatrixXd& log_likelihood) { return explanations.powers(log_likelihood); }, request.sampling);
    learning.draws = static_cast<std::size_t>(sampled.draws.rows());
    learning.effective = sampled.effective;
    learning.stages = sampled.stages;
    require_effective(learning);
    take_posterior(learning, free, sampled);
    if (!learning.is_informative) give_back_prior(learning, free);
    std::vector<const std::vector<Explanation>*> foretold;
    for (std::size_t i = 0; i < used.size(); ++i) foretold.push_back(&explanations.of(i));
    note_powers(learning, used, sampled);
    foretell_held_out(learning, used, sampled, foretold);
    return learning;
}

}  // namespace topple::hil::learn
