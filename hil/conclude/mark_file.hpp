// What the operator saw, kept in the run folder beside the data: mark.json.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/compare/operator_mark.hpp"
#include "hil/experiment/experiment.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::conclude {

/// All marks of a run folder in the order they were made; none if there is no mark.json. Throws InputError if it cannot
/// be understood.
std::vector<compare::OperatorMark> read_marks(const std::filesystem::path& run_folder);
/// Replaces mark.json. Throws OutputError.
void write_marks(const std::filesystem::path& run_folder, const std::vector<compare::OperatorMark>& marks);

/// Notes when, by whom (empty: who is logged in) and at which computer the mark is made.
void stamp(compare::OperatorMark& mark, const std::string& marked_by);

/// "translation" or "T", "sliding" or "S", "rocking" or "R", "overturning" or "O", "partial_overturning" or "P",
/// "total_overturning" or "D" (any case). Throws InputError.
solver::Outcome parse_outcome(const std::string& text);
/// "left" or "right". Throws InputError.
solver::Side parse_side(const std::string& text);

/// Throws InputError unless the mark can be of this specimen: P and D are of stacks, O of a single body, and the blocks
/// that fell are those of the specimen. Of P and D without blocks: those from the top that must have fallen stay
/// unsaid.
void require_possible(const compare::OperatorMark& mark, const solver::Specimen& specimen);
/// The same, and that the specimen is there.
void require_possible(const compare::OperatorMark& mark, const experiment::Experiment& experiment);

/// A test that a person made by hand: predicted and marked, but never logged.
bool is_unrecorded(const std::filesystem::path& run_folder);
/// Adds a mark to it. Throws InputError as require_possible, OutputError.
void mark_unrecorded(const std::filesystem::path& run_folder, const compare::OperatorMark& mark);

}  // namespace topple::hil::conclude
