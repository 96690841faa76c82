// The text of a TOML file with its parsed tables, and where in it a value stands. Only for toml_table.cpp.
#pragma once

#include <toml++/toml.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::experiment {

/// Shared by all tables of a file.
struct TomlDocument {
    std::string file, text;
    std::vector<std::size_t> line_starts;
    toml::table root;

    /// `file` is used in messages only. Throws InputError for what is no TOML.
    static std::shared_ptr<const TomlDocument> parse(std::string text, const std::string& file);
    /// Byte in `text`; the position is one of toml++'s, its line from 1.
    std::size_t offset(const toml::source_position& at) const;
    /// The value as written, cut short.
    std::string written(const toml::source_region& region) const;
    /// Throws InputError with file, line and column.
    [[noreturn]] void fail_at(const toml::source_position& at, const std::string& message) const;
};

/// "a.b.c" as a, b, c.
std::vector<std::string> key_parts(std::string_view key);
/// "an integer", "a table", ...
std::string_view type_name(const toml::node& node);
/// A real number only: no boolean, string or date; an integer must be exact as double.
std::optional<double> real_number(const toml::node& node);

}  // namespace topple::hil::experiment
