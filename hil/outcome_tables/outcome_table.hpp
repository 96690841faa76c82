// A table of tests done before: each row the experiment that it describes, and what was seen.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/outcome_tables/table_columns.hpp"
#include "hil/outcome_tables/table_text.hpp"
#include "hil/scores/scored_test.hpp"

namespace topple::hil::outcome_tables {

/// Why a row cannot be used, and whose fault it is.
struct Refusal {
    std::string column;  ///< heading; empty: of the row as a whole
    std::string reason;
};

struct TableRow {
    std::size_t line = 0;  ///< in the file
    std::string test;      ///< the cell, or "line 12"
    std::vector<std::string> cells;
    std::string experiment_text;  ///< what a reader of experiment files gets; empty if the row is refused
    std::string settings;         ///< the cells that make the experiment, for people
    std::optional<scores::Observation> seen;
    std::string not_scored;  ///< why nothing is known of the outcome: "outcome is blank", ...
    std::optional<Refusal> refused;
    std::optional<double> peak_velocity_m_s, peak_rotation_rad;  ///< as the table states them
};

struct OutcomeTable {
    std::filesystem::path file;
    TableText text;
    TableColumns columns;
    experiment::Experiment experiment;  ///< the template
    std::vector<TableRow> rows;
};

/// Reads the table and composes the experiment of each row; file names in it are relative to it, those of the template
/// to the template. What is wrong with one row refuses that row. Throws InputError for a table that cannot be read, a
/// template that cannot be read or whose specimens are not one.
OutcomeTable read_outcome_table(const std::filesystem::path& table, const std::filesystem::path& experiment);

}  // namespace topple::hil::outcome_tables
