#include "hil/report/evidence_json.hpp"

#include <algorithm>

#include "hil/plan/json_or_null.hpp"
#include "hil/plan/prediction_json.hpp"

namespace topple::hil::report {
namespace {

using plan::name_or_null;
using plan::or_null;
using plan::text_or_null;
using Json = nlohmann::ordered_json;

Json effect_json(const compare::MotionEffect& effect, bool is_stack) {
    std::vector<plan::EnsembleMember> sound = effect.members;
    std::erase_if(sound, [](const plan::EnsembleMember& member) { return !member.outcome; });
    return {{"outcome", name_or_null(effect.outcome)},
            {"peak_rotation_rad", or_null(effect.peak_rad)},
            {"probability", sound.empty() ? Json(nullptr) : Json::parse(plan::probability_json(sound, is_stack))}};
}

std::string size_key(compare::MotionPart part) {
    switch (part) {
        case compare::MotionPart::amplitude:
        case compare::MotionPart::frequency: return "error_ratio";
        case compare::MotionPart::delay: return "delay_s";
        case compare::MotionPart::residual: return "rms_ratio";
    }
    return "rms_ratio";
}

Json attribution_json(const compare::Attribution& a, bool is_stack) {
    if (!a.evaluated()) return {{"evaluated", false}, {"why_not", a.why_not}};
    Json parts = Json::array();
    for (const compare::PartEffect& part : a.parts) {
        Json one{{"part", compare::name(part.part)}, {size_key(part.part), part.size}};
        one.update(effect_json(part.effect, is_stack));
        one["changes_outcome"] = part.changes_outcome;
        one["matters"] = part.matters();
        parts.push_back(std::move(one));
    }
    const compare::PartEffect* decisive = a.decisive();
    return {{"evaluated", true},
            {"planned", effect_json(a.planned, is_stack)},
            {"parts", std::move(parts)},
            {"decisive", decisive ? Json(compare::name(decisive->part)) : Json(nullptr)}};
}

Json impacts_json(const compare::ImpactEvidence& e, const compare::PlatenImpacts& platen) {
    const bool visible = e.not_visible.empty();
    return {{"accelerometer",
             {{"visible", visible},
              {"why_not", text_or_null(e.not_visible)},
              {"expected_m_s2", e.expected_m_s2 > 0.0 ? Json(e.expected_m_s2) : Json(nullptr)},
              {"threshold_m_s2", platen.evaluated() ? Json(platen.threshold_m_s2) : Json(nullptr)},
              {"threshold_driven_m_s2", platen.evaluated() ? Json(platen.driven_threshold_m_s2) : Json(nullptr)},
              {"time_accuracy_s", platen.evaluated() ? Json(platen.sample_s) : Json(nullptr)},
              {"times_s", visible ? Json(e.platen_s) : Json(nullptr)},
              {"matched_by_rotation", visible && e.has_rotation ? Json(e.matched) : Json(nullptr)},
              {"outcome", name_or_null(e.inferred)},
              {"because", text_or_null(e.inference)}}},
            {"rotation", {{"times_s", e.has_rotation ? Json(e.rotation_s) : Json(nullptr)}}},
            {"contradictions", e.contradictions}};
}

Json models_json(const compare::ModelComparison& comparison) {
    Json list = Json::array();
    for (const compare::ModelPrediction& m : comparison.models)
        list.push_back({{"model", m.name},
                        {"assumed", text_or_null(m.note)},
                        {"outcome", name_or_null(m.outcome)},
                        {"direction", name_or_null(m.direction)},
                        {"peak_rotation_rad", m.peak_rotation_rad},
                        {"impact_times_s", m.impacts_s},
                        {"overturn_time_s", or_null(m.overturn_time_s)},
                        {"settled_time_s", or_null(m.settled_time_s)}});
    return {{"motion", comparison.along_achieved ? "achieved" : "planned"},
            {"disagree_on_outcome", comparison.disagree()},
            {"predictions", std::move(list)}};
}

Json spread_json(const std::vector<compare::NumberSpread>& spread, std::size_t q) {
    if (q >= spread.size() || !spread[q].median) return nullptr;
    return {{"median", *spread[q].median},
            {"p5", *spread[q].low},
            {"p95", *spread[q].high},
            {"members", spread[q].members}};
}

Json numbers_json(const compare::NumbersTable& table) {
    Json list = Json::array();
    for (std::size_t q = 0; q < table.names.size(); ++q)
        list.push_back({{"name", table.names[q].name},
                        {"unit", table.names[q].unit},
                        {"planned", spread_json(table.planned, q)},
                        {"achieved", spread_json(table.achieved, q)},
                        {"measured", q < table.measured.size() ? or_null(table.measured[q]) : Json(nullptr)}});
    return {{"of_outcome", name_or_null(table.outcome)}, {"values", std::move(list)}};
}

}  // namespace

Json evidence_json(const compare::SpecimenConclusion& s, const compare::PlatenImpacts& platen) {
    return {{"why", {{"cause", compare::name(s.why.cause)}, {"text", s.why.text}}},
            {"numbers", numbers_json(s.numbers)},
            {"attribution", attribution_json(s.attribution, s.specimen.blocks.size() > 1)},
            {"impacts_found", impacts_json(s.impacts, platen)},
            {"models", models_json(s.models)}};
}

}  // namespace topple::hil::report
