// The whole free-rocking response with one restitution ratio: excursion after excursion in closed form.
#pragma once

#include <span>
#include <vector>

#include "solver/identify/free_lobe.hpp"

namespace topple::solver {

/// How a free-rocking test begins and what it stands on.
struct FreeRelease {
    int side = 1;                 ///< of the release: +1 positive rotation, -1 negative
    double apex_rad = 0.0;        ///< released at rest from here, 0 < apex < alpha on that side
    double first_impact_s = 0.0;  ///< time of the first impact
    double ratio = 1.0;           ///< eta of every impact, 0 to 1
    double tilt_rad = 0.0;        ///< slope of the seat, positive clockwise
};

/// Released at rest from an angle; held there before.
class FreeResponse {
  public:
    /// Excursions are laid out up to `end_s`.
    FreeResponse(const RockingShape& shape, const FreeRelease& release, double end_s);

    /// Relative to the seat, positive clockwise.
    double rotation_rad(double time_s) const noexcept;
    /// The same at many increasing times.
    std::vector<double> rotations_rad(std::span<const double> time_s) const;
    double release_s() const noexcept { return lobes_.front().apex_s; }
    /// Time of the second impact: end of the excursion after the first; of the first where nothing follows it.
    double second_impact_s() const noexcept { return lobes_[lobes_.size() > 1 ? 1 : 0].end_s; }
    /// End of all excursions; at most a little beyond end_s.
    double rest_s() const noexcept { return rest_s_; }

  private:
    struct TimedLobe {
        FreeLobe lobe;
        double apex_s, end_s;
        int side;
    };
    std::vector<TimedLobe> lobes_;
    double rest_s_ = 0.0;
};

}  // namespace topple::solver
