#include "hil/ground_motion/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include "hil/ground_motion/record.hpp"

namespace topple::hil::ground_motion {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }

/// A number and how far it reaches.
struct Scanned {
    double value = 0.0;
    const char* end = nullptr;
};

/// "1.5D+02", "1.5-103" (Fortran leaves the E away at three digits), "1,5": rewritten for std::from_chars.
std::optional<Scanned> scan_rewritten(const char* begin, const char* end, bool decimal_comma, bool bare_exponent) {
    std::array<char, 64> buffer{};
    std::size_t size = 0;
    const char* at = begin;
    bool has_exponent = false;
    for (; at != end && size + 2 < buffer.size(); ++at) {
        char c = *at;
        const bool is_sign = c == '+' || c == '-';
        if (c == ',' && decimal_comma) c = '.';
        if ((c == 'D' || c == 'd' || c == 'e') && !has_exponent) c = 'E';
        if (c == 'E') has_exponent = true;
        if (is_sign && size > 0 && buffer[size - 1] != 'E') {
            if (!bare_exponent || has_exponent) break;
            buffer[size++] = 'E';
            has_exponent = true;
        }
        if (!is_digit(c) && c != '.' && c != 'E' && !is_sign) break;
        if (c == '+') continue;
        buffer[size++] = c;
    }
    double value = 0.0;
    const auto [stop, error] = std::from_chars(buffer.data(), buffer.data() + size, value);
    if (error != std::errc{} || stop != buffer.data() + size || size == 0) return std::nullopt;
    return Scanned{value, at};
}

std::optional<Scanned> scan(const char* begin, const char* end, bool decimal_comma) {
    const char* at = begin;
    if (at != end && *at == '+') ++at;
    double value = 0.0;
    const auto [stop, error] = std::from_chars(at, end, value);
    const bool goes_on = error == std::errc{} && stop != end && (*stop == 'D' || *stop == 'd' || *stop == ',');
    if (goes_on && (*stop != ',' || decimal_comma)) return scan_rewritten(begin, end, decimal_comma, false);
    if (error == std::errc::invalid_argument && decimal_comma) return scan_rewritten(begin, end, true, false);
    if (error == std::errc::result_out_of_range) {  // too small is zero; too large is refused
        if (const auto token = std::find_if(at, end, is_blank); true) {
            const bool is_small =
                std::string_view(at, static_cast<std::size_t>(token - at)).find('-', 1) != std::string_view::npos;
            if (is_small) return Scanned{0.0, stop};
        }
        return std::nullopt;
    }
    if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
    return Scanned{value, stop};
}

std::string_view token_at(std::string_view line, std::size_t at) {
    std::size_t end = at;
    while (end < line.size() && !is_blank(line[end]) && end - at < 40) ++end;
    return line.substr(at, end - at);
}

/// Reads the lines of one block.
class BlockReader {
  public:
    BlockReader(const TextLines& lines, std::optional<FixedColumns> columns, std::size_t most)
        : lines_(lines), columns_(columns), most_(most) {}

    Numbers read(std::size_t first) {
        constexpr std::size_t kShortNumber = 4;  // bytes; memory that is not used is not touched
        block_.values.reserve(std::min({most_, lines_.bytes() / kShortNumber, 2 * kSamplesMax}));
        std::size_t index = first;
        for (; index < lines_.size() && block_.values.size() < most_; ++index) {
            const std::string_view line = lines_[index];
            if (trimmed(line).empty()) continue;
            if (!begins_with_number(line)) {
                refuse_not_finite(index, line);
                break;
            }
            if (holds_words(line) && holds(line, "points")) break;  // "2000 POINTS OF VELOC DATA"
            if (block_.values.empty()) look_for_decimal_commas(line);
            block_.last_line_first = block_.values.size();
            if (!by_blanks(line) && !by_widths(line)) refuse_line(index, line);
            block_.next_line = index + 1;
            if (block_.values.size() > 2 * kSamplesMax)
                lines_.fail(index, fmt::format("more than {} numbers, which is the limit", 2 * kSamplesMax));
        }
        block_.next_line = std::max(block_.next_line, std::min(index, lines_.size()));
        return std::move(block_);
    }

  private:
    static bool holds_words(std::string_view line) noexcept {
        return std::any_of(line.begin(), line.end(), [](char c) { return is_letter(c) && c != 'E' && c != 'e'; });
    }

    /// "0,123 0,456": every word has one comma between digits and no point.
    void look_for_decimal_commas(std::string_view line) {
        if (line.find('.') != std::string_view::npos || line.find(',') == std::string_view::npos) return;
        for (std::size_t at = 0; at < line.size();) {
            if (is_blank(line[at])) {
                ++at;
                continue;
            }
            const std::string_view word = token_at(line, at);
            const std::size_t comma = word.find(',');
            if (comma == std::string_view::npos || word.find(',', comma + 1) != std::string_view::npos ||
                comma + 1 >= word.size() || !is_digit(word[comma + 1]))
                return;
            at += word.size();
        }
        block_.has_decimal_commas = true;
    }

    bool by_blanks(std::string_view line) {
        const std::size_t before = block_.values.size();
        const char* at = line.data();
        const char* const end = line.data() + line.size();
        while (true) {
            while (at != end && is_blank(*at)) ++at;
            if (at == end) return true;
            const auto number = scan(at, end, block_.has_decimal_commas);
            if (!number || !separates(at, number->end, end)) {
                block_.values.resize(before);
                return false;
            }
            block_.values.push_back(number->value);
            at = number->end;
            if (at != end && *at == ',') ++at;
        }
    }

    /// May the next number begin here? A comma separates before a blank, and behind a number with a point.
    static bool separates(const char* begin, const char* at, const char* end) noexcept {
        if (at == end || is_blank(*at) || *at == '-' || *at == '+') return true;
        const bool has_point = std::find(begin, at, '.') != at;
        return *at == ',' && (has_point || at + 1 == end || is_blank(at[1]));
    }

    bool by_widths(std::string_view line) {
        if (!columns_) return false;
        const std::size_t before = block_.values.size(), width = columns_->width;
        while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
        const std::size_t whole = columns_->per_line * width;
        if (line.size() > whole) {
            const std::size_t indent = line.size() - whole;
            if (indent > 1 || !is_blank(line.front())) return false;
            line.remove_prefix(indent);
        }
        for (std::size_t start = 0; start < line.size(); start += width) {
            const std::string_view field = trimmed(line.substr(start, width));
            const auto number = scan_rewritten(field.data(), field.data() + field.size(), false, true);
            if (!number || number->end != field.data() + field.size() || !std::isfinite(number->value)) {
                block_.values.resize(before);
                return false;
            }
            block_.values.push_back(number->value);
        }
        block_.by_width = true;
        return true;
    }

    /// A line of overflows or of words for "no number" is data that is not there, no end of the data.
    void refuse_not_finite(std::size_t index, std::string_view line) const {
        const std::string_view text = trimmed(line);
        const std::string word = lower(token_at(text, 0));
        const bool is_word = word == "nan" || word == "inf" || word == "infinity" || word == "nan," || word == "inf,";
        const bool is_overflow = text.starts_with("**") && std::none_of(text.begin(), text.end(), is_letter) &&
                                 std::any_of(text.begin(), text.end(), is_digit);
        const bool is_comma = text.size() > 1 && text.front() == ',' && is_digit(text[1]);
        if (is_word || is_overflow || is_comma)
            lines_.fail(index, fmt::format("\"{}\" is not a finite number", token_at(text, 0)));
    }

    [[noreturn]] void refuse_line(std::size_t index, std::string_view line) const {
        std::size_t at = 0;
        while (at < line.size()) {
            if (is_blank(line[at])) {
                ++at;
                continue;
            }
            const char* const begin = line.data() + at;
            const char* const end = line.data() + line.size();
            const auto number = scan(begin, end, block_.has_decimal_commas);
            if (!number) lines_.fail(index, fmt::format("\"{}\" is not a finite number", token_at(line, at)));
            if (*number->end == ',' && !separates(begin, number->end, end))
                lines_.fail(index, fmt::format("\"{}\": its comma may be a decimal sign or a separator: write decimal "
                                               "points, or put blanks between the numbers",
                                               token_at(line, at)));
            if (!separates(begin, number->end, end))
                lines_.fail(index, fmt::format("\"{}\" is not one number: numbers touch, or it is damaged",
                                               token_at(line, at)));
            at = static_cast<std::size_t>(number->end - line.data()) + (*number->end == ',' ? 1 : 0);
        }
        lines_.fail(index, "is not a line of numbers");
    }

    const TextLines& lines_;
    std::optional<FixedColumns> columns_;
    std::size_t most_;
    Numbers block_;
};

}  // namespace

std::optional<FixedColumns> fixed_columns(std::string_view text) {
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        const char letter = lower(text.substr(i, 1))[0];
        if ((letter != 'f' && letter != 'e' && letter != 'i' && letter != 'g') || !is_digit(text[i - 1]) ||
            !is_digit(text[i + 1]))
            continue;
        std::size_t begin = i;
        while (begin > 0 && is_digit(text[begin - 1]) && i - begin < 3) --begin;
        if (begin > 0 && (is_letter(text[begin - 1]) || text[begin - 1] == '.')) continue;
        FixedColumns columns;
        std::from_chars(text.data() + begin, text.data() + i, columns.per_line);
        std::from_chars(text.data() + i + 1, text.data() + text.size(), columns.width);
        if (columns.per_line >= 1 && columns.per_line <= 100 && columns.width >= 2 && columns.width <= 40)
            return columns;
    }
    return std::nullopt;
}

std::optional<PrintedNumber> leading_number(std::string_view text) {
    while (!text.empty() && (is_blank(text.front()) || text.front() == '=' || text.front() == ':'))
        text.remove_prefix(1);
    const std::size_t comma = text.substr(0, 24).find(',');
    const bool is_decimal = comma != std::string_view::npos && comma > 0 && comma + 1 < text.size() &&
                            is_digit(text[comma - 1]) && is_digit(text[comma + 1]) &&
                            text.substr(0, comma).find_first_not_of("+-0123456789") == std::string_view::npos;
    const auto number = scan(text.data(), text.data() + text.size(), is_decimal);
    if (!number) return std::nullopt;
    PrintedNumber printed;
    printed.value = number->value;
    printed.text = text.substr(0, static_cast<std::size_t>(number->end - text.data()));
    const std::size_t mantissa = printed.text.find_first_of("eEdD");
    const std::size_t point = printed.text.find_first_of(is_decimal ? "," : ".");
    const std::size_t end = std::min(mantissa, printed.text.size());
    const double decimals = point < end ? static_cast<double>(end - point - 1) : 0.0;
    double exponent = 0.0;
    if (mantissa != std::string_view::npos)
        if (const auto power =
                scan(printed.text.data() + mantissa + 1, printed.text.data() + printed.text.size(), false))
            exponent = std::clamp(power->value, -300.0, 300.0);
    printed.half_digit = 0.5 * std::pow(10.0, exponent - decimals);
    return printed;
}

std::optional<PrintedNumber> number_after(std::string_view line, std::string_view words) {
    const std::size_t found = find_words(line, words);
    if (found == std::string_view::npos) return std::nullopt;
    return leading_number(line.substr(found + words.size()));
}

std::optional<std::size_t> as_count(double value, std::size_t most) {
    if (!(value >= 1.0) || value > static_cast<double>(most) || value != std::floor(value)) return std::nullopt;
    return static_cast<std::size_t>(value);
}

bool begins_with_number(std::string_view line) noexcept {
    std::size_t at = 0;
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at < line.size() && (line[at] == '+' || line[at] == '-')) ++at;
    if (at < line.size() && (line[at] == '.' || line[at] == ',')) ++at;
    return at < line.size() && is_digit(line[at]);
}

Numbers read_numbers(const TextLines& lines, std::size_t first, std::optional<FixedColumns> columns, std::size_t most) {
    return BlockReader(lines, columns, most).read(first);
}

}  // namespace topple::hil::ground_motion
