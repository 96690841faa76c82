// Exports of OptiTrack Motive: CSV with a line of properties and rows of headings.
#pragma once

#include <string>
#include <vector>

#include "hil/camera/cells.hpp"
#include "hil/camera/plane.hpp"
#include "hil/camera/point_table.hpp"

namespace topple::hil::camera {

bool is_motive(const Cells& cells) noexcept;  ///< its first cell is "Format Version"

/// One rigid body of the take.
struct MotiveBody {
    std::string name;
    std::vector<double> rotation_rad;  ///< about the axis to the viewer, clockwise, from rest; NaN: not tracked
    double out_of_plane_rad = 0.0;     ///< largest turn about any other axis
};

struct MotiveTake {
    std::vector<double> time_s;
    std::vector<MotiveBody> bodies;
    std::vector<PointPath> markers;  ///< every "Marker" and "Rigid Body Marker", named as in the take
    std::vector<std::string> remarks;
};

/// Rotation Type Quaternion (columns X, Y, Z, W) or three Euler angles in degrees, in the order of the letters ("XYZ":
/// about X first, then about the turned Y, then the turned Z). Length Units Meters, Centimeters, Millimeters. Blank
/// cells: not tracked. Throws InputError naming line and property.
MotiveTake read_motive(const Cells& cells, const ViewPlane& plane);

}  // namespace topple::hil::camera
