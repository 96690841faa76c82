// Does the model explain what was measured? One verdict, its criteria, and the reasons in words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/compare/reading.hpp"

namespace topple::hil::compare {

// A prediction wider than these does not test the model and does not count for agreement. Reasons:
// docs/report.md#agreement.
inline constexpr double kPeakCap_ratio = 0.25;         ///< of the median
inline constexpr double kTimeCap_ratio = 0.10;         ///< of the time since the first impact
inline constexpr double kHistoryCap_ratio = 0.30;      ///< 95 % of the members are nearer
inline constexpr double kRestitutionCap_ratio = 0.05;  ///< of the median
inline constexpr double kOutcomeCap_ratio = 0.05;      ///< share of the members with another one
/// A measurement that so few tests would make, if the specimen is as described, contradicts the prediction.
inline constexpr double kInconsistentBelow = 0.05;

enum class AgreementVerdict {
    consistent,     ///< as expected, by criteria that could have failed
    inconsistent,   ///< too surprising
    uninformative,  ///< not surprising, but the prediction was too wide to say anything
};
std::string_view name(AgreementVerdict verdict) noexcept;

struct Criterion {
    std::string name;  ///< e.g. "peak rotation of block 0"
    std::string unit;  ///< "rad", "s", "" for a ratio or a word
    /// A number's distribution as the instruments would have read it; empty for a word.
    std::optional<double> median{}, low{}, high{};  ///< low and high: 5 % and 95 %
    std::optional<double> measured{};
    std::string predicted_word{}, measured_word{};  ///< outcome and side: "73 % rocking, 27 % overturning"
    double probability =
        1.0;              ///< two-sided, of something at least as surprising; 0: no member has this outcome or side
    double spread = 0.0;  ///< half of 5 % to 95 %, relative as the cap is; a word: share of the others
    std::optional<double> cap{};    ///< of `spread`; empty: can contradict, but never counts for agreement
    bool about_the_motion = false;  ///< peak, time, history: what makes two curves alike
    bool counts = false;            ///< for agreement: sharp, and about the motion where that can be compared

    bool sharp() const noexcept { return cap && spread <= *cap; }
};

struct Agreement {
    std::optional<AgreementVerdict>
        verdict;               ///< empty: nothing measured, discarded, or the test did not take place as planned
    double probability = 1.0;  ///< of a test with a criterion as surprising as the most surprising one here
    std::vector<Criterion> criteria;
    std::vector<std::string> reasons;          ///< in words, for the report
    std::optional<bool> outcome_equal;         ///< of the specimen as described
    std::optional<bool> side_equal;            ///< overturning: side of the fall; rocking: side of the first uplift
    std::optional<double> rotation_rms_rad;    ///< measured minus predicted, whole history, worst block, same filter
    std::optional<double> rotation_rms_ratio;  ///< the above per rms of the prediction
    std::optional<ApparentRestitution> restitution_measured, restitution_predicted;
    std::size_t members = 0;  ///< of the ensemble, failed ones excluded

    std::size_t counted() const noexcept;  ///< criteria that count for agreement
};

/// What the comparison needs of one specimen.
struct ComparisonInput {
    const ComparisonContext& context;
    const PredictedRotation& predicted;  ///< of the specimen as described
    const ReadingRule& rule;
    std::vector<Reading> members;  ///< of the ensemble along the same motion
    std::string not_comparable;    ///< reason why the test cannot be judged (stop, fault); empty if it can
};

Agreement compare(const ComparisonInput& input);

/// By its probability and the criteria that count.
AgreementVerdict verdict_of(const Agreement& agreement) noexcept;
/// Adds the criteria that made the verdict to the reasons, in words.
void explain(Agreement& agreement);

}  // namespace topple::hil::compare
