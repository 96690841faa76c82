// What the operator saw, kept in the run folder beside the data: mark.json.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/compare/operator_mark.hpp"

namespace topple::hil::conclude {

/// All marks of a run folder in the order they were made; none if there is no mark.json. Throws InputError if it cannot
/// be understood.
std::vector<compare::OperatorMark> read_marks(const std::filesystem::path& run_folder);
/// Replaces mark.json. Throws OutputError.
void write_marks(const std::filesystem::path& run_folder, const std::vector<compare::OperatorMark>& marks);

/// "translation" or "T", "rocking" or "R", "overturning" or "O" (any case). Throws InputError.
solver::Outcome parse_outcome(const std::string& text);
/// "left" or "right". Throws InputError.
solver::Side parse_side(const std::string& text);

}  // namespace topple::hil::conclude
