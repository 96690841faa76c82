#include "hil/files/declared_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>

#include "hil/files/csv.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::files {
namespace {

using Units = std::map<std::string, double>;
const Units kTime{{"s", 1.0}, {"ms", 1e-3}, {"us", 1e-6}};
const Units kLength{{"m", 1.0}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}};
const Units kAcceleration{{"m_s2", 1.0}, {"cm_s2", 1e-2}, {"mm_s2", 1e-3}, {"g", 9.80665}};
const Units kAngle{{"rad", 1.0}, {"mrad", 1e-3}, {"deg", std::numbers::pi / 180.0}};

double factor_of(const std::string& unit, const Units& units, const std::string& where) {
    const auto found = units.find(unit);
    if (found != units.end()) return found->second;
    std::string allowed;
    for (const auto& [name, factor] : units) allowed += (allowed.empty() ? "" : ", ") + name;
    throw InputError(fmt::format("{}: unit \"{}\" is not known; allowed: {}", where, unit, allowed));
}

std::vector<double> scaled(std::vector<double> values, double factor) {
    for (double& value : values) value *= factor;
    return values;
}

void assign_once(std::vector<double>& target, std::vector<double> values, const std::string& where) {
    if (!target.empty()) throw InputError(where + ": a second column for the same quantity");
    target = std::move(values);
}

// "rotation_<i>_<unit>" or "rotation_<unit>" for block 0.
void add_rotation(DeclaredColumns& columns, const std::string& rest, const std::vector<double>& values,
                  const std::string& where) {
    std::size_t block = 0;
    std::string unit = rest;
    if (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest.front()))) {
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), block);
        if (error != std::errc() || *end != '_' || block >= 16)
            throw InputError(where + ": expected rotation_<block>_<unit> with block 0 to 15");
        unit = rest.substr(static_cast<std::size_t>(end + 1 - rest.data()));
    }
    if (columns.rotation_rad.size() <= block) columns.rotation_rad.resize(block + 1);
    assign_once(columns.rotation_rad[block], scaled(values, factor_of(unit, kAngle, where)), where);
}

/// "position_x_m" of a run's own export is "position_m"; the other axis of a table is not the one tested.
std::string without_axis(const std::string& rest) { return rest.starts_with("x_") ? rest.substr(2) : rest; }

void add_column(DeclaredColumns& columns, const std::string& name, const std::vector<double>& values,
                const std::string& where) {
    const std::size_t split = name.find('_');
    const std::string quantity = name.substr(0, split);
    const std::string rest = split == std::string::npos ? "" : name.substr(split + 1);
    if (quantity == "time")
        assign_once(columns.time_s, scaled(values, factor_of(rest, kTime, where)), where);
    else if (quantity == "displacement" || quantity == "position")
        assign_once(columns.displacement_m, scaled(values, factor_of(without_axis(rest), kLength, where)), where);
    else if (quantity == "acceleration") {
        const std::string unit = without_axis(rest);
        assign_once(columns.acceleration_m_s2, scaled(values, factor_of(unit, kAcceleration, where)), where);
        columns.acceleration_unit = unit == "g" ? unit : unit.substr(0, unit.find('_')) + "/s2";
    } else
        add_rotation(columns, rest, values, where);
}

/// Figures of a run call what was measured "achieved_displacement_m" and "measured_0_rad".
std::string declared_name(const std::string& name) {
    if (name.starts_with("achieved_")) return name.substr(std::string("achieved_").size());
    const std::string measured = "measured_";
    const bool has_block = name.starts_with(measured) && name.size() > measured.size() &&
                           std::isdigit(static_cast<unsigned char>(name[measured.size()]));
    return has_block && name.ends_with("_rad") ? "rotation_" + name.substr(measured.size()) : name;
}

bool is_declared(std::string_view name_in_file) {
    const std::string name = declared_name(std::string(name_in_file));
    for (const std::string_view other : {"rotation_rate", "displacement_y_", "position_y_", "acceleration_y_"})
        if (name.starts_with(other)) return false;
    for (const std::string_view quantity : {"time_", "displacement_", "position_", "acceleration_", "rotation_"})
        if (name.starts_with(quantity)) return true;
    return false;
}

/// Columns without any number are not there; a single hole in one that is has its line named.
void require_whole_columns(CsvTable& table) {
    for (std::size_t i = table.columns.size(); i-- > 0;) {
        const std::vector<double>& column = table.columns[i];
        const auto hole = std::find_if(column.begin(), column.end(), [](double value) { return std::isnan(value); });
        if (hole == column.end()) continue;
        if (std::all_of(column.begin(), column.end(), [](double value) { return std::isnan(value); })) {
            table.names.erase(table.names.begin() + static_cast<std::ptrdiff_t>(i));
            table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(i));
            continue;
        }
        throw InputError(fmt::format("{}, line {}, column {}: empty or nan, a number is expected", table.file,
                                     table.line_numbers[static_cast<std::size_t>(hole - column.begin())],
                                     table.names[i]));
    }
}

/// Keeps the rows for which `keeps(times, row)`; nothing to do without a time column.
template <typename Keeps>
void keep_rows(CsvTable& table, Keeps keeps) {
    const auto time = std::find_if(table.names.begin(), table.names.end(),
                                   [](const std::string& name) { return name.starts_with("time_"); });
    if (time == table.names.end()) return;
    const std::vector<double> times = table.columns[static_cast<std::size_t>(time - table.names.begin())];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!keeps(times, i)) continue;
        for (auto& column : table.columns) column[kept] = column[i];
        table.line_numbers[kept++] = table.line_numbers[i];
    }
    for (auto& column : table.columns) column.resize(kept);
    table.line_numbers.resize(kept);
}

bool is_first_with_a_time(const std::vector<double>& times, std::size_t i) {
    return !std::isnan(times[i]) && (i == 0 || times[i] != times[i - 1]);
}

/// A step of acceleration is two rows at one time: what holds after it is kept. Three at one time are no step.
bool is_not_before_a_step(const std::vector<double>& times, std::size_t i) {
    const auto same = [&](std::size_t j) { return j < times.size() && times[j] == times[i]; };
    return !same(i + 1) || same(i + 2) || (i > 0 && same(i - 1));
}

void complete_time(DeclaredColumns& columns, std::size_t rows, std::optional<double> rate_hz, const CsvTable& table) {
    if (!columns.time_s.empty() && rate_hz) throw InputError(table.file + ": has a time column; omit the rate");
    if (columns.time_s.empty() && !rate_hz)
        throw InputError(
            fmt::format("{}: no column time_s, time_ms or time_us; there are: {}. For samples without a time give the "
                        "sampling rate (--rate, --rotation-rate)",
                        table.file, fmt::join(table.names_in_file, ", ")));
    if (rate_hz && !(*rate_hz > 0.0 && *rate_hz <= 1e6))
        throw InputError(fmt::format("sampling rate {} Hz; allowed: above 0, up to 1e6", *rate_hz));
    for (std::size_t i = 0; rate_hz && i < rows; ++i) columns.time_s.push_back(static_cast<double>(i) / *rate_hz);
    for (std::size_t i = 1; i < rows; ++i)
        if (!(columns.time_s[i] > columns.time_s[i - 1]))
            throw InputError(fmt::format("{}:{}: time does not increase", table.file, table.line_numbers[i]));
}

}  // namespace

double time_unit_s(const std::string& unit, const std::string& where) { return factor_of(unit, kTime, where); }
double length_unit_m(const std::string& unit, const std::string& where) { return factor_of(unit, kLength, where); }

void refuse_missing(const std::filesystem::path& file, const std::string& what, const DeclaredColumns& columns) {
    throw InputError(
        fmt::format("{}: no column {}; there are: {}", file.string(), what, fmt::join(columns.names_in_file, ", ")));
}

DeclaredColumns read_declared_columns(const std::filesystem::path& file, std::optional<double> rate_hz, Gaps gaps) {
    CsvTable table = read_csv(file, {.keeps = is_declared, .blank_is_nan = true});
    if (gaps == Gaps::allow)
        keep_rows(table, is_first_with_a_time);
    else {
        require_whole_columns(table);
        keep_rows(table, is_not_before_a_step);
    }
    if (table.columns.empty()) throw InputError(table.file + ": every column with a known name is empty");
    DeclaredColumns columns;
    columns.names_in_file = table.names_in_file;
    for (std::size_t i = 0; i < table.names.size(); ++i)
        add_column(columns, declared_name(table.names[i]), table.columns[i],
                   fmt::format("{}: column \"{}\"", table.file, table.names[i]));
    for (std::size_t block = 0; block < columns.rotation_rad.size(); ++block)
        if (columns.rotation_rad[block].empty())
            throw InputError(
                fmt::format("{}: rotation of block {} is missing; blocks count from 0", table.file, block));
    complete_time(columns, table.line_numbers.size(), rate_hz, table);
    return columns;
}

}  // namespace topple::hil::files
