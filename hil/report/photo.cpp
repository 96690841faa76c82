#include "hil/report/photo.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "hil/files/picture.hpp"
#include "hil/report/html.hpp"

namespace topple::hil::report {

std::string base64(std::string_view bytes) {
    constexpr std::string_view kSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += k == 0 || i + k - 1 < bytes.size() ? kSigns[three >> (18 - 6 * k) & 63u] : '=';
    }
    return text;
}

std::string photo_figure(std::string_view bytes, std::string_view alt, std::string_view caption) {
    const auto picture = files::picture_of(bytes);
    if (!picture) return {};
    return fmt::format(
        "<figure class=\"photo\"><img alt=\"{}\" width=\"{}\" height=\"{}\" src=\"data:{};base64,{}\"/>"
        "<figcaption>{}</figcaption></figure>\n",
        escape_html(alt), picture->width, picture->height, picture->media_type, base64(bytes), escape_html(caption));
}

}  // namespace topple::hil::report
