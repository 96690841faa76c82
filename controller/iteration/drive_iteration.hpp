// The drive of a motion, learned from pass to pass: what to drive next, and when to stop.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controller/feasibility.hpp"
#include "controller/iteration/learning_filter.hpp"

namespace topple::controller {

struct IterationSettings {
    int passes_max = 3;                 ///< >= 1
    double goal_peak_m = 5e-5;          ///< with goal_nrmse: as good as instruments of this kind can tell
    double goal_nrmse = 0.01;           ///< of the acceleration, 60 Hz band
    double improvement_least = 0.1;     ///< a pass that comes less nearer to the goal than this has not improved
    double correction_max_ratio = 0.5;  ///< acceleration of the correction over that of the target, peaks
};

enum class IterationEnd : std::uint8_t {
    none,           ///< another pass follows
    goal_reached,   ///< by the last pass: its drive is kept
    passes_done,    ///< as many as were asked for
    not_improving,  ///< two passes in a row: the best drive so far is kept
    infeasible,     ///< a limit of the machine leaves no room for more correction
    cannot,         ///< the drive's force does not reach: no correction helps
};
std::string_view name(IterationEnd end) noexcept;

/// One pass as the instruments saw it.
struct PassResult {
    double peak_error_m = 0.0;
    double nrmse = 0.0;
    double correction_peak_m = 0.0, correction_peak_m_s2 = 0.0;  ///< of the drive of this pass
    double force_n = 0.0;  ///< largest that this drive asks for: mass x acceleration, without friction
    SensorMatch sensors;
};

/// One motion of one axis on one machine with one payload. Pure arithmetic; whoever drives the table calls learn()
/// after each pass of drive() until it says that none follows, and then keeps drive(). Axis x of the machine is
/// learned; on a machine of two axes the accelerometer of the other one is looked at too (pass_error). Both:
/// axes_iteration.hpp.
class DriveIteration {
  public:
    /// The first pass is of the target itself. Throws std::invalid_argument if that is not feasible.
    DriveIteration(const Profile& target, const firmware_iface::MachineDescription& machine, double payload_kg,
                   const IterationSettings& settings);

    const Profile& drive() const noexcept { return drive_; }  ///< of the next pass; at the end, the one to keep
    const Correction& correction() const noexcept { return correction_; }

    /// From the feedback of a pass of drive(), whose first setpoint was at `start_us`. Throws std::invalid_argument for
    /// a record that cannot be learned from (pass_error).
    IterationEnd learn(std::span<const firmware_iface::Feedback> feedback, std::uint64_t start_us);
    /// After the end: a further pass of the drive to keep. Joins passes(), and nothing is learned from it.
    void watch(std::span<const firmware_iface::Feedback> feedback, std::uint64_t start_us);

    IterationEnd end() const noexcept { return end_; }
    const std::vector<PassResult>& passes() const noexcept { return results_; }
    /// Whether drive() is that of a pass that has been made; else it was computed from the last one and is better by
    /// all that is known.
    bool drive_was_passed() const noexcept { return passed_; }
    /// Why the learning ended, in a sentence with numbers; empty before.
    const std::string& text() const noexcept { return text_; }

  private:
    struct Room {
        double factor = 1.0;  ///< of the change that was wanted
        std::string limit;    ///< what made it less than 1
        bool by_force = false;
    };
    void use(const Correction& correction, bool passed);
    Room room_for(const Correction& change) const;
    std::string obstacle(const Correction& correction, bool& by_force) const;
    double force_n(const Profile& drive) const;
    double score(const PassResult& result) const noexcept;
    void note(std::span<const firmware_iface::Feedback> feedback, std::uint64_t start_us);
    std::string goal_text() const;
    IterationEnd go_on(bool improved);
    IterationEnd keep_best();
    IterationEnd finish(IterationEnd end, const std::string& text);

    Profile target_, drive_;
    firmware_iface::MachineDescription machine_;
    double payload_kg_, target_peak_m_s2_;
    IterationSettings settings_;
    Correction correction_;
    std::vector<LearnedPass> passes_;
    std::vector<PassResult> results_;
    std::size_t best_ = 0;
    int unimproved_ = 0;
    double gain_ = 1.0;
    bool passed_ = true;
    IterationEnd end_ = IterationEnd::none;
    std::string text_;
};

}  // namespace topple::controller
