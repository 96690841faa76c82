#include "hil/outcome_fit/held_out_tests.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "hil/files/sha256.hpp"

namespace topple::hil::outcome_fit {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Shares of a test's outcomes under these weights. Without probability where no draw is possible.
scores::Probabilities shares_of(const SearchedTable& searched, std::size_t test, const VectorXd& weights) {
    scores::Probabilities shares{};
    const double draws = static_cast<double>(searched.likelihood.draws_per_test());
    for (Index row = 0; row < weights.size(); ++row) {
        const OutcomeCounts& counts = searched.likelihood.counts(static_cast<std::size_t>(row), test);
        if (!is_possible(counts)) continue;
        for (std::size_t code = 0; code < shares.size(); ++code) shares[code] += weights[row] * counts[code] / draws;
    }
    return shares;
}

scores::ScoredTest foretold(const FitTest& test, const outcome_tables::TableRow& row,
                            const scores::Probabilities& shares, std::size_t members) {
    scores::ScoredTest one;
    one.name = row.test;
    one.probability = shares;
    one.members = members;
    const auto most = std::max_element(shares.begin(), shares.end());
    if (*most > 0.0) one.predicted = solver::outcome_of_code(static_cast<unsigned>(most - shares.begin()));
    one.observed = test.seen;
    one.peak_velocity_m_s = row.peak_velocity_m_s;
    if (!one.peak_velocity_m_s && test.experiment->peak_velocity_m_s > 0.0)
        one.peak_velocity_m_s = test.experiment->peak_velocity_m_s;
    if (!one.observed.overturned) one.peak_rotation_rad = row.peak_rotation_rad;
    one.group = test.unit;
    return one;
}

}  // namespace

std::map<std::string, std::size_t> folds_of(const TableTests& tests, std::size_t folds, std::uint64_t seed) {
    std::set<std::pair<std::string, std::string>> shuffled;  // by a hash: in no order that the table could have
    for (const SpecimenTests& specimen : tests.specimens)
        for (const FitTest& test : specimen.tests)
            shuffled.emplace(files::sha256_hex(std::to_string(seed) + test.unit), test.unit);
    std::map<std::string, std::size_t> of;
    std::size_t number = 0;
    for (const auto& [hash, unit] : shuffled) of[unit] = folds == 0 ? number++ : number++ % folds;
    return of;
}

SearchedTable search_table(const SpecimenTests& tests, const FitParameters& parameters, const FitRequest& request,
                           const VectorXd& powers) {
    SearchedTable searched{tests, parameters, {}, TableLikelihood(tests, parameters, request.likelihood)};
    searched.found = search_twice(
        static_cast<Index>(parameters.common().size()),
        [&](const Eigen::MatrixXd& draws) { return searched.likelihood.log_likelihood(draws); }, powers,
        request.sampling);
    return searched;
}

void foretell(SpecimenFit& fit, const SearchedTable& searched, const outcome_tables::OutcomeTable& table,
              const std::map<std::string, std::size_t>& folds, const FitRequest& request) {
    const auto& tests = searched.tests.tests;
    const Index count = static_cast<Index>(tests.size());
    std::map<std::size_t, std::vector<std::size_t>> of_fold;
    for (std::size_t i = 0; i < tests.size(); ++i) of_fold[folds.at(tests[i].unit)].push_back(i);
    const VectorXd of_prior = searched.found.draws.weights_of(VectorXd::Zero(count));
    fit.foretold.resize(tests.size());
    for (const auto& [fold, held_out] : of_fold) {
        VectorXd others = VectorXd::Ones(count);
        for (const std::size_t i : held_out) others[static_cast<Index>(i)] = 0.0;
        VectorXd weights = searched.found.draws.weights_of(others);
        std::optional<SearchedTable> anew;
        if (learn::effective_draws(weights) < kHeldOutEffectiveLeast) {
            anew.emplace(search_table(searched.tests, searched.parameters, request, others));
            weights = anew->found.draws.weights;
        }
        for (const std::size_t i : held_out) {
            const auto& row = table.rows[tests[i].row];
            fit.foretold[i] = {tests[i].row, foretold(tests[i], row, shares_of(searched, i, of_prior), request.members),
                               foretold(tests[i], row, shares_of(anew ? *anew : searched, i, weights), request.members),
                               learn::effective_draws(weights), anew.has_value()};
        }
    }
}

}  // namespace topple::hil::outcome_fit
