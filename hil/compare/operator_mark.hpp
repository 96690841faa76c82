// What the operator saw, kept in the run folder beside the data: mark.json.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "solver/outcome.hpp"

namespace topple::hil {

struct OperatorMark {
    std::size_t specimen = 0;
    std::optional<solver::Outcome> outcome;  ///< translation, rocking or overturning
    std::optional<solver::Side> side;
    std::optional<std::string> discard_reason;
};

/// Marks of a run folder; none if there is no mark.json. Throws InputError if it cannot be understood.
std::vector<OperatorMark> read_marks(const std::filesystem::path& run_folder);
/// Adds or replaces the mark of its specimen. Throws OutputError.
void write_mark(const std::filesystem::path& run_folder, const OperatorMark& mark);

/// "translation" or "T", "rocking" or "R", "overturning" or "O" (any case). Throws InputError.
solver::Outcome parse_outcome(const std::string& text);
/// "left" or "right". Throws InputError.
solver::Side parse_side(const std::string& text);

}  // namespace topple::hil
