// The files that an experiment file refers to, taken along into a run folder so that the folder can be read
// alone.
#pragma once

#include <filesystem>

#include "hil/experiment.hpp"

namespace topple::hil {

/// Copies record and machine file to the same relative place under `folder`. Absolute paths and paths that
/// lead out of the folder by ".." stay where they are. Throws OutputError if a copy fails.
void copy_referenced_files(const Experiment& experiment, const std::filesystem::path& folder);

}  // namespace topple::hil
