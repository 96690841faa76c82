#include "hil/vendor_files/channel_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "hil/files/errors.hpp"
#include "hil/vendor_files/text_table.hpp"

namespace topple::hil::vendor_files {
namespace {

using files::InputError;

struct Unit {
    std::string_view name;
    double factor;
};
constexpr std::array kTime{Unit{"s", 1.0}, Unit{"ms", 1e-3}, Unit{"us", 1e-6}};
constexpr std::array kLength{Unit{"m", 1.0}, Unit{"cm", 1e-2}, Unit{"mm", 1e-3}, Unit{"um", 1e-6}, Unit{"in", 0.0254}};
constexpr std::array kAcceleration{Unit{"m/s2", 1.0}, Unit{"m/s^2", 1.0},  Unit{"cm/s2", 1e-2}, Unit{"cm/s^2", 1e-2},
                                   Unit{"gal", 1e-2}, Unit{"mm/s2", 1e-3}, Unit{"g", 9.80665},  Unit{"mg", 9.80665e-3}};
constexpr std::array kAngle{Unit{"rad", 1.0}, Unit{"mrad", 1e-3}, Unit{"deg", std::numbers::pi / 180.0}};

constexpr std::string_view kAnyUnit = "any";  // of an acceleration: what its values are is left to a displacement
constexpr std::string_view kRotation = "rotation_";
constexpr std::size_t kBlocksMax = 16;

bool is_rotation(std::string_view quantity) { return quantity.starts_with(kRotation); }

std::span<const Unit> units_of(std::string_view quantity) {
    if (quantity == "time") return kTime;
    if (quantity == "displacement") return kLength;
    if (quantity == "acceleration") return kAcceleration;
    return kAngle;
}

double factor_of(const ChannelChoice& choice, const std::string& unit, const RawTable& table) {
    const bool may_be_any = choice.quantity == "acceleration";
    if (may_be_any && unit == kAnyUnit) return 1.0;
    std::string allowed;
    for (const Unit& known : units_of(choice.quantity)) {
        if (known.name == unit) return known.factor;
        allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", known.name);
    }
    if (may_be_any) allowed += ", or any (its gain is found by a displacement beside it)";
    if (unit.empty())
        throw InputError(fmt::format("{}: column \"{}\" states no unit: add unit=...; allowed for {}: {}", table.file,
                                     choice.column, choice.quantity, allowed));
    throw InputError(fmt::format("{}: column \"{}\": unit \"{}\" is none of {}; allowed: {}", table.file, choice.column,
                                 unit, choice.quantity, allowed));
}

/// As files::DeclaredColumns says it.
std::string stated_name(const std::string& unit) {
    if (unit == "gal") return "cm/s2";
    const std::size_t hat = unit.find('^');
    return hat == std::string::npos ? unit : unit.substr(0, hat) + unit.substr(hat + 1);
}

double number(std::string_view text, std::string_view key, std::string_view whole) {
    if (const auto value = number_in(text, '.')) return *value;
    throw InputError(fmt::format("channel \"{}\": {} = \"{}\" is not a finite number", whole, key, text));
}

void set(ChannelChoice& choice, std::string_view key, std::string_view value, std::string_view whole) {
    if (key == "unit") {
        if (value.empty()) throw InputError(fmt::format("channel \"{}\": unit is empty", whole));
        choice.unit = value;
    } else if (key == "sign") {
        choice.sign = number(value, key, whole);
        if (choice.sign != 1.0 && choice.sign != -1.0)
            throw InputError(fmt::format("channel \"{}\": sign = {}; allowed: 1 or -1", whole, value));
    } else if (key == "offset") {
        choice.offset = number(value, key, whole);
    } else if (key == "scale") {
        choice.scale = number(value, key, whole);
        if (choice.scale == 0.0) throw InputError(fmt::format("channel \"{}\": scale must not be 0", whole));
    } else {
        throw InputError(
            fmt::format("channel \"{}\": \"{}\" is not known; allowed: unit, sign, offset, scale (a comma "
                        "in the column's name: give its number)",
                        whole, key));
    }
}

bool is_known(std::string_view quantity) {
    if (quantity == "time" || quantity == "displacement" || quantity == "acceleration") return true;
    if (!is_rotation(quantity)) return false;
    const auto block = number_in(quantity.substr(kRotation.size()), '.');
    return block && *block >= 0.0 && *block < static_cast<double>(kBlocksMax) &&
           *block == static_cast<double>(static_cast<std::size_t>(*block));
}

std::vector<double>& target_of(files::DeclaredColumns& columns, const std::string& quantity) {
    if (quantity == "time") return columns.time_s;
    if (quantity == "displacement") return columns.displacement_m;
    if (quantity == "acceleration") return columns.acceleration_m_s2;
    const auto block = static_cast<std::size_t>(*number_in(quantity.substr(kRotation.size()), '.'));
    if (columns.rotation_rad.size() <= block) columns.rotation_rad.resize(block + 1);
    return columns.rotation_rad[block];
}

std::string_view si_unit(const std::string& quantity) { return units_of(quantity).front().name; }

std::string line_of(const ChannelChoice& choice, const std::string& unit, const RawTable& table, std::size_t column,
                    const std::vector<double>& values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return fmt::format(
        "{}: column {} \"{}\" in {}, sign {:+g}, offset {:g} {}, scale {:g}: {} samples from {:.4g} to {:.4g} {}",
        choice.quantity, column + 1, table.names[column], unit, choice.sign, choice.offset, unit, choice.scale,
        values.size(), *least, *most, unit == kAnyUnit ? "of it" : si_unit(choice.quantity));
}

/// No table of any laboratory reaches a thousandth of these.
void require_sensible(const ChannelChoice& choice, const RawTable& table, const std::vector<double>& values) {
    constexpr double kMost = 1e6;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!(std::abs(values[i]) <= kMost) && choice.quantity != "time")
            throw InputError(fmt::format(
                "{}: column \"{}\", sample {}: {} of {:g} {}; at most {:g}: wrong unit or scale?", table.file,
                choice.column, i + 1, choice.quantity, values[i], si_unit(choice.quantity), kMost));
        else if (!std::isfinite(values[i]))
            throw InputError(fmt::format("{}: column \"{}\", sample {}: not finite: wrong scale?", table.file,
                                         choice.column, i + 1));
}

void complete_time(ChosenColumns& chosen, const RawTable& table, std::size_t rows, std::optional<double> rate_hz) {
    std::vector<double>& time_s = chosen.columns.time_s;
    if (!time_s.empty() && rate_hz) throw InputError(table.file + ": time is a column; omit the rate");
    if (time_s.empty()) {
        const std::optional<double> step_s = rate_hz ? 1.0 / *rate_hz : table.step_s;
        if (!step_s)
            throw InputError(table.file +
                             ": no channel is the time: add time=COLUMN, or give the sampling rate (--rate)");
        if (rate_hz && table.step_s && std::abs(*step_s / *table.step_s - 1.0) > 1e-6)
            throw InputError(fmt::format("{}: states a sampling rate of {:g} Hz, --rate says {:g} Hz: omit the rate",
                                         table.file, 1.0 / *table.step_s, *rate_hz));
        for (std::size_t i = 0; i < rows; ++i) time_s.push_back(*step_s * static_cast<double>(i));
        chosen.said.push_back(fmt::format("time: every {:g} s, as {}", *step_s, rate_hz ? "told" : "the file states"));
    }
    for (std::size_t i = 1; i < time_s.size(); ++i)
        if (!(time_s[i] > time_s[i - 1]))
            throw InputError(fmt::format("{}: time does not increase at sample {}: {:g} s after {:g} s", table.file,
                                         i + 1, time_s[i], time_s[i - 1]));
}

void require_whole(const ChosenColumns& chosen, const RawTable& table, std::size_t rows) {
    const auto check = [&](const std::vector<double>& values, const char* what) {
        if (!values.empty() && values.size() != rows)
            throw InputError(fmt::format("{}: {} has {} samples, others {}: all must be of one length", table.file,
                                         what, values.size(), rows));
    };
    check(chosen.columns.time_s, "time");
    check(chosen.columns.displacement_m, "displacement");
    check(chosen.columns.acceleration_m_s2, "acceleration");
    for (const std::vector<double>& rotation : chosen.columns.rotation_rad) {
        check(rotation, "a rotation");
        if (rotation.empty())
            throw InputError(table.file + ": rotations must be chosen for all blocks from rotation_0 on");
    }
}

/// The next comma outside of parentheses, as in "acc(:,2),unit=g", or the end.
std::size_t end_of_part(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')') --depth;
        if (text[i] == ',' && depth <= 0) return i;
    }
    return text.size();
}

}  // namespace

ChannelChoice parse_channel(std::string_view text) {
    ChannelChoice choice;
    const std::size_t equals = text.find('=');
    choice.quantity = text.substr(0, equals);
    if (equals == std::string_view::npos || !is_known(choice.quantity))
        throw InputError(
            fmt::format("channel \"{}\": wanted QUANTITY=COLUMN with time, displacement, acceleration or "
                        "rotation_0 (of block 0) as quantity",
                        text));
    std::string_view rest = text.substr(equals + 1);
    for (bool first = true; first || !rest.empty(); first = false) {
        const std::size_t end = end_of_part(rest);
        const std::string_view part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (first) {
            choice.column = part;
            continue;
        }
        const std::size_t at = part.find('=');
        set(choice, part.substr(0, at), at == std::string_view::npos ? "" : part.substr(at + 1), text);
    }
    if (choice.column.empty()) throw InputError(fmt::format("channel \"{}\": names no column", text));
    return choice;
}

ChosenColumns choose_channels(const RawTable& table, const std::vector<ChannelChoice>& choices,
                              std::optional<double> rate_hz) {
    ChosenColumns chosen;
    chosen.columns.names_in_file = table.names;
    std::size_t rows = 0;
    for (const ChannelChoice& choice : choices) {
        const std::size_t column = table.find(choice.column);
        const std::string unit = choice.unit.empty() ? table.units[column] : choice.unit;
        const double factor = factor_of(choice, unit, table) * choice.sign * choice.scale;
        std::vector<double>& target = target_of(chosen.columns, choice.quantity);
        if (!target.empty()) throw InputError(fmt::format("channel \"{}\" is chosen twice", choice.quantity));
        for (const double raw : table.columns[column]) target.push_back(factor * (raw - choice.offset));
        if (target.empty()) throw InputError(fmt::format("{}: column \"{}\" is empty", table.file, choice.column));
        require_sensible(choice, table, target);
        if (choice.quantity == "acceleration") chosen.columns.acceleration_unit = stated_name(unit);
        if (choice.quantity != "time") rows = target.size();
        chosen.said.push_back(line_of(choice, unit, table, column, target));
    }
    if (rows == 0)
        throw InputError(
            fmt::format("{}: no channel is chosen that measures anything: displacement=COLUMN, "
                        "acceleration=COLUMN or rotation_0=COLUMN; there are: {}",
                        table.file, table.list()));
    require_whole(chosen, table, rows);
    complete_time(chosen, table, rows, rate_hz);
    return chosen;
}

}  // namespace topple::hil::vendor_files
