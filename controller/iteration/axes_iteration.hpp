// The drives of a motion of one axis or two: each axis that moves is learned on its own, all are driven in each pass.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "controller/iteration/drive_iteration.hpp"

namespace topple::controller {

/// Whoever drives the table makes a pass of drives() and calls learn() until ended(), and then keeps drives(). An axis
/// whose learning ends before the other's keeps its drive in the passes that follow; they are measured, no more.
class AxesIteration {
  public:
    /// `targets`: of the machine's axes, x first; one without any motion rests and is not learned. Throws
    /// std::invalid_argument if one is not feasible.
    AxesIteration(std::span<const Profile> targets, const firmware_iface::MachineDescription& machine,
                  double payload_kg, const IterationSettings& settings);

    std::size_t axis_count() const noexcept { return targets_.size(); }
    /// Of one axis; null: it rests.
    const DriveIteration* axis(std::size_t i) const noexcept { return axes_[i] ? &*axes_[i] : nullptr; }

    std::vector<Profile> drives() const;  ///< of the next pass, x first; at the end, those to keep
    /// From the feedback of a pass of drives(), whose first setpoint was at `start_us`. Throws std::invalid_argument
    /// for a record that cannot be learned from (pass_error).
    void learn(std::span<const firmware_iface::Feedback> feedback, std::uint64_t start_us);
    bool ended() const noexcept;  ///< on every axis that moves
    std::size_t pass_count() const noexcept { return pass_count_; }

  private:
    std::vector<Profile> targets_;
    std::vector<std::optional<DriveIteration>> axes_;
    std::size_t pass_count_ = 0;
};

/// A target in which nothing ever moves.
bool rests(const Profile& target);

}  // namespace topple::controller
