// The base acceleration of one open interval as the engine needs it: value, slope, bounds, first exit.
#pragma once

#include <optional>

#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// What the base does during an interval; null: it keeps its velocity in that direction.
struct BasePieces {
    const MotionPiece* horizontal = nullptr;  ///< along the seat, +x
    const MotionPiece* vertical = nullptr;    ///< upwards
};

/// Acceleration of the base at one instant.
struct BaseAcceleration {
    double horizontal_m_s2 = 0.0;  ///< along the seat, +x
    double vertical_m_s2 = 0.0;    ///< upwards, > -g
};

/// What the base does to the specimen, in the axes of the seat.
struct Drive {
    double horizontal_m_s2 = 0.0;  ///< acceleration of the base along +x (with the tilt's share of gravity)
    double vertical_m_s2 = 0.0;    ///< g + z_g'', > 0
};

/// View of two pieces (or of a base at constant velocity) on a seat of given slope. Does not own the pieces.
class Excitation {
  public:
    /// The tilt (rad, clockwise) turns gravity and the vertical motion with it, the shaking stays along the seat.
    Excitation(const BasePieces& pieces, double gravity_m_s2, double tilt_rad) noexcept;

    Drive drive(double time_s) const noexcept {
        if (vertical_ == nullptr) return {horizontal_m_s2(time_s), still_vertical_m_s2_};
        const double up = vertical_->acceleration_m_s2(time_s);
        return {along_seat_m_s2(time_s) - up * sine_, still_vertical_m_s2_ + up * cosine_};
    }
    /// Base acceleration along the seat less the share of gravity along it.
    double horizontal_m_s2(double time_s) const noexcept {
        const double along = along_seat_m_s2(time_s);
        return vertical_ == nullptr ? along : along - vertical_->acceleration_m_s2(time_s) * sine_;
    }
    /// Weight per mass across the seat: (g + z_g'') cos(tilt).
    double vertical_m_s2(double time_s) const noexcept {
        if (vertical_ == nullptr) return still_vertical_m_s2_;
        return still_vertical_m_s2_ + vertical_->acceleration_m_s2(time_s) * cosine_;
    }
    double still_vertical_m_s2() const noexcept { return still_vertical_m_s2_; }  ///< without vertical motion
    double steady_m_s2() const noexcept { return offset_m_s2_; }  ///< share of gravity along the seat, as a drive
    bool moves_vertically() const noexcept { return vertical_ != nullptr; }
    const MotionPiece* horizontal_piece() const noexcept { return piece_; }  ///< null: constant velocity along the seat
    double base_acceleration_m_s2(double time_s) const noexcept {
        return piece_ == nullptr ? 0.0 : piece_->acceleration_m_s2(time_s);
    }
    /// Longest step that cannot miss what the acceleration does: a fifth of a period; unlimited without
    /// harmonics.
    double step_max_s() const noexcept { return step_max_s_; }

    /// First time in [from, until] at which the horizontal drive lies outside [low, high] by the tolerance, m/s2, and
    /// goes further out; low and high are given for still_vertical_m_s2() and follow the weight. What rests then lets
    /// go with an acceleration well above rounding. Touches that stay within the tolerance do not count.
    struct Exit {
        double time_s = 0.0;
        bool above = false;
    };
    std::optional<Exit> first_exit(double from_s, double until_s, double low_m_s2, double high_m_s2,
                                   double tolerance_m_s2) const noexcept;

  private:
    double along_seat_m_s2(double time_s) const noexcept {
        return piece_ == nullptr ? offset_m_s2_ : piece_->acceleration_m_s2(time_s) + offset_m_s2_;
    }
    double slope(double time_s) const noexcept;
    double samples(double from_s, double until_s) const noexcept;
    double bound(double duration_s) const noexcept;
    struct Band {
        double low, high, tolerance;
    };
    std::optional<Exit> exit_between(double from_s, double until_s, const Band& band) const noexcept;
    std::optional<Exit> exit_under_weight(double from_s, double until_s, const Band& band) const noexcept;
    std::optional<double> time_beyond(int side, double from_s, double until_s, const Band& band) const noexcept;

    const MotionPiece* piece_;
    const MotionPiece* vertical_;
    double offset_m_s2_, still_vertical_m_s2_, sine_, cosine_, step_max_s_;
};

}  // namespace topple::solver
