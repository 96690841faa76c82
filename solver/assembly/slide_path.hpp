// How far two bodies in a basin are apart during a step in closed form, and when a falling quantity reaches zero.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "solver/motion/piece_integrals.hpp"
#include "solver/numerics/root_find.hpp"

namespace topple::solver {

/// What the base does `elapsed` after an instant: how its way and velocity differ from going on at constant velocity.
struct BaseStep {
    double way_m = 0.0, velocity_m_s = 0.0, acceleration_m_s2 = 0.0, jerk_m_s3 = 0.0;
};

/// The base from one instant on, in closed form.
class BaseAhead {
  public:
    /// `piece` null: constant velocity. `fastest_rad_s`: of its harmonics, 0 if there are none.
    BaseAhead(const MotionPiece* piece, double time_s, double fastest_rad_s) noexcept
        : piece_(piece), fastest_rad_s_(fastest_rad_s) {
        if (piece_ == nullptr) return;
        tau_s_ = time_s - piece_->start_s;
        now_ = evaluate(*piece_, tau_s_);
    }
    double acceleration_m_s2() const noexcept { return now_.acceleration_m_s2; }

    BaseStep after(double elapsed_s) const noexcept {
        if (piece_ == nullptr) return {};
        constexpr double kSmall = 1e-3;  // radians in which the series to the snap is exact to 1e-14 of the way
        const double t = elapsed_s;
        if (fastest_rad_s_ * t < kSmall && is_straight()) {
            const double a = now_.acceleration_m_s2, j = now_.jerk_m_s3, s = now_.snap_m_s4;
            return {t * t * (a / 2.0 + t * (j / 6.0 + t * s / 24.0)), t * (a + t * (j / 2.0 + t * s / 6.0)),
                    a + t * (j + t * s / 2.0), j + t * s};
        }
        const PieceMotion then = evaluate(*piece_, tau_s_ + t);
        return {then.displacement_m - now_.displacement_m - now_.velocity_m_s * t,
                then.velocity_m_s - now_.velocity_m_s, then.acceleration_m_s2, then.jerk_m_s3};
    }

  private:
    bool is_straight() const noexcept { return piece_->polynomial[2] == 0.0 && piece_->polynomial[3] == 0.0; }

    const MotionPiece* piece_;
    double fastest_rad_s_, tau_s_ = 0.0;
    PieceMotion now_{};
};

/// Places between which a function is monotone, in ascending order; the first and last are the ends of the step.
class MonotoneParts {
  public:
    explicit MonotoneParts(double step_s) noexcept : at_{0.0, step_s}, count_(2) {}

    /// Adds the zeros of `slope`, itself monotone between the places so far; ends that are zero are none.
    template <class Slope>
    void split(Slope&& slope) noexcept {
        std::array<double, kRoom> old = at_;
        const std::size_t places = count_;
        count_ = 0;
        add(old[0]);
        double left = slope(old[0]);
        for (std::size_t i = 1; i < places; ++i) {
            const double right = slope(old[i]);
            if ((left < 0.0 && right > 0.0) || (left > 0.0 && right < 0.0))
                add(find_root(slope, old[i - 1], old[i], left, right, 0.0).after);
            add(old[i]);
            left = right;
        }
    }
    const double* begin() const noexcept { return at_.data(); }
    const double* end() const noexcept { return at_.data() + count_; }

  private:
    static constexpr std::size_t kRoom = 20;
    void add(double at) noexcept {
        if (count_ < kRoom) at_[count_++] = at;
    }
    std::array<double, kRoom> at_{};
    std::size_t count_;
};

/// First time within the step at which `value`, not negative at 0 (rounding is taken for 0), falls below zero.
/// `slope` is its derivative and `parts` those places between which it is monotone. A touch from above is no fall.
template <class Value, class Slope>
std::optional<double> first_fall_below_zero(MonotoneParts parts, Value&& value, Slope&& slope) noexcept {
    parts.split(slope);
    const double* place = parts.begin();
    double before = std::max(value(*place), 0.0);
    for (const double* next = place + 1; next != parts.end(); place = next++) {
        const double after = value(*next);
        if (after < 0.0) {
            if (before == 0.0) return *place;  // it falls from here on
            return find_root(value, *place, *next, before, after, 0.0).after;
        }
        before = after;
    }
    return std::nullopt;
}

}  // namespace topple::solver
