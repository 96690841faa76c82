// The files that an experiment file refers to, taken along into a run folder so that the folder can be read
// alone.
#pragma once

#include <filesystem>

#include "hil/experiment.hpp"

namespace topple::hil {

/// Copies record and machine file to the same relative place under `folder`; those whose path is absolute or
/// leads out by ".." into its subfolder `referenced`. Throws OutputError if a copy fails.
void copy_referenced_files(const Experiment& experiment, const std::filesystem::path& folder);

/// The file that an experiment in `folder` calls `name`: the copy in `referenced` if the path leads out of
/// the folder and a run has brought that copy along, else the path itself.
std::filesystem::path referenced_file(const std::filesystem::path& folder, const std::string& name);

}  // namespace topple::hil
