// Whole files into memory, bounded.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace topple::hil {

/// Reads a regular file of at most `bytes_max`. Throws InputError if it is missing, unreadable, larger, or a pipe, device or
/// directory: these are not waited for and not touched.
std::string read_text_file(const std::filesystem::path& file, std::size_t bytes_max = std::size_t{1} << 30);

}  // namespace topple::hil
