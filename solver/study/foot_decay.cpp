#include "solver/study/foot_decay.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {

namespace {

/// Height of the mass centre of a body that rolls on its foot, over its rotation.
class RollingHeight {
  public:
    explicit RollingHeight(const Specimen& specimen)
        : corners_m_(specimen.foot->corners_m),
          sin_tilt_(std::sin(specimen.initial_tilt_rad)),
          cos_tilt_(std::cos(specimen.initial_tilt_rad)) {
        along_m_.push_back(0.0);
        for (const FootFace& face : faces_of(*specimen.foot, specimen.blocks.front().mass_kg)) {
            slope_rad_.push_back(face.slope_rad);
            along_m_.push_back(along_m_.back() + face.length_m);
        }
        for (const double slope : slope_rad_) face_height_m_.push_back(at(slope));
    }

    double at(double rotation_rad) const {
        const auto corner = static_cast<std::size_t>(
            std::lower_bound(slope_rad_.begin(), slope_rad_.end(), rotation_rad) - slope_rad_.begin());
        const double x = -corners_m_[corner][0], z = -corners_m_[corner][1];
        const double s = std::sin(rotation_rad), c = std::cos(rotation_rad);
        return (z * c - x * s) * cos_tilt_ - (along_m_[corner] + x * c + z * s) * sin_tilt_;
    }

    /// Over one corner it has a top and no bottom: the lowest is a face, or an end.
    double lowest_between(double a_rad, double b_rad) const {
        double lowest = std::min(at(a_rad), at(b_rad));
        const auto [low, high] = std::minmax(a_rad, b_rad);
        for (std::size_t face = 0; face < slope_rad_.size(); ++face)
            if (low < slope_rad_[face] && slope_rad_[face] < high) lowest = std::min(lowest, face_height_m_[face]);
        return lowest;
    }

  private:
    std::vector<ProfilePoint> corners_m_;
    std::vector<double> slope_rad_, face_height_m_, along_m_;  // of each face; where each corner meets the seat
    double sin_tilt_, cos_tilt_;
};

bool is_released_from_rest(const Specimen& specimen) {
    const auto is_zero = [](double value) { return value == 0.0; };
    const auto& rates = specimen.initial_rotation_rate_rad_s;
    return !specimen.initial_rotation_rad.empty() && !is_zero(specimen.initial_rotation_rad[0]) &&
           std::all_of(rates.begin(), rates.end(), is_zero);
}

}  // namespace

std::vector<double> apparent_restitution(const Specimen& specimen, const std::vector<TurningPoint>& turning_points,
                                         double free_from_s) {
    constexpr double kLeastRise = 1e-9;  // of the height: below, rounding errors decide
    if (!specimen.foot) return {};
    const RollingHeight height(specimen);
    std::vector<double> extremes_rad;
    const auto add = [&](double rotation_rad) {
        const double here = height.at(rotation_rad);
        if (extremes_rad.empty() || height.lowest_between(extremes_rad.back(), rotation_rad) <
                                        std::min(here, height.at(extremes_rad.back())) - kLeastRise * std::abs(here))
            extremes_rad.push_back(rotation_rad);
        else if (here > height.at(extremes_rad.back()))
            extremes_rad.back() = rotation_rad;
    };
    if (free_from_s <= 0.0 && is_released_from_rest(specimen)) add(specimen.initial_rotation_rad[0]);
    for (const TurningPoint& turn : turning_points)
        if (turn.time_s >= free_from_s) add(turn.rotation_rad);
    std::vector<double> ratios;
    for (std::size_t i = 1; i < extremes_rad.size(); ++i) {
        const double before_rad = extremes_rad[i - 1], after_rad = extremes_rad[i];
        const double lowest = height.lowest_between(before_rad, after_rad);
        ratios.push_back(std::sqrt((height.at(after_rad) - lowest) / (height.at(before_rad) - lowest)));
    }
    return ratios;
}

}  // namespace topple::solver
