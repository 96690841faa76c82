// What a table of outcomes teaches: posterior of each specimen, and how well it foretells tests that it was not fitted
// to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hil/experiment/learned_prior.hpp"
#include "hil/learn/learning.hpp"
#include "hil/learn/marginals.hpp"
#include "hil/outcome_fit/fit_parameters.hpp"
#include "hil/outcome_fit/fit_tests.hpp"
#include "hil/outcome_fit/table_likelihood.hpp"
#include "hil/outcome_fit/two_searches.hpp"
#include "hil/scores/prediction_difference.hpp"
#include "hil/scores/scores.hpp"

namespace topple::hil::outcome_fit {

/// Effective draws of the others' posterior with which a test is foretold; with fewer the search is made anew.
inline constexpr double kHeldOutEffectiveLeast = 100.0;

struct FitRequest {
    std::vector<std::string> learned;               ///< keys; empty: all that can be
    std::optional<experiment::LearnedPrior> prior;  ///< of --prior, instead of what [uncertainty] says of these numbers
    LikelihoodSettings likelihood;
    learn::SamplingSettings sampling{.draws_per_stage = 200, .enough = 400.0};
    std::size_t members = 200;  ///< rows of each members table
    std::size_t folds = 0;      ///< 0: every unit is held out alone
};

/// Of one learned parameter.
struct FittedParameter {
    FitParameter parameter;
    learn::Marginal marginal;
    solver::Distribution posterior;  ///< the prior itself where the tests taught nothing of it
};

/// One test foretold.
struct ForetoldTest {
    std::size_t row = 0;                     ///< of the table
    scores::ScoredTest by_prior, by_others;  ///< before any test; from the tests of the other units
    double effective = 0.0;                  ///< draws behind by_others
    bool searched_anew = false;
};

struct SpecimenFit {
    std::string name;
    solver::Specimen specimen;
    std::size_t tests = 0;
    FitParameters parameters;
    std::vector<FittedParameter> learned;
    Eigen::MatrixXd correlation;  ///< of `learned`
    bool is_informative = false;
    Convergence convergence;
    std::string prior_source;
    std::vector<std::string> prior_sha256;     ///< of what the prior was learned from
    std::vector<std::vector<double>> members;  ///< equally weighted; values as in parameters.all()
    std::vector<ForetoldTest> foretold;
};

struct TableFit {
    TableTests tests;  ///< without the motions
    FitRequest request;
    std::string table_sha256;
    std::vector<SpecimenFit> specimens;
    scores::Scores by_prior, by_others;
    scores::PredictionDifference gain;  ///< by_others less by_prior: below 0 what was learned is better
    std::size_t folds = 0, searched_anew = 0;
    std::vector<std::string> remarks;

    bool is_informative() const noexcept;
};

/// Throws InputError if nothing is left open, a key cannot be learned, the table is in the prior already, or a search
/// does not converge. Every rank of the request's shares calls it alike. The result does not depend on threads.
TableFit fit_table(TableTests tests, const FitRequest& request);

}  // namespace topple::hil::outcome_fit
