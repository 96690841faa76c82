#include "hil/compare/conclusion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "controller/profile/profile.hpp"
#include "hil/compare/camera_errors.hpp"
#include "hil/compare/comparability.hpp"
#include "hil/compare/conclusion_remarks.hpp"
#include "hil/compare/motion_match.hpp"
#include "hil/compare/specimen_evidence.hpp"
#include "hil/host/for_each_index.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/foot_account.hpp"
#include "hil/plan/prediction_text.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::compare {
namespace {

using plan::EnsembleDraw;
using plan::EnsembleMember;
using plan::kTestEnsemble;
using run_log::EventKind;
using run_log::EventRecord;
using run_log::RunData;

const EventRecord* first_event(const RunData& run, EventKind kind) {
    const auto found =
        std::find_if(run.events.begin(), run.events.end(), [kind](const auto& e) { return e.kind == kind; });
    return found == run.events.end() ? nullptr : &*found;
}

// Positioning is not the test: without a first setpoint of the motion there is no t = 0 and nothing to
// compare.
bool motion_began(const RunData& run) { return first_event(run, EventKind::motion_start) != nullptr; }

std::string describe(const RunData& run, const EventRecord& event, const std::string& otherwise) {
    const std::string& what = event.text.empty() ? otherwise : event.text;
    if (!motion_began(run)) return what + ", before the motion began";
    return fmt::format("{} at t = {:.3f} s", what, seconds_from(motion_origin_us(run), event.device_time_us));
}

void conclude_status(const RunData& run, Conclusion& conclusion) {
    struct Ending {
        EventKind kind;
        RunStatus status;
        const char* otherwise;
    };
    for (const Ending& ending : {Ending{EventKind::fault, RunStatus::fault, "fault"},
                                 Ending{EventKind::link_lost, RunStatus::link_lost, "link to the table lost"},
                                 Ending{EventKind::stop_requested, RunStatus::stopped, "stop requested"}}) {
        const EventRecord* event = first_event(run, ending.kind);
        // A stop asked for after the recording's end, during the return move, does not touch the test.
        const EventRecord* end = first_event(run, EventKind::recording_end);
        if (!event || (end && event > end)) continue;  // in the order of the log: a device's clock may go back
        conclusion.status = ending.status;
        conclusion.status_reason = describe(run, *event, ending.otherwise);
        return;
    }
    const bool reached_end = run.event_time_us(EventKind::recording_end).has_value();
    const bool motion_done =
        !experiment::moves(conclusion.experiment) || run.event_time_us(EventKind::motion_done).has_value();
    if (reached_end && motion_done) return;
    conclusion.status = RunStatus::incomplete;
    conclusion.status_reason =
        motion_done ? "the log ends before the recording was complete" : "the log ends before the motion was complete";
    if (!run.data_whole && !run.torn) conclusion.status_reason += ", or the mark of its end was in the damaged part";
}

void conclude_feasibility(Conclusion& conclusion) {
    const experiment::Experiment& experiment = conclusion.experiment;
    try {
        std::vector<controller::Profile> axes;
        for (const solver::BaseMotion& motion : experiment::axis_motions(experiment))
            axes.push_back(controller::place(motion, experiment.table.centre));
        conclusion.feasibility =
            controller::check_feasibility(axes, conclusion.machine, experiment::payload_kg(experiment));
    } catch (const std::invalid_argument& error) {
        conclusion.remarks.push_back(fmt::format("feasibility was not checked: {}", error.what()));
    }
}

IdentifiedExcitation identify_whole_motion(const Conclusion& c, const RunData& run) {
    IdentifiedExcitation none;
    none.why_not = why_not_aligned(c);
    if (!run.event_time_us(EventKind::motion_done)) none.why_not = "the motion was not completed";
    if (c.protective_ending) none.why_not = "the motion ended otherwise than planned, to protect the specimens";
    return none.why_not.empty() ? identify_excitation(c.motion, c.experiment.excitation) : none;
}

// Whether the live forecast ever called for another end of the motion, and when.
std::optional<double> protection_wanted_s(const Conclusion& c, const RunData& run) {
    const auto& above = c.experiment.table.protect;
    for (const run_log::PredictionRecord& record : run.predictions)
        if (above && run_log::overturning_probability(record.forecast) > *above)
            return seconds_from(c.origin_us, record.device_time_us);
    return std::nullopt;
}

struct Ensemble {
    std::vector<EnsembleMember> members;
    std::vector<Reading> readings;
    std::vector<HistoryNumbers> numbers;
};

// Along one motion: what becomes of each member, and what the instruments would have read of it. Members that the
// solver refuses or cannot follow have no outcome.
template <typename Predict>
Ensemble predict_ensemble(const ComparisonContext& context, const Conclusion& c, const ReadingRule& rule,
                          plan::MotionIs motion, const Predict& predict) {
    const std::size_t count = c.ensemble_members;
    std::vector<std::optional<EnsembleMember>> members(count);
    Ensemble ensemble;
    ensemble.readings.resize(count);
    ensemble.numbers.resize(count);
    host::for_each_index(count, 0, [&](std::size_t index) {
        try {
            const EnsembleDraw draw = plan::draw_member(context.specimen, c.experiment.uncertainty, index, motion);
            const PredictedRotation member = predict(draw);
            ensemble.readings[index] = rule.member(member, index);
            ensemble.numbers[index] = numbers_of(member, context);
            ensemble.readings[index].weight = ensemble.numbers[index].weight = draw.weight;
            if (ensemble.readings[index].outcome)
                members[index] = {member.prediction.outcome, member.prediction.direction, draw.weight,
                                  plan::rests_elsewhere(member.prediction, draw.specimen)};
        } catch (const std::invalid_argument&) {  // a tilt or width beyond what a specimen can have
        }
    });
    for (const auto& member : members)
        if (member) ensemble.members.push_back(*member);
    return ensemble;
}

// The blind prediction and the one from the achieved motion, each with its ensemble, by the same rule.
void conclude_predictions(SpecimenConclusion& result, const Conclusion& c) {
    const solver::Specimen& specimen = result.specimen;
    const double gravity_m_s2 = c.experiment.gravity_m_s2;
    const solver::BaseMotion& plan = c.experiment.excitation.planned_motion();
    const signal::EvenGrid grid = c.motion.empty() ? signal::EvenGrid{0.0, 0.002, 1} : c.motion.grid;
    const auto planned = [&](const EnsembleDraw& member) {
        return predict_planned(member.specimen, member.motion(plan), grid, gravity_m_s2);
    };
    const auto achieved = [&](const EnsembleDraw& member) {
        return predict_achieved(member.specimen, c.motion, gravity_m_s2);
    };
    const ComparisonContext context{specimen, result.measured, c.window.motion_end_s + c.machine.settling_time_s};
    const auto judged = [&](const PredictedRotation& nominal, const ReadingErrors& errors, plan::MotionIs motion,
                            const auto& predict, std::vector<EnsembleMember>& members,
                            std::vector<NumberSpread>& numbers) {
        const ReadingRule rule(context, nominal, errors);
        Ensemble ensemble = predict_ensemble(context, c, rule, motion, predict);
        members = std::move(ensemble.members);
        if (!result.numbers.outcome)
            result.numbers.outcome = result.measured.outcome ? result.measured.outcome : plan::likeliest(members);
        if (result.numbers.outcome && !c.motion.empty()) numbers = spread_of(ensemble.numbers, *result.numbers.outcome);
        const bool is_plan = motion == plan::MotionIs::planned;
        return compare({context, nominal, rule, std::move(ensemble.readings),
                        is_plan ? not_comparable_with_plan(c) : not_comparable(c)});
    };
    result.numbers.names = names_of_numbers(specimen);
    result.numbers.measured = numbers_of(result.measured, context).value;
    result.planned = planned({specimen});
    result.blind = judged(result.planned, kBlindErrors, plan::MotionIs::planned, planned, result.planned_members,
                          result.numbers.planned);
    result.agreement = result.blind;
    if (c.motion.empty()) return;
    result.achieved = achieved({specimen});
    const ReadingErrors errors = c.camera ? reading_errors(c.camera->filmed) : ReadingErrors{};
    result.agreement = judged(result.achieved, errors, plan::MotionIs::measured, achieved, result.achieved_members,
                              result.numbers.achieved);
}

SpecimenConclusion conclude_specimen(const solver::Specimen& specimen, SpecimenMeasurement measured,
                                     const Conclusion& c) {
    SpecimenConclusion result;
    result.specimen = specimen;
    result.measured = std::move(measured);
    conclude_predictions(result, c);
    if (c.motion.fusion) result.sensitivity = outcome_sensitivity(specimen, c.motion, c.experiment.gravity_m_s2);
    add_evidence(result, c);
    return result;
}

// The test as it is for a specimen in this plane: what was planned and achieved there takes the place of the whole.
Conclusion seen_in_plane(const Conclusion& c, const RunData& run, std::span<const AchievedMotion> axes,
                         double angle_rad) {
    Conclusion seen = c;
    seen.specimens.clear();
    seen.experiment.excitation = experiment::excitation_along(c.experiment, angle_rad);
    if (!c.motion.empty()) seen.motion = motion_along(axes, angle_rad);
    seen.identified = identify_whole_motion(seen, run);
    return seen;
}

void conclude_specimens(Conclusion& c, const RunData& run, std::span<const AchievedMotion> axes,
                        std::vector<SpecimenMeasurement> measured) {
    for (std::size_t i = 0; i < c.experiment.specimens.size(); ++i) {
        const double angle_rad = experiment::plane_angle_rad(c.experiment, i);
        const bool in_direction =
            experiment::share_along(angle_rad - experiment::drive_direction_rad(c.experiment)) == 1.0;
        const solver::Specimen& specimen = c.experiment.specimens[i];
        SpecimenConclusion one =
            in_direction && !c.experiment.excitation_y
                ? conclude_specimen(specimen, std::move(measured[i]), c)
                : conclude_specimen(specimen, std::move(measured[i]), seen_in_plane(c, run, axes, angle_rad));
        if (experiment::shows_planes(c.experiment)) {
            one.planned_peaks = experiment::plane_peaks(c.experiment, i);
            if (!c.motion.empty()) one.achieved_peaks = achieved_peaks(axes, angle_rad, c.window.motion_end_s);
        }
        c.specimens.push_back(std::move(one));
    }
}

// A learned drive is not what the platen shall do: the planned motion is.
void compare_with_target(Conclusion& c, const RunData& run) {
    const auto learned = run.metadata.find(run_log::kLearnedDriveKey);
    if (learned == run.metadata.end() || learned->second != "true" || c.motion.empty()) return;
    c.motion.commanded =
        trace_of_motion(c.experiment.excitation.planned_motion(), c.motion.grid, c.motion.bandwidth_hz);
}

void note_what_is_missing(Conclusion& c, const RunData& run) {
    if (!run.data_whole) c.data_missing = run.damage;
    if (!run.data_whole && c.data_missing.empty()) c.data_missing.push_back("the log ends abruptly");
    if (const auto cut_us = run.event_time_us(EventKind::recording_cut))
        c.shortened_s = seconds_from(c.origin_us, *cut_us);
    for (const run_log::EventRecord& event : run.events)
        if (event.kind == EventKind::protective_ending)
            c.protective_ending = {seconds_from(c.origin_us, event.device_time_us), event.text};
}

}  // namespace

std::string_view name(RunStatus status) noexcept {
    switch (status) {
        case RunStatus::completed: return "completed";
        case RunStatus::stopped: return "stopped";
        case RunStatus::fault: return "fault";
        case RunStatus::link_lost: return "link_lost";
        case RunStatus::incomplete: return "incomplete";
    }
    return "incomplete";
}

Conclusion conclude(const experiment::Experiment& experiment, const RunData& run,
                    const std::vector<OperatorMark>& marks, const std::vector<std::string>& files_changed,
                    const CameraInput* camera, std::size_t members) {
    Conclusion c;
    c.ensemble_members = plan::ensemble_size(experiment.uncertainty, members);
    c.files_changed = files_changed;
    c.experiment = experiment;
    c.machine = experiment.table.description;
    c.origin_us = motion_origin_us(run);
    c.events = run.events;
    c.origin = origin_of(experiment, run);
    note_what_is_missing(c, run);
    c.protection_wanted_s = protection_wanted_s(c, run);
    const auto imported = run.metadata.find("imported");
    c.imported = imported != run.metadata.end() && imported->second == "true";
    if (const auto start = run.metadata.find("motion_start"); start != run.metadata.end())
        c.remarks.push_back(start->second);
    for (const auto& [key, text] : run.metadata)  // how an import read another program's columns
        if (key.starts_with("motion_channel_")) c.remarks.push_back(text);
    if (const auto correlation = run.metadata.find("motion_correlation"); correlation != run.metadata.end())
        c.import_correlation = text::parse_number(correlation->second).value_or(0.0);
    conclude_status(run, c);
    conclude_feasibility(c);
    std::vector<AchievedMotion> axes(c.machine.axis_count());
    if (motion_began(run)) {
        c.window = find_motion_window(run);
        for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = identify_achieved_motion(run, c.machine, i);
        c.motion = motion_along(axes, experiment::drive_direction_rad(experiment));
        compare_with_target(c, run);
    }
    for (std::size_t i = 0; axes.size() > 1 && i < axes.size(); ++i)
        c.axes.push_back(
            {std::string(firmware_iface::kAxisNames[i]), axes[i], assess_tracking(axes[i], c.window.motion_end_s)});
    c.identified = identify_whole_motion(c, run);  // half a wave has no amplitude and no frequency
    c.tracking = assess_tracking(c.motion, c.window.motion_end_s);
    c.plateaus = find_plateaus(c.motion, experiment.excitation.planned_motion());
    if (experiment.excitation.type == "record")
        c.spectra = match_spectra(c.motion, experiment.excitation.planned_motion());
    c.platen_impacts = find_platen_impacts(run, c.machine, axes.front(), c.window);
    c.timing = timing_statistics(run);
    c.trigger = find_trigger_edges(run, experiment.table.trigger && !c.imported);
    if (camera) c.camera = film_test(c, run, *camera);
    conclude_specimens(c, run, axes,
                       measure_specimens(run, experiment.specimens, c.motion.grid, c.window, marks,
                                         camera ? &c.camera->filmed : nullptr));
    if (camera) compare_with_camera(c);
    c.assembly = conclude_assembly(experiment, c.motion);
    add_remarks(c);
    return c;
}

std::string caveat(const Conclusion& conclusion) {
    std::vector<std::string> parts;
    if (const auto& missing = conclusion.data_missing; !missing.empty())
        parts.push_back(
            fmt::format("from incomplete data: {}{}", missing.front(),
                        missing.size() > 1 ? fmt::format(" (and {} more)", missing.size() - 1) : std::string()));
    if (conclusion.shortened_s)
        parts.push_back(
            fmt::format("from a recording that the operator ended at t = {:.3f} s: what happened later is not known",
                        *conclusion.shortened_s));
    if (conclusion.protective_ending)
        parts.push_back(fmt::format("of a motion that left the plan at t = {:.3f} s to protect the specimens",
                                    conclusion.protective_ending->from_s));
    if (!conclusion.files_changed.empty())
        parts.push_back(fmt::format("not of the test's own files: {}", fmt::join(conclusion.files_changed, "; ")));
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::optional<AgreementVerdict> overall_verdict(const Conclusion& conclusion) {
    std::optional<AgreementVerdict> worst;
    for (const AgreementVerdict verdict :
         {AgreementVerdict::consistent, AgreementVerdict::uninformative, AgreementVerdict::inconsistent})
        for (const SpecimenConclusion& specimen : conclusion.specimens)
            if (specimen.agreement.verdict == verdict) worst = verdict;
    if (conclusion.assembly) return conclusion.assembly->comparison.agreement.verdict;
    return worst;
}

}  // namespace topple::hil::compare
