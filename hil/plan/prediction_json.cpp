#include "hil/plan/prediction_json.hpp"

#include "hil/plan/member_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "hil/experiment/axis_motions.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/plan/foot_account.hpp"
#include "hil/plan/held_members.hpp"
#include "hil/plan/json_or_null.hpp"
#include "hil/plan/mesh_account.hpp"
#include "hil/plan/planes_json.hpp"
#include "hil/plan/prediction_text.hpp"
#include "hil/plan/three_dimensional.hpp"

namespace topple::hil::plan {
namespace {

using Json = nlohmann::ordered_json;

/// [x, z] of a single block; of a stack one pair per block.
Json velocities_json(const std::vector<std::array<double, 2>>& velocities) {
    if (velocities.size() == 1) return velocities.front();
    return velocities;
}

Json impacts_json(const std::vector<solver::Impact>& impacts, std::size_t impacts_max) {
    Json list = Json::array();
    for (const solver::Impact& impact : std::span(impacts).first(std::min(impacts.size(), impacts_max))) {
        list.push_back(Json{{"time_s", impact.time_s},
                            {"interface", impact.interface_index},
                            {"rotation_rate_before_rad_s", impact.rotation_rate_before_rad_s},
                            {"rotation_rate_after_rad_s", impact.rotation_rate_after_rad_s}});
        if (impact.face) list.back()["face"] = *impact.face;
        if (impact.centre_velocity_before_m_s.empty()) continue;
        list.back()["centre_velocity_before_m_s"] = velocities_json(impact.centre_velocity_before_m_s);
        list.back()["centre_velocity_after_m_s"] = velocities_json(impact.centre_velocity_after_m_s);
    }
    return list;
}

Json turning_points_json(const std::vector<solver::TurningPoint>& turns) {
    Json list = Json::array();
    for (const solver::TurningPoint& turn : turns)
        list.push_back(Json{{"time_s", turn.time_s}, {"block", turn.block}, {"rotation_rad", turn.rotation_rad}});
    return list;
}

/// What a time-stepping solution has to say about itself, and whether half the time step says the same.
Json contact_json(const solver::ContactReport& report, const solver::ContactDynamics& with) {
    Json json{{"time_step_s", with.time_step_s},
              {"theta", with.theta},
              {"activation", with.activation},
              {"restitution", with.restitution},
              {"tolerance", with.tolerance},
              {"from_s", report.from_s.value_or(0.0)},
              {"steps", report.steps},
              {"unfinished_steps", report.unfinished_steps},
              {"energy_gain_steps", report.energy_gain_steps},
              {"energy_gain_j", report.energy_gain_j}};
    if (!report.half_step) {
        json["confirmed_by_half_step"] = nullptr;
        return json;
    }
    const solver::ContactReport::HalfStep& half = *report.half_step;
    json["confirmed_by_half_step"] = half.is_confirmed;
    json["half_step_outcome"] = name_or_null(half.outcome);
    json["peak_difference_rad"] = half.peak_difference_rad;
    json["peak_tolerance_rad"] = half.peak_tolerance_rad;
    json["turning_points_confirmed"] = half.turning_points;
    return json;
}

std::vector<EnsembleMember> members_of(const SpecimenPrediction& specimen, bool ends_elsewhere) {
    if (!specimen.members.empty()) return specimen.members;
    return {EnsembleMember{specimen.prediction.outcome, specimen.prediction.direction, 1.0, ends_elsewhere}};
}

/// Shares of the members, those whose solution failed among them: together 1. `overturning` counts every overturning; a
/// stack also distinguishes partial from total.
Json shares_json(const std::vector<EnsembleMember>& members, bool is_stack) {
    const auto share = [&](auto&& is) { return plan::share_of(members, is); };
    const auto share_of = [&](solver::Outcome outcome) {
        return share([outcome](const EnsembleMember& member) { return member.outcome == outcome; });
    };
    Json probability{{"translation", share_of(solver::Outcome::translation)},
                     {"sliding", share_of(solver::Outcome::sliding)},
                     {"rocking", share_of(solver::Outcome::rocking)},
                     {"overturning", share([](const EnsembleMember& m) { return solver::is_overturning(m.outcome); })}};
    if (is_stack) {
        probability["partial_overturning"] = share_of(solver::Outcome::partial_overturning);
        probability["total_overturning"] = share_of(solver::Outcome::total_overturning);
    }
    probability["failed"] = share([](const EnsembleMember& member) { return !member.outcome; });
    probability["members"] = members.size();
    if (is_weighted(members)) probability["effective_members"] = effective_count(members);
    return probability;
}

Json distribution_json(const solver::Distribution& distribution) {
    if (distribution.kind == solver::DistributionKind::fixed) return Json{{"fixed", true}};
    Json json{{std::string(solver::name(distribution.kind)), distribution.spread}};
    if (distribution.centre != 0.0) json["centre"] = distribution.centre;
    return json;
}

Json prior_json(const experiment::LearnedPrior& prior) {
    return Json{{"file", prior.file},
                {"sha256", prior.sha256},
                {"runs", prior.runs_used},
                {"informative", prior.is_informative}};
}

Json members_json(const experiment::MembersTable& members) {
    return Json{{"file", members.file},
                {"sha256", members.sha256},
                {"rows", members.rows.size()},
                {"effective_members", members.effective_members},
                {"keys", members.keys}};
}

/// As [uncertainty] of an experiment file would be written.
Json uncertainty_json(const experiment::UncertaintySection& uncertainty) {
    const solver::Uncertainty& of = uncertainty.of;
    Json json{{"seed", uncertainty.seed},
              {"restitution", distribution_json(of.restitution)},
              {"k", distribution_json(of.impulse_position)},
              {"width", distribution_json(of.width)},
              {"height", distribution_json(of.height)},
              {"tilt_rad", distribution_json(of.tilt_rad)},
              {"friction", distribution_json(of.friction)},
              {"amplitude", distribution_json(of.amplitude)},
              {"frequency", distribution_json(of.frequency)},
              {"yaw_rad", distribution_json(of.yaw_rad)},
              {"seat_m", distribution_json(of.seat_m)},
              {"wear_m", distribution_json(of.wear_m)},
              {"restitution_face", distribution_json(of.restitution_face)}};
    if (uncertainty.members) json["members"] = members_json(*uncertainty.members);
    if (uncertainty.prior) json["prior"] = prior_json(*uncertainty.prior);
    return json;
}

Json quantity_json(const Spread& spread) {
    const auto value = [&](double quantile) { return spread.members > 0 ? Json(quantile) : Json(nullptr); };
    const Quantiles& q = spread.quantiles;
    return Json{{"members", spread.members}, {"p05", value(q.p05)}, {"p25", value(q.p25)},
                {"p50", value(q.p50)},       {"p75", value(q.p75)}, {"p95", value(q.p95)}};
}

Json ensemble_json(const SpecimenPrediction& specimen, const experiment::UncertaintySection& uncertainty) {
    Json outcomes = Json::array(), directions = Json::array(), peaks = Json::array(), impacts = Json::array();
    for (const EnsembleMember& member : specimen.members) {
        outcomes.push_back(name_or_null(member.outcome));
        directions.push_back(name_or_null(member.direction));
    }
    for (const Spread& peak : specimen.spread.peak_rad) peaks.push_back(quantity_json(peak));
    for (const Spread& impact : specimen.spread.impact_times_s) impacts.push_back(quantity_json(impact));
    Json json{{"seed", uncertainty.seed},
              {"members", specimen.members.size()},
              {"members_followed", specimen.spread.followed},
              {"uncertainty", uncertainty_json(uncertainty)},
              {"peak_rotation_rad", std::move(peaks)},
              {"impact_times_s", std::move(impacts)},
              {"outcomes", std::move(outcomes)},
              {"directions", std::move(directions)}};
    if (is_weighted(specimen.members))
        for (const EnsembleMember& member : specimen.members) json["weights"].push_back(member.weight);
    return json;
}

Json boundary_json(const std::optional<solver::OutcomeBoundary>& boundary, const solver::BoundarySearch& searched) {
    return Json{{"change_ratio", boundary ? Json(boundary->change_ratio) : Json(nullptr)},
                {"outcome", boundary ? name_or_null(boundary->outcome) : Json(nullptr)},
                {"searched", {searched.low_ratio, searched.high_ratio}}};
}

Json boundaries_json(const std::optional<NearestBoundaries>& boundaries) {
    if (!boundaries) return nullptr;
    return Json{{"amplitude", boundary_json(boundaries->amplitude, boundaries->searched)},
                {"frequency", boundary_json(boundaries->frequency, boundaries->searched)}};
}

/// Where the solution left what its model describes; null if it did not.
Json validity_json(const std::optional<solver::ValidityBreach>& breach) {
    if (!breach) return nullptr;
    return Json{
        {"time_s", breach->time_s}, {"interface", breach->interface_index}, {"reason", solver::name(breach->breach)}};
}

Json specimen_json(const SpecimenPrediction& specimen, const experiment::UncertaintySection& uncertainty,
                   const solver::ContactDynamics& contact, std::size_t impacts_max) {
    const solver::Prediction& p = specimen.prediction;
    Json json{{"outcome", name_or_null(p.outcome)},
              {"direction", name_or_null(p.direction)},
              {"blocks_overturned", p.blocks_overturned},
              {"overturn_time_s", or_null(p.overturn_time_s)},
              {"settled_time_s", or_null(p.settled_time_s)},
              {"peak_rotation_rad", p.peak_rotation_rad},
              {"impacts", impacts_json(p.impacts, impacts_max)}};
    if (p.impacts_truncated || p.impacts.size() > impacts_max) json["impacts_truncated"] = true;
    if (p.impacts.size() > impacts_max) json["impacts_count"] = p.impacts.size();
    if (p.slip) {
        json["slip_peak_m"] = p.slip->peak_m;
        json["slip_residual_m"] = p.slip->residual_m;
    }
    json["turning_points"] = turning_points_json(p.turning_points);
    if (p.contact) {
        Json slips = Json::array();
        for (const solver::Slip& slip : p.interface_slip)
            slips.push_back(Json{{"peak_m", slip.peak_m}, {"residual_m", slip.residual_m}});
        json["interface_slip"] = std::move(slips);
        json["contact_dynamics"] = contact_json(*p.contact, contact);
    }
    if (specimen.bouncing)
        json["multiple_impact"] = Json{{"apparent_restitution", specimen.bouncing->apparent_restitution},
                                       {"chaotic_from_s", or_null(specimen.bouncing->rounding.parts_from_s)},
                                       {"outcome_is_chaotic", specimen.bouncing->rounding.outcome_differs}};
    if (specimen.unbraked)
        json["without_braking"] = Json{{"outcome", name_or_null(specimen.unbraked->outcome)},
                                       {"direction", name_or_null(specimen.unbraked->direction)},
                                       {"same", specimen.unbraked->is_same}};
    json["model"] = specimen.model;
    json["restitution"] = p.restitution;
    json["probability"] = shares_json(members_of(specimen, false), p.peak_rotation_rad.size() > 1);
    if (!specimen.members.empty()) {
        json["nearest_boundary"] = boundaries_json(specimen.boundaries);
        json["ensemble"] = ensemble_json(specimen, uncertainty);
    }
    if (!p.friction_demand.empty()) {
        json["friction_demand"] = p.friction_demand;
        json["left_validity"] = validity_json(p.left_validity);
    }
    json["status"] = solver::name(p.status);
    if (p.status != solver::SolverStatus::ok) json["status_time_s"] = p.status_time_s;
    return json;
}

Json coupling_json(const CouplingPrediction& coupling) {
    return Json{{"prescribed_outcome", name_or_null(coupling.prescribed_outcome)},
                {"coupled_outcome", name_or_null(coupling.coupled_outcome)},
                {"critical_drop_prescribed_m", or_null(coupling.critical.prescribed_m)},
                {"critical_drop_coupled_m", or_null(coupling.critical.coupled_m)}};
}

/// Nothing stands on the table: every key is there and says so.
Json empty_json() {
    return Json{
        {"outcome", nullptr},
        {"direction", nullptr},
        {"blocks_overturned", Json::array()},
        {"overturn_time_s", nullptr},
        {"settled_time_s", nullptr},
        {"peak_rotation_rad", Json::array()},
        {"impacts", Json::array()},
        {"restitution", Json::array()},
        {"probability",
         Json{{"translation", 0}, {"sliding", 0}, {"rocking", 0}, {"overturning", 0}, {"failed", 0}, {"members", 0}}}};
}

/// No outcome: blocks in a basin do not fall. Beyond the stable keys it has those of every impact's two bodies.
Json assembly_json(const solver::AssemblyPrediction& p, std::size_t impacts_max) {
    Json impacts = Json::array();
    for (const solver::AssemblyImpact& impact : std::span(p.impacts).first(std::min(p.impacts.size(), impacts_max)))
        impacts.push_back(Json{{"time_s", impact.time_s},
                               {"pair", impact.pair},
                               {"velocity_before_m_s", {impact.left_before_m_s, impact.right_before_m_s}},
                               {"velocity_after_m_s", {impact.left_after_m_s, impact.right_after_m_s}}});
    Json json = empty_json();
    json["settled_time_s"] = or_null(p.settled_time_s);
    if (impacts.size() < p.impacts_count) json["impacts_truncated"] = true;
    json["impacts"] = std::move(impacts);
    json["impacts_count"] = p.impacts_count;
    json["centroid_m"] = p.centroid_m;
    json["inertia_index_max"] = or_null(p.inertia_index_max);
    json["inertia_index_end"] = or_null(p.inertia_index_end);
    json["kinetic_energy_index_max"] = or_null(p.kinetic_energy_index_max);
    json["end_time_s"] = p.end_time_s;
    json["status"] = solver::name(p.status);
    if (p.status != solver::SolverStatus::ok) json["status_time_s"] = p.status_time_s;
    return json;
}

}  // namespace

std::string prediction_json(const experiment::Experiment& experiment, const ExperimentPrediction& prediction,
                            std::size_t impacts_max, const std::string& created_utc) {
    Json document{{"schema", "topple.prediction/1"}};
    Json specimens = Json::array();
    for (const SpecimenPrediction& specimen : prediction.specimens) {
        specimens.push_back(specimen_json(specimen, prediction.uncertainty, experiment.contact_dynamics, impacts_max));
        const std::size_t index = specimens.size() - 1;
        if (!specimen.members.empty())
            specimens.back()["ensemble"]["restitution_held"] =
                held_members(experiment.specimens.at(index), prediction.uncertainty, specimen.members.size());
        if (experiment.specimens.at(index).foot) {
            const bool ends_elsewhere = rests_elsewhere(specimen.prediction, experiment.specimens.at(index));
            specimens.back()["probability"]["rocking_to_another_face"] = share_of(
                members_of(specimen, ends_elsewhere), [](const EnsembleMember& m) { return m.rests_elsewhere; });
            specimens.back()["resting_face"] = or_null(specimen.prediction.resting_face);
            specimens.back()["apparent_restitution"] = half_cycles(experiment, index, specimen.prediction);
            specimens.back()["foot"] = foot_json(experiment, index);
        }
        if (Json body = mesh_json(experiment, index); !body.is_null()) specimens.back()["mesh"] = std::move(body);
        if (Json space = space_json(experiment, index); !space.is_null())
            specimens.back()["three_dimensional"] = std::move(space);
        if (experiment::shows_planes(experiment)) specimens.back().update(plane_json(experiment, index));
    }
    if (prediction.assembly)
        document.update(assembly_json(*prediction.assembly, impacts_max));
    else
        document.update(specimens.empty() ? empty_json() : specimens.front());
    if (specimens.size() > 1) document["specimens"] = std::move(specimens);
    if (prediction.coupling) document["air_track"] = coupling_json(*prediction.coupling);
    document["remarks"] = motion_remarks(experiment);
    document["name"] = experiment.name;
    if (!created_utc.empty()) document["created_utc"] = created_utc;
    if (prediction.specimens.empty()) document["model"] = prediction.assembly ? "assembly" : prediction.model;
    document["gravity_m_s2"] = experiment.gravity_m_s2;
    document["experiment_sha256"] = files::sha256_hex(experiment.text);
    document["topple_version"] = host::version();
    constexpr int kIndent = 1;
    return document.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string prediction_json(const experiment::Experiment& experiment,
                            const std::vector<solver::Prediction>& predictions, const std::string& model) {
    ExperimentPrediction all;
    all.model = model;
    for (const solver::Prediction& prediction : predictions) {
        all.specimens.emplace_back();
        all.specimens.back().model = model;
        all.specimens.back().prediction = prediction;
    }
    return prediction_json(experiment, all);
}

std::string probability_json(const std::vector<EnsembleMember>& members, bool is_stack) {
    return shares_json(members, is_stack).dump();
}

std::string history_csv(const solver::Prediction& prediction) {
    const std::size_t blocks = prediction.peak_rotation_rad.size();
    std::string text = "time_s,base_acceleration_m_s2";
    for (std::size_t i = 0; i < blocks; ++i)
        text += fmt::format(",rotation_{0}_rad,rotation_rate_{0}_rad_s,support_{0}", i);
    if (prediction.slip) text += ",slip_m";
    const bool has_centres = !prediction.history.empty() && !prediction.history.back().centre_m.empty();
    for (std::size_t i = 0; has_centres && i < blocks; ++i) text += fmt::format(",centre_x_{0}_m,centre_z_{0}_m", i);
    text += '\n';
    for (const solver::HistorySample& sample : prediction.history) {
        fmt::format_to(std::back_inserter(text), "{},{}", sample.time_s, sample.base_acceleration_m_s2);
        for (std::size_t i = 0; i < blocks; ++i)
            fmt::format_to(std::back_inserter(text), ",{},{},{}", sample.rotation_rad[i], sample.rotation_rate_rad_s[i],
                           solver::name(sample.support[i]));
        if (prediction.slip) fmt::format_to(std::back_inserter(text), ",{}", sample.slip_m);
        for (std::size_t i = 0; has_centres && i < blocks; ++i) {
            if (sample.centre_m.empty())  // the rocking model, before it handed over
                text += ",,";
            else
                fmt::format_to(std::back_inserter(text), ",{},{}", sample.centre_m[i][0], sample.centre_m[i][1]);
        }
        text += '\n';
    }
    return text;
}

}  // namespace topple::hil::plan
