#include "hil/camera/column_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <numbers>
#include <utility>

#include "hil/files/declared_columns.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::camera {
namespace {

constexpr std::string_view kSeparators = " ._:-/|";
constexpr std::pair<std::string_view, double> kAngles[] = {
    {"rad", 1.0}, {"mrad", 1e-3}, {"deg", std::numbers::pi / 180.0}, {"°", std::numbers::pi / 180.0}};
constexpr std::string_view kLengths[] = {"m", "cm", "mm", "um"};

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

void trim(std::string& text, std::string_view characters = kSeparators) {
    const std::size_t first = text.find_first_not_of(characters);
    if (first == std::string::npos) return text.clear();
    text = text.substr(first, text.find_last_not_of(characters) - first + 1);
}

/// "Point 1.X [mm]" -> "Point 1.X", "mm".
std::string take_bracket(std::string& name) {
    for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}}) {
        const std::size_t from = name.rfind(open), to = name.rfind(close);
        if (from == std::string::npos || to == std::string::npos || to < from) continue;
        std::string unit = lower(std::string_view(name).substr(from + 1, to - from - 1));
        name.erase(from);
        trim(name, " ");
        trim(unit, " ");
        return unit == "seconds" ? "s" : unit;
    }
    return {};
}

/// "..._mm" -> "mm", if the last word is a unit.
template <typename IsUnit>
std::string take_suffix(std::string& name, IsUnit is_unit) {
    const std::size_t at = name.rfind('_');
    if (at == std::string::npos || !is_unit(std::string_view(name).substr(at + 1))) return {};
    std::string unit = name.substr(at + 1);
    name.erase(at);
    return unit;
}

bool is_time_unit(std::string_view unit) { return unit == "s" || unit == "ms" || unit == "us"; }

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// "rotation_0", "rotation", "measured_0"; the rest of `low` must be a block.
bool take_rotation(const std::string& low, ColumnName& column) {
    std::string rest;
    if (low == "rotation")
        rest = "0";
    else if (low.starts_with("rotation_"))
        rest = low.substr(9);
    else if (low.starts_with("measured_"))
        rest = low.substr(9);
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), column.block);
    if (rest.empty() || error != std::errc() || end != rest.data() + rest.size() || column.block > 63) return false;
    column.role = ColumnRole::rotation;
    return true;
}

/// A name that ends in an axis: "Point 1.X", "x", "P2 dZ", "displacement x".
bool take_coordinate(const std::string& name, ColumnName& column) {
    if (name.empty()) return false;
    const char axis = static_cast<char>(std::tolower(static_cast<unsigned char>(name.back())));
    if (axis < 'x' || axis > 'z') return false;
    std::string rest = name.substr(0, name.size() - 1);
    const bool is_change = !rest.empty() && (rest.back() == 'd' || rest.back() == 'D') &&
                           (rest.size() == 1 || kSeparators.find(rest[rest.size() - 2]) != std::string_view::npos);
    if (is_change) rest.pop_back();
    if (!rest.empty() && kSeparators.find(rest.back()) == std::string_view::npos) return false;
    trim(rest);
    const std::string low = lower(rest);
    const bool is_displacement = is_change || low == "displacement" || low.ends_with("displacement");
    column.role = is_displacement ? ColumnRole::displacement : ColumnRole::coordinate;
    column.axis = static_cast<std::size_t>(axis - 'x');
    column.point = low == "coordinate" || low == "position" ? "" : rest;
    return true;
}

}  // namespace

bool is_length_unit(std::string_view unit) {
    return std::find(std::begin(kLengths), std::end(kLengths), unit) != std::end(kLengths);
}

bool is_angle_unit(std::string_view unit) {
    return std::any_of(std::begin(kAngles), std::end(kAngles), [&](const auto& known) { return known.first == unit; });
}

double angle_unit_rad(const std::string& unit, const std::string& where) {
    for (const auto& [name, factor] : kAngles)
        if (unit == name) return factor;
    throw files::InputError(
        unit.empty() ? fmt::format("{}: its unit is not stated: is it rad, mrad or deg? Give --rotation-unit", where)
                     : fmt::format("{}: unit \"{}\" is not known; allowed: rad, mrad, deg", where, unit));
}

double length_m(const std::string& unit, const std::string& where) {
    if (unit.empty())
        throw files::InputError(
            fmt::format("{}: its unit is not stated: is it m, cm, mm or um? Give --rotation-unit", where));
    return files::length_unit_m(unit, where);
}

ColumnName column_name(std::string_view heading) {
    ColumnName column;
    column.heading = std::string(heading);
    std::string name(heading);
    trim(name, " ");
    column.unit = take_bracket(name);
    std::string low = lower(name);
    if (is_one_of(low, {"stage", "stage id", "stage_id", "frame", "image", "index"})) {
        column.role = ColumnRole::stage;
        return column;
    }
    if (is_one_of(low,
                  {"point", "name", "element", "point name", "point_name", "id", "point id", "point_id", "marker"})) {
        column.role = ColumnRole::point_name;
        return column;
    }
    for (const std::string_view word : {"sync", "flash", "led", "trigger"})
        if (low == word || low.starts_with(std::string(word) + "_")) column.role = ColumnRole::sync;
    if (column.role == ColumnRole::sync) return column;
    if (column.unit.empty()) column.unit = take_suffix(low, is_time_unit);
    if (is_one_of(low, {"time", "zeit", "rel. time", "relative time"})) {
        column.role = ColumnRole::time;
        return column;
    }
    low = lower(name);
    std::string suffix = take_suffix(low, is_angle_unit);
    if (take_rotation(low, column)) {
        if (!suffix.empty()) column.unit = suffix;
        return column;
    }
    suffix = take_suffix(name, is_length_unit);
    if (!take_coordinate(name, column)) return ColumnName{ColumnRole::ignored, std::string(heading), "", "", 0, 0};
    if (!suffix.empty()) column.unit = suffix;
    if (is_time_unit(column.unit)) column.unit.clear();
    return column;
}

}  // namespace topple::hil::camera
