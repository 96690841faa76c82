#include "hil/report/text_summary.hpp"
#include "hil/compare/surprise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/plan/three_dimensional.hpp"
#include "hil/report/assembly_report.hpp"
#include "hil/report/camera_report.hpp"
#include "hil/text/rounded.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::report {
namespace {

using compare::AgreementVerdict;
using compare::Conclusion;
using text::rounded;

std::string line(const std::string& label, const std::string& text) { return fmt::format("{:<12}{}\n", label, text); }

std::string peaks(const std::vector<double>& peak_rad) {
    std::string text;
    for (double peak : peak_rad) text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", peak);
    return text;
}

std::string side_text(const std::optional<solver::Side>& side) {
    return side ? fmt::format(" to the {}", name(*side)) : "";
}

std::string specimen_lines(const compare::SpecimenConclusion& s, const Conclusion& c, const std::string& of) {
    const auto predicted = [](const solver::Prediction& p, const auto& members, const std::string& motion) {
        return fmt::format("{}  ({})", describe(p, members), motion);
    };
    std::string text =
        line("predicted" + of, predicted(s.planned.prediction, s.planned_members, planned_motion_name(c)));
    if (!c.motion.empty()) text += line("", predicted(s.achieved.prediction, s.achieved_members, "achieved motion"));
    text +=
        line("measured" + of, c.motion.empty() && !s.measured.outcome ? "nothing (no motion of the platen was recorded)"
                                                                      : describe(s.measured, c.camera.has_value()));
    text += line("agreement" + of, describe(s.agreement));
    if (s.agreement.verdict && !c.data_missing.empty()) text += line("", "from incomplete data, see above");
    for (const std::string& reason : s.agreement.reasons)
        if (s.agreement.verdict) text += line("", "- " + reason);
    if (s.agreement.verdict) text += line("why" + of, s.why.text);
    for (const std::string& contradiction : s.impacts.contradictions)
        text += line("", "- contradiction: " + contradiction);
    if (s.agreement.verdict && s.blind.verdict != s.agreement.verdict)
        text += line("", fmt::format("with the planned motion: {}", describe(s.blind)));
    return text;
}

std::string tracking_line(const compare::Tracking& tracking, const std::string& of) {
    if (!tracking.evaluated) return {};
    return line(
        "tracking" + of,
        fmt::format("displacement error at most {:.3f} mm (rms {:.3f} mm), peak acceleration {:+.1f} %, lag "
                    "{:.1f} ms",
                    1e3 * tracking.displacement_peak_error_m, 1e3 * tracking.displacement_rms_error_m,
                    rounded(100.0 * tracking.acceleration_peak_error_ratio, 1), rounded(1e3 * tracking.lag_s, 1)));
}

std::string tracking_lines(const Conclusion& c) {
    if (c.axes.empty()) return tracking_line(c.tracking, "");
    std::string text;
    for (const compare::AxisConclusion& axis : c.axes) text += tracking_line(axis.tracking, " " + axis.name);
    return text;
}

// What the equations in the plane know of, and what they do not.
std::string plane_line(const compare::SpecimenConclusion& s, const std::string& of) {
    const auto& peaks = s.achieved_peaks ? s.achieved_peaks : s.planned_peaks;
    if (!peaks) return {};
    return line("plane" + of,
                fmt::format("at {:g} rad from +x; {} {:.4g} m/s2 in it, {:.4g} m/s2 across it", peaks->plane_angle_rad,
                            s.achieved_peaks ? "achieved" : "planned", peaks->in_plane_m_s2, peaks->across_m_s2));
}

// A fitted ratio beside the plan, with one standard error.
std::string deviation(double ratio, double error) {
    return fmt::format("{:+.1f} +- {:.1f} %", rounded(100.0 * (ratio - 1.0), 1), 100.0 * error);
}

std::string identified_line(const compare::IdentifiedExcitation& i) {
    if (!i.evaluated) return {};
    std::string text = i.amplitude_m_s2 && i.frequency_hz
                           ? fmt::format("{:.4g} m/s2 ({}) at {:.4g} Hz ({})", *i.amplitude_m_s2,
                                         deviation(i.amplitude_ratio, i.amplitude_ratio_error), *i.frequency_hz,
                                         deviation(i.frequency_ratio, i.frequency_ratio_error))
                           : fmt::format("{:.4g} times the planned acceleration", i.amplitude_ratio);
    return line("achieved", text + fmt::format(", {:.1f} ms late", rounded(1e3 * i.delay_s, 1)));
}

std::string spectra_line(const std::optional<compare::SpectrumMatch>& spectra) {
    if (!spectra || !spectra->evaluated) return {};
    return line("spectrum", fmt::format("achieved against planned {:+.1f} % at most (at {:.2f} Hz), rms {:.1f} %",
                                        rounded(100.0 * spectra->worst_error_ratio, 1), spectra->worst_frequency_hz,
                                        100.0 * spectra->rms_error_ratio));
}

// Peak and rest, or the fall: what the outcome alone does not say; empty for a block that stays.
std::string details(const solver::Prediction& p) {
    std::string text;
    if (is_overturning(p.outcome)) {
        text = p.direction ? fmt::format("to the {}", name(*p.direction)) : "";
        if (p.overturn_time_s) text += fmt::format("{}at {:.2f} s", text.empty() ? "" : " ", *p.overturn_time_s);
        return text;
    }
    if (p.outcome != solver::Outcome::translation) text = fmt::format("peak {} rad", peaks(p.peak_rotation_rad));
    if (p.settled_time_s && p.outcome == solver::Outcome::rocking)
        text += fmt::format(", at rest after {:.2f} s", *p.settled_time_s);
    if (p.resting_face)
        text += p.settled_time_s && !text.empty()
                    ? fmt::format(" on face {}", *p.resting_face)
                    : fmt::format("{}at rest on face {}", text.empty() ? "" : ", ", *p.resting_face);
    return text;
}

}  // namespace

std::string describe(const solver::Prediction& p) {
    if (!p.outcome) return "no outcome: " + plan::failure_text(p);
    const std::string more = details(p);
    return std::string(name(*p.outcome)) + (more.empty() ? "" : is_overturning(p.outcome) ? " " + more : ", " + more);
}

std::string describe(const solver::Prediction& p, const std::vector<plan::EnsembleMember>& members) {
    if (members.empty()) return describe(p);
    std::string text = plan::probability_text(members);
    if (!p.outcome) return text + "; the specimen as described: " + describe(p);
    if (plan::likeliest(members) != p.outcome)
        return text + fmt::format("; the specimen as described: {}", name(*p.outcome));
    const std::string more = details(p);
    const bool certain = text.find(',') == std::string::npos;
    if (!more.empty())
        text += certain ? ": " + more : fmt::format("; the specimen as described: {} {}", name(*p.outcome), more);
    return text;
}

std::string planned_motion_name(const Conclusion& c) {
    if (!c.files_changed.empty()) return "planned motion, computed again from the present files";
    return c.imported ? "planned motion, computed after the test" : "planned motion, before the test";
}

std::string not_plane_note(const Conclusion& c, std::size_t specimen) {
    const std::optional<plan::SpaceAccount> account = plan::space_account(c.experiment, specimen);
    if (!account || account->verdict != plan::SpaceVerdict::not_planar) return {};
    return fmt::format("{}is NOT A PLANE BODY: {}; read {}",
                       c.specimens.size() == 1 ? "the specimen " : fmt::format("specimen {} ", specimen),
                       account->reasons.empty() ? "see the report" : account->reasons.front(), account->reading);
}

std::string describe(const compare::SpecimenMeasurement& m, bool is_filmed) {
    if (!m.outcome && !m.undecided.empty()) return "no outcome: " + m.undecided;
    if (!m.outcome && m.has_rotation()) return "no outcome: the rotation sensors do not show it";
    if (!m.outcome) return "nothing (no rotation sensor; record what you saw with `topple mark`)";
    std::string text(name(*m.outcome));
    if (is_overturning(*m.outcome)) {
        text += side_text(m.side);
        if (m.overturn_time_s) text += fmt::format(" at {:.2f} s", *m.overturn_time_s);
    } else if (m.has_rotation()) {
        std::vector<double> peak_rad;
        for (const compare::BlockMeasurement& block : m.blocks) peak_rad.push_back(block.peak_rotation_rad);
        text += fmt::format(", peak {} rad{}", peaks(peak_rad),
                            m.source != compare::MeasurementSource::operator_mark ? ""
                            : is_filmed                                           ? " by the camera"
                                                                                  : " by the sensor");
    }
    if (m.resting_face) text += fmt::format(", at rest on face {}", *m.resting_face);
    text += fmt::format("  (source: {})", name(m.source));
    return m.discarded ? text + "; discarded: " + text::one_line(*m.discarded) : text;
}

std::string describe(const experiment::Excitation& e) {
    if (e.type == "none" || e.planned_motion().empty()) return "no base motion";
    const double frequency_hz = e.angular_frequency_rad_s / (2.0 * std::numbers::pi);
    if (e.type == "sine" || e.type == "cosine")
        return fmt::format("{}{} of {:.4g} m/s2 at {:.4g} Hz",
                           e.cycles == 1.0 ? "single " : fmt::format("{:g} cycles of ", e.cycles), e.type,
                           e.amplitude_m_s2, frequency_hz);
    const auto extremes = e.planned_motion().extremes();
    return fmt::format("{}, peak {:.4g} m/s2, {:.3g} s", e.type, std::abs(extremes.acceleration_peak_m_s2),
                       e.planned_motion().end_s());
}

std::string direction_text(const experiment::Experiment& experiment) {
    if (experiment.excitation_y) return " along x; along y " + describe(*experiment.excitation_y);
    if (experiment.direction_rad) return fmt::format(", at {:g} rad from +x", *experiment.direction_rad);
    return experiment.table.axis == 1 ? ", along y" : "";
}

std::string describe(const compare::Agreement& agreement) {
    if (!agreement.verdict)
        return "not judged: " + (agreement.reasons.empty() ? std::string("no comparison") : agreement.reasons.front());
    const std::string surprise = fmt::format("of 100 such tests {} would differ as much from the prediction",
                                             compare::of_100(agreement.probability));
    const std::string counted = fmt::format("{} of {} criteria count", agreement.counted(), agreement.criteria.size());
    switch (*agreement.verdict) {
        case AgreementVerdict::consistent: return fmt::format("consistent: {}; {}", counted, surprise);
        case AgreementVerdict::inconsistent: return fmt::format("inconsistent: {}", surprise);
        case AgreementVerdict::uninformative:
            return fmt::format("uninformative: {}, the prediction is too wide to be tested", counted);
    }
    return {};
}

std::string text_summary(const Conclusion& c, const std::filesystem::path& run_folder,
                         const std::string& figures_missing) {
    std::string text = line("test", fmt::format("{}: {}{}", text::one_line(c.experiment.name),
                                                describe(c.experiment.excitation), direction_text(c.experiment)));
    if (c.status != compare::RunStatus::completed)
        text += line("", fmt::format("NOT COMPLETED ({}): {}", name(c.status), c.status_reason));
    if (const std::string but = compare::caveat(c); !but.empty())
        text += line("", (c.data_missing.empty() ? "all that follows is " : "DAMAGED LOG: all that follows is ") + but);
    for (std::size_t i = 0; i < c.specimens.size(); ++i) {
        const std::string of = c.specimens.size() == 1 ? "" : fmt::format(" {}", i);
        text += line("specimen" + of, plan::describe(c.specimens[i].specimen));
        text += plane_line(c.specimens[i], of);
        text += specimen_lines(c.specimens[i], c, of);
        if (const std::string note = not_plane_note(c, i); !note.empty()) text += line("note", note);
    }
    for (const std::string& words : assembly_lines(c)) text += line("blocks", words);
    for (const std::string& words : camera_lines(c)) text += line("camera", words);
    if (!c.imported && !c.blind_record.statement.empty()) text += line("blind", c.blind_record.statement);
    text += identified_line(c.identified);
    text += spectra_line(c.spectra);
    text += tracking_lines(c);
    if (c.origin.calibration) text += line("machine", "calibrated " + describe(*c.origin.calibration));
    for (const std::string& remark : c.remarks) text += line("note", remark);
    text += line("report", (run_folder / "report.html").string() +
                               (figures_missing.empty() ? "" : "  (without figures: " + figures_missing + ")"));
    text += line("data", (run_folder / "summary.json").string() + ", run.mcap");
    return text;
}

}  // namespace topple::hil::report
