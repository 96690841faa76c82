// A predicted table for people and programs, and the folder that it is kept in.
#pragma once

#include <filesystem>
#include <string>

#include "hil/outcome_tables/predicted_table.hpp"

namespace topple::hil::outcome_tables {

std::string table_text(const PredictedTable& table);
/// The document of schema topple.outcome_table/1; ends with a newline.
std::string table_json(const PredictedTable& table);
/// The table's own columns and, behind them, what was predicted; a row for each of its rows.
std::string tests_csv(const PredictedTable& table);

/// study.toml (the template, with copies of the files it names), table.csv (as read), tests.csv, summary.json,
/// index.html, and the figures. `folder` must exist. Returns why figures are missing; empty if none is. Throws
/// OutputError.
std::string write_table_folder(const PredictedTable& table, const std::filesystem::path& folder);

}  // namespace topple::hil::outcome_tables
