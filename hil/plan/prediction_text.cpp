#include "hil/plan/prediction_text.hpp"

#include "hil/plan/held_members.hpp"
#include "hil/plan/member_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

#include <utility>

#include "hil/experiment/axis_motions.hpp"
#include "hil/mesh/mesh_body.hpp"
#include "hil/plan/assembly_prediction.hpp"
#include "hil/plan/contact_text.hpp"
#include "hil/plan/foot_account.hpp"
#include "hil/plan/three_dimensional.hpp"
#include "hil/text/rounded.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::plan {
namespace {

using experiment::Experiment;

constexpr double kGramsPerCm3Max = 25.0;  // no solid is denser, and hardly any is lighter than so many kg/m3
constexpr double kDegree_rad = std::numbers::pi / 180;

/// Of the specimen as described: one member of many.
std::string outcome_line(const solver::Prediction& p, const std::vector<EnsembleMember>& members) {
    if (!p.outcome) return fmt::format("  outcome       none: {}\n", failure_text(p));
    std::string line =
        fmt::format("  {}  {}", members.empty() ? "outcome     " : "as described", solver::name(*p.outcome));
    if (p.direction) line += fmt::format(" to the {}", solver::name(*p.direction));
    if (p.overturn_time_s) line += fmt::format(" at {:.3f} s", *p.overturn_time_s);
    if (p.peak_rotation_rad.size() > 1 && !p.blocks_overturned.empty())
        line += fmt::format(" (blocks {})", fmt::join(p.blocks_overturned, ", "));
    return line + "\n";
}

std::string peak_line(const solver::Prediction& p) {
    std::string line = "  peak rotation ";
    for (std::size_t i = 0; i < p.peak_rotation_rad.size(); ++i)
        line += fmt::format("{}{:.4f} rad ({:.2f} deg)", i ? ", " : "", p.peak_rotation_rad[i],
                            p.peak_rotation_rad[i] / kDegree_rad);
    return line + "\n";
}

std::string slip_line(const solver::Prediction& p) {
    if (!p.slip) return "";
    return fmt::format("  slip          at most {:.2f} mm, {:+.2f} mm at the end\n", 1e3 * p.slip->peak_m,
                       text::rounded(1e3 * p.slip->residual_m, 2));
}

std::string impacts_line(const solver::Prediction& p) {
    if (p.impacts.empty()) return "  impacts       none\n";
    return fmt::format("  impacts       {}{}, the first at {:.4f} s\n", p.impacts.size(),
                       p.impacts_truncated ? " or more" : "", p.impacts.front().time_s);
}

std::string friction_line(const solver::Prediction& p) {
    if (p.friction_demand.empty()) return "";
    return fmt::format("  friction      {} of {:.4f} needed so that nothing slides\n",
                       p.friction_demand.size() == 1 ? "a ratio" : "ratios, from the base up,",
                       fmt::join(p.friction_demand, ", "));
}

/// The ratios of rotation rates; of a foot those of the face on which it stands.
std::string restitution_line(const solver::Prediction& p, const solver::Specimen& specimen) {
    if (p.restitution.empty()) return "";
    if (specimen.foot && p.restitution.size() == 2)
        return fmt::format("  restitution   {:.4f} left to right, {:.4f} right to left (face {}, on which it stands)\n",
                           p.restitution[0], p.restitution[1], solver::standing_face(*specimen.foot));
    return fmt::format("  restitution   {:.4f}\n", fmt::join(p.restitution, ", "));
}

/// Which contact failed, when and how; empty while the model holds.
std::string validity_line(const solver::Prediction& p, const solver::Specimen& specimen) {
    if (!p.left_validity) return "";
    std::string how;
    switch (p.left_validity->breach) {
        case solver::Breach::pull: how = "would have to pull: the block above it lifts"; break;
        case solver::Breach::jump: how = "would lift at both corners: the block above it jumps"; break;
        case solver::Breach::slip:
            how = fmt::format("would slip: more friction is needed than the {:g} given",
                              solver::friction_at(specimen, p.left_validity->interface_index)->static_ratio);
            break;
    }
    return fmt::format("  model left its validity at t = {:.4f} s: interface {} {}\n", p.left_validity->time_s,
                       p.left_validity->interface_index, how);
}

/// The likeliest first; equally likely ones in the order of the outcomes.
std::vector<std::pair<std::optional<solver::Outcome>, double>> outcome_weights(
    const std::vector<EnsembleMember>& members) {
    using solver::Outcome;
    constexpr std::optional<Outcome> kAll[] = {
        Outcome::translation,         Outcome::sliding,           Outcome::rocking, Outcome::overturning,
        Outcome::partial_overturning, Outcome::total_overturning, std::nullopt};
    std::vector<std::pair<std::optional<Outcome>, double>> weights;
    for (const std::optional<Outcome>& outcome : kAll) {
        const double weight = weight_of(members, [&](const EnsembleMember& m) { return m.outcome == outcome; });
        if (weight > 0.0) weights.emplace_back(outcome, weight);
    }
    std::stable_sort(weights.begin(), weights.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return weights;
}

/// The answer: with an ensemble its probabilities; without one nobody knows how sure the single outcome is.
std::string probability_line(const SpecimenPrediction& specimen) {
    if (specimen.members.empty())
        return "  probability   not computed: use --ensemble 200 to see how certain the outcome is\n";
    return fmt::format(
        "  probability   {}  (of {} members{})\n", probability_text(specimen.members), specimen.members.size(),
        is_weighted(specimen.members) ? fmt::format(" worth {:.1f} of equal weight", effective_count(specimen.members))
                                      : "");
}

/// Of the members that stand; per block.
std::string spread_lines(const SpecimenPrediction& specimen) {
    std::string text;
    for (const Spread& peak : specimen.spread.peak_rad)
        if (peak.members > 0 && peak.quantiles.p95 > 0.0)
            text += fmt::format("  peak 5-95 %   {:.4f} to {:.4f} rad, median {:.4f}  (of {} members that stand)\n",
                                peak.quantiles.p05, peak.quantiles.p95, peak.quantiles.p50, peak.members);
    return text;
}

/// That an ensemble is one-sided must be known to whoever believes it.
std::string held_line(const solver::Specimen& specimen, const experiment::UncertaintySection& uncertainty,
                      const SpecimenPrediction& prediction) {
    const std::size_t held = held_members(specimen, uncertainty, prediction.members.size());
    if (held == 0) return "";
    return fmt::format(
        "  held          the restitution of {} of {} members would add energy and is held where it adds "
        "none: the ensemble is one-sided there\n",
        held, std::min(prediction.members.size(), kFollowedMax));
}

/// The share that ends on another face of its foot, and whether the specimen as described does.
std::string elsewhere_words(const solver::Specimen& specimen, const SpecimenPrediction& prediction) {
    const bool described = rests_elsewhere(prediction.prediction, specimen);
    const double share = share_of(prediction.members, [](const EnsembleMember& m) { return m.rests_elsewhere; });
    if (!specimen.foot || (!described && !(share > 0.0))) return {};
    std::string who = described ? "the specimen as described rolls" : "";
    if (share > 0.0)
        who = fmt::format("{:.3g} % of the ensemble{} rolls", 100.0 * share,
                          described ? " and the specimen as described" : "");
    return elsewhere_remark(specimen, who);
}

std::string boundary_text(const char* axis, const std::optional<solver::OutcomeBoundary>& boundary,
                          const solver::BoundarySearch& searched) {
    if (!boundary)
        return fmt::format("none within {:+.0f} to {:+.0f} % of {}", 100.0 * searched.low_ratio,
                           100.0 * searched.high_ratio, axis);
    return fmt::format("{} at {:+.2f} % of {}", solver::name(boundary->outcome),
                       text::rounded(100.0 * boundary->change_ratio, 2), axis);
}

/// Other outcomes of the specimen as described, nearest first on each axis.
std::string boundaries_line(const SpecimenPrediction& specimen) {
    if (!specimen.boundaries) return "";
    const NearestBoundaries& nearest = *specimen.boundaries;
    return fmt::format("  boundary      {}, {}\n", boundary_text("amplitude", nearest.amplitude, nearest.searched),
                       boundary_text("frequency", nearest.frequency, nearest.searched));
}

/// What the half cycles lose.
std::string apparent_line(const std::vector<double>& ratios) {
    constexpr std::size_t kShown = 4;
    if (ratios.empty()) return "";
    return fmt::format("  apparent rest. {:.4f}{} per half cycle\n",
                       fmt::join(ratios.begin(), ratios.begin() + std::min(ratios.size(), kShown), ", "),
                       ratios.size() > kShown ? " ..." : "");
}

/// Of bouncing corners: what a half cycle loses, and from when on a rounding error decides.
std::string bouncing_lines(const std::optional<BouncingReport>& bouncing) {
    if (!bouncing) return "";
    std::string text = apparent_line(bouncing->apparent_restitution);
    if (bouncing->rounding.outcome_differs)
        text += "  CHAOTIC       a rounding error changes the outcome: it is one of several\n";
    if (bouncing->rounding.parts_from_s)
        text += fmt::format("  chaotic       from {:.3f} s on a rounding error changes the motion\n",
                            *bouncing->rounding.parts_from_s);
    return text;
}

/// Does the stop that a table needs change what the pulse does?
std::string unbraked_line(const std::optional<Unbraked>& unbraked) {
    if (!unbraked) return "";
    const std::string side = unbraked->direction ? fmt::format(" to the {}", solver::name(*unbraked->direction)) : "";
    std::string line = fmt::format("  unbraked      {}{}", solver::name(unbraked->outcome), side);
    line += unbraked->is_same
                ? ": the table's braking does not change the outcome of the pulse\n"
                : ": THE BRAKING CHANGES THE OUTCOME of the pulse; the instrument for this pulse is an air track\n";
    return line;
}

std::string coupling_line(const CouplingPrediction& coupling) {
    std::string line = fmt::format("  air track     {} with the slider's motion prescribed, {} coupled\n",
                                   solver::name(coupling.prescribed_outcome), solver::name(coupling.coupled_outcome));
    const auto& [prescribed_m, coupled_m] = coupling.critical;
    if (!prescribed_m || !coupled_m) return line;
    return line + fmt::format("  critical drop {:.5f} m prescribed, {:.5f} m coupled ({:+.1f} %)\n", *prescribed_m,
                              *coupled_m, text::rounded(100.0 * (*coupled_m / *prescribed_m - 1.0), 1));
}

/// Were it as deep as it is wide or high, whichever is less.
bool is_lighter_than_air(const solver::Block& block) {
    constexpr double kAir_kg_m3 = 1.2;
    return block.mass_kg < kAir_kg_m3 * block.width_m * block.height_m * std::min(block.width_m, block.height_m);
}

}  // namespace

std::string failure_text(const solver::Prediction& p) {
    if (p.status == solver::SolverStatus::undecided)
        return fmt::format("not decided at {:.1f} s: it still moves, and its energy does not decide whether it falls",
                           p.status_time_s);
    return fmt::format("the solution failed at {:.6f} s: {}", p.status_time_s, solver::name(p.status));
}

std::vector<std::string> failure_remarks(const ExperimentPrediction& prediction) {
    std::vector<std::string> remarks;
    for (std::size_t i = 0; i < prediction.specimens.size(); ++i) {
        const SpecimenPrediction& specimen = prediction.specimens[i];
        if (!specimen.prediction.outcome)
            remarks.push_back(fmt::format("specimen {}: NO OUTCOME: {}", i, failure_text(specimen.prediction)));
        const auto failed = std::count_if(specimen.members.begin(), specimen.members.end(),
                                          [](const EnsembleMember& member) { return !member.outcome; });
        if (failed > 0)
            remarks.push_back(
                fmt::format("specimen {}: the solutions of {} of {} members failed: they count as failed, "
                            "not as any outcome",
                            i, failed, specimen.members.size()));
    }
    return remarks;
}

std::string probability_text(const std::vector<EnsembleMember>& members) {
    std::string text;
    const double all = weight_of(members);
    for (const auto& [outcome, weight] : outcome_weights(members))
        text += fmt::format("{}{:.3g} % {}", text.empty() ? "" : ", ", 100.0 * weight / all,
                            outcome ? solver::name(*outcome) : "failed");
    return text;
}

std::vector<std::string> outcome_probabilities(const ExperimentPrediction& prediction) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < prediction.specimens.size(); ++i)
        texts.push_back((prediction.specimens.size() > 1 ? fmt::format("specimen {}: ", i) : std::string()) +
                        probability_text(prediction.specimens[i].members));
    return texts;
}

std::optional<solver::Outcome> likeliest(const std::vector<EnsembleMember>& members) {
    const auto weights = outcome_weights(members);
    return weights.empty() ? std::nullopt : weights.front().first;
}

std::string describe(const solver::Specimen& specimen) {
    double mass_kg = 0.0;
    for (const solver::Block& block : specimen.blocks) mass_kg += block.mass_kg;
    if (specimen.blocks.size() > 1)
        return fmt::format("stack of {} blocks, {:.5g} kg", specimen.blocks.size(), mass_kg);
    if (specimen.pivots) return fmt::format("asymmetric body, {:.5g} kg", mass_kg);
    if (specimen.foot)
        return fmt::format("irregular body on {} face{}, {:.5g} kg", specimen.foot->corners_m.size() - 1,
                           specimen.foot->corners_m.size() == 2 ? "" : "s", mass_kg);
    const solver::Block& block = specimen.blocks.front();
    return fmt::format("block {} x {} m, {:.5g} kg", block.width_m, block.height_m, mass_kg);
}

std::string prediction_text(const Experiment& experiment, const ExperimentPrediction& prediction) {
    std::string text = text::one_line(experiment.name) + "\n";
    if (prediction.assembly) text += assembly_text(experiment.assembly.value(), *prediction.assembly);
    if (prediction.specimens.empty() && !prediction.assembly)
        return text + "  nothing stands on the table: no outcome\n";
    for (std::size_t i = 0; i < prediction.specimens.size(); ++i) {
        const SpecimenPrediction& specimen = prediction.specimens[i];
        const solver::Prediction& p = specimen.prediction;
        text += fmt::format("  {}{}\n", prediction.specimens.size() > 1 ? fmt::format("specimen {}: ", i) : "",
                            describe(experiment.specimens[i]));
        text += foot_text(experiment, i, 14) + space_text(experiment, i, 14);
        text += probability_line(specimen) + outcome_line(p, specimen.members) + boundaries_line(specimen) +
                peak_line(p) + spread_lines(specimen) + slip_line(p) + impacts_line(p) +
                held_line(experiment.specimens[i], prediction.uncertainty, specimen);
        if (p.settled_time_s)
            text += fmt::format("  at rest       after {:.3f} s{}\n", *p.settled_time_s,
                                resting_words(p, experiment.specimens[i]));
        text += restitution_line(p, experiment.specimens[i]);
        text += apparent_line(half_cycles(experiment, i, p));
        text += contact_lines(p, experiment.contact_dynamics);
        text += friction_line(p) + validity_line(p, experiment.specimens[i]);
        text += bouncing_lines(specimen.bouncing) + unbraked_line(specimen.unbraked);
        if (prediction.coupling) text += coupling_line(*prediction.coupling);
    }
    if (const auto& prior = experiment.uncertainty.prior; prior && !prediction.specimens.empty())
        text += fmt::format("  prior         learned: {}\n", text::one_line(experiment::prior_words(*prior)));
    if (const auto& members = experiment.uncertainty.members; members && !prediction.specimens.empty())
        text += fmt::format("  members       {}\n", text::one_line(experiment::members_words(*members)));
    for (const std::string& remark : motion_remarks(experiment))
        text += fmt::format("  note          {}\n", text::one_line(remark));
    return text;
}

std::vector<std::string> motion_remarks(const Experiment& experiment) {
    std::vector<std::string> remarks = experiment.excitation.remarks;
    if (experiment.excitation_y)
        for (const std::string& remark : experiment.excitation_y->remarks) remarks.push_back("axis y: " + remark);
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i)
        if (std::string remark = experiment::plane_remark(experiment::plane_peaks(experiment, i), i); !remark.empty())
            remarks.push_back(std::move(remark));
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i)
        if (std::string remark = inertia_remark(experiment, i); !remark.empty()) remarks.push_back(std::move(remark));
    for (const std::string& remark : experiment.vertical_excitation.remarks) remarks.push_back("vertical: " + remark);
    return remarks;
}

std::vector<std::string> elsewhere_remarks(const Experiment& experiment, const ExperimentPrediction& prediction) {
    std::vector<std::string> remarks;
    for (std::size_t i = 0; i < prediction.specimens.size(); ++i)
        if (std::string words = elsewhere_words(experiment.specimens[i], prediction.specimens[i]); !words.empty())
            remarks.push_back(fmt::format("specimen {}: {}", i, words));
    return remarks;
}

std::vector<std::string> prediction_remarks(const Experiment& experiment, const ExperimentPrediction& prediction) {
    std::vector<std::string> remarks = elsewhere_remarks(experiment, prediction);
    for (std::size_t i = 0; i < prediction.specimens.size(); ++i) {
        if (prediction.specimens[i].prediction.contact)
            for (std::string& remark : contact_remarks(experiment, i)) remarks.push_back(std::move(remark));
        else if (has_friction(experiment.specimens[i]) && experiment.specimens[i].blocks.size() > 1)
            remarks.push_back(fmt::format("specimen {}: stacks do not slide; friction is only monitored", i));
        if (const auto* body = i < experiment.shapes.size() ? experiment.shapes[i].mesh.get() : nullptr) {
            if (body->density_kg_m3 < kGramsPerCm3Max)
                remarks.push_back(fmt::format("specimen {}: a density of {:g} kg/m3: is it in g/cm3? write {:g} kg/m3",
                                              i, body->density_kg_m3, 1000.0 * body->density_kg_m3));
            continue;
        }
        for (const solver::Block& block : experiment.specimens[i].blocks)
            if (is_lighter_than_air(block))
                remarks.push_back(fmt::format(
                    "specimen {}: a block of {:g} m x {:g} m with {:g} kg would be lighter than air: are its "
                    "dimensions in millimetres?",
                    i, block.width_m, block.height_m, block.mass_kg));
    }
    return remarks;
}

}  // namespace topple::hil::plan
