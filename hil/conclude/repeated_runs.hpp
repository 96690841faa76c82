// Several run folders of one test.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/compare/repeatability.hpp"

namespace topple::hil::conclude {

struct RepeatedRuns {
    compare::Repeatability numbers;
    std::string text;  ///< for a person
    std::string json;  ///< topple.repeatability/1
};

/// Reads and concludes every folder; nothing is written. Throws InputError: fewer than two, one given twice, another
/// specimen or motion (saying in which keys they differ), an assembly, or a folder that cannot be concluded.
RepeatedRuns read_repeated_runs(const std::vector<std::string>& folders);

/// Their rotations over each other. Throws InputError if none was measured, OutputError.
void draw_repeated_runs(const RepeatedRuns& runs, const std::filesystem::path& figure);

}  // namespace topple::hil::conclude
