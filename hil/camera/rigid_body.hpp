// The rotation of a block from markers on it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hil/camera/rotation_history.hpp"

namespace topple::hil::camera {

/// Path of one marker in the plane of the motion; NaN where it was not seen.
struct MarkerPath {
    std::string name;
    std::vector<double> right_m, up_m;  ///< one per frame
};

struct BodyRotation {
    std::vector<double> rotation_rad;  ///< clockwise positive, from how the block rested before it moved; NaN: unknown
    BodyFit fit;
    std::vector<std::string> remarks;
};

/// Least squares of a rigid motion in every frame, over the markers seen in it (at least two): with c and r the places
/// of a marker relative to the centroid now and at rest, tan(theta) = sum (c x r) / sum (c . r) (Kabsch 1976, in the
/// plane). The rest is the mean of the frames before the motion in which all markers were seen. A marker without which
/// the others fit at least three times better is left out. Throws std::invalid_argument: fewer than two markers, never
/// two of them at once, or two in one place.
BodyRotation fit_body(const std::vector<MarkerPath>& markers);

/// Frames before the motion: until a rotation first departs from their median by 6 standard deviations of its noise and
/// by more than 0.5 mrad. At least 1. NaN are passed over.
std::size_t frames_at_rest(const std::vector<double>& rotation_rad);
/// Subtracts the mean of those frames.
void zero_at_rest(std::vector<double>& rotation_rad);

}  // namespace topple::hil::camera
