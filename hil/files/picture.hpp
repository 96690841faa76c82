// Pictures told by their content: JPEG and PNG.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace topple::hil::files {

struct Picture {
    std::string_view media_type;          ///< "image/jpeg" or "image/png"
    std::uint32_t width = 0, height = 0;  ///< pixels, > 0
};

/// Empty if the bytes are no whole JPEG (start, frame, end) or PNG (signature, header, end).
std::optional<Picture> picture_of(std::string_view bytes) noexcept;

}  // namespace topple::hil::files
