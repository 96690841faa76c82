// The rows of a table as tests to learn from: what stood there, how it was shaken, what became of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/outcome_tables/outcome_table.hpp"
#include "solver/predict.hpp"

namespace topple::hil::outcome_fit {

/// What rows with the same experiment share.
struct FitExperiment {
    solver::Specimen specimen;  ///< as described
    solver::BaseMotion motion;  ///< planned, in the specimen's plane
    solver::SolverOptions options;
    experiment::UncertaintySection uncertainty;
    std::string model;
    double peak_velocity_m_s = 0.0;  ///< of the base
    bool is_stack = false;
};

/// One row that can teach.
struct FitTest {
    std::size_t row = 0;  ///< of the table
    std::shared_ptr<const FitExperiment> experiment;
    scores::Observation seen;  ///< as the solver would call it
    std::string unit;          ///< tests that are held out together: repeats, or one motion
};

/// A row that cannot, and why.
struct UnusedRow {
    std::size_t row = 0;
    std::string column, reason;
    bool is_refused = false;  ///< something is wrong with it; else nothing is known of its outcome
};

/// One specimen and all its tests.
struct SpecimenTests {
    std::string name;  ///< for files: the cell of the specimen's column; empty if the table has one specimen only
    solver::Specimen specimen;
    std::vector<FitTest> tests;
};

struct TableTests {
    outcome_tables::OutcomeTable table;
    std::vector<SpecimenTests> specimens;
    std::vector<UnusedRow> unused;
    bool units_are_motions = false;
    std::size_t units = 0;

    std::size_t count() const noexcept;  ///< of tests
};

/// Tests of one motion file are held out together if there are so many files or more.
inline constexpr std::size_t kMotionsLeast = 10;

/// Throws InputError if no row can be used, or a column sets a distribution.
TableTests tests_of(outcome_tables::OutcomeTable table);

}  // namespace topple::hil::outcome_fit
