#include "hil/ground_motion/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "hil/files/errors.hpp"
#include "hil/files/utf8.hpp"

namespace topple::hil::ground_motion {
namespace {

constexpr std::size_t kLinesMax = 3'000'000;

char lower_of(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

enum class Encoding { bytes, utf16_low_first, utf16_high_first };

Encoding encoding_of(std::string_view bytes) noexcept {
    if (bytes.starts_with("\xFF\xFE")) return Encoding::utf16_low_first;
    if (bytes.starts_with("\xFE\xFF")) return Encoding::utf16_high_first;
    if (bytes.size() < 8) return Encoding::bytes;
    const auto zeros = [&](std::size_t first) {
        return bytes[first] == 0 && bytes[first + 2] == 0 && bytes[first + 4] == 0 && bytes[first + 6] == 0;
    };
    if (zeros(1) && !zeros(0)) return Encoding::utf16_low_first;
    if (zeros(0) && !zeros(1)) return Encoding::utf16_high_first;
    return Encoding::bytes;
}

/// What is not ASCII becomes UTF-8; pairs of surrogates, which no number needs, become "?".
std::string from_utf16(std::string_view bytes, Encoding encoding) {
    std::string text;
    text.reserve(bytes.size() / 2);
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        const auto first = static_cast<std::uint8_t>(bytes[i]), second = static_cast<std::uint8_t>(bytes[i + 1]);
        const unsigned code = encoding == Encoding::utf16_low_first ? first + 256u * second : second + 256u * first;
        if (code == 0xFEFF) continue;
        if (code >= 0xD800 && code < 0xE000)
            text += '?';
        else
            files::append_utf8(text, code);
    }
    return text;
}

bool is_binary(std::string_view text) noexcept {
    constexpr std::size_t kLookedAt = 4096;
    const std::string_view head = text.substr(0, kLookedAt);
    const auto odd = std::count_if(head.begin(), head.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1A;
    });
    return static_cast<std::size_t>(odd) * 20 > head.size();
}

}  // namespace

TextLines::TextLines(std::string file, std::string bytes) : file_(std::move(file)), text_(std::move(bytes)) {
    const Encoding encoding = encoding_of(text_);
    was_utf16_ = encoding != Encoding::bytes;
    if (was_utf16_) text_ = from_utf16(text_, encoding);
    if (is_binary(text_)) fail("a binary file of no known kind: it is not read");
    for (const char mark : {'\x1A', '\0'})
        if (text_.find(mark) != std::string::npos) std::replace(text_.begin(), text_.end(), mark, ' ');
    constexpr std::size_t kShortLine = 32;  // memory that is not used is not touched
    lines_.reserve(std::min(text_.size() / kShortLine + 1, kLinesMax));
    const std::string_view text = text_;
    std::size_t start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0, feed = 0, carriage = 0;
    while (start < text.size()) {
        // Each is searched for once, not again for every line that ends with the other.
        if (feed < start || start == 0) feed = std::min(text.find('\n', start), text.size());
        if (carriage < start || start == 0) carriage = std::min(text.find('\r', start), text.size());
        const std::size_t end = std::min(feed, carriage);
        if (lines_.size() == kLinesMax) fail(fmt::format("more than {} lines, which is the limit", kLinesMax));
        lines_.push_back(text.substr(start, end - start));
        std::size_t next = end;
        while (next < text.size() && text[next] == '\r') ++next;  // CR CR LF is one end
        start = next < text.size() && text[next] == '\n' ? next + 1 : end + 1;
    }
}

void TextLines::fail(std::size_t index, const std::string& why) const {
    throw files::InputError(fmt::format("{}, line {}: {}", file_, index + 1, why));
}

void TextLines::fail(const std::string& why) const { throw files::InputError(fmt::format("{}: {}", file_, why)); }

std::size_t TextLines::find(std::string_view words, std::size_t from, std::size_t end) const {
    end = std::min(end, lines_.size());
    for (std::size_t i = from; i < end; ++i)
        if (holds(lines_[i], words)) return i;
    return lines_.size();
}

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view kBlank = " \t\r\f\v";
    const std::size_t first = text.find_first_not_of(kBlank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string lower(std::string_view text) {
    std::string small(text);
    for (char& c : small) c = lower_of(c);
    return small;
}

std::size_t find_words(std::string_view text, std::string_view words, std::size_t from) noexcept {
    if (from > text.size()) return std::string_view::npos;
    const auto found = std::search(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), words.begin(),
                                   words.end(), [](char a, char b) { return lower_of(a) == b; });
    return found == text.end() && !words.empty() ? std::string_view::npos
                                                 : static_cast<std::size_t>(found - text.begin());
}

bool holds(std::string_view text, std::string_view words) noexcept {
    return find_words(text, words) != std::string_view::npos;
}

std::string_view after(std::string_view text, std::string_view words) noexcept {
    const std::size_t found = find_words(text, words);
    return found == std::string_view::npos ? std::string_view() : trimmed(text.substr(found + words.size()));
}

}  // namespace topple::hil::ground_motion
