#include "hil/camera/motive.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "hil/camera/rigid_body.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::camera {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using files::InputError;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnitTolerance = 0.01;  // of a quaternion's length
constexpr std::size_t kHeadingRowsMax = 12;

/// Value behind a key in the first line; empty if it is not there.
std::string property(const Cells& cells, std::string_view key) {
    const auto& first = cells.row(0);
    for (std::size_t i = 0; i + 1 < first.size(); ++i)
        if (first[i] == key) return std::string(first[i + 1]);
    return {};
}

struct Rows {
    std::size_t type = 0, name = 0, quantity = 0, axis = 0;
};

Rows find_rows(const Cells& cells) {
    Rows rows;
    for (std::size_t row = 1; row < std::min(cells.size(), kHeadingRowsMax); ++row) {
        const auto& cells_of = cells.row(row);
        const auto holds = [&](std::string_view word) {
            return std::any_of(cells_of.begin(), cells_of.end(),
                               [word](std::string_view cell) { return cell.starts_with(word); });
        };
        if (rows.type == 0 && (holds("Rigid Body") || holds("Marker") || holds("Bone"))) rows.type = row;
        if (!cells_of.empty() && cells_of.front() == "Frame") {
            rows.axis = row;
            break;
        }
    }
    if (rows.type == 0 || rows.axis < rows.type + 3)
        throw InputError(
            fmt::format("{}: begins as an export of Motive, but has no rows of types, names and axes (\"Frame\", "
                        "\"Time (Seconds)\")",
                        cells.file()));
    rows.name = rows.type + 1;
    rows.quantity = rows.axis - 1;
    return rows;
}

std::string_view cell(const Cells& cells, std::size_t row, std::size_t column) {
    return column < cells.row(row).size() ? cells.row(row)[column] : std::string_view();
}

/// Columns of one body's rotation, by the letters of their axes.
struct RotationColumns {
    std::string name;
    std::array<std::optional<std::size_t>, 4> at;  ///< X, Y, Z, W
};

std::optional<std::size_t> letter(std::string_view axis) {
    const std::size_t at = std::string_view("XYZW").find(axis);
    return axis.size() == 1 && at != std::string_view::npos ? std::optional(at) : std::nullopt;
}

std::vector<RotationColumns> find_rotations(const Cells& cells, const Rows& rows) {
    std::vector<RotationColumns> found;
    for (std::size_t c = 0; c < cells.row(rows.axis).size(); ++c) {
        const auto axis = letter(cell(cells, rows.axis, c));
        if (cell(cells, rows.type, c) != "Rigid Body" || cell(cells, rows.quantity, c) != "Rotation" || !axis) continue;
        const std::string name(cell(cells, rows.name, c));
        if (found.empty() || found.back().name != name) found.push_back({name, {}});
        found.back().at[*axis] = c;
    }
    return found;
}

Quaterniond about(char axis, double degrees) {
    return Quaterniond(Eigen::AngleAxisd(degrees * std::numbers::pi / 180.0, Vector3d::Unit(axis - 'X')));
}

/// Attitude of one frame; empty where it was not tracked.
class Attitude {
  public:
    Attitude(const Cells& cells, const RotationColumns& columns) : cells_(cells), columns_(columns) {
        type_ = property(cells, "Rotation Type");
        is_quaternion_ = type_ == "Quaternion" || (type_.empty() && columns.at[3]);
        std::string sorted = type_;
        std::sort(sorted.begin(), sorted.end());
        if (!is_quaternion_ && sorted != "XYZ")
            throw InputError(fmt::format("{}: Rotation Type \"{}\"; allowed: Quaternion, or an order of X, Y and Z",
                                         cells.file(), type_));
        for (std::size_t i = 0; i < (is_quaternion_ ? 4u : 3u); ++i)
            if (!columns.at[i])
                throw InputError(fmt::format("{}: rigid body \"{}\" has no column Rotation {}", cells.file(),
                                             columns.name, "XYZW"[i]));
    }

    std::optional<Quaterniond> at(std::size_t row) const {
        std::array<double, 4> v{};
        for (std::size_t i = 0; i < (is_quaternion_ ? 4u : 3u); ++i) {
            v[i] = cells_.number(row, *columns_.at[i], columns_.name);
            if (!std::isfinite(v[i])) return std::nullopt;
        }
        if (!is_quaternion_) {
            Quaterniond turned = Quaterniond::Identity();
            for (const char axis : type_) turned = turned * about(axis, v[static_cast<std::size_t>(axis - 'X')]);
            return turned;
        }
        const Quaterniond q(v[3], v[0], v[1], v[2]);  // Eigen's order is w, x, y, z
        if (q.norm() == 0.0) return std::nullopt;
        if (std::abs(q.norm() - 1.0) > kUnitTolerance)
            throw InputError(fmt::format("{}: rotation of \"{}\" has length {:.4g}; a quaternion X, Y, Z, W has 1",
                                         cells_.where(row), columns_.name, q.norm()));
        return q.normalized();
    }

  private:
    const Cells& cells_;
    const RotationColumns& columns_;
    std::string type_;
    bool is_quaternion_ = true;
};

/// Turn from the first attitude that is known, split into that about `axis` and the rest (twist and swing).
MotiveBody body_of(const Cells& cells, const RotationColumns& columns, const Rows& rows, const Vector3d& axis) {
    const Attitude attitude(cells, columns);
    MotiveBody body{columns.name, {}, 0.0};
    std::optional<Quaterniond> first;
    double before_rad = 0.0;
    for (std::size_t row = rows.axis + 1; row < cells.size(); ++row) {
        const auto now = attitude.at(row);
        if (!now) {
            body.rotation_rad.push_back(kNaN);
            continue;
        }
        if (!first) first = now;
        const Quaterniond turned = *now * first->conjugate();
        const double along = turned.vec().dot(axis);
        const double turn_rad = -2.0 * std::atan2(along, turned.w());
        const double whole = 2.0 * std::numbers::pi;
        before_rad = turn_rad + whole * std::round((before_rad - turn_rad) / whole);
        body.rotation_rad.push_back(before_rad);
        const double swing = std::min(1.0, std::hypot(turned.w(), along));
        body.out_of_plane_rad = std::max(body.out_of_plane_rad, 2.0 * std::acos(swing));
    }
    zero_at_rest(body.rotation_rad);
    return body;
}

double length_unit(const Cells& cells) {
    const std::string unit = property(cells, "Length Units");
    if (unit == "Meters") return 1.0;
    if (unit == "Centimeters") return 1e-2;
    if (unit == "Millimeters") return 1e-3;
    throw InputError(
        fmt::format("{}: Length Units \"{}\"; allowed: Meters, Centimeters, Millimeters", cells.file(), unit));
}

void read_markers(const Cells& cells, const Rows& rows, MotiveTake& take) {
    for (std::size_t c = 0; c < cells.row(rows.axis).size(); ++c) {
        const auto axis = letter(cell(cells, rows.axis, c));
        const std::string_view type = cell(cells, rows.type, c);
        const bool is_marker = type == "Marker" || type == "Rigid Body Marker";
        if (!is_marker || cell(cells, rows.quantity, c) != "Position" || !axis || *axis > 2) continue;
        const std::string name(cell(cells, rows.name, c));
        auto found = std::find_if(take.markers.begin(), take.markers.end(),
                                  [&](const PointPath& path) { return path.name == name; });
        if (found == take.markers.end()) found = take.markers.insert(take.markers.end(), {name, {}});
        std::vector<double>& target = found->at_m[*axis];
        if (!target.empty()) continue;  // the same marker, once solved and once as seen
        const double factor = length_unit(cells);
        for (std::size_t row = rows.axis + 1; row < cells.size(); ++row)
            target.push_back(factor * cells.number(row, c, name));
    }
}

}  // namespace

bool is_motive(const Cells& cells) noexcept {
    return !cells.row(0).empty() && cells.row(0).front() == "Format Version";
}

MotiveTake read_motive(const Cells& cells, const ViewPlane& plane) {
    const Rows rows = find_rows(cells);
    std::optional<std::size_t> time;
    for (std::size_t c = 0; c < cells.row(rows.axis).size(); ++c)
        if (cells.row(rows.axis)[c].starts_with("Time (Seconds)")) time = c;
    if (!time) throw InputError(cells.file() + ": no column \"Time (Seconds)\"");
    MotiveTake take;
    for (std::size_t row = rows.axis + 1; row < cells.size(); ++row)
        take.time_s.push_back(cells.number(row, *time, "Time (Seconds)"));
    for (const RotationColumns& columns : find_rotations(cells, rows))
        take.bodies.push_back(body_of(cells, columns, rows, plane.to_viewer()));
    read_markers(cells, rows, take);
    return take;
}

}  // namespace topple::hil::camera
