// How a foot rolls on a level base: which corner carries it, where that corner comes down, how high the mass centre
// goes.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/foot.hpp"

namespace topple::solver {

/// A foot in the order of its rotation, clockwise positive: about corner i between slope i - 1 and slope i. Nothing
/// but geometry; all functions take O(log n) of n corners.
class FootRoll {
  public:
    /// `foot`: valid.
    explicit FootRoll(const Foot& foot);

    std::size_t corner_count() const noexcept { return corners_m_.size(); }
    const ProfilePoint& corner_m(std::size_t i) const noexcept { return corners_m_[i]; }
    double slope_rad(std::size_t face) const noexcept { return slope_rad_[face]; }
    std::size_t standing_face() const noexcept { return standing_face_; }
    double overturned_rad() const noexcept { return overturned_rad_; }  ///< Foot::overturned_rad
    /// Place on the base, along x, of a corner that came down there by rolling without slip from rotation 0; the mass
    /// centre was then over 0.
    double laid_m(std::size_t corner) const noexcept { return laid_m_[corner]; }

    /// The corner that carries; flat on a face the one to which `rate_rad_s` turns, the left one at rate 0.
    std::size_t corner_at(double rotation_rad, double rate_rad_s = 0.0) const noexcept;
    /// The face whose slope is nearest.
    std::size_t face_near(double rotation_rad) const noexcept;
    /// Height of the mass centre over the base while the carrying corner touches it, m.
    double height_m(double rotation_rad) const noexcept;
    /// Least height that the mass centre must reach on the way from here to where it has overturned on either side, m.
    double barrier_m(double rotation_rad) const noexcept;

  private:
    struct Crest {
        double rotation_rad, height_m;  ///< of the mass centre over the corner; height 0: it is not passed
    };
    std::vector<ProfilePoint> corners_m_;
    double overturned_rad_;
    std::vector<double> slope_rad_, laid_m_;
    std::vector<Crest> crest_;                              ///< per corner
    std::vector<double> highest_left_m_, highest_right_m_;  ///< of the corners before this one, and after it
    std::size_t standing_face_;
};

/// Largest frequency parameter sqrt(m g R / (I + m R^2)) about a corner, R from there to the mass centre, rad/s.
double quickest_p_rad_s(const Foot& foot, double mass_kg, double gravity_m_s2) noexcept;

}  // namespace topple::solver
