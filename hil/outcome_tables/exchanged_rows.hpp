// Predictions of rows as ranks tell them to each other. Only for the sources of this room.
#pragma once

#include <string>
#include <vector>

#include "hil/outcome_tables/predicted_table.hpp"

namespace topple::hil::outcome_tables {

/// Those that are `mine`, with every digit.
std::string exchanged_text(const std::vector<RowPrediction>& rows, const std::vector<char>& mine);
/// Puts what such a text says into `rows`.
void take_exchanged(const std::string& text, std::vector<RowPrediction>& rows);

}  // namespace topple::hil::outcome_tables
