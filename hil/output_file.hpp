// Files that are either whole or not there, and never overwritten unasked.
#pragma once

#include <filesystem>
#include <string_view>

namespace topple::hil {

enum class Overwrite { refuse, allow };

/// Writes to a temporary name beside `file`, then renames. A device or pipe (e.g. /dev/stdout) is written directly.
/// Throws InputError if it exists and must not be overwritten, OutputError if it cannot be written.
void write_file(const std::filesystem::path& file, std::string_view text, Overwrite overwrite = Overwrite::refuse);

/// The refusal of write_file, for asking before long work.
void require_writable_name(const std::filesystem::path& file, Overwrite overwrite);

}  // namespace topple::hil
