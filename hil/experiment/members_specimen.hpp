// Of which specimen a table of members says its departures: lines in front of its header.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "solver/specimen.hpp"

namespace topple::hil::experiment {

/// "# specimen.block_0_width_m = 0.06" for each of its described_numbers, and one for its law: lines for the top of a
/// table whose rows are departures from this specimen and from no other one.
std::string specimen_comment(const solver::Specimen& specimen);

/// Why the table is not of one of the specimens, with the number that differs; empty if it is, or has no such lines.
/// Throws InputError naming file and line for one that is no number, and if the file cannot be read.
std::string members_not_of(const std::filesystem::path& file, std::span<const solver::Specimen> specimens);

}  // namespace topple::hil::experiment
