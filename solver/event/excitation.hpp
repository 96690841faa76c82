// The base acceleration of one open interval as the event loop needs it: value, slope, bounds, first exit.
#pragma once

#include <optional>

#include "solver/base_motion.hpp"
#include "solver/models/rocking_stack.hpp"

namespace topple::solver {

/// View of one piece (or of a base at constant velocity) on a seat of given slope. Does not own the piece.
class Excitation {
  public:
    /// `piece` null: no base acceleration. The tilt (rad, clockwise) turns gravity, the shaking stays along
    /// the seat.
    Excitation(const MotionPiece* piece, double gravity_m_s2, double tilt_rad) noexcept;

    Drive drive(double time_s) const noexcept { return {horizontal_m_s2(time_s), vertical_m_s2_}; }
    /// Base acceleration along the seat less the share of gravity along it.
    double horizontal_m_s2(double time_s) const noexcept {
        return piece_ == nullptr ? offset_m_s2_ : piece_->acceleration_m_s2(time_s) + offset_m_s2_;
    }
    double vertical_m_s2() const noexcept { return vertical_m_s2_; }
    double base_acceleration_m_s2(double time_s) const noexcept {
        return piece_ == nullptr ? 0.0 : piece_->acceleration_m_s2(time_s);
    }
    /// Longest step that cannot miss what the acceleration does: a fifth of a period; unlimited without
    /// harmonics.
    double step_max_s() const noexcept { return step_max_s_; }

    /// First time in [from, until] at which the horizontal drive lies outside [low, high] by the tolerance, m/s2, and
    /// goes further out: what rests then lets go with an acceleration well above rounding. Touches that stay within
    /// the tolerance do not count.
    struct Exit {
        double time_s = 0.0;
        bool above = false;
    };
    std::optional<Exit> first_exit(double from_s, double until_s, double low_m_s2, double high_m_s2,
                                   double tolerance_m_s2) const noexcept;

  private:
    double slope(double time_s) const noexcept;
    double bound(double duration_s) const noexcept;
    struct Band {
        double low, high, tolerance;
    };
    std::optional<Exit> exit_between(double from_s, double until_s, const Band& band) const noexcept;

    const MotionPiece* piece_;
    double offset_m_s2_, vertical_m_s2_, step_max_s_;
};

}  // namespace topple::solver
