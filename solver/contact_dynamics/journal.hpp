// What contact dynamics keeps of a motion: impacts, turning points, peaks, slips, falls, rest, history.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "solver/contact_dynamics/scheme.hpp"
#include "solver/outcome.hpp"

namespace topple::solver::contact {

/// One journal per run. Lists have room for a usual run from the start, in copies too; beyond it they grow.
class Journal {
  public:
    Journal(const Scheme& scheme, const SolverOptions& options, double start_s);
    Journal(const Journal& other);
    Journal& operator=(const Journal&) = delete;

    /// Looks at the step that has just ended at `time_s`.
    void step(const Scheme& scheme, double time_s);
    /// Keeps a sample if one is due, or after an impact.
    void sample(const Scheme& scheme, double time_s, double base_acceleration_m_s2);

    /// Lowest block that has overturned (at pi/2; Foot::overturned_rad) or lies beside the block below; the number of
    /// blocks if none.
    int fallen_from(const Scheme& scheme) const noexcept;
    void fall(const Scheme& scheme, int from, double time_s);  ///< this block and those above it

    bool rests() const noexcept { return quiet_steps_ >= kQuietSteps; }
    double settled_s() const noexcept { return quiet_from_s_; }
    bool uplifted() const noexcept { return uplifted_; }
    /// Fills everything but status, settled_time_s and the outcome of what still moves.
    void fill(Prediction& prediction) const;
    /// Of a foot: full on any face, else the side of the standing face on which the carrying corner is.
    Support support(const Scheme& scheme, int block) const noexcept;
    double slip_m(int interface_index) const noexcept { return slip_m_[static_cast<std::size_t>(interface_index)]; }
    double peak_slip_m() const noexcept;
    int fallen_side(int block) const noexcept { return fallen_side_[static_cast<std::size_t>(block)]; }
    bool anything_fell() const noexcept { return !fallen_.empty(); }

  private:
    static constexpr int kQuietSteps = 20;
    struct Turn {
        int direction = 0;  // of the rotation
        double extreme_rad = 0.0, time_s = 0.0;
    };
    struct ImpactPlace {
        double time_s;
        int interface_index;
        std::optional<std::size_t> face;
        std::size_t first;  // in motions_: before, after of every block
    };
    struct Motion {
        double rate_rad_s;
        Vec2 velocity_m_s;
    };
    void watch_impacts(const Scheme& scheme, double time_s);
    void watch_interface(const Scheme& scheme, int k) noexcept;
    void watch_turns(const Scheme& scheme, double time_s);
    void watch_rest(const Scheme& scheme, double time_s) noexcept;
    double foot_m(const Scheme& scheme, int k) const noexcept;

    std::size_t blocks_, impacts_max_;
    bool lists_turns_, uplifted_ = false, truncated_ = false, has_new_impact_ = false;
    double history_step_s_, next_sample_s_;
    std::vector<Turn> turn_;
    std::vector<TurningPoint> turning_points_;
    std::vector<ImpactPlace> impacts_;
    std::vector<Motion> motions_;
    std::vector<double> peak_rad_, slip_m_, peak_slip_m_;
    std::vector<double> last_impact_m_s_;  // per interface
    std::vector<int> fallen_, fallen_side_;
    double first_fall_s_ = 0.0, quiet_from_s_ = 0.0;
    int quiet_steps_ = 0;
    std::vector<HistorySample> history_;
};

}  // namespace topple::solver::contact
