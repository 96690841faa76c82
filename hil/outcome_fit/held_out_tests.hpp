// Each test foretold from the tests of other units. Only for the sources of this room.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hil/outcome_fit/table_fit.hpp"

namespace topple::hil::outcome_fit {

/// Fold of each unit, 0 ..., the same whatever the order of the rows.
std::map<std::string, std::size_t> folds_of(const TableTests& tests, std::size_t folds, std::uint64_t seed);

/// All that a search of one specimen has found.
struct SearchedTable {
    const SpecimenTests& tests;
    const FitParameters& parameters;
    TwoSearches found;
    TableLikelihood likelihood;  ///< with a row of outcomes for each draw
};

/// Searches with the tests whose power is 1.
SearchedTable search_table(const SpecimenTests& tests, const FitParameters& parameters, const FitRequest& request,
                           const Eigen::VectorXd& powers);

/// Fills fit.foretold from the draws of all tests, weighted anew for each fold; where too few draws stay effective the
/// search is made anew without the fold. A test that is alone is foretold by the prior.
void foretell(SpecimenFit& fit, const SearchedTable& searched, const outcome_tables::OutcomeTable& table,
              const std::map<std::string, std::size_t>& folds, const FitRequest& request);

}  // namespace topple::hil::outcome_fit
