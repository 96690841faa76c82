// The plane of the motion as its viewer sees it.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <string>

namespace topple::hil::camera {

/// Axes of the file that point to the right and up in the picture.
struct ViewPlane {
    std::size_t right = 0, up = 1;           ///< 0, 1, 2: x, y, z
    double right_sign = 1.0, up_sign = 1.0;  ///< -1: the axis points to the left, down

    Eigen::Vector3d right_axis() const;
    Eigen::Vector3d up_axis() const;
    /// Towards the viewer, in a right-handed frame. Clockwise, as seen, is negative about it.
    Eigen::Vector3d to_viewer() const { return right_axis().cross(up_axis()); }
    std::size_t across() const noexcept { return 3 - right - up; }  ///< the third axis
    std::string text() const;                                       ///< "x to the right, -z up"
};

/// Of "RIGHT,UP", e.g. "x,z" or "-x,y"; empty for anything else.
std::optional<ViewPlane> parse_plane(const std::string& text);

}  // namespace topple::hil::camera
