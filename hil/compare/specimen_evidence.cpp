#include "hil/compare/specimen_evidence.hpp"

#include <vector>

namespace topple::hil::compare {
namespace {

ImpactEvidence impacts_of(const SpecimenConclusion& s, const Conclusion& c) {
    const double mass_kg = c.machine.moving_mass_kg + experiment::payload_kg(c.experiment);
    const double sample_s = c.platen_impacts.sample_s;
    std::vector<double> rotation_s;
    const ComparisonContext context{s.specimen, s.measured, c.window.motion_end_s + c.machine.settling_time_s};
    if (rotation_is_complete(s.measured)) rotation_s = statistics_of(s.measured, context).impact_s;
    return gather_impacts(c.platen_impacts, expected_spikes(s.specimen, s.achieved.prediction, mass_kg, sample_s),
                          typical_spike_m_s2(s.specimen, c.experiment.gravity_m_s2, mass_kg, sample_s), s.measured,
                          rotation_s, c.experiment.specimens.size());
}

}  // namespace

void add_evidence(SpecimenConclusion& s, const Conclusion& c) {
    const solver::BaseMotion& planned = c.experiment.excitation.planned_motion();
    s.attribution = attribute(s.specimen, c.experiment, c.motion, c.identified);
    s.impacts = impacts_of(s, c);
    s.models = compare_models(s.specimen, c.motion, planned, c.experiment.gravity_m_s2);
    s.why =
        explain_why({s.blind, s.agreement, s.planned_members, c.motion.empty() ? s.planned_members : s.achieved_members,
                     s.measured.outcome, s.attribution, s.models});
}

}  // namespace topple::hil::compare
