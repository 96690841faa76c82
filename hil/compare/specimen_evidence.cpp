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
    PlatenImpacts platen = c.platen_impacts;
    const bool has_many_faces = s.specimen.foot && s.specimen.foot->corners_m.size() > 2;
    if (has_many_faces && platen.why_not.empty())
        platen.why_not = "an irregular body has impacts on several faces, which no zero crossing of its rotation shows";
    return gather_impacts(platen, expected_spikes(s.specimen, s.achieved.prediction, mass_kg, sample_s),
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
