// The few things a comparison is about, read from a prediction as the instruments would have read them, and from the
// measurement in the same way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hil/compare/measured.hpp"
#include "hil/compare/predicted_rotation.hpp"
#include "hil/compare/rotation_statistics.hpp"

namespace topple::hil::compare {

inline constexpr std::size_t kImpactsCompared = 3;  ///< before phase differences grow into chaos

/// One number that a rotation history has.
struct Quantity {
    enum class Kind {
        peak,              ///< largest |rotation| of block `index`, rad; not of one that fell
        impact_time,       ///< of impact `index` counted from 0, s; single blocks that do not fall
        overturning_time,  ///< s
        restitution,       ///< apparent, from the decay in free rocking; single blocks
        history,           ///< rms distance from the history of the specimen as described, per rms of that
    };
    Kind kind = Kind::peak;
    std::size_t index = 0;
};
std::string name(const Quantity& quantity);
std::string_view unit(const Quantity& quantity) noexcept;  ///< "rad", "s", "" for a ratio

struct Reading {
    std::optional<solver::Outcome> outcome;      ///< empty: the solution failed
    std::optional<solver::Side> side;            ///< overturning: of the fall; rocking: of the first uplift
    std::vector<std::optional<double>> value{};  ///< one per quantity; empty where this history has none
    double weight = 1.0;                         ///< of a member: counts as so many of equal weight
};

/// What instruments and comparison add to the spread of a prediction, one standard deviation each. Reasons:
/// docs/report.md#agreement.
struct ReadingErrors {
    double peak_ratio = 0.01;
    double time_s = 0.002;
    double overturning_time_s = 0.01;
    double history_ratio = 0.02;
};
/// Of a prediction that cannot know how late the table will be.
inline constexpr ReadingErrors kBlindErrors{.time_s = 0.01, .overturning_time_s = 0.02, .history_ratio = 0.1};

/// How the histories of one specimen are read.
class ReadingRule {
  public:
    /// `nominal` is the prediction of the specimen as described. Both must outlive the rule.
    ReadingRule(const ComparisonContext& context, const PredictedRotation& nominal, const ReadingErrors& errors);

    const std::vector<Quantity>& quantities() const noexcept { return quantities_; }
    double history_until_s() const noexcept { return history_until_s_; }
    Reading nominal() const { return of_prediction(nominal_); }
    Reading measured() const;
    /// With the instruments' errors drawn from `seed`: what would have been measured if this were the truth.
    Reading member(const PredictedRotation& predicted, std::uint64_t seed) const;

  private:
    Reading of_prediction(const PredictedRotation& predicted) const;
    Reading of_statistics(const RotationStatistics& statistics, const solver::Prediction* predicted) const;
    solver::Outcome as_read(const solver::Prediction& predicted) const;
    std::optional<double> history_distance(const std::vector<std::vector<double>>& filtered_rad) const;
    double error_of(const Quantity& quantity, double value) const;

    const ComparisonContext& context_;
    const PredictedRotation& nominal_;
    ReadingErrors errors_;
    std::vector<Quantity> quantities_;
    double history_until_s_ = 0.0;
    double history_level_rad_ = 0.0;    ///< rms of the nominal history until then, block of the largest
    double noise_rad_ = 0.0;            ///< of the noisiest rotation sensor at rest
    double restitution_error_ = 0.001;  ///< standard error of the measured one, at least what the filter does to it
};

/// False where the rotation sensors were absent, or silent for so long that a straight line bridges a motion.
bool rotation_is_complete(const SpecimenMeasurement& measured);

}  // namespace topple::hil::compare
