// A motion that the base may still make, in the forms in which members of an ensemble follow it.
#pragma once

#include <memory>
#include <utility>

#include "solver/lanes/wave_shape.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::hil::drive {

/// Its time is that of the ensemble: t = 0 is the start of the test's motion, and what lies before the present is
/// skipped. The base keeps its velocity after its end.
class MotionAhead {
  public:
    explicit MotionAhead(solver::BaseMotion motion)
        : motion_(std::move(motion)), shape_(std::make_shared<solver::WaveShape>(motion_, 1.0, 1.0)) {}

    const solver::BaseMotion& motion() const noexcept { return motion_; }
    const solver::WaveShape& shape() const noexcept { return *shape_; }

  private:
    solver::BaseMotion motion_;
    std::shared_ptr<const solver::WaveShape> shape_;
};

}  // namespace topple::hil::drive
