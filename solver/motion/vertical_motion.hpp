// The vertical motion of the base beside a run: which piece of it is in force, and whether it leaves weight.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// Least weight that must remain, as a share of the weight at rest: below it the base falls freely.
inline constexpr double kLeastWeightRatio = 1e-9;

/// Throws std::invalid_argument naming the instant from which the base falls freely (g + z_g'' <= 0): the specimen
/// would lose contact, and the models have no flight.
void require_weight(const BaseMotion& vertical, double gravity_m_s2);

/// Walks forward through a vertical motion. Copyable; the motion is shared.
class VerticalCursor {
  public:
    VerticalCursor() = default;  ///< no vertical motion
    explicit VerticalCursor(std::shared_ptr<const BaseMotion> motion) : motion_(std::move(motion)) {}

    bool moves() const noexcept { return motion_ != nullptr && !motion_->empty(); }
    bool goes_on_after(double time_s) const noexcept { return moves() && motion_->end_s() > time_s; }
    double acceleration_m_s2(double time_s) const noexcept {
        return moves() ? motion_->at(time_s).acceleration_m_s2 : 0.0;
    }

    /// From `time_s`, not earlier than in the call before, to `until_s` this piece holds (null: constant velocity).
    struct Stretch {
        const MotionPiece* piece = nullptr;
        double until_s = std::numeric_limits<double>::infinity();
    };
    Stretch stretch_from(double time_s) noexcept;

  private:
    std::shared_ptr<const BaseMotion> motion_;
    std::size_t next_ = 0;  // first piece that is not over
};

}  // namespace topple::solver
