#include "hil/report/motion_json.hpp"
#include "hil/plan/json_or_null.hpp"
#include "hil/plan/outcome_sensitivity.hpp"

namespace topple::hil::report {
namespace {

using plan::or_null;
using Json = nlohmann::ordered_json;

Json tracking_json(const compare::Tracking& t) {
    if (!t.evaluated) return nullptr;
    return {{"displacement_peak_error_m", t.displacement_peak_error_m},
            {"displacement_peak_error_time_s", t.displacement_peak_error_time_s},
            {"displacement_rms_error_m", t.displacement_rms_error_m},
            {"commanded_displacement_peak_m", t.commanded_displacement_peak_m},
            {"achieved_displacement_peak_m", t.achieved_displacement_peak_m},
            {"commanded_velocity_peak_m_s", t.commanded_velocity_peak_m_s},
            {"achieved_velocity_peak_m_s", t.achieved_velocity_peak_m_s},
            {"velocity_peak_error_ratio", t.velocity_peak_error_ratio},
            {"commanded_acceleration_peak_m_s2", t.commanded_acceleration_peak_m_s2},
            {"achieved_acceleration_peak_m_s2", t.achieved_acceleration_peak_m_s2},
            {"acceleration_peak_error_ratio", t.acceleration_peak_error_ratio},
            {"lag_s", t.lag_s},
            {"rest_offset_m", t.rest_offset_m},
            {"sign_reversed", t.sign_reversed}};
}

Json identified_json(const compare::IdentifiedExcitation& i) {
    if (!i.evaluated) return nullptr;
    return {{"amplitude_m_s2", or_null(i.amplitude_m_s2)},
            {"frequency_hz", or_null(i.frequency_hz)},
            {"amplitude_ratio", i.amplitude_ratio},
            {"frequency_ratio", i.frequency_ratio},
            {"delay_s", i.delay_s},
            {"amplitude_ratio_error", i.amplitude_ratio_error},
            {"frequency_ratio_error", i.frequency_ratio_error},
            {"delay_error_s", i.delay_error_s},
            {"residual_ratio", i.residual_ratio},
            {"third_harmonic_ratio", or_null(i.third_harmonic_ratio)},
            {"double_constant", i.double_constant},
            {"correlation", i.correlation},
            {"sign_reversed", i.sign_reversed}};
}

Json plateaus_json(const std::vector<compare::Plateau>& plateaus) {
    Json list = Json::array();
    for (const compare::Plateau& p : plateaus)
        list.push_back({{"start_s", p.start_s},
                        {"end_s", p.end_s},
                        {"planned_m_s2", p.planned_m_s2},
                        {"mean_m_s2", p.mean_m_s2},
                        {"mean_error_m_s2", p.mean_error_m_s2},
                        {"slope_m_s3", p.slope_m_s3},
                        {"ripple_m_s2", p.ripple_m_s2},
                        {"planned_gain_m_s", p.planned_gain_m_s},
                        {"gain_m_s", p.gain_m_s}});
    return list;
}

Json spectra_json(const std::optional<compare::SpectrumMatch>& spectra) {
    if (!spectra) return nullptr;
    if (!spectra->evaluated) return {{"why_not", spectra->why_not}};
    return {{"damping_ratio", compare::kSpectrumDamping_ratio},
            {"worst_error_ratio", spectra->worst_error_ratio},
            {"worst_frequency_hz", spectra->worst_frequency_hz},
            {"rms_error_ratio", spectra->rms_error_ratio},
            {"compared", spectra->compared},
            {"frequency_hz", spectra->frequency_hz},
            {"planned_m_s2", spectra->planned_m_s2},
            {"achieved_m_s2", spectra->achieved_m_s2}};
}

Json gaps_json(const signal::SampleGaps& gaps) {
    return {{"dropped", gaps.dropped}, {"gaps", gaps.gap_count}, {"longest_gap_s", gaps.longest_gap_s}};
}

Json achieved_motion_json(const compare::AchievedMotion& m) {
    if (m.empty()) return nullptr;
    const compare::AccelerometerAssessment& a = m.accelerometer;
    Json accelerometer = nullptr;
    if (a.present)
        accelerometer = {{"used", a.used},
                         {"bias_m_s2", a.bias_m_s2},
                         {"noise_m_s2", a.noise_m_s2},
                         {"delay_s", a.delay_s},
                         {"gain", a.gain},
                         {"correlation", a.correlation},
                         {"remark", a.remark},
                         {"gaps", gaps_json(m.accelerometer_gaps)}};
    return {{"bandwidth_hz", m.bandwidth_hz},
            {"crossover_hz", m.crossover_hz > 0.0 ? Json(m.crossover_hz) : Json(nullptr)},
            {"sampling_step_s", m.grid.step_s},
            {"rest_window_s", {m.rest_start_s, m.rest_end_s}},
            {"rest_acceleration_m_s2", m.rest_noise_m_s2},
            {"encoder", {{"gaps", gaps_json(m.encoder_gaps)}}},
            {"accelerometer", std::move(accelerometer)}};
}

Json axes_json(const std::vector<compare::AxisConclusion>& axes) {
    Json list = Json::array();
    for (const compare::AxisConclusion& axis : axes)
        list.push_back({{"axis", axis.name},
                        {"tracking", tracking_json(axis.tracking)},
                        {"achieved_motion", achieved_motion_json(axis.motion)}});
    return list;
}

Json peaks_json(const std::optional<experiment::PlanePeaks>& peaks) {
    if (!peaks) return nullptr;
    return {{"acceleration_in_plane_peak_m_s2", peaks->in_plane_m_s2},
            {"acceleration_across_plane_peak_m_s2", peaks->across_m_s2}};
}

/// One sensitivity per specimen, in their order.
Json fused_json(const compare::Conclusion& c) {
    Json json = plan::fusion_json(c.motion.fusion->calibration, c.motion.fusion->residual_m);
    json["outcome_sensitivity"] = Json::array();
    for (const compare::SpecimenConclusion& specimen : c.specimens)
        if (specimen.sensitivity) json["outcome_sensitivity"].push_back(plan::sensitivity_json(*specimen.sensitivity));
    return json;
}

}  // namespace

Json plane_json(const compare::SpecimenConclusion& specimen) {
    if (!specimen.planned_peaks) return nullptr;
    return {{"plane_angle_rad", specimen.planned_peaks->plane_angle_rad},
            {"planned", peaks_json(specimen.planned_peaks)},
            {"achieved", peaks_json(specimen.achieved_peaks)}};
}

Json motion_json(const compare::Conclusion& c) {
    Json json{{"tracking", tracking_json(c.tracking)},
              {"identified", identified_json(c.identified)},
              {"plateaus", plateaus_json(c.plateaus)},
              {"response_spectra", spectra_json(c.spectra)},
              {"achieved_motion", achieved_motion_json(c.motion)}};
    if (!c.axes.empty()) json["axes"] = axes_json(c.axes);
    if (c.motion.fusion) json["motion_fusion"] = fused_json(c);
    return json;
}

}  // namespace topple::hil::report
