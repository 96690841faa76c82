// What the heading of a column says: quantity, unit, point and axis.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace topple::hil::camera {

enum class ColumnRole {
    ignored,
    time,
    stage,         ///< number of a frame, GOM's stage
    rotation,      ///< of block `block`
    coordinate,    ///< of point `point` along `axis`
    displacement,  ///< of a point: alone it does not say where the point is
    point_name,    ///< of the point that this row is about
    sync,
};

struct ColumnName {
    ColumnRole role = ColumnRole::ignored;
    std::string heading;  ///< as in the file
    std::string unit;     ///< "mm", "deg", "s"; empty: not stated
    std::string point;    ///< "Point 1"; empty: the point of the row
    std::size_t axis = 0;
    std::size_t block = 0;
};

/// "time_s", "Time [s]"; "Stage"; "rotation_deg", "rotation_0_deg"; "Point 1.X [mm]", "marker_0_1_x_mm", "P1 z (mm)";
/// "X [mm]"; "Point 1.dX [mm]"; "Point", "Name", "ID"; "sync", "flash", "led", "trigger". Anything else: ignored.
ColumnName column_name(std::string_view heading);

/// Radians per `unit` (rad, mrad, deg, °) and metres per `unit`. Throws InputError "WHERE: unit ...".
double angle_unit_rad(const std::string& unit, const std::string& where);
double length_m(const std::string& unit, const std::string& where);
/// Are these the words of a unit of length, or of an angle?
bool is_length_unit(std::string_view unit);
bool is_angle_unit(std::string_view unit);

}  // namespace topple::hil::camera
