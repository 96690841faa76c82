#include "hil/cli/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>

#include "hil/text/number_text.hpp"

namespace topple::hil::cli {
namespace {

using text::parse_number;

const char* const kBlanks = " \t\r\n\v\f";

/// Why a text is no number, and what is wanted instead.
std::string refused(const std::string& text, const std::string& wanted) {
    const bool is_empty = text.find_first_not_of(kBlanks) == std::string::npos;
    const bool has_comma = text.find(',') != std::string::npos && text.find('.') == std::string::npos;
    return fmt::format("{}; allowed: {}{}", is_empty ? "the value is empty" : fmt::format("\"{}\"", text), wanted,
                       has_comma ? "; the decimal sign is a point" : "");
}

template <class Allowed>
CLI::Validator number_that(Allowed allowed, const std::string& wanted, const std::string& shown) {
    return CLI::Validator(
        [=](std::string& text) {
            const auto value = parse_number(text);
            return value && allowed(*value) ? std::string() : refused(text, wanted);
        },
        shown);
}

/// Every piece between commas; more than one comma in a row leaves an empty piece.
std::vector<std::string> pieces(const std::string& text) {
    std::vector<std::string> all;
    for (std::size_t from = 0;;) {
        const std::size_t comma = text.find(',', from);
        all.push_back(text.substr(from, comma - from));
        if (comma == std::string::npos) return all;
        from = comma + 1;
    }
}

std::string missing_value(const std::string& text) {
    if (text.find_first_not_of(kBlanks) == std::string::npos) return "the value is empty";
    if (text.starts_with("--"))
        return fmt::format("\"{0}\" looks like another option: is the value missing? (for a file of that name: ./{0})",
                           text);
    return {};
}

}  // namespace

CLI::Validator number_between(double low, double high) {
    return number_that([=](double value) { return value >= low && value <= high; },
                       fmt::format("a number from {} to {}", low, high), fmt::format(" {} to {}", low, high));
}

CLI::Validator any_number() {
    return number_that([](double) { return true; }, "a number", "");
}

CLI::Validator number_above_zero() {
    return number_that([](double value) { return value > 0.0; }, "a number above 0", " above 0");
}

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
    const bool is_open = high == std::numeric_limits<std::uint64_t>::max();
    const std::string wanted = fmt::format("a whole number from {} to {}, digits only", low, high);
    return CLI::Validator(
        [=](std::string& text) {
            const auto value = text::parse_whole_number(text);
            if (!value || *value < low || *value > high) return refused(text, wanted);
            text = std::to_string(*value);  // CLI11 would take a leading zero for an octal number
            return std::string();
        },
        is_open ? fmt::format(" {} or more", low) : fmt::format(" {} to {}", low, high));
}

CLI::Validator numbers_by_commas(double low, double high) {
    return CLI::Validator(
        [=](std::string& text) {
            for (const std::string& piece : pieces(text)) {
                const auto value = parse_number(piece);
                if (value && *value > low && *value < high) continue;
                return fmt::format("\"{}\" of \"{}\"; allowed: numbers between {:.6g} and {:.6g}, separated by commas",
                                   piece, text, low, high);
            }
            return std::string();
        },
        "");
}

std::vector<double> split_numbers(const std::string& text) {
    std::vector<double> numbers;
    if (text.empty()) return numbers;
    for (const std::string& piece : pieces(text)) numbers.push_back(parse_number(piece).value());
    return numbers;
}

CLI::Validator one_of(std::vector<std::string> words) {
    const std::string wanted = fmt::format("{}", fmt::join(words, ", "));
    const std::string name = fmt::format("{}", fmt::join(words, "|"));
    return CLI::Validator(
        [=](std::string& text) {
            const bool is_one = std::find(words.begin(), words.end(), text) != words.end();
            return is_one ? std::string() : refused(text, wanted);
        },
        "", name);
}

CLI::Validator readable(std::function<void(const std::string&)> read) {
    return CLI::Validator(
        [read = std::move(read)](std::string& text) -> std::string {
            try {
                read(text);
                return {};
            } catch (const std::exception& error) {
                return error.what();
            }
        },
        "");
}

void require_values(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
        if (option->get_items_expected_max() == 0)
            option->disable_flag_override();
        else
            option->check(CLI::Validator([](std::string& text) { return missing_value(text); }, ""));
    }
    for (CLI::App* command : app.get_subcommands({})) require_values(*command);
}

std::string unfinished_option(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--") break;
        if (!word.starts_with("--")) continue;
        // An option that may stand without a value would take the empty one for none.
        const bool is_followed_by_nothing = i + 1 < argc && argv[i + 1][0] == '\0';
        if (is_followed_by_nothing || word.find('=') == word.size() - 1) return std::string(word);
    }
    return {};
}

}  // namespace topple::hil::cli
