#include "hil/compare/impact_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

using solver::Outcome;

/// Momentum of the upright specimen along x, kg m/s, from its rotation rates: the centre of each block moves with all
/// that is below it.
double momentum(const solver::Specimen& specimen, const std::vector<double>& rate_rad_s) {
    const std::optional<solver::Pivots> pivots = solver::pivots_of(specimen);
    double sum = 0.0, top_m_s = 0.0;
    for (std::size_t i = 0; i < std::min(specimen.blocks.size(), rate_rad_s.size()); ++i) {
        const double half_m =
            pivots ? pivots->radius_left_m * std::cos(pivots->alpha_left_rad) : 0.5 * specimen.blocks[i].height_m;
        sum += specimen.blocks[i].mass_kg * (top_m_s + half_m * rate_rad_s[i]);
        top_m_s += 2.0 * half_m * rate_rad_s[i];
    }
    return sum;
}

double highest(const std::vector<ExpectedSpike>& expected, const PlatenImpacts& platen) {
    double most = 0.0;
    for (const ExpectedSpike& spike : expected)
        if (spike.time_s >= platen.driven_until_s) most = std::max(most, spike.height_m_s2);
    return most;
}

constexpr double kFall_s = 0.2;       // before pi/2 a falling block has no more crossings
constexpr std::size_t kSeries = 4;    // spikes that show whether a series dies away
constexpr double kDying_ratio = 0.9;  // its last third per its first third

double typical_height(const PlatenImpacts& platen, std::size_t first, std::size_t end) {
    std::vector<double> height;
    for (std::size_t i = first; i < end; ++i) height.push_back(std::abs(platen.spikes[i].height_m_s2));
    return signal::median(std::move(height));
}

bool is_fallen(std::optional<Outcome> outcome) { return solver::is_overturning(outcome); }

// Outcomes as a platen can tell them apart: no impact, impacts that die away, impacts that end.
bool alike(Outcome a, Outcome b) {
    const auto kind = [](Outcome outcome) { return is_fallen(outcome) ? 2 : outcome == Outcome::rocking ? 1 : 0; };
    return kind(a) == kind(b);
}

// A specimen that falls in one go, and is caught, makes no impact.
bool may_go_with(Outcome inferred, Outcome other) {
    return alike(inferred, other) || (inferred == Outcome::translation && is_fallen(other));
}

std::size_t count_matches(const std::vector<double>& a, const std::vector<double>& b, double within_s) {
    return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&](double t) {
        return std::any_of(b.begin(), b.end(), [&](double other) { return std::abs(other - t) <= within_s; });
    }));
}

// `sample_s`: given if every spike must have a crossing: of a single block alone on the platen.
void cross_check(ImpactEvidence& evidence, const SpecimenMeasurement& measured, std::optional<double> sample_s) {
    const auto contradict = [&](const std::string& who, Outcome outcome) {
        if (evidence.inferred && !may_go_with(*evidence.inferred, outcome))
            evidence.contradictions.push_back(fmt::format("the impacts on the platen suggest {} ({}), {} says {}",
                                                          name(*evidence.inferred), evidence.inference, who,
                                                          name(outcome)));
    };
    const bool marked = measured.source == MeasurementSource::operator_mark;
    if (measured.outcome) contradict(marked ? "the operator" : "the rotation sensor", *measured.outcome);
    if (!evidence.has_rotation) return;
    if (marked && measured.outcome && !evidence.rotation_s.empty() && alike(*measured.outcome, Outcome::translation))
        evidence.contradictions.push_back(fmt::format("the rotation sensor shows {} impacts, the operator says {}",
                                                      evidence.rotation_s.size(), name(*measured.outcome)));
    if (!sample_s) return;
    // A block that falls makes spikes without crossings.
    std::vector<double> upright_s = evidence.platen_s;
    if (const auto fallen_s = measured.overturn_time_s)
        std::erase_if(upright_s, [&](double time_s) { return time_s > *fallen_s - kFall_s; });
    const std::size_t alone =
        upright_s.size() - count_matches(upright_s, evidence.rotation_s, kSameImpact_s + *sample_s);
    if (alone > 0 && 2 * alone >= upright_s.size())
        evidence.contradictions.push_back(
            fmt::format("{} of {} spikes of the platen have no zero crossing of the rotation sensor beside them", alone,
                        upright_s.size()));
}

}  // namespace

std::vector<ExpectedSpike> expected_spikes(const solver::Specimen& specimen, const solver::Prediction& prediction,
                                           double mass_kg, double sample_s) {
    std::vector<ExpectedSpike> spikes;
    if (!(mass_kg > 0.0) || !(sample_s > 0.0)) return spikes;
    for (const solver::Impact& impact : prediction.impacts) {
        const double lost = momentum(specimen, impact.rotation_rate_before_rad_s) -
                            momentum(specimen, impact.rotation_rate_after_rad_s);
        spikes.push_back({impact.time_s, std::abs(lost) / mass_kg / sample_s});
    }
    return spikes;
}

Inference infer_outcome(const PlatenImpacts& platen, double record_end_s) {
    if (platen.spikes.empty()) return {Outcome::translation, "no impact was found"};
    const PlatenSpike& last = platen.spikes.back();
    const double ratio = std::abs(last.height_m_s2) / platen.threshold_at(last.time_s);
    const double quiet_s = record_end_s - last.time_s;
    const std::size_t count = platen.spikes.size();
    if (ratio >= kNoReturnSpike_ratio && quiet_s >= kNoReturnQuiet_s)
        return {Outcome::overturning,
                fmt::format("the last impact, at t = {:.3f} s, is {:.1f} times what can be seen, and none followed",
                            last.time_s, ratio)};
    if (count < kSeries) return {std::nullopt, fmt::format("{} spikes are no series that tells its end", count)};
    if (typical_height(platen, count - count / 3, count) > kDying_ratio * typical_height(platen, 0, count / 3 + 1))
        return {std::nullopt, "the spikes neither die away nor end with a large one"};
    return {Outcome::rocking, fmt::format("a series of {} impacts that dies away", count)};
}

double typical_spike_m_s2(const solver::Specimen& specimen, double gravity_m_s2, double mass_kg, double sample_s) {
    if (specimen.blocks.size() != 1 || solver::pivots_of(specimen) || !(mass_kg > 0.0) || !(sample_s > 0.0)) return 0.0;
    const solver::Block& block = specimen.blocks.front();
    // Of a slender block released from alpha/2 (Housner 1963): rate^2 = p^2 (alpha^2 - (alpha/2)^2).
    const double rate_rad_s = block.frequency_parameter_rad_s(gravity_m_s2) * block.slenderness_rad() * std::sqrt(0.75);
    const double lost_ratio = 1.0 - std::abs(solver::restitution_ratios(specimen).front());
    return block.mass_kg * 0.5 * block.height_m * rate_rad_s * lost_ratio / mass_kg / sample_s;
}

ImpactEvidence gather_impacts(const PlatenImpacts& platen, const std::vector<ExpectedSpike>& expected,
                              double typical_m_s2, const SpecimenMeasurement& measured,
                              const std::vector<double>& rotation_s, std::size_t specimens) {
    ImpactEvidence evidence;
    evidence.has_rotation = measured.has_rotation();
    evidence.rotation_s = rotation_s;
    evidence.not_visible = platen.why_not;
    if (platen.evaluated()) {
        evidence.expected_m_s2 = highest(expected, platen);
        if (evidence.expected_m_s2 <= 0.0) evidence.expected_m_s2 = typical_m_s2;
        if (evidence.expected_m_s2 <= 0.0)
            evidence.not_visible = "how high the spike of an impact would be is not known";
        else if (evidence.expected_m_s2 < platen.threshold_m_s2)
            evidence.not_visible = fmt::format(
                "the accelerometer cannot see this specimen's impacts: at most {:.2g} m/s2 is expected, {:.2g} m/s2 "
                "can be told from noise",
                evidence.expected_m_s2, platen.threshold_m_s2);
    }
    if (evidence.not_visible.empty()) {
        for (const PlatenSpike& spike : platen.spikes) evidence.platen_s.push_back(spike.time_s);
        evidence.matched = count_matches(evidence.platen_s, rotation_s, kSameImpact_s + platen.sample_s);
        if (specimens > 1) {
            evidence.inference = "several specimens stand on the platen: whose impacts these are is not known";
        } else {
            Inference inference = infer_outcome(platen, measured.grid.end_s());
            evidence.inferred = inference.outcome;
            evidence.inference = std::move(inference.reason);
        }
    }
    const bool one_block = specimens == 1 && measured.blocks.size() == 1;
    cross_check(evidence, measured, one_block ? std::optional(platen.sample_s) : std::nullopt);
    return evidence;
}

}  // namespace topple::hil::compare
