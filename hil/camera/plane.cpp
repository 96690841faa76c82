#include "hil/camera/plane.hpp"

#include <fmt/format.h>

namespace topple::hil::camera {
namespace {

/// "x", "-z": axis and sign.
bool take_axis(std::string word, std::size_t& axis, double& sign) {
    if (word.size() == 2 && (word[0] == '-' || word[0] == '+')) {
        sign = word[0] == '-' ? -1.0 : 1.0;
        word.erase(0, 1);
    }
    if (word.size() != 1 || word[0] < 'x' || word[0] > 'z') return false;
    axis = static_cast<std::size_t>(word[0] - 'x');
    return true;
}

std::string axis_text(std::size_t axis, double sign) {
    return fmt::format("{}{}", sign < 0.0 ? "-" : "", static_cast<char>('x' + axis));
}

}  // namespace

Eigen::Vector3d ViewPlane::right_axis() const {
    return right_sign * Eigen::Vector3d::Unit(static_cast<Eigen::Index>(right));
}

Eigen::Vector3d ViewPlane::up_axis() const { return up_sign * Eigen::Vector3d::Unit(static_cast<Eigen::Index>(up)); }

std::string ViewPlane::text() const {
    return fmt::format("{} to the right, {} up", axis_text(right, right_sign), axis_text(up, up_sign));
}

std::optional<ViewPlane> parse_plane(const std::string& text) {
    const std::size_t comma = text.find(',');
    ViewPlane plane;
    if (comma == std::string::npos || !take_axis(text.substr(0, comma), plane.right, plane.right_sign) ||
        !take_axis(text.substr(comma + 1), plane.up, plane.up_sign) || plane.right == plane.up)
        return std::nullopt;
    return plane;
}

}  // namespace topple::hil::camera
