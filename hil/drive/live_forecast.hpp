// The forecast of all specimens on the table from one measurement to the next: what the predictor's thread does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "controller/estimator.hpp"
#include "controller/profile/profile.hpp"
#include "firmware_iface/samples.hpp"
#include "hil/drive/ensemble_forecast.hpp"
#include "hil/drive/forecast_budget.hpp"
#include "hil/drive/motion_ahead.hpp"
#include "hil/drive/motion_delay.hpp"
#include "hil/drive/rest_zero.hpp"
#include "hil/experiment/experiment.hpp"
#include "solver/run.hpp"

namespace topple::hil::drive {

/// Members of each specimen's ensemble: carried along, and of them run ahead until it is known what one costs; and what
/// they are drawn from.
struct ForecastMembers {
    std::size_t in_lanes = 1000, in_lanes_ahead = 1000;
    std::size_t in_lanes_ahead_of_record = 100;  ///< of a motion of many pieces
    std::size_t in_runs = EnsembleForecast::kMembersMin;
    experiment::UncertaintySection uncertainty{};
};

/// Rotations of all blocks of all specimens at one instant.
struct MeasuredRotation {
    std::uint64_t device_time_us = 0;
    std::size_t count = 0;  ///< 0: no sensors
    std::array<double, firmware_iface::kRotationSensorsMax> rotation_rad{};
};

/// What the base shall do in the plane of one specimen, and what is along x and along y of that plane.
struct PlaneMotion {
    solver::BaseMotion planned;
    double along_x = 1.0, along_y = 0.0;
};
/// Of each specimen of the experiment. `axes`: what the axes shall do, x first.
std::vector<PlaneMotion> plane_motions(const experiment::Experiment& experiment,
                                       std::span<const controller::Profile> axes);

class LiveForecast {
  public:
    /// `planned`: of each specimen.
    LiveForecast(const std::vector<solver::Specimen>& specimens, const std::vector<PlaneMotion>& planned,
                 double gravity_m_s2, const ForecastMembers& members);
    /// All specimens rock in the plane of the one motion.
    LiveForecast(const std::vector<solver::Specimen>& specimens, const solver::BaseMotion& planned, double gravity_m_s2,
                 const ForecastMembers& members)
        : LiveForecast(specimens, std::vector<PlaneMotion>(specimens.size(), PlaneMotion{planned}), gravity_m_s2,
                       members) {}

    /// From now on the clock decides how many members there are; until then runs repeat exactly.
    void adapt_to_time() noexcept { adapts_ = true; }

    /// Every measured rotation, also before the motion; used when the base motion of its instant is known.
    void keep(const MeasuredRotation& rotation) noexcept;
    /// The newest rotation was measured before the motion.
    void at_rest() noexcept;
    /// On to this estimate. Between two estimates the base acceleration is taken as a straight line. Every 20 ms the
    /// members are weighted by the rotation measured then.
    /// `y`: of the same instant; left out: the table has axis x only.
    void follow(const controller::MotionEstimate& estimate, std::uint64_t motion_start_us,
                const controller::MotionEstimate& y = {});
    bool is_due() const noexcept;
    /// The rest of the planned motion, as late as the base has been so far, then constant velocity.
    void run_ahead();

    /// The base makes this motion from now on; it agrees with the planned one up to the present.
    void change_motion(const solver::BaseMotion& motion) { planned_.assign(planned_.size(), MotionAhead(motion)); }

    // ---- by the last forecast ----
    double overturning_probability() const noexcept;  ///< of the specimen that is likeliest to overturn
    double standing_probability() const noexcept;     ///< that no specimen overturns
    /// The same for each of several motions that the base could still make from here; of at most `members` each.
    std::vector<double> standing_along(std::span<const MotionAhead> motions, std::size_t members) const;

    std::uint64_t newest_us() const noexcept { return newest_us_; }                ///< 0: nothing followed yet
    std::uint64_t forecast_time_us() const noexcept { return forecast_time_us_; }  ///< 0: no forecast yet
    std::size_t specimen_count() const noexcept { return described_.size(); }
    const ForecastOutcome& outcome(std::size_t specimen) const noexcept { return outcomes_[specimen]; }
    const solver::RockingRun& as_described(std::size_t specimen) const noexcept { return described_[specimen]; }

  private:
    void weigh();
    const MeasuredRotation* rotation_at(std::uint64_t device_time_us) const noexcept;

    /// One specimen's share of the two axes.
    struct Plane {
        double along_x = 1.0, along_y = 0.0;
        double of(double x, double y) const noexcept {
            return along_y == 0.0 ? along_x * x : along_x * x + along_y * y;
        }
    };
    std::vector<Plane> planes_;  // this and all that follows: of each specimen
    std::vector<MotionAhead> planned_;
    std::vector<MotionDelay> delays_;
    std::vector<solver::RockingRun> described_;
    std::vector<EnsembleForecast> ensembles_;
    std::vector<ForecastBudget> budgets_;
    std::vector<ForecastOutcome> outcomes_;
    std::vector<double> released_rad_;  // rotations in which the specimens rest before the motion
    RestZero zero_;
    std::array<MeasuredRotation, 16> rotations_{};  // the newest; estimates are 5 periods old
    std::size_t next_rotation_ = 0;
    bool adapts_ = false;
    std::uint64_t newest_us_ = 0, weighed_us_ = 0, forecast_time_us_ = 0;
    double newest_x_m_s2_ = 0.0, newest_y_m_s2_ = 0.0;
    std::vector<double> following_s_;  // what following has cost since the last forecast, per specimen
    double forecast_s_ = 0.0;          // what the last forecast cost in all
};

}  // namespace topple::hil::drive
