// The folder of one run: created once, never overwritten, its files on disk before anything moves.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "hil/input_file.hpp"

#include "hil/sha256.hpp"

namespace topple::hil {

/// runs/<UTC>_<name> with the name reduced to letters, digits, '-' and '_'.
std::filesystem::path default_run_folder(std::string_view experiment_name);

/// Creates the folder (and its parents). Throws InputError if it exists already, OutputError if it cannot be made.
void create_run_folder(const std::filesystem::path& folder);

/// Writes the whole text to a temporary name beside it, fsyncs, renames, fsyncs the folder. Throws OutputError.
void write_durably(const std::filesystem::path& file, std::string_view text);

}  // namespace topple::hil
