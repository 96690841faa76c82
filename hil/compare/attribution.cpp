#include "hil/compare/attribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "hil/compare/predicted_rotation.hpp"
#include "hil/host/for_each_index.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/member_shares.hpp"
#include "hil/text/rounded.hpp"

namespace topple::hil::compare {
namespace {

using plan::EnsembleMember;
using solver::BaseMotion;
using solver::Outcome;
using solver::Specimen;

constexpr Outcome kOutcomes[] = {
    Outcome::translation,         Outcome::sliding,          Outcome::rocking, Outcome::overturning,
    Outcome::partial_overturning, Outcome::total_overturning};

/// The ensemble that every prediction of the test uses; members that no specimen can be are empty.
std::vector<std::optional<plan::EnsembleDraw>> test_ensemble(const Specimen& specimen,
                                                             const experiment::UncertaintySection& uncertainty) {
    std::vector<std::optional<plan::EnsembleDraw>> members(plan::ensemble_size(uncertainty, plan::kTestEnsemble));
    for (std::size_t i = 0; i < members.size(); ++i) {
        try {
            plan::EnsembleDraw member = plan::draw_member(specimen, uncertainty, i, plan::MotionIs::measured);
            solver::validate(member.specimen);
            members[i] = std::move(member);
        } catch (const std::invalid_argument&) {  // a tilt or width beyond what a specimen can have
        }
    }
    return members;
}

MotionEffect effect_of(const BaseMotion& motion, const Specimen& specimen,
                       const std::vector<std::optional<plan::EnsembleDraw>>& ensemble, double gravity_m_s2) {
    solver::SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    MotionEffect effect;
    const solver::Prediction described = solver::predict(specimen, motion, options);
    effect.outcome = described.outcome;
    for (const double peak : described.peak_rotation_rad)
        effect.peak_rad = std::max(effect.peak_rad.value_or(0.0), peak);
    effect.members.resize(ensemble.size());
    constexpr std::size_t kTogether = 64;  // as many as keep the solver's lanes busy
    host::for_each_index((ensemble.size() + kTogether - 1) / kTogether, 0, [&](std::size_t lot) {
        std::vector<std::size_t> place;
        std::vector<Specimen> sound;
        for (std::size_t i = lot * kTogether; i < std::min((lot + 1) * kTogether, ensemble.size()); ++i)
            if (ensemble[i]) place.push_back(i), sound.push_back(ensemble[i]->specimen);
        const std::vector<solver::Prediction> outcomes = solver::predict_outcomes(sound, motion, options);
        for (std::size_t i = 0; i < place.size(); ++i)
            effect.members[place[i]] = {outcomes[i].outcome, outcomes[i].direction, ensemble[place[i]]->weight};
    });
    return effect;
}

/// What the platen did beside the fitted wave, at the time of the wave where it did it. Starts at `from_s` of the plan.
BaseMotion residual_of(const AchievedMotion& motion, const BaseMotion& planned, const IdentifiedExcitation& fitted,
                       double from_s) {
    const std::vector<double> wave = fitted_acceleration_m_s2(motion, planned, fitted);
    std::vector<double> time_s, acceleration_m_s2;
    for (std::size_t i = 0; i < motion.grid.count; ++i) {
        const double of_plan_s = fitted.frequency_ratio * (motion.grid.time_s(i) - fitted.delay_s);
        if (of_plan_s < from_s) continue;
        time_s.push_back(of_plan_s);
        acceleration_m_s2.push_back(motion.achieved.acceleration_m_s2[i] - wave[i]);
    }
    if (time_s.size() < 2) return {};
    return solver::sampled_acceleration(time_s, acceleration_m_s2);
}

std::string why_not(const AchievedMotion& motion, const IdentifiedExcitation& identified) {
    if (motion.empty() || !identified.evaluated) return identified.why_not;
    if (identified.sign_reversed) return "the table moved the other way: this is no tracking error but a reversed sign";
    if (std::abs(identified.correlation) < kAttributedCorrelation)
        return fmt::format("the achieved motion does not resemble the planned one (correlation {:.2f})",
                           identified.correlation);
    return {};
}

std::string word(std::optional<Outcome> outcome) { return std::string(solver::name(outcome)); }

std::string percent(double share) { return fmt::format("{:.3g} %", 100.0 * share); }

}  // namespace

std::string_view name(MotionPart part) noexcept {
    switch (part) {
        case MotionPart::amplitude: return "amplitude";
        case MotionPart::frequency: return "frequency";
        case MotionPart::delay: return "delay";
        case MotionPart::residual: return "residual";
    }
    return "residual";
}

double MotionEffect::share(Outcome asked) const noexcept {
    const double sound = plan::sound_weight(members);
    return sound > 0.0
               ? plan::weight_of(members, [&](const EnsembleMember& member) { return member.outcome == asked; }) / sound
               : 0.0;
}

bool PartEffect::matters() const noexcept {
    return changes_outcome || std::abs(probability_change()) >= kProbabilityMoved;
}

const PartEffect* Attribution::decisive() const noexcept {
    const PartEffect* decisive = nullptr;
    const auto weight = [](const PartEffect& part) {
        return (part.changes_outcome ? 1.0 : 0.0) + std::abs(part.probability_change());
    };
    for (const PartEffect& part : parts)
        if (part.matters() && (!decisive || weight(part) > weight(*decisive))) decisive = &part;
    return decisive;
}

std::string size_text(const PartEffect& part) {
    using text::rounded;
    switch (part.part) {
        case MotionPart::amplitude:
        case MotionPart::frequency: return fmt::format("{} {:+.2f} %", name(part.part), rounded(100.0 * part.size, 2));
        case MotionPart::delay: return fmt::format("delay {:+.1f} ms", rounded(1e3 * part.size, 1));
        case MotionPart::residual: return fmt::format("residual {:.1f} % rms", 100.0 * part.size);
    }
    return {};
}

std::string effect_text(const PartEffect& part, const MotionEffect& planned) {
    std::string text = fmt::format("{} -> {}", word(planned.outcome), word(part.effect.outcome));
    if (!part.moved) return text + ", probabilities unchanged";
    return text + fmt::format(", P({}) {} -> {}", name(*part.moved), percent(part.probability_before),
                              percent(part.probability_after));
}

void compare_effects(const MotionEffect& planned, PartEffect& part) {
    part.changes_outcome = planned.outcome != part.effect.outcome;
    part.moved.reset();
    part.probability_before = part.probability_after = 0.0;
    // From the last on: an outcome to be feared is named before the one that it replaces.
    for (std::size_t i = std::size(kOutcomes); i-- > 0;) {
        const double before = planned.share(kOutcomes[i]), after = part.effect.share(kOutcomes[i]);
        if (std::abs(after - before) <= std::abs(part.probability_change()) + 1e-9) continue;
        part.moved = kOutcomes[i];
        part.probability_before = before;
        part.probability_after = after;
    }
}

Attribution attribute(const Specimen& specimen, const experiment::Experiment& experiment, const AchievedMotion& motion,
                      const IdentifiedExcitation& identified) {
    const BaseMotion& planned = experiment.excitation.planned_motion();
    const double gravity_m_s2 = experiment.gravity_m_s2;
    Attribution result;
    result.why_not = planned.empty() ? "no motion was planned" : why_not(motion, identified);
    if (!result.evaluated()) return result;
    // A specimen at rest does not feel when the motion begins; one that is released at t = 0 does.
    const bool released = is_released(specimen);
    const double lead_s = released ? 0.0 : kPredictionLead_s;
    const std::vector<std::optional<plan::EnsembleDraw>> ensemble = test_ensemble(specimen, experiment.uncertainty);
    const auto add = [&](MotionPart part, double size, const BaseMotion& changed) {
        PartEffect one{.part = part, .size = size, .effect = effect_of(changed, specimen, ensemble, gravity_m_s2)};
        compare_effects(result.planned, one);
        result.parts.push_back(std::move(one));
    };
    try {
        result.planned = effect_of(planned, specimen, ensemble, gravity_m_s2);
        add(MotionPart::amplitude, identified.amplitude_ratio - 1.0, planned.scaled(identified.amplitude_ratio));
        add(MotionPart::frequency, identified.frequency_ratio - 1.0, planned.faster(identified.frequency_ratio));
        add(MotionPart::delay, identified.delay_s,
            planned.shifted(released ? identified.delay_s : std::max(0.0, identified.delay_s)));
        add(MotionPart::residual, identified.residual_ratio,
            planned.plus(residual_of(motion, planned, identified, -lead_s)).shifted(lead_s));
    } catch (const std::invalid_argument& error) {
        result.parts.clear();
        result.why_not = fmt::format("a part of the motion cannot be predicted: {}", error.what());
    }
    return result;
}

}  // namespace topple::hil::compare
