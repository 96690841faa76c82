#include "hil/compare/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/compare/surprise.hpp"

namespace topple::hil::compare {
namespace {

using solver::Outcome;
using solver::Side;
using Kind = Quantity::Kind;

std::string percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

constexpr Outcome kOutcomes[] = {
    Outcome::translation,         Outcome::sliding,          Outcome::rocking, Outcome::overturning,
    Outcome::partial_overturning, Outcome::total_overturning};

Criterion outcome_criterion(const EnsembleOfReadings& ensemble, Outcome measured, double probability) {
    Criterion criterion{.name = "outcome", .unit = "", .measured_word = std::string(name(measured))};
    double largest = 0.0;
    for (const Outcome outcome : kOutcomes) {
        const double share = ensemble.share(outcome);
        if (share == 0.0) continue;
        criterion.predicted_word +=
            fmt::format("{}{} {}", criterion.predicted_word.empty() ? "" : ", ", percent(share), name(outcome));
        largest = std::max(largest, share);
    }
    criterion.probability = probability;
    criterion.spread = 1.0 - largest;
    criterion.cap = kOutcomeCap_ratio;
    return criterion;
}

Criterion side_criterion(const EnsembleOfReadings& ensemble, Outcome outcome, Side measured, double probability) {
    const double right = ensemble.share(outcome, Side::right);
    return {.name = is_overturning(outcome) ? "side of the fall" : "side of the first uplift",
            .unit = "",
            .predicted_word = right == 0.0   ? "100 % left"
                              : right == 1.0 ? "100 % right"
                                             : fmt::format("{} left, {} right", percent(1.0 - right), percent(right)),
            .measured_word = std::string(name(measured)),
            .probability = probability,
            .spread = std::min(right, 1.0 - right),
            .cap = kOutcomeCap_ratio};
}

/// Median of the first impact's time, from which the width of later ones is counted; t = 0 without one.
double first_impact_s(const ComparisonInput& input, const EnsembleOfReadings& ensemble, Outcome outcome) {
    const auto& quantities = input.rule.quantities();
    for (std::size_t q = 0; q < quantities.size(); ++q)
        if (quantities[q].kind == Kind::impact_time && quantities[q].index == 0)
            if (const PredictiveSample* sample = ensemble.sample(outcome, q)) return sample->quantile(0.5);
    return 0.0;
}

void set_width(Criterion& criterion, const Quantity& quantity, double first_s) {
    const double half = 0.5 * (*criterion.high - *criterion.low), median = *criterion.median;
    switch (quantity.kind) {
        case Kind::peak:
            criterion.cap = kPeakCap_ratio;
            criterion.spread = half / median;
            break;
        case Kind::restitution:
            criterion.cap = kRestitutionCap_ratio;
            criterion.spread = half / median;
            break;
        case Kind::history:
            criterion.cap = kHistoryCap_ratio;
            criterion.spread = *criterion.high;
            break;
        case Kind::impact_time:
            if (quantity.index == 0) {  // no time has passed since the first: its own width is per its time
                criterion.spread = half / median;
                break;
            }
            [[fallthrough]];
        case Kind::overturning_time:
            criterion.cap = kTimeCap_ratio;
            criterion.spread = half / std::max(median - first_s, 1e-3);
            break;
    }
}

Criterion number_criterion(const Quantity& quantity, const PredictiveSample& sample, double measured,
                           double probability) {
    return {.name = name(quantity),
            .unit = std::string(unit(quantity)),
            .median = sample.quantile(0.5),
            .low = sample.quantile(0.05),
            .high = sample.quantile(0.95),
            .measured = measured,
            .probability = probability,
            .about_the_motion = quantity.kind != Kind::restitution};
}

std::vector<Criterion> criteria_of(const ComparisonInput& input, const EnsembleOfReadings& ensemble,
                                   const Reading& measured) {
    const Outcome outcome = *measured.outcome;
    const Surprise surprise = ensemble.of(measured);
    std::vector<Criterion> criteria;
    if (surprise.outcome) criteria.push_back(outcome_criterion(ensemble, outcome, *surprise.outcome));
    if (surprise.side) criteria.push_back(side_criterion(ensemble, outcome, *measured.side, *surprise.side));
    const double first_s = first_impact_s(input, ensemble, outcome);
    const auto& quantities = input.rule.quantities();
    for (std::size_t q = 0; q < quantities.size(); ++q) {
        if (!surprise.quantity[q]) continue;
        Criterion criterion =
            number_criterion(quantities[q], *ensemble.sample(outcome, q), *measured.value[q], *surprise.quantity[q]);
        set_width(criterion, quantities[q], first_s);
        if (quantities[q].kind == Kind::history)
            criterion.name += fmt::format(" until t = {:.2f} s", input.rule.history_until_s());
        criteria.push_back(std::move(criterion));
    }
    return criteria;
}

/// Where the curves are there to be compared an outcome, a side or the decay alone do not make them alike.
void decide_what_counts(std::vector<Criterion>& criteria) {
    const bool curves = std::any_of(criteria.begin(), criteria.end(), [](const auto& c) { return c.about_the_motion; });
    for (Criterion& criterion : criteria)
        criterion.counts = criterion.sharp() && (criterion.about_the_motion || !curves);
}

std::string predicted_text(const Criterion& c) {
    if (!c.median) return c.predicted_word;
    const std::string of = c.unit.empty() ? "" : " " + c.unit;
    return fmt::format("{:.4g}{} (5-95 %: {:.4g} to {:.4g})", *c.median, of, *c.low, *c.high);
}

void add_remarks(const ComparisonInput& input, const Reading& measured, Agreement& agreement) {
    const SpecimenMeasurement& m = input.context.measured;
    if (!rotation_is_complete(m))
        agreement.reasons.push_back(fmt::format("judged by outcome and side only: {}",
                                                m.has_rotation()
                                                    ? "the rotation sensor was silent for too long during the record"
                                                    : "no rotation was measured"));
    const Outcome predicted = *input.predicted.prediction.outcome;
    const std::vector<double>& peak_rad = input.predicted.prediction.peak_rotation_rad;
    if (predicted == Outcome::rocking && *agreement.outcome_equal && measured.outcome == Outcome::translation)
        agreement.reasons.push_back(fmt::format(
            "rocking was predicted, but only by {:.2g} rad, less than the sensors can distinguish from rest",
            *std::max_element(peak_rad.begin(), peak_rad.end())));
    if (predicted == Outcome::sliding && *agreement.outcome_equal && measured.outcome == Outcome::translation)
        agreement.reasons.push_back(
            "sliding was predicted; no uplift was measured and slip cannot be seen by the sensors");
}

void compare_with_nominal(const ComparisonInput& input, const Reading& measured, Agreement& agreement) {
    const Reading nominal = input.rule.nominal();
    agreement.outcome_equal = nominal.outcome == measured.outcome;
    if (*agreement.outcome_equal && nominal.side && measured.side) agreement.side_equal = nominal.side == measured.side;
    if (!rotation_is_complete(input.context.measured)) return;
    const signal::EvenGrid& grid = input.context.measured.grid;
    std::vector<std::vector<double>> filtered_rad;
    for (const BlockMeasurement& block : input.context.measured.blocks) filtered_rad.push_back(block.filtered_rad);
    const HistoryDifference whole = history_difference(grid, input.predicted.filtered_rad, filtered_rad, grid.end_s());
    agreement.rotation_rms_rad = whole.rms_rad;
    agreement.rotation_rms_ratio = whole.ratio;
    agreement.restitution_predicted = statistics_of(input.predicted, input.context).restitution;
    agreement.restitution_measured = statistics_of(input.context.measured, input.context).restitution;
}

std::string why_not_judged(const ComparisonInput& input) {
    if (!input.not_comparable.empty()) return input.not_comparable;
    const SpecimenMeasurement& measured = input.context.measured;
    if (measured.discarded) return "discarded by the operator: " + *measured.discarded;
    if (!measured.outcome && !measured.undecided.empty()) return measured.undecided;
    if (!measured.outcome) return "nothing was measured: no rotation sensor and no observation (topple mark)";
    const solver::Prediction& p = input.predicted.prediction;
    if (!p.outcome) return fmt::format("the prediction failed: {} at t = {:.4f} s", name(p.status), p.status_time_s);
    const auto sound = std::count_if(input.members.begin(), input.members.end(),
                                     [](const Reading& member) { return member.outcome.has_value(); });
    if (2 * static_cast<std::size_t>(sound) <= input.members.size())
        return fmt::format("the prediction failed for {} of {} members of the ensemble",
                           input.members.size() - static_cast<std::size_t>(sound), input.members.size());
    return {};
}

}  // namespace

std::string_view name(AgreementVerdict verdict) noexcept {
    switch (verdict) {
        case AgreementVerdict::consistent: return "consistent";
        case AgreementVerdict::inconsistent: return "inconsistent";
        case AgreementVerdict::uninformative: return "uninformative";
    }
    return "uninformative";
}

std::size_t Agreement::counted() const noexcept {
    return static_cast<std::size_t>(
        std::count_if(criteria.begin(), criteria.end(), [](const Criterion& c) { return c.counts; }));
}

AgreementVerdict verdict_of(const Agreement& agreement) noexcept {
    if (agreement.probability <= kInconsistentBelow) return AgreementVerdict::inconsistent;
    return agreement.counted() > 0 ? AgreementVerdict::consistent : AgreementVerdict::uninformative;
}

void explain(Agreement& agreement) {
    for (const Criterion& c : agreement.criteria) {
        if (agreement.verdict == AgreementVerdict::inconsistent && c.probability <= kInconsistentBelow)
            agreement.reasons.push_back(fmt::format(
                "{}: predicted {}, measured {}: probability {}", c.name, predicted_text(c),
                c.measured ? fmt::format("{:.4g}{}{}", *c.measured, c.unit.empty() ? "" : " ", c.unit)
                           : c.measured_word,
                c.probability > 0.0 ? percent(c.probability)
                                    : fmt::format("below {}", percent(1.0 / static_cast<double>(agreement.members)))));
        if (agreement.verdict == AgreementVerdict::uninformative && c.cap && !c.sharp())
            agreement.reasons.push_back(
                fmt::format("{}: the prediction is ±{} wide; only one of at most {} can be tested", c.name,
                            percent(c.spread), percent(*c.cap)));
    }
}

Agreement compare(const ComparisonInput& input) {
    Agreement agreement;
    if (const std::string reason = why_not_judged(input); !reason.empty()) {
        agreement.reasons.push_back(reason);
        return agreement;
    }
    const EnsembleOfReadings ensemble(input.rule.quantities(), input.members);
    const Reading measured = input.rule.measured();
    agreement.members = ensemble.count();
    agreement.criteria = criteria_of(input, ensemble, measured);
    decide_what_counts(agreement.criteria);
    agreement.probability = ensemble.as_surprising(measured);
    agreement.verdict = verdict_of(agreement);
    explain(agreement);
    compare_with_nominal(input, measured, agreement);
    add_remarks(input, measured, agreement);
    return agreement;
}

}  // namespace topple::hil::compare
