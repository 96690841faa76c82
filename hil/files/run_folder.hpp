// The folder of one run: created once, never overwritten, its files on disk before anything moves.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::files {

/// runs/<UTC>_<name> with the name reduced to letters, digits, '-' and '_'.
std::filesystem::path default_run_folder(std::string_view experiment_name);

/// Creates the folder (and its parents). Throws InputError if it exists already, OutputError if it cannot be made. Of
/// two programs that create the same folder at once one is refused.
void create_run_folder(const std::filesystem::path& folder);

/// Creates default_run_folder(), with "_2", "_3", ... behind the name if a run of the same second has it, and returns
/// it.
std::filesystem::path create_default_run_folder(std::string_view experiment_name);

/// write_file, allowed to overwrite, that survives a power cut: the file and its folder are fsynced. Throws
/// OutputError.
void write_durably(const std::filesystem::path& file, std::string_view text);

/// Names of the flight recorder's files in a run folder, in order of time.
std::vector<std::string> find_flight_files(const std::filesystem::path& folder);

}  // namespace topple::hil::files
