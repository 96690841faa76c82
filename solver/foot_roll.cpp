#include "solver/foot_roll.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {

FootRoll::FootRoll(const Foot& foot)
    : corners_m_(foot.corners_m),
      overturned_rad_(foot.overturned_rad),
      laid_m_(foot.corners_m.size()),
      highest_left_m_(foot.corners_m.size()),
      highest_right_m_(foot.corners_m.size()),
      standing_face_(solver::standing_face(foot)) {
    const std::size_t corners = corners_m_.size();
    std::vector<double> length_m;
    // The mass does not matter for slopes and lengths.
    for (const FootFace& face : faces_of(foot, 1.0)) {
        slope_rad_.push_back(face.slope_rad);
        length_m.push_back(face.length_m);
    }
    laid_m_[standing_face_] = corners_m_[standing_face_][0];
    for (std::size_t i = standing_face_ + 1; i < corners; ++i) laid_m_[i] = laid_m_[i - 1] + length_m[i - 1];
    for (std::size_t i = standing_face_; i > 0; --i) laid_m_[i - 1] = laid_m_[i] - length_m[i - 1];
    const FaceRange roll = faces_of_roll(foot);
    for (std::size_t i = 0; i < corners; ++i) {
        const double over_rad = std::atan2(corners_m_[i][0], -corners_m_[i][1]);
        const double from_rad = i <= roll.first ? -overturned_rad_ : slope_rad_[i - 1];
        const double until_rad = i >= roll.end ? overturned_rad_ : slope_rad_[i];
        const bool carries = i >= roll.first && i <= roll.end;
        const bool is_passed = carries && over_rad > from_rad && over_rad < until_rad;
        crest_.push_back({over_rad, is_passed ? std::hypot(corners_m_[i][0], corners_m_[i][1]) : 0.0});
    }
    // Lying on its side, at pi/2, the body is as high as its outermost corner is wide.
    const ProfilePoint &first = corners_m_[roll.first], &last = corners_m_[roll.end];
    const double sine = std::sin(overturned_rad_),
                 cosine = overturned_rad_ < kLyingDown_rad ? std::cos(overturned_rad_) : 0.0;
    highest_left_m_.front() = -first[0] * sine - first[1] * cosine;
    for (std::size_t i = 1; i < corners; ++i)
        highest_left_m_[i] = std::max(highest_left_m_[i - 1], crest_[i - 1].height_m);
    highest_right_m_.back() = last[0] * sine - last[1] * cosine;
    for (std::size_t i = corners - 1; i > 0; --i)
        highest_right_m_[i - 1] = std::max(highest_right_m_[i], crest_[i].height_m);
}

std::size_t FootRoll::corner_at(double rotation_rad, double rate_rad_s) const noexcept {
    const auto at = rate_rad_s > 0.0 ? std::upper_bound(slope_rad_.begin(), slope_rad_.end(), rotation_rad)
                                     : std::lower_bound(slope_rad_.begin(), slope_rad_.end(), rotation_rad);
    return static_cast<std::size_t>(at - slope_rad_.begin());
}

std::size_t FootRoll::face_near(double rotation_rad) const noexcept {
    const std::size_t corner = corner_at(rotation_rad);
    if (corner == 0) return 0;
    if (corner == slope_rad_.size()) return corner - 1;
    return rotation_rad - slope_rad_[corner - 1] < slope_rad_[corner] - rotation_rad ? corner - 1 : corner;
}

double FootRoll::height_m(double rotation_rad) const noexcept {
    const ProfilePoint& corner = corners_m_[corner_at(rotation_rad)];
    return corner[0] * std::sin(rotation_rad) - corner[1] * std::cos(rotation_rad);
}

double FootRoll::barrier_m(double rotation_rad) const noexcept {
    const std::size_t corner = corner_at(rotation_rad);
    const Crest& own = crest_[corner];
    double left_m = highest_left_m_[corner], right_m = highest_right_m_[corner];
    double& side_m = own.rotation_rad < rotation_rad ? left_m : right_m;
    side_m = std::max(side_m, own.height_m);
    return std::min(left_m, right_m);
}

double quickest_p_rad_s(const Foot& foot, double mass_kg, double gravity_m_s2) noexcept {
    double quickest = 0.0;
    for (const ProfilePoint& corner : foot.corners_m) {
        const double radius_m = std::hypot(corner[0], corner[1]);
        quickest = std::max(quickest, radius_m / (foot.inertia_kg_m2 + mass_kg * radius_m * radius_m));
    }
    return std::sqrt(mass_kg * gravity_m_s2 * quickest);
}

}  // namespace topple::solver
