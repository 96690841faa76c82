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
    /// When, by whom, of a test on which table, at which computer; empty: not noted.
    std::string time{}, marked_by{}, machine{}, computer{};
};

/// All marks of a run folder in the order they were made; none if there is no mark.json. Throws InputError if it cannot
/// be understood.
std::vector<OperatorMark> read_marks(const std::filesystem::path& run_folder);
/// Replaces mark.json. Throws OutputError.
void write_marks(const std::filesystem::path& run_folder, const std::vector<OperatorMark>& marks);

/// What all marks together say, one per specimen: the last outcome with its side counts, and a discard stays a discard
/// whatever comes after it (the last reason counts).
std::vector<OperatorMark> effective_marks(const std::vector<OperatorMark>& marks);

/// "translation" or "T", "rocking" or "R", "overturning" or "O" (any case). Throws InputError.
solver::Outcome parse_outcome(const std::string& text);
/// "left" or "right". Throws InputError.
solver::Side parse_side(const std::string& text);

}  // namespace topple::hil
