// Members that the lanes do not cover (stacks, friction, random restitution): each a run of the scalar solver.
#pragma once

#include <vector>

#include "hil/drive/carried_members.hpp"
#include "solver/run.hpp"

namespace topple::hil::drive {

class RunMembers final : public CarriedMembers {
  public:
    RunMembers(const std::vector<solver::Specimen>& members, const solver::SolverOptions& options);

    std::size_t count() const noexcept override { return runs_.size(); }
    void follow(const solver::MotionPiece& line) override;
    std::vector<solver::BodyEnd> ends_along(const MotionAhead& motion, const RunAhead& how) const override;
    double rotation_rad(std::size_t member, std::size_t block) const noexcept override;
    /// A run cannot be given other properties: never.
    bool resample(std::span<const std::size_t>, std::span<const double>, solver::SplitMix64&) override { return false; }
    void keep_only(std::span<const std::size_t> members) override;

  private:
    std::vector<solver::RockingRun> runs_;
    double settle_limit_s_;
};

}  // namespace topple::hil::drive
