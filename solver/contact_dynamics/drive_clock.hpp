// What a moving base adds to velocities relative to it, step by step, exactly integrated.
#pragma once

#include "solver/engine/run_impl.hpp"
#include "solver/stack/geometry.hpp"

namespace topple::solver::contact {

/// Velocity that a piece has gained at `time_s` since a fixed instant of its own; null: a base at constant velocity.
double velocity_gained_m_s(const MotionPiece* piece, double time_s) noexcept;

/// Walks along the pieces and sums up the drive of the step that is under way. Steps end at origin + i step, wherever
/// the pieces end.
class DriveClock {
  public:
    DriveClock(double start_s, double step_s, double gravity_m_s2, double tilt_rad) noexcept;

    /// From now on the base follows these pieces.
    void follow(const BasePieces& pieces) noexcept;
    /// Goes on to the end of the step, or to `until_s` if that comes first. True: the step is complete.
    bool advance(double until_s) noexcept;
    /// Of the complete step, in the axes of the seat: increase of the base's velocity along it less gravity's share;
    /// across it the same with gravity. Starts the next one.
    Vec2 take() noexcept;
    double time_s() const noexcept { return now_s_; }

  private:
    double start_s_, step_s_, gravity_m_s2_, sine_, cosine_;
    double now_s_, count_ = 0.0, end_s_;
    BasePieces pieces_;
    Vec2 gained_m_s_;  // of the pieces at now_s_
    Vec2 drive_m_s_;   // since the step began: along the seat, upwards
};

}  // namespace topple::solver::contact
