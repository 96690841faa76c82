// The files of the page as the build has put them into the program.
#pragma once

#include <span>
#include <string_view>

namespace topple::hil::page {

struct EmbeddedFile {
    std::string_view name;  ///< e.g. "main.js"
    std::string_view bytes;
};

/// All of them; alive as long as the program.
std::span<const EmbeddedFile> embedded_files() noexcept;

}  // namespace topple::hil::page
