#include "hil/compare/why.hpp"
#include "hil/compare/surprise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/plan/member_shares.hpp"
#include "hil/plan/prediction_text.hpp"

namespace topple::hil::compare {
namespace {

using plan::EnsembleMember;
using solver::Outcome;

constexpr double kDelayBlamed_s = 0.005;  // more than the comparison of times can miss (2 ms), half of what is allowed

std::string percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

// An operator's "overturning" of a stack says nothing of how many blocks fell.
bool same(std::optional<Outcome> outcome, Outcome measured) {
    return outcome == measured || (measured == Outcome::overturning && solver::is_overturning(outcome)) ||
           (measured == Outcome::translation && outcome == Outcome::sliding);
}

double share(const std::vector<EnsembleMember>& members, Outcome measured) {
    const double sound = plan::sound_weight(members);
    const double here =
        plan::weight_of(members, [&](const EnsembleMember& member) { return same(member.outcome, measured); });
    return sound > 0.0 ? here / sound : 0.0;
}

/// The criterion that contradicts most; null without criteria.
const Criterion* most_surprising(const Agreement& agreement) {
    const auto found = std::min_element(agreement.criteria.begin(), agreement.criteria.end(),
                                        [](const auto& a, const auto& b) { return a.probability < b.probability; });
    return found == agreement.criteria.end() ? nullptr : &*found;
}

bool is_time(const Criterion* criterion) { return criterion && criterion->unit == "s"; }

const PartEffect* part_of(const Attribution& attribution, MotionPart part) {
    const auto found = std::find_if(attribution.parts.begin(), attribution.parts.end(),
                                    [part](const PartEffect& one) { return one.part == part; });
    return found == attribution.parts.end() ? nullptr : &*found;
}

/// The part that alone moves the peak most, by 1 % at least; null if none does.
const PartEffect* moves_peak(const Attribution& attribution) {
    const PartEffect* most = nullptr;
    double most_ratio = 0.01;
    for (const PartEffect& part : attribution.parts) {
        if (!part.effect.peak_rad || !attribution.planned.peak_rad || *attribution.planned.peak_rad <= 0.0) continue;
        const double ratio = std::abs(*part.effect.peak_rad / *attribution.planned.peak_rad - 1.0);
        if (ratio > most_ratio) most = &part, most_ratio = ratio;
    }
    return most;
}

/// "amplitude was 3.1 % low", "start was 4.0 ms late".
std::string fault_of(const PartEffect& part) {
    const char* low_high = part.size < 0.0 ? "low" : "high";
    switch (part.part) {
        case MotionPart::amplitude:
            return fmt::format("amplitude was {:.1f} % {}", 100.0 * std::abs(part.size), low_high);
        case MotionPart::frequency:
            return fmt::format("frequency was {:.2f} % {}", 100.0 * std::abs(part.size), low_high);
        case MotionPart::delay:
            return fmt::format("start was {:.1f} ms {}", 1e3 * std::abs(part.size), part.size < 0.0 ? "early" : "late");
        case MotionPart::residual:
            return fmt::format("motion differed from the wave by {:.1f} % rms", 100.0 * part.size);
    }
    return {};
}

// By the outcome: the part that alone changes outcome or probabilities. By a time: the delay. Else what moves the peak.
std::string table_text(const WhyFacts& facts, bool outcome_missed) {
    const std::string agrees = " (the prediction from the achieved motion agrees)";
    const Attribution& attribution = facts.attribution;
    if (!attribution.evaluated())
        return fmt::format(
            "The blind prediction missed because of the table's motion{}; which part of its error is not "
            "known: {}.",
            agrees, attribution.why_not);
    const PartEffect* part = attribution.decisive();
    const PartEffect* delay = part_of(attribution, MotionPart::delay);
    if (!outcome_missed && is_time(most_surprising(facts.blind)) && delay && std::abs(delay->size) >= kDelayBlamed_s)
        part = delay;
    else if (!outcome_missed && !part)
        part = moves_peak(attribution);
    if (!part)
        return fmt::format(
            "The blind prediction missed because of the table's motion{}: no part of its error alone "
            "explains it, only all of them together.",
            agrees);
    std::string text = fmt::format("The blind prediction missed because the table's {}{}", fault_of(*part), agrees);
    if (part->matters()) text += fmt::format("; this alone: {}", effect_text(*part, attribution.planned));
    return text + ".";
}

Why contradicted(const WhyFacts& facts, Outcome measured) {
    const double share_here = share(facts.achieved_members, measured);
    if (share_here > 0.0) {
        const Criterion* worst = most_surprising(facts.achieved);
        return {Cause::model_or_parameters,
                fmt::format("Model or parameters: {} of the ensemble have the measured outcome, but of 100 such tests "
                            "{} would differ as much; the least expected is the {}. Of a true model 5 in 100 tests "
                            "look so by chance.",
                            percent(share_here), of_100(facts.achieved.probability),
                            worst ? worst->name : std::string("outcome"))};
    }
    std::vector<std::string> others;
    for (const ModelPrediction& model : facts.models.models)
        if (same(model.outcome, measured)) others.push_back(model.name);
    if (!others.empty())
        return {Cause::model,
                fmt::format("No member of the ensemble does what was measured ({}), but another model does: {}. "
                            "The miss may be the model's.",
                            name(measured), fmt::join(others, ", "))};
    return {
        Cause::model_or_parameters,
        fmt::format("No member of the ensemble and no other model does what was measured ({}): model or parameters.",
                    name(measured))};
}

Why agreed(const WhyFacts& facts, Outcome measured) {
    if (!facts.blind.verdict)
        return {
            Cause::other_plan,
            fmt::format("The blind prediction is not judged: {}. The prediction from the achieved motion agrees with "
                        "what was measured ({}).",
                        facts.blind.reasons.empty() ? std::string("no comparison") : facts.blind.reasons.front(),
                        name(measured))};
    const bool blind_likeliest = same(plan::likeliest(facts.blind_members), measured);
    const bool achieved_likeliest = same(plan::likeliest(facts.achieved_members), measured);
    const double share_here = share(facts.achieved_members, measured);
    const bool blind_missed = !blind_likeliest || facts.blind.verdict == AgreementVerdict::inconsistent;
    if (achieved_likeliest && blind_missed) return {Cause::table, table_text(facts, !blind_likeliest)};
    if (!achieved_likeliest && share_here == 0.0)
        return {
            Cause::as_predicted,
            fmt::format("As predicted, as far as the sensor can tell: what the ensemble does ({}) stays below what it "
                        "resolves, and reads as {}.",
                        plan::probability_text(facts.achieved_members), name(measured))};
    if (!achieved_likeliest)
        return {
            Cause::chance,
            fmt::format("Within the spread, chance: {} of the ensemble along the achieved motion do what was measured "
                        "({}), though it is not the likeliest.",
                        percent(share_here), name(measured))};
    std::string text =
        fmt::format("As predicted: {} ({} of the ensemble along the planned motion, {} along the achieved one).",
                    name(measured), percent(share(facts.blind_members, measured)), percent(share_here));
    if (facts.achieved.verdict == AgreementVerdict::uninformative)
        text += " The prediction was too wide for this to be a test of the model.";
    return {Cause::as_predicted, text};
}

}  // namespace

std::string_view name(Cause cause) noexcept {
    switch (cause) {
        case Cause::not_judged: return "not_judged";
        case Cause::as_predicted: return "as_predicted";
        case Cause::chance: return "chance";
        case Cause::other_plan: return "other_plan";
        case Cause::table: return "table";
        case Cause::model: return "model";
        case Cause::model_or_parameters: return "model_or_parameters";
    }
    return "not_judged";
}

Why explain_why(const WhyFacts& facts) {
    if (!facts.achieved.verdict || !facts.measured)
        return {Cause::not_judged,
                "Not judged: " +
                    (facts.achieved.reasons.empty() ? std::string("no comparison") : facts.achieved.reasons.front()) +
                    "."};
    Why why = facts.achieved.verdict == AgreementVerdict::inconsistent ? contradicted(facts, *facts.measured)
                                                                       : agreed(facts, *facts.measured);
    if (facts.models.disagree())
        why.text += fmt::format(" The models disagree on the outcome: {}.", facts.models.outcomes_text());
    return why;
}

}  // namespace topple::hil::compare
