// A whole file in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace topple::hil::files {

/// Throws InputError if it cannot be read or is larger than 2 GiB (an hour of log has about 0.6 GiB).
std::vector<std::uint8_t> read_file_bytes(const std::filesystem::path& path);

}  // namespace topple::hil::files
