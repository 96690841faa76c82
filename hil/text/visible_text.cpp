#include "hil/text/visible_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace topple::hil::text {
namespace {

constexpr char32_t kNone = 0xFFFFFFFF;

struct Character {
    char32_t code = kNone;  ///< kNone: the byte is not the start of a valid sequence
    std::size_t length = 1;
};

/// The character at the start of a text that is not empty, by the table of well-formed UTF-8 (no overlong forms,
/// surrogates or codes above 10FFFF).
Character first_character(std::string_view text) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
    char32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0u) != 0x80) return {};
        code = (code << 6) | (byte(i) & 0x3Fu);
    }
    constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < kLeast[length] || is_surrogate || code > 0x10FFFF) return {};
    return {code, length};
}

/// Acts on a terminal or page, hides, or turns the order of what is read. Newline and tab are the caller's to judge.
bool is_unfit(char32_t code) noexcept {
    constexpr std::pair<char32_t, char32_t> kUnfit[] = {
        {0x00, 0x08},       {0x0B, 0x1F},     {0x7F, 0x9F},                        // C0, DEL, C1
        {0xAD, 0xAD},       {0x61C, 0x61C},   {0x180E, 0x180E}, {0x200B, 0x200B},  // soft hyphen, Arabic mark, ...
        {0x200E, 0x200F},   {0x2028, 0x202E}, {0x2060, 0x206F},                    // direction, separators, isolates
        {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},                    // never characters, annotation
        {0xE0000, 0xE0FFF},                                                        // tags
    };
    if ((code & 0xFFFEu) == 0xFFFE) return true;  // the last two of every plane are never characters
    return std::any_of(std::begin(kUnfit), std::end(kUnfit),
                       [code](const auto& range) { return code >= range.first && code <= range.second; });
}

void add_escaped(std::string& out, char32_t code) {
    const auto unit = [&](char32_t value) {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<std::uint32_t>(value));
    };
    if (code < 0x10000) return unit(code);
    unit(0xD800 + ((code - 0x10000) >> 10));  // two halves, as JSON writes it
    unit(0xDC00 + (code & 0x3FF));
}

}  // namespace

std::string visible(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character next = first_character(text);
        if (next.code == kNone)
            fmt::format_to(std::back_inserter(out), "\\x{:02x}",
                           static_cast<unsigned>(static_cast<unsigned char>(text[0])));
        else if (is_unfit(next.code) && !text.starts_with("\r\n"))
            add_escaped(out, next.code);
        else if (next.code != '\r')
            out += text.substr(0, next.length);
        text.remove_prefix(next.length);
    }
    return out;
}

std::string one_line(std::string_view text) {
    std::string out;
    for (const char letter : visible(text)) {
        if (letter == '\n')
            out += "\\n";
        else if (letter == '\t')
            out += "\\t";
        else
            out += letter;
    }
    return out;
}

std::string folder_word(std::string_view text, std::size_t bytes_max) {
    constexpr char32_t kFirstLetter = 0xC0;                             // of Latin-1; below it signs only
    constexpr std::pair<char32_t, char32_t> kSigns = {0x2000, 0x2BFF};  // punctuation, arrows, symbols
    constexpr char32_t kWideSpace = 0x3000;
    std::string out;
    while (!text.empty()) {
        const Character next = first_character(text);
        const char letter = text[0];
        const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                              (letter >= '0' && letter <= '9') || letter == '-';
        const bool is_letter = next.code != kNone && next.code >= kFirstLetter && !is_unfit(next.code) &&
                               (next.code < kSigns.first || next.code > kSigns.second) && next.code != kWideSpace;
        const std::string_view word = is_plain || is_letter ? text.substr(0, next.length) : "_";
        if (out.size() + word.size() > bytes_max) break;
        out += word;
        text.remove_prefix(next.length);
    }
    return out;
}

}  // namespace topple::hil::text
