#include "hil/plan/prediction_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/plan/prediction_text.hpp"

namespace topple::hil::plan {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json optional_json(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json outcome_json(const std::optional<solver::Outcome>& outcome) {
    return outcome ? Json(solver::name(*outcome)) : Json(nullptr);
}

Json side_json(const std::optional<solver::Side>& side) { return side ? Json(solver::name(*side)) : Json(nullptr); }

Json impacts_json(const std::vector<solver::Impact>& impacts, std::size_t impacts_max) {
    Json list = Json::array();
    for (const solver::Impact& impact : std::span(impacts).first(std::min(impacts.size(), impacts_max)))
        list.push_back(Json{{"time_s", impact.time_s},
                            {"interface", impact.interface_index},
                            {"rotation_rate_before_rad_s", impact.rotation_rate_before_rad_s},
                            {"rotation_rate_after_rad_s", impact.rotation_rate_after_rad_s}});
    return list;
}

std::vector<EnsembleMember> members_of(const SpecimenPrediction& specimen) {
    if (!specimen.members.empty()) return specimen.members;
    return {EnsembleMember{specimen.prediction.outcome, specimen.prediction.direction}};
}

/// Shares of the members, those whose solution failed among them: together 1. `overturning` counts every overturning; a
/// stack also distinguishes partial from total.
Json shares_json(const std::vector<EnsembleMember>& members, bool is_stack) {
    const auto share = [&](auto&& is) {
        const auto count = std::count_if(members.begin(), members.end(), is);
        return static_cast<double>(count) / static_cast<double>(members.size());
    };
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
    return probability;
}

Json ensemble_json(const SpecimenPrediction& specimen, std::uint64_t seed) {
    Json outcomes = Json::array(), directions = Json::array();
    for (const EnsembleMember& member : specimen.members) {
        outcomes.push_back(outcome_json(member.outcome));
        directions.push_back(side_json(member.direction));
    }
    return Json{{"seed", seed}, {"outcomes", std::move(outcomes)}, {"directions", std::move(directions)}};
}

/// Where the solution left what its model describes; null if it did not.
Json validity_json(const std::optional<solver::ValidityBreach>& breach) {
    if (!breach) return nullptr;
    return Json{
        {"time_s", breach->time_s}, {"interface", breach->interface_index}, {"reason", solver::name(breach->breach)}};
}

Json specimen_json(const SpecimenPrediction& specimen, std::uint64_t seed, std::size_t impacts_max) {
    const solver::Prediction& p = specimen.prediction;
    Json json{{"outcome", outcome_json(p.outcome)},
              {"direction", side_json(p.direction)},
              {"blocks_overturned", p.blocks_overturned},
              {"overturn_time_s", optional_json(p.overturn_time_s)},
              {"settled_time_s", optional_json(p.settled_time_s)},
              {"peak_rotation_rad", p.peak_rotation_rad},
              {"impacts", impacts_json(p.impacts, impacts_max)}};
    if (p.impacts_truncated || p.impacts.size() > impacts_max) json["impacts_truncated"] = true;
    if (p.impacts.size() > impacts_max) json["impacts_count"] = p.impacts.size();
    if (p.slip) {
        json["slip_peak_m"] = p.slip->peak_m;
        json["slip_residual_m"] = p.slip->residual_m;
    }
    json["model"] = specimen.model;
    json["restitution"] = p.restitution;
    json["probability"] = shares_json(members_of(specimen), p.peak_rotation_rad.size() > 1);
    if (!specimen.members.empty()) json["ensemble"] = ensemble_json(specimen, seed);
    if (!p.friction_demand.empty()) {
        json["friction_demand"] = p.friction_demand;
        json["left_validity"] = validity_json(p.left_validity);
    }
    json["status"] = solver::name(p.status);
    if (p.status != solver::SolverStatus::ok) json["status_time_s"] = p.status_time_s;
    return json;
}

Json coupling_json(const CouplingPrediction& coupling) {
    return Json{{"prescribed_outcome", outcome_json(coupling.prescribed_outcome)},
                {"coupled_outcome", outcome_json(coupling.coupled_outcome)},
                {"critical_drop_prescribed_m", optional_json(coupling.critical.prescribed_m)},
                {"critical_drop_coupled_m", optional_json(coupling.critical.coupled_m)}};
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

}  // namespace

std::string prediction_json(const experiment::Experiment& experiment, const ExperimentPrediction& prediction,
                            std::size_t impacts_max) {
    Json document{{"schema", "topple.prediction/1"}};
    Json specimens = Json::array();
    for (const SpecimenPrediction& specimen : prediction.specimens)
        specimens.push_back(specimen_json(specimen, prediction.uncertainty.seed, impacts_max));
    document.update(specimens.empty() ? empty_json() : specimens.front());
    if (specimens.size() > 1) document["specimens"] = std::move(specimens);
    if (prediction.coupling) document["air_track"] = coupling_json(*prediction.coupling);
    document["remarks"] = motion_remarks(experiment);
    document["name"] = experiment.name;
    if (prediction.specimens.empty()) document["model"] = prediction.model;
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
    for (const solver::Prediction& prediction : predictions) all.specimens.push_back({model, prediction, {}});
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
    text += '\n';
    for (const solver::HistorySample& sample : prediction.history) {
        fmt::format_to(std::back_inserter(text), "{},{}", sample.time_s, sample.base_acceleration_m_s2);
        for (std::size_t i = 0; i < blocks; ++i)
            fmt::format_to(std::back_inserter(text), ",{},{},{}", sample.rotation_rad[i], sample.rotation_rate_rad_s[i],
                           solver::name(sample.support[i]));
        if (prediction.slip) fmt::format_to(std::back_inserter(text), ",{}", sample.slip_m);
        text += '\n';
    }
    return text;
}

}  // namespace topple::hil::plan
