// A photograph of the set-up inside of the page.
#pragma once

#include <string>
#include <string_view>

namespace topple::hil::report {

std::string base64(std::string_view bytes);  ///< RFC 4648, with padding

/// <figure> with the picture as a data URI; empty if the bytes are neither JPEG nor PNG.
std::string photo_figure(std::string_view bytes, std::string_view alt, std::string_view caption);

}  // namespace topple::hil::report
