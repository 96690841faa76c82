#include "hil/camera/point_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "hil/camera/column_name.hpp"
#include "hil/files/declared_columns.hpp"
#include "hil/files/errors.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::camera {
namespace {

using files::InputError;
using Names = std::vector<ColumnName>;
using Role = ColumnRole;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kHeadingsMax = 200;  // lines that are looked through for the heading
constexpr double kJumpSteps = 10.0;        // of a point's usual step: a place at zero so far off is none
constexpr double kJumpLeast_m = 1e-4;

struct Heading {
    std::size_t row = 0;
    Names names;
};

bool has(const Names& names, Role role) {
    return std::any_of(names.begin(), names.end(), [role](const ColumnName& n) { return n.role == role; });
}

const ColumnName* first_of(const Names& names, Role role) {
    const auto found = std::find_if(names.begin(), names.end(), [role](const auto& n) { return n.role == role; });
    return found == names.end() ? nullptr : &*found;
}

/// Points above their axes: "Point 1;;;Point 2" over "X [mm];Y [mm];Z [mm];X [mm]".
void take_names_above(const std::vector<std::string_view>& above, Names& names) {
    std::string point;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i < above.size() && !above[i].empty()) point = std::string(above[i]);
        const bool is_bare = names[i].role == Role::coordinate || names[i].role == Role::displacement;
        if (is_bare && names[i].point.empty()) names[i].point = point;
        if (names[i].role == Role::ignored && names[i].heading.empty() && i < above.size())
            names[i] = column_name(above[i]);
    }
}

/// A line of units below the heading: "s;mm;mm" or "[s];[mm];[mm]". False if the line is none.
bool take_units_below(const Cells& cells, std::size_t row, Names& names) {
    if (row >= cells.size() || cells.row(row).size() > names.size()) return false;
    std::vector<std::string> units;
    for (std::string_view cell : cells.row(row)) {
        if (cell.size() > 2 && (cell.front() == '[' || cell.front() == '(')) cell = cell.substr(1, cell.size() - 2);
        const bool is_unit = is_length_unit(cell) || is_angle_unit(cell) || cell == "s" || cell == "ms" || cell == "us";
        if (!is_unit && !cell.empty() && cell != "-" && cell != "1") return false;
        units.emplace_back(is_unit ? cell : std::string_view());
    }
    if (std::all_of(units.begin(), units.end(), [](const std::string& unit) { return unit.empty(); })) return false;
    for (std::size_t i = 0; i < units.size(); ++i)
        if (names[i].unit.empty()) names[i].unit = units[i];
    return true;
}

bool repeats_an_axis(const Names& names) {
    std::array<int, 3> count{};
    for (const ColumnName& name : names)
        if (name.role == Role::coordinate && name.point.empty()) ++count[name.axis];
    return *std::max_element(count.begin(), count.end()) > 1;
}

std::optional<Heading> find_heading(const Cells& cells) {
    for (std::size_t row = 0; row < std::min(cells.size(), kHeadingsMax); ++row) {
        Heading heading{row, {}};
        for (const std::string_view cell : cells.row(row)) heading.names.push_back(column_name(cell));
        const bool has_points = has(heading.names, Role::coordinate) || has(heading.names, Role::displacement);
        if (!has_points && !has(heading.names, Role::rotation)) continue;
        if (has_points && row > 0 && repeats_an_axis(heading.names))
            take_names_above(cells.row(row - 1), heading.names);
        if (take_units_below(cells, row + 1, heading.names)) ++heading.row;
        return heading;
    }
    return std::nullopt;
}

/// Values of the rows below the heading.
std::vector<double> column(const Cells& cells, const Heading& heading, std::size_t index) {
    std::vector<double> values;
    for (std::size_t row = heading.row + 1; row < cells.size(); ++row)
        values.push_back(cells.number(row, index, heading.names[index].heading));
    return values;
}

std::optional<std::size_t> index_of(const Names& names, Role role) {
    const ColumnName* found = first_of(names, role);
    return found ? std::optional(static_cast<std::size_t>(found - names.data())) : std::nullopt;
}

std::string where(const Cells& cells, const ColumnName& name) {
    return fmt::format("{}: column \"{}\"", cells.file(), name.heading);
}

/// Unit of a length: the column's, the preface's, the operator's.
double factor_m(const Cells& cells, const ColumnName& name, const ReadOptions& options) {
    std::string unit = name.unit;
    if (unit.empty() && is_length_unit(options.unit)) unit = options.unit;
    for (const char* stated : {"mm", "cm"})
        if (unit.empty() && cells.preface().find(fmt::format("[{}]", stated)) != std::string::npos) unit = stated;
    return length_m(unit, where(cells, name));
}

double factor_rad(const Cells& cells, const ColumnName& name, const ReadOptions& options) {
    const std::string unit = name.unit.empty() && is_angle_unit(options.unit) ? options.unit : name.unit;
    return angle_unit_rad(unit, where(cells, name));
}

/// Time of every row: of its own column, or of the numbers of frames by the rate.
std::vector<double> times_of(const Cells& cells, const Heading& heading, const ReadOptions& options) {
    const auto time = index_of(heading.names, Role::time), stage = index_of(heading.names, Role::stage);
    const bool states_unit = time && !heading.names[*time].unit.empty();
    if (states_unit && options.rate_hz) throw InputError(cells.file() + ": has a time column; omit --rotation-rate");
    if (states_unit) {
        std::vector<double> time_s = column(cells, heading, *time);
        const double factor = files::time_unit_s(heading.names[*time].unit, where(cells, heading.names[*time]));
        for (double& value : time_s) value *= factor;
        return time_s;
    }
    if (!options.rate_hz)
        throw InputError(
            time ? fmt::format("{}: in which unit is this time? Name it time_s, time_ms or \"Time [s]\", or give "
                               "--rotation-rate for frames at an even rate",
                               where(cells, heading.names[*time]))
                 : fmt::format("{}: no column of time (time_s, \"Time [s]\"); for frames at an even rate give "
                               "--rotation-rate",
                               cells.file()));
    std::vector<double> time_s;
    if (stage) time_s = column(cells, heading, *stage);
    for (std::size_t i = 0; !stage && heading.row + 1 + i < cells.size(); ++i) time_s.push_back(static_cast<double>(i));
    const double first = time_s.empty() ? 0.0 : time_s.front();
    for (double& value : time_s) value = (value - first) / *options.rate_hz;
    return time_s;
}

PointPath& path_of(PointTable& table, const std::string& name) {
    for (PointPath& point : table.points)
        if (point.name == name) return point;
    table.points.push_back({name, {}});
    return table.points.back();
}

void read_rotations(const Cells& cells, const Heading& heading, const ReadOptions& options, PointTable& table) {
    for (std::size_t i = 0; i < heading.names.size(); ++i) {
        const ColumnName& name = heading.names[i];
        if (name.role != Role::rotation) continue;
        if (table.rotation_rad.size() <= name.block) table.rotation_rad.resize(name.block + 1);
        if (!table.rotation_rad[name.block].empty())
            throw InputError(where(cells, name) + ": a second column for the same quantity");
        const double factor = factor_rad(cells, name, options);
        for (const double value : column(cells, heading, i)) table.rotation_rad[name.block].push_back(factor * value);
    }
    for (std::size_t block = 0; block < table.rotation_rad.size(); ++block)
        if (table.rotation_rad[block].empty())
            throw InputError(
                fmt::format("{}: rotation of block {} is missing; blocks count from 0", cells.file(), block));
}

/// One row per frame.
void read_wide(const Cells& cells, const Heading& heading, const ReadOptions& options, PointTable& table) {
    table.time_s = times_of(cells, heading, options);
    if (has(heading.names, Role::rotation)) {
        table.format = "columns of rotations";
        return read_rotations(cells, heading, options, table);
    }
    table.format = "points, one row per frame";
    for (std::size_t i = 0; i < heading.names.size(); ++i) {
        const ColumnName& name = heading.names[i];
        if (name.role != Role::coordinate) continue;
        std::vector<double>& target = path_of(table, name.point).at_m[name.axis];
        if (!target.empty()) throw InputError(where(cells, name) + ": a second column for the same coordinate");
        const double factor = factor_m(cells, name, options);
        for (const double value : column(cells, heading, i)) target.push_back(factor * value);
    }
}

/// One row per frame and point: the frames are recognised by their number or, without one, by their time.
void read_long(const Cells& cells, const Heading& heading, const ReadOptions& options, PointTable& table) {
    table.format = "points, one row per frame and point";
    const std::size_t point_column = *index_of(heading.names, Role::point_name);
    const auto stage = index_of(heading.names, Role::stage);
    const std::vector<double> time_s = times_of(cells, heading, options);
    const std::vector<double> frame_key = stage ? column(cells, heading, *stage) : time_s;
    std::map<double, std::size_t> frames;
    for (std::size_t i = 0; i < frame_key.size(); ++i) {
        if (!std::isfinite(frame_key[i]))
            throw InputError(cells.where(heading.row + 1 + i) + ": a row without its frame's number or time");
        if (frames.try_emplace(frame_key[i], frames.size()).second) table.time_s.push_back(time_s[i]);
    }
    for (std::size_t i = 0; i < frame_key.size(); ++i) {
        const std::size_t row = heading.row + 1 + i, frame = frames.at(frame_key[i]);
        if (point_column >= cells.row(row).size()) continue;
        PointPath& point = path_of(table, std::string(cells.row(row)[point_column]));
        for (std::size_t k = 0; k < heading.names.size(); ++k) {
            const ColumnName& name = heading.names[k];
            if (name.role != Role::coordinate) continue;
            std::vector<double>& target = point.at_m[name.axis];
            target.resize(table.time_s.size(), kNaN);
            target[frame] = factor_m(cells, name, options) * cells.number(row, k, name.heading);
        }
    }
}

double norm_m(const PointPath& point, std::size_t frame) {
    double square = 0.0;
    for (const std::vector<double>& axis : point.at_m)
        if (!axis.empty()) square += axis[frame] * axis[frame];
    return std::sqrt(square);
}

}  // namespace

std::size_t drop_lost(PointPath& point) {
    std::size_t frames = 0;
    for (const std::vector<double>& axis : point.at_m) frames = std::max(frames, axis.size());
    std::vector<double> steps;
    std::optional<std::size_t> before;
    for (std::size_t i = 0; i < frames; ++i) {
        if (!(norm_m(point, i) > 0.0)) continue;
        double square = 0.0;
        for (const std::vector<double>& axis : point.at_m)
            if (before && !axis.empty()) square += std::pow(axis[i] - axis[*before], 2);
        if (before) steps.push_back(std::sqrt(square));
        before = i;
    }
    if (steps.empty()) return 0;
    const double jump_m = std::max(kJumpLeast_m, kJumpSteps * signal::median(steps));
    std::size_t lost = 0;
    for (std::size_t i = 0; i < frames;) {
        std::size_t end = i;
        while (end < frames && norm_m(point, end) == 0.0) ++end;
        if (end == i) {
            ++i;
            continue;
        }
        const double near_m = std::max(i > 0 ? norm_m(point, i - 1) : 0.0, end < frames ? norm_m(point, end) : 0.0);
        for (std::size_t k = i; k < end && !(near_m <= jump_m); ++k, ++lost)
            for (std::vector<double>& axis : point.at_m)
                if (!axis.empty()) axis[k] = kNaN;
        i = end;
    }
    return lost;
}

PointTable read_point_table(const Cells& cells, const ReadOptions& options) {
    const auto heading = find_heading(cells);
    if (!heading)
        throw InputError(fmt::format(
            "{}: no heading that names rotations (rotation_0_deg) or points (\"Point 1.X [mm]\", marker_0_1_x_mm; or "
            "columns Stage, Point, X [mm], Y [mm], Z [mm])",
            cells.file()));
    if (!has(heading->names, Role::coordinate) && !has(heading->names, Role::rotation))
        throw InputError(
            fmt::format("{}: displacements alone do not say where the points are on their block: export coordinates",
                        cells.file()));
    cells.require_clear_numbers(heading->row);
    PointTable table;
    const bool is_long = has(heading->names, Role::point_name) && !has(heading->names, Role::rotation);
    is_long ? read_long(cells, *heading, options, table) : read_wide(cells, *heading, options, table);
    if (const auto sync = index_of(heading->names, Role::sync); sync && !is_long)
        table.sync = column(cells, *heading, *sync);
    for (PointPath& point : table.points)
        if (const std::size_t lost = drop_lost(point); lost > 0)
            table.remarks.push_back(
                fmt::format("point \"{}\": {} frames at zero on every axis taken as lost", point.name, lost));
    return table;
}

}  // namespace topple::hil::camera
