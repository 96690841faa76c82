// The photograph of the set-up that [notes] may name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace topple::hil::experiment {

inline constexpr const char* kPhotoKey = "photo";               ///< in [notes]
inline constexpr std::size_t kPhotoBytesMax = 8 * 1024 * 1024;  ///< it becomes a part of report.html

/// The file's bytes. Throws InputError if it is missing, too large, or neither JPEG nor PNG by its content.
std::string read_photo(const std::filesystem::path& file);

}  // namespace topple::hil::experiment
