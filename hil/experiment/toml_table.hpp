// A table of a TOML file, read strictly: every accessor checks type and range and notes its key as known.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::experiment {

/// Allowed numbers: all finite ones between the bounds, which may be excluded.
struct NumberRange {
    double low = std::numeric_limits<double>::lowest();
    double high = std::numeric_limits<double>::max();
    bool low_excluded = false;
    bool high_excluded = false;

    bool contains(double value) const noexcept;
    std::string text() const;  ///< e.g. "a number > 0 and <= 100"
};
constexpr NumberRange above(double low, double high) { return {low, high, true, false}; }
constexpr NumberRange between(double low, double high) { return {low, high, false, false}; }

/// One table of a parsed file. What was never asked for is unknown: `finish` refuses it.
/// All errors are InputError naming file, line, column, key, value and what is allowed.
/// A missing required key whose misspelling stands in the table is reported at the misspelling.
class TomlTable {
  public:
    /// Parses a whole file's text; `file` is used in messages only.
    static TomlTable parse(std::string text, const std::string& file);
    TomlTable(TomlTable&&) noexcept;
    TomlTable& operator=(TomlTable&&) noexcept;
    ~TomlTable();

    bool has(std::string_view key);
    /// A key that stands elsewhere, but not in this table: throws InputError at it, "... <why>", if it is here. It is
    /// not listed as one that is allowed.
    void forbid(std::string_view key, const std::string& why);
    double number(std::string_view key, const NumberRange& range);
    double number_or(std::string_view key, const NumberRange& range, double fallback);
    std::optional<double> optional_number(std::string_view key, const NumberRange& range);
    /// One number or an array of 1..count_max numbers.
    std::vector<double> numbers(std::string_view key, const NumberRange& range, std::size_t count_max);
    /// An array of count_min..count_max pairs of numbers.
    std::vector<std::array<double, 2>> number_pairs(std::string_view key, const NumberRange& range,
                                                    std::size_t count_min, std::size_t count_max);
    std::int64_t integer_or(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t fallback);
    bool boolean_or(std::string_view key, bool fallback);
    std::string text(std::string_view key);  ///< not empty
    std::string text_or(std::string_view key, std::string_view fallback);
    std::string one_of(std::string_view key, const std::vector<std::string_view>& allowed);
    std::string one_of_or(std::string_view key, const std::vector<std::string_view>& allowed,
                          std::string_view fallback);

    /// A text or an array of texts, none empty; no texts at all if the key is missing or holds anything else.
    std::vector<std::string> texts(std::string_view key);
    bool is_text(std::string_view key);
    bool is_table(std::string_view key);
    TomlTable table(std::string_view key);
    /// A table or an array of tables; empty if the key is missing.
    std::vector<TomlTable> tables(std::string_view key);
    std::vector<std::string> keys() const;
    /// Any scalar as its text, for free-form tables.
    std::string scalar_text(std::string_view key);

    /// Throws at the first key (in file order) that was never asked for, suggesting the nearest known one.
    void finish() const;
    /// Throws InputError at the value of `key`: "... <message>".
    [[noreturn]] void fail(std::string_view key, const std::string& message) const;
    /// Throws InputError at the table itself.
    [[noreturn]] void fail_here(const std::string& message) const;

  private:
    struct Impl;
    explicit TomlTable(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace topple::hil::experiment
