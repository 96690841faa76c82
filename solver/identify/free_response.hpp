// The whole free-rocking response with one restitution ratio: excursion after excursion in closed form.
#pragma once

#include <vector>

#include "solver/identify/free_lobe.hpp"

namespace topple::solver {

/// Released at rest from release_rad; held there before.
class FreeResponse {
  public:
    /// Excursions are laid out up to `end_s`. 0 < release_rad < alpha, 0 <= ratio <= 1.
    FreeResponse(const RockingShape& shape, double release_rad, double first_impact_s, double ratio,
                 double end_s);

    /// Signed, positive to the side of release.
    double rotation_rad(double time_s) const noexcept;
    double release_s() const noexcept { return lobes_.front().apex_s; }
    double rest_s() const noexcept {
        return rest_s_;
    }  ///< end of all excursions; at most a little beyond end_s

  private:
    struct TimedLobe {
        FreeLobe lobe;
        double apex_s, end_s;
    };
    std::vector<TimedLobe> lobes_;
    double rest_s_ = 0.0;
};

}  // namespace topple::solver
