// Which part of the tracking error could have changed the outcome? Each part alone on the planned motion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/identify.hpp"
#include "hil/plan/prediction.hpp"

namespace topple::hil::compare {

inline constexpr double kProbabilityMoved = 0.05;  ///< of any outcome, by one part: this part matters
inline constexpr double kAttributedCorrelation =
    0.5;  ///< planned and achieved motion less alike: nothing is attributed

/// Achieved = amplitude x planned, faster by the frequency ratio and later by the delay, + residual.
enum class MotionPart { amplitude, frequency, delay, residual };
inline constexpr MotionPart kMotionParts[] = {MotionPart::amplitude, MotionPart::frequency, MotionPart::delay,
                                              MotionPart::residual};
std::string_view name(MotionPart part) noexcept;

/// What specimens do along one motion: the one as described, and the ensemble of the test.
struct MotionEffect {
    std::optional<solver::Outcome> outcome;     ///< of the specimen as described; empty: the solution failed
    std::optional<double> peak_rad;             ///< of its block that turns most
    std::vector<plan::EnsembleMember> members;  ///< all of them, in order; those that failed have no outcome

    double share(solver::Outcome outcome) const noexcept;  ///< of the members that did not fail
};

struct PartEffect {
    MotionPart part = MotionPart::amplitude;
    double size = 0.0;    ///< amplitude, frequency: relative to the plan; delay: s; residual: rms per rms achieved
    MotionEffect effect;  ///< of the planned motion with this part alone

    bool changes_outcome = false;                              ///< of the specimen as described
    std::optional<solver::Outcome> moved{};                    ///< whose probability changes most; empty: none changes
    double probability_before = 0.0, probability_after = 0.0;  ///< of `moved`

    double probability_change() const noexcept { return probability_after - probability_before; }
    bool matters() const noexcept;
};

struct Attribution {
    std::string why_not = "the platen's motion is not known";  ///< empty if evaluated
    MotionEffect planned;
    std::vector<PartEffect> parts;  ///< one of each kind

    bool evaluated() const noexcept { return why_not.empty(); }
    /// The part that alone changes most: the outcome, else probabilities. Null if none matters.
    const PartEffect* decisive() const noexcept;
};

/// "amplitude -1.2 %", "delay +4.1 ms".
std::string size_text(const PartEffect& part);
/// "rocking -> rocking, P(overturning) 27 % -> 22 %".
std::string effect_text(const PartEffect& part, const MotionEffect& planned);

/// What changes from `planned` to `part.effect`.
void compare_effects(const MotionEffect& planned, PartEffect& part);

/// Of the planned motion and the ensemble of the experiment. Method: docs/report.md#attribution.
Attribution attribute(const solver::Specimen& specimen, const experiment::Experiment& experiment,
                      const AchievedMotion& motion, const IdentifiedExcitation& identified);

}  // namespace topple::hil::compare
