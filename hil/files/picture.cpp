#include "hil/files/picture.hpp"

#include <cstddef>

namespace topple::hil::files {
namespace {

std::uint32_t big_endian(std::string_view bytes, std::size_t at, std::size_t count) noexcept {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

std::optional<Picture> sized(std::string_view media_type, std::uint32_t width, std::uint32_t height) noexcept {
    if (width == 0 || height == 0) return std::nullopt;
    return Picture{media_type, width, height};
}

// ISO 15948: signature, then chunk IHDR with width and height; the last chunk is IEND.
std::optional<Picture> png_of(std::string_view bytes) noexcept {
    constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
    if (!bytes.starts_with(kSignature) || bytes.size() < 45 || bytes.substr(12, 4) != "IHDR") return std::nullopt;
    if (bytes.substr(bytes.size() - 8, 4) != "IEND") return std::nullopt;
    return sized("image/png", big_endian(bytes, 16, 4), big_endian(bytes, 20, 4));
}

bool is_frame(unsigned marker) noexcept {  // SOF0 to SOF15 without DHT, JPG and DAC
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

// ITU T.81, annex B: SOI, segments of a marker and a length, among them a frame header; EOI at the end, behind which
// cameras may write zeros.
std::optional<Picture> jpeg_of(std::string_view bytes) noexcept {
    if (!bytes.starts_with("\xFF\xD8\xFF") || bytes.find("\xFF\xD9", 2) == std::string_view::npos) return std::nullopt;
    std::size_t at = 2;
    while (at + 9 < bytes.size()) {
        if (bytes[at] != '\xFF') return std::nullopt;
        const auto marker = static_cast<unsigned char>(bytes[at + 1]);
        if (marker == 0xFF) {
            ++at;  // fill byte
            continue;
        }
        if (is_frame(marker)) return sized("image/jpeg", big_endian(bytes, at + 7, 2), big_endian(bytes, at + 5, 2));
        const std::size_t length = big_endian(bytes, at + 2, 2);
        if (length < 2) return std::nullopt;
        at += 2 + length;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Picture> picture_of(std::string_view bytes) noexcept {
    if (const auto png = png_of(bytes)) return png;
    return jpeg_of(bytes);
}

}  // namespace topple::hil::files
