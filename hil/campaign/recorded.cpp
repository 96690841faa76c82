#include "hil/campaign/recorded.hpp"

#include <algorithm>

#include "hil/conclude/mark_file.hpp"
#include "hil/plan/member_shares.hpp"

namespace topple::hil::campaign {
namespace {

void take_members(SpecimenRecord& record, const std::vector<plan::EnsembleMember>& members) {
    record.members = members.size();
    record.probability = {};
    for (const plan::EnsembleMember& member : members)
        if (member.outcome) record.probability.at(solver::outcome_code(member.outcome)) += member.weight;
    if (members.empty()) return;
    for (double& share : record.probability) share /= plan::weight_of(members);
}

void take_measurement(SpecimenRecord& record, const compare::SpecimenMeasurement& measured) {
    record.outcome = measured.outcome;
    record.side = measured.side;
    record.source = name(measured.source);
    record.peak_rotation_rad.reset();
    if (solver::is_overturning(measured.outcome)) return;  // it is lying on its side
    for (const compare::BlockMeasurement& block : measured.blocks)
        record.peak_rotation_rad = std::max(record.peak_rotation_rad.value_or(0.0), block.peak_rotation_rad);
}

// Of a specimen that the test cannot count without.
void discard(TestRecord& record, const std::string& reason) {
    record.status = TestStatus::discarded;
    record.reason = reason;
}

}  // namespace

double peak_velocity_m_s(const experiment::Experiment& one) {
    return one.excitation.planned_motion().extremes().velocity_peak_m_s;
}

void take_prediction(TestRecord& record, const plan::ExperimentPrediction& prediction) {
    record.specimens.resize(prediction.specimens.size());
    for (std::size_t i = 0; i < record.specimens.size(); ++i) {
        record.specimens[i].predicted = prediction.specimens[i].prediction.outcome;
        take_members(record.specimens[i], prediction.specimens[i].members);
    }
}

void take_conclusion(TestRecord& record, const compare::Conclusion& conclusion) {
    record.status = TestStatus::done;
    record.reason.clear();
    record.specimens.resize(conclusion.specimens.size());
    for (std::size_t i = 0; i < record.specimens.size(); ++i) {
        SpecimenRecord& specimen = record.specimens[i];
        const compare::SpecimenConclusion& concluded = conclusion.specimens[i];
        take_measurement(specimen, concluded.measured);
        specimen.verdict = concluded.agreement.verdict ? std::string(name(*concluded.agreement.verdict)) : "";
        if (concluded.measured.discarded)
            discard(record, *concluded.measured.discarded);
        else if (!specimen.outcome)
            discard(record, concluded.measured.undecided.empty() ? "nobody and no sensor saw the outcome"
                                                                 : concluded.measured.undecided);
    }
    if (conclusion.status == compare::RunStatus::completed) return;
    record.status = TestStatus::interrupted;
    record.reason = std::string(name(conclusion.status)) +
                    (conclusion.status_reason.empty() ? "" : ": " + conclusion.status_reason);
}

void take_marks(TestRecord& record, const std::vector<compare::OperatorMark>& marks) {
    for (const compare::OperatorMark& mark : compare::effective_marks(marks)) {
        if (mark.specimen >= record.specimens.size()) continue;
        SpecimenRecord& specimen = record.specimens[mark.specimen];
        if (mark.outcome) {
            if (specimen.outcome != mark.outcome) specimen.side.reset();
            specimen.outcome = mark.outcome;
            specimen.source = "operator";
        }
        if (mark.side) specimen.side = mark.side;
        if (mark.discard_reason) discard(record, *mark.discard_reason);
    }
}

std::vector<compare::OperatorMark> marks_of(const Operator& person, const std::vector<Seen>& seen) {
    std::vector<compare::OperatorMark> marks;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        if (!seen[i].outcome && !seen[i].discard) continue;
        compare::OperatorMark mark{
            .specimen = i, .outcome = seen[i].outcome, .side = seen[i].side, .discard_reason = seen[i].discard};
        mark.blocks_overturned = seen[i].blocks_overturned;
        conclude::stamp(mark, person.name);
        marks.push_back(std::move(mark));
    }
    return marks;
}

}  // namespace topple::hil::campaign
