// The columns of an exported run: name, unit, meaning, and how the value of a row is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace topple::hil::exports {

/// A number; NaN where it is absent.
struct Reals {
    std::function<double(std::size_t row)> at;
    int decimals = -1;  ///< in text; < 0: as many as the number needs
};
/// A number that is always there and never a fraction.
struct Wholes {
    std::function<std::int64_t(std::size_t row)> at;
};
/// One of a few words; the row has the index of its word.
struct Words {
    std::function<std::size_t(std::size_t row)> at;
    std::vector<std::string> words;
};
/// Any text.
struct Texts {
    std::function<std::string(std::size_t row)> at;
};

struct RunColumn {
    std::string name;         ///< with its unit at the end: "position_x_m"
    std::string unit;         ///< "m/s2"; "1": a count, a code or a ratio; empty: words and texts
    std::string description;  ///< one sentence without its full stop
    std::variant<Reals, Wholes, Words, Texts> values;
};

/// One topic of a log. The first two columns are device_time_us and time_s.
struct RunTable {
    std::string name;  ///< "setpoint", "feedback", "prediction", "events", "timing"
    std::string description;
    std::size_t row_count = 0;
    std::vector<RunColumn> columns;
};

/// All values of a column at once.
template <typename Number, typename Kind>
std::vector<Number> values_of(const Kind& kind, std::size_t row_count) {
    std::vector<Number> values(row_count);
    for (std::size_t row = 0; row < row_count; ++row) values[row] = static_cast<Number>(kind.at(row));
    return values;
}

}  // namespace topple::hil::exports
