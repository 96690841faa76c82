#include "hil/experiment/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "hil/files/errors.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kLineBytesMax = 4096;  // bounds the depth of dotted keys, hence of recursion
constexpr std::size_t kValueTextMax = 60;    // characters of a value shown in a message

}  // namespace

std::shared_ptr<const TomlDocument> TomlDocument::parse(std::string text, const std::string& file) {
    auto document = std::make_shared<TomlDocument>();
    document->file = file;
    document->text = std::move(text);
    for (std::size_t start = 0; start <= document->text.size();) {
        document->line_starts.push_back(start);
        const std::size_t end = std::min(document->text.find('\n', start), document->text.size());
        if (end - start > kLineBytesMax)
            throw files::InputError(fmt::format("{}, line {}, column 1: line of {} bytes; at most {} are allowed", file,
                                                document->line_starts.size(), end - start, kLineBytesMax));
        start = end + 1;
    }
    try {
        document->root = toml::parse(std::string_view(document->text), std::string_view(file));
    } catch (const toml::parse_error& error) {
        document->fail_at(error.source().begin, std::string(error.description()));
    }
    return document;
}

/// Columns of toml++ count code points from 1.
std::size_t TomlDocument::offset(const toml::source_position& at) const {
    std::size_t byte = line_starts[at.line - 1];
    for (std::size_t column = 1; column < at.column && byte < text.size(); ++column) {
        ++byte;
        while (byte < text.size() && (static_cast<unsigned char>(text[byte]) & 0xC0) == 0x80) ++byte;
    }
    return byte;
}

std::string TomlDocument::written(const toml::source_region& region) const {
    if (region.begin.line == 0 || region.begin.line > line_starts.size()) return {};
    const std::size_t begin = offset(region.begin);
    const std::size_t line_end = std::min(text.find_first_of("\r\n", begin), text.size());
    std::size_t end = region.end.line == region.begin.line ? offset(region.end) : line_end;
    if (end <= begin) end = line_end;
    std::string value = text.substr(begin, std::min(end, line_end) - begin);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.pop_back();
    if (value.size() > kValueTextMax) value = value.substr(0, kValueTextMax) + "...";
    return value;
}

void TomlDocument::fail_at(const toml::source_position& at, const std::string& message) const {
    throw files::InputError(
        fmt::format("{}, line {}, column {}: {}", text::one_line(file), at.line, at.column, text::one_line(message)));
}

std::vector<std::string> key_parts(std::string_view key) {
    std::vector<std::string> parts(1);
    for (const char c : key) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::string_view type_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::none: return "nothing";
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "an array";
        case toml::node_type::string: return "a string";
        case toml::node_type::integer: return "an integer";
        case toml::node_type::floating_point: return "a number";
        case toml::node_type::boolean: return "a boolean";
        case toml::node_type::date: return "a date";
        case toml::node_type::time: return "a time";
        case toml::node_type::date_time: return "a date and time";
    }
    return "unknown";
}

std::optional<double> real_number(const toml::node& node) {
    if (const auto* number = node.as_floating_point()) return number->get();
    constexpr std::int64_t kExactMax = std::int64_t{1} << 53;
    if (const auto* integer = node.as_integer(); integer && std::abs(integer->get() / 2) <= kExactMax / 2)
        return static_cast<double>(integer->get());
    return std::nullopt;
}

}  // namespace topple::hil::experiment
