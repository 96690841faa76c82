#include "hil/report/summary_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hil/host/version.hpp"
#include "hil/plan/calibration_json.hpp"
#include "hil/plan/json_or_null.hpp"
#include "hil/plan/prediction_json.hpp"
#include "hil/plan/three_dimensional.hpp"
#include "hil/report/agreement_json.hpp"
#include "hil/report/assembly_report.hpp"
#include "hil/report/blind_record_json.hpp"
#include "hil/report/camera_report.hpp"
#include "hil/report/evidence_json.hpp"
#include "hil/report/iteration.hpp"
#include "hil/report/motion_json.hpp"

namespace topple::hil::report {
namespace {

using compare::Conclusion;
using plan::name_or_null;
using plan::or_null;
using plan::text_or_null;
using Json = nlohmann::ordered_json;
constexpr std::size_t kImpactTimesListed = 20;

Json predicted_json(const solver::Prediction& p, const std::vector<plan::EnsembleMember>& members) {
    Json impact_times = Json::array();
    for (std::size_t i = 0; i < std::min(p.impacts.size(), kImpactTimesListed); ++i)
        impact_times.push_back(p.impacts[i].time_s);
    Json json{
        {"outcome", name_or_null(p.outcome)},
        {"direction", name_or_null(p.direction)},
        {"blocks_overturned", p.blocks_overturned},
        {"overturn_time_s", or_null(p.overturn_time_s)},
        {"settled_time_s", or_null(p.settled_time_s)},
        {"peak_rotation_rad", p.peak_rotation_rad},
        {"impact_count", p.impacts.size()},
        {"impact_times_s", std::move(impact_times)},
        {"restitution", p.restitution},
        {"probability", members.empty() ? Json(nullptr)
                                        : Json::parse(plan::probability_json(members, p.peak_rotation_rad.size() > 1))},
        {"status", name(p.status)}};
    if (p.resting_face) json["resting_face"] = *p.resting_face;
    return json;
}

// The blind prediction as it was frozen (the file's own object), else as computed again.
Json planned_json(const compare::SpecimenConclusion& specimen, std::size_t index, const Json& frozen) {
    Json planned = predicted_json(specimen.planned.prediction, specimen.planned_members);
    const Json* entry = frozen.is_object() ? &frozen : nullptr;
    if (entry && frozen.contains("specimens"))
        entry = index < frozen["specimens"].size() ? &frozen["specimens"][index] : nullptr;
    if (!entry || (entry == &frozen && index > 0)) return planned;
    for (const char* key : {"outcome", "direction", "blocks_overturned", "overturn_time_s", "settled_time_s",
                            "peak_rotation_rad", "restitution", "probability", "status", "resting_face"})
        if (entry->contains(key)) planned[key] = (*entry)[key];
    return planned;
}

Json measured_json(const compare::SpecimenMeasurement& m) {
    Json peaks = Json::array(), noise = Json::array(), threshold = Json::array(), zero = Json::array();
    for (const compare::BlockMeasurement& block : m.blocks) {
        peaks.push_back(block.peak_rotation_rad);
        noise.push_back(block.sensor_noise_rad);
        threshold.push_back(block.threshold_rad);
        zero.push_back(block.sensor_zero_rad);
    }
    Json json{{"source", name(m.source)},
              {"outcome", name_or_null(m.outcome)},
              {"side", name_or_null(m.side)},
              {"peak_rotation_rad", m.has_rotation() ? peaks : Json(nullptr)},
              {"overturn_time_s", or_null(m.overturn_time_s)},
              {"blocks_overturned", m.blocks_overturned},
              {"sensor_noise_rad", m.has_rotation() ? noise : Json(nullptr)},
              {"sensor_zero_rad", m.has_rotation() ? zero : Json(nullptr)},
              {"rocking_threshold_rad", m.has_rotation() ? threshold : Json(nullptr)},
              {"discarded", or_null(m.discarded)},
              {"remarks", m.remarks}};
    if (m.resting_face) json["resting_face"] = *m.resting_face;
    return json;
}

Json specimen_json(const compare::SpecimenConclusion& s, std::size_t index, const Json& frozen, bool achieved_known) {
    return {
        {"predicted",
         {{"planned", planned_json(s, index, frozen)},
          {"achieved", achieved_known ? predicted_json(s.achieved.prediction, s.achieved_members) : Json(nullptr)}}},
        {"measured", measured_json(s.measured)},
        {"agreement", agreement_json(s.agreement)},
        {"agreement_blind", agreement_json(s.blind)},
        {"not_judged_because", s.agreement.verdict ? Json(nullptr) : Json(s.agreement.reasons)}};
}

Json percentiles_json(const compare::Percentiles& p) { return {{"p50", p.p50}, {"p99", p.p99}, {"max", p.max}}; }

Json clock_json(const std::optional<compare::ClockStatistics>& clock) {
    if (!clock) return nullptr;
    Json jumps = Json::array();
    for (const auto& jump : clock->jumps)
        jumps.push_back({{"device_time_us", jump.device_time_us}, {"step_s", jump.step_s}});
    return {{"skew_ppm", clock->skew_ppm},
            {"skew_bound_ppm", clock->skew_bound_ppm},
            {"drifting", clock->drifting},
            {"bound_s", clock->bound_s},
            {"jumps", std::move(jumps)}};
}

Json timing_json(const compare::TimingStatistics& t) {
    if (t.cycles == 0 && t.feedback_count == 0) return nullptr;
    return {{"cycles", t.cycles},
            {"cycles_missed", t.cycles_missed},
            {"wake_late_us", percentiles_json(t.wake_late_us)},
            {"busy_us", percentiles_json(t.busy_us)},
            {"feedback_count", t.feedback_count},
            {"feedback_period_us", percentiles_json(t.feedback_period_us)},
            {"queue_level_min", t.queue_level_min},
            {"scheduling", or_null(t.scheduling)},
            {"round_trip_us", or_null(t.round_trip_us)},
            {"clock", clock_json(t.clock)}};
}

Json feasibility_json(const controller::FeasibilityReport& report) {
    Json list = Json::array();
    for (const auto& check : report.checks)
        list.push_back({{"name", check.name},
                        {"value", check.value},
                        {"limit", check.limit},
                        {"unit", check.unit},
                        {"time_s", check.time_s},
                        {"passed", check.passed},
                        {"warning_only", check.warning_only}});
    for (std::size_t i = 0; i < list.size(); ++i)
        if (!report.checks[i].axis.empty()) list[i]["axis"] = report.checks[i].axis;
    return list;
}

Json origin_json(const compare::RunOrigin& origin) {
    return {{"date", text_or_null(origin.date)},
            {"time_zone", text_or_null(origin.time_zone)},
            {"operator", text_or_null(origin.operated_by)},
            {"machine", text_or_null(origin.machine)},
            {"machine_calibration", plan::calibration_json(origin.calibration)},
            {"computer", text_or_null(origin.computer)}};
}

Json run_json(const Conclusion& c, const RunIdentity& identity) {
    return {{"caveat", text_or_null(compare::caveat(c))},
            {"data_whole", c.data_missing.empty()},
            {"recording_shortened_s", or_null(c.shortened_s)},
            {"status", name(c.status)},
            {"status_reason", text_or_null(c.status_reason)},
            {"prediction_frozen", identity.prediction_is_frozen},
            {"log_damage", identity.log_damage.empty() ? Json(nullptr) : Json(identity.log_damage)},
            {"flight_files", identity.flight_files},
            {"figures_missing", identity.figures_missing.empty() ? Json(nullptr) : Json(identity.figures_missing)},
            {"remarks", c.remarks}};
}

// Keys of a single specimen at top level: those of the first one, or nothing measured on an empty table.
void add_specimens(Json& summary, const Conclusion& c, const Json& frozen) {
    Json list = Json::array();
    for (std::size_t i = 0; i < c.specimens.size(); ++i) {
        list.push_back(specimen_json(c.specimens[i], i, frozen, !c.motion.empty()));
        list.back().update(evidence_json(c.specimens[i], c.platen_impacts));
        list.back()["three_dimensional"] = plan::space_json(c.experiment, i);
        if (c.specimens[i].planned_peaks) list.back()["plane"] = plane_json(c.specimens[i]);
    }
    if (list.empty()) {
        compare::SpecimenMeasurement nothing;
        if (c.assembly) nothing.source = c.assembly->source;
        nothing.remarks.push_back(!c.assembly            ? "nothing stands on the table"
                                  : c.assembly->measured ? "blocks in a basin have no outcome: see assembly"
                                                         : "the blocks in the basin are not measured");
        summary["predicted"] = {{"planned", nullptr}, {"achieved", nullptr}};
        summary["measured"] = measured_json(nothing);
        summary["agreement"] = c.assembly ? agreement_json(c.assembly->comparison.agreement) : Json(nullptr);
        if (c.assembly) summary["agreement_blind"] = agreement_json(c.assembly->blind.agreement);
        return;
    }
    summary.update(list.front());
    if (list.size() > 1) summary["specimens"] = std::move(list);
}

Json parsed(const std::string& text) { return text.empty() ? Json(nullptr) : Json::parse(text, nullptr, false); }

}  // namespace

std::string summary_json(const Conclusion& c, const RunIdentity& identity) {
    Json summary{{"schema", "topple.summary/1"}, {"name", c.experiment.name}, {"notes", c.experiment.notes}};
    summary.update(origin_json(c.origin));
    summary.update(run_json(c, identity));
    const auto verdict = compare::overall_verdict(c);
    summary["verdict"] = verdict ? Json(name(*verdict)) : Json(nullptr);
    add_specimens(summary, c, parsed(identity.prediction_json));
    summary["assembly"] = assembly_json(c);
    summary["camera"] = camera_json(c);
    summary["blind_record"] = blind_record_json(c.blind_record);
    summary.update(motion_json(c));
    summary["timing"] = timing_json(c.timing);
    summary["protection"] = {{"asked_above", or_null(c.experiment.table.protect)},
                             {"wanted_s", or_null(c.protection_wanted_s)},
                             {"from_s", nullptr},
                             {"what", nullptr}};
    if (c.protective_ending) {
        summary["protection"]["from_s"] = c.protective_ending->from_s;
        summary["protection"]["what"] = c.protective_ending->text;
    }
    summary["iteration"] = iteration_json(identity.learned_drive_json);
    summary["trigger"] = {{"asked", c.trigger.asked},
                          {"rose_at_s", or_null(c.trigger.rose_at_s)},
                          {"fell_at_s", or_null(c.trigger.fell_at_s)}};
    summary["feasibility"] = feasibility_json(c.feasibility);
    summary["versions"] = {{"topple", host::version()}};
    for (const auto& [key, value] : identity.metadata)
        if (key.find("version") != std::string::npos) summary["versions"][key] = value;
    summary["seeds"] = {{"simulation", c.experiment.simulation.seed}};
    summary["sha256"] = identity.sha256;
    summary["metadata"] = identity.metadata;
    summary["truth"] = parsed(identity.truth_json);
    return summary.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::report
