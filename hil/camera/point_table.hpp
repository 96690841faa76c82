// Tables of points or rotations: one row per frame, or one row per frame and point.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hil/camera/cells.hpp"
#include "hil/camera/read_rotation.hpp"

namespace topple::hil::camera {

/// Coordinates of one point over the frames; an axis that the file does not have is empty. NaN: lost.
struct PointPath {
    std::string name;
    std::array<std::vector<double>, 3> at_m;
};

struct PointTable {
    std::string format;
    std::vector<double> time_s;
    std::vector<PointPath> points;
    std::vector<std::vector<double>> rotation_rad;  ///< [block][frame], where the file has rotations
    std::vector<double> sync;
    std::vector<std::string> remarks;
};

/// Headings as column_name() knows them, also in two lines (the points above their axes). Points that the program lost
/// are empty, "nan" or zero on every axis; zeros count as lost where they are a jump. Throws InputError.
PointTable read_point_table(const Cells& cells, const ReadOptions& options);

/// Coordinates that are zero on every axis and a jump away from the frames around them become NaN; how many did.
std::size_t drop_lost(PointPath& point);

}  // namespace topple::hil::camera
