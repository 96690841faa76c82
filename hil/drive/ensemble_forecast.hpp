// How one specimen will end, while the base moves: an ensemble that follows the measured motion, is weighted by the
// measured rotation where there is a sensor, and is run ahead to the end. No thread and no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hil/drive/carried_members.hpp"
#include "hil/drive/member_weights.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/run_log/records.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::drive {

/// What a measured rotation is worth, one standard deviation (docs/physics.md#live-forecast).
inline constexpr double kRotationSensor_rad = 1e-3;  ///< noise, zero and scale of a sensor
inline constexpr double kModelError_ratio = 0.03;    ///< of the slenderness: what even the true member's model misses
inline constexpr double kModelError_s = 0.1;         ///< how long that error lasts: readings within it count as one

struct ForecastOutcome {
    std::optional<solver::Outcome> outcome;  ///< the likeliest; empty: that the solution fails
    run_log::Forecast forecast;
};

/// That nothing overturns; members whose solution failed do not count as standing.
double standing_probability(const run_log::Forecast& forecast) noexcept;

class EnsembleForecast {
  public:
    static constexpr std::size_t kMembersMin = 50;

    /// The members are those of the blind prediction (plan::draw_member), released at t = 0, with their weights; the
    /// uncertainty of the motion's amplitude is that of the part still to come. Of a members table of more than
    /// `members` rows so many are drawn by weight. The specimen must have a block. Throws std::invalid_argument for one
    /// that the solver refuses.
    EnsembleForecast(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                     double gravity_m_s2, std::size_t members);

    /// Would its members be carried in lanes, of which many more can be afforded? Told by its first members.
    static bool is_for_lanes(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                             double gravity_m_s2);

    bool in_lanes() const noexcept { return in_lanes_; }
    std::size_t member_count() const noexcept { return members_->count(); }
    double time_s() const noexcept { return time_s_; }
    std::size_t block_count() const noexcept { return block_count_; }

    /// On along a straight line of measured base acceleration.
    void follow(const solver::MotionPiece& line);
    /// Rotations measured at time_s(), one per block, zero of the rest before the motion removed. Values that are not
    /// finite are passed over. Members that agree gain weight; when too few count, they are resampled.
    void weigh(std::span<const double> rotation_rad);
    /// The members give way to fewer, drawn by weight. Not below kMembersMin.
    void keep_only(std::size_t count);

    /// Along the rest of a motion, `delay_s` later than it says, to the end; at most `count` members, drawn by weight.
    ForecastOutcome run_ahead(const MotionAhead& motion, double delay_s, std::size_t count) const;
    /// Probability that nothing overturns, for each of several motions that the base could still make from here.
    std::vector<double> standing_along(std::span<const MotionAhead> motions, double delay_s, std::size_t count) const;

  private:
    /// Members that stand for the ensemble, with their weights and amplitude factors.
    struct Sample {
        std::vector<std::size_t> which;
        std::vector<double> weights, amplitude_factors;
    };
    Sample sample(std::size_t count) const;
    std::vector<solver::BodyEnd> ends_along(const MotionAhead& motion, double delay_s, const Sample& sample) const;
    void become(std::span<const std::size_t> parents);
    double log_likelihood(std::size_t member, std::span<const double> rotation_rad) const noexcept;

    bool in_lanes_ = false;
    std::size_t block_count_;
    double noise_rad_;
    double time_s_ = 0.0, weighed_s_ = 0.0;
    std::unique_ptr<CarriedMembers> members_;
    std::vector<double> amplitude_factors_;  // of the motion still to come, one per member
    MemberWeights weights_;
    double effective_count_;
    solver::SplitMix64 random_;
};

}  // namespace topple::hil::drive
