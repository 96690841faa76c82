#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hil/host/version.hpp"
#include "hil/report/html.hpp"
#include "hil/report/report_sections.hpp"
#include "hil/text/rounded.hpp"

namespace topple::hil::report {
namespace {

using compare::Conclusion;
using text::rounded;
using Row = std::vector<std::string>;

/// A fitted ratio beside the plan, with one standard error.
std::string deviation(double ratio, double error) {
    return fmt::format("{:+.2f} &plusmn; {:.2f} % of the plan", rounded(100.0 * (ratio - 1.0), 2), 100.0 * error);
}

std::string identified_table(const Conclusion& c) {
    const compare::IdentifiedExcitation& i = c.identified;
    if (!i.evaluated) return "<p>Not identified: " + html_words(i.why_not) + ".</p>";
    HtmlTable table;
    if (i.amplitude_m_s2)
        table.rows.push_back({"amplitude", fmt::format("{:.4g} m/s&sup2;", *i.amplitude_m_s2),
                              deviation(i.amplitude_ratio, i.amplitude_ratio_error)});
    else
        table.rows.push_back({"scale", fmt::format("{:.4g}", i.amplitude_ratio), "of the planned acceleration"});
    if (i.frequency_hz)
        table.rows.push_back({"frequency", fmt::format("{:.5g} Hz", *i.frequency_hz),
                              deviation(i.frequency_ratio, i.frequency_ratio_error)});
    else
        table.rows.push_back({"time scale", fmt::format("{:.5g}", i.frequency_ratio), "above 1: faster than planned"});
    table.rows.push_back({"delay", fmt::format("{:.1f} ms", rounded(1e3 * i.delay_s, 1)),
                          fmt::format("&plusmn; {:.1f} ms, from the first setpoint", 1e3 * i.delay_error_s)});
    table.rows.push_back({"misfit", fmt::format("{:.1f} %", 100.0 * i.residual_ratio),
                          "rms of the difference over rms of the measured acceleration"});
    if (i.third_harmonic_ratio)
        table.rows.push_back({"flattening", fmt::format("{:+.1f} %", rounded(100.0 * *i.third_harmonic_ratio, 1)),
                              i.double_constant ? "third harmonic: <span class=\"no\">double constant</span>"
                                                : "third harmonic: not a double constant"});
    table.rows.push_back({"sign", i.sign_reversed ? "<span class=\"no\">reversed</span>" : "as planned",
                          fmt::format("correlation {:.4f}", rounded(i.correlation, 4))});
    return "<h3>Identified excitation</h3>" + html_table(table);
}

std::string tracking_table(const compare::Tracking& t, const std::string& of) {
    if (!t.evaluated) return "<h3>Tracking" + of + "</h3><p>No command is known.</p>";
    HtmlTable table{.header = {"", "commanded", "achieved", "error"}, .rows = {}};
    table.rows.push_back(
        {"peak displacement", fmt::format("{:.3f} mm", 1e3 * t.commanded_displacement_peak_m),
         fmt::format("{:.3f} mm", 1e3 * t.achieved_displacement_peak_m),
         fmt::format("at most {:.3f} mm (at {:.3f} s), rms {:.3f} mm", 1e3 * t.displacement_peak_error_m,
                     t.displacement_peak_error_time_s, 1e3 * t.displacement_rms_error_m)});
    table.rows.push_back({"peak velocity", fmt::format("{:.4f} m/s", t.commanded_velocity_peak_m_s),
                          fmt::format("{:.4f} m/s", t.achieved_velocity_peak_m_s),
                          fmt::format("{:+.2f} %", rounded(100.0 * t.velocity_peak_error_ratio, 2))});
    table.rows.push_back({"peak acceleration", fmt::format("{:.3f} m/s&sup2;", t.commanded_acceleration_peak_m_s2),
                          fmt::format("{:.3f} m/s&sup2;", t.achieved_acceleration_peak_m_s2),
                          fmt::format("{:+.2f} %", rounded(100.0 * t.acceleration_peak_error_ratio, 2))});
    table.rows.push_back({"lag", "", "", fmt::format("{:.2f} ms", rounded(1e3 * t.lag_s, 2))});
    return "<h3>Tracking" + of + "</h3>" + html_table(table);
}

/// In the plane of each specimen and across it, where planes are spoken of.
std::string plane_table(const Conclusion& c) {
    HtmlTable table{.header = {"peak acceleration", "planned, in plane", "across", "achieved, in plane", "across"},
                    .rows = {}};
    const auto value = [](double acceleration_m_s2) { return fmt::format("{:.3f} m/s&sup2;", acceleration_m_s2); };
    for (std::size_t i = 0; i < c.specimens.size(); ++i) {
        const compare::SpecimenConclusion& s = c.specimens[i];
        if (!s.planned_peaks) continue;
        Row row{fmt::format("specimen {}, plane at {:g} rad from +x", i, s.planned_peaks->plane_angle_rad),
                value(s.planned_peaks->in_plane_m_s2), value(s.planned_peaks->across_m_s2), "", ""};
        if (s.achieved_peaks) {
            row[3] = value(s.achieved_peaks->in_plane_m_s2);
            row[4] = value(s.achieved_peaks->across_m_s2);
        }
        table.rows.push_back(std::move(row));
    }
    return table.rows.empty() ? std::string() : "<h3>Planes of the specimens</h3>" + html_table(table);
}

std::string plateau_table(const std::vector<compare::Plateau>& plateaus) {
    if (plateaus.empty()) return {};
    HtmlTable table{.header = {"constant acceleration", "planned", "mean", "slope", "ripple (rms)", "gain of velocity"},
                    .rows = {}};
    for (const compare::Plateau& p : plateaus)
        table.rows.push_back(
            {fmt::format("{:.3f} to {:.3f} s", p.start_s, p.end_s), fmt::format("{:.3f} m/s&sup2;", p.planned_m_s2),
             fmt::format("{:.3f} &plusmn; {:.3f} m/s&sup2;", p.mean_m_s2, p.mean_error_m_s2),
             fmt::format("{:+.2f} m/s&sup3;", rounded(p.slope_m_s3, 2)), fmt::format("{:.3f} m/s&sup2;", p.ripple_m_s2),
             fmt::format("{:.4f} m/s (planned {:.4f})", p.gain_m_s, p.planned_gain_m_s)});
    return "<h3>Constant accelerations</h3>" + html_table(table);
}

std::string spectra_table(const std::optional<compare::SpectrumMatch>& spectra) {
    if (!spectra) return {};
    if (!spectra->evaluated) return "<h3>Response spectrum</h3><p>" + html_words(spectra->why_not) + ".</p>";
    HtmlTable table;
    table.rows.push_back({"largest error", fmt::format("{:+.1f} %", rounded(100.0 * spectra->worst_error_ratio, 1)),
                          fmt::format("at {:.2f} Hz; 5 % damping, {:g} to {:g} Hz", spectra->worst_frequency_hz,
                                      compare::kSpectrumLow_hz, compare::kSpectrumHigh_hz)});
    table.rows.push_back({"rms error", fmt::format("{:.1f} %", 100.0 * spectra->rms_error_ratio),
                          fmt::format("over {} frequencies", spectra->compared)});
    return "<h3>Response spectrum, achieved against planned</h3>" + html_table(table);
}

std::string achieved_table(const compare::AchievedMotion& m, const std::string& of) {
    if (m.empty()) return {};
    HtmlTable table;
    table.rows.push_back(
        {"low-pass",
         fmt::format("{:.0f} Hz (-3 dB), zero phase, second-order Butterworth forward and backward", m.bandwidth_hz)});
    table.rows.push_back(
        {"acceleration",
         m.crossover_hz > 0.0
             ? fmt::format("encoder below, accelerometer above {:.1f} Hz (complementary)", m.crossover_hz)
             : "second difference of the encoder alone"});
    const compare::AccelerometerAssessment& a = m.accelerometer;
    if (a.present)
        table.rows.push_back(
            {"accelerometer", fmt::format("{} {:+.3f} m/s&sup2; removed, noise {:.3f} m/s&sup2;, delay "
                                          "{:+.1f} ms, gain {:.3f}, correlation with the encoder {:.3f}{}",
                                          m.fusion ? "zero of the reading, before its gain," : "bias",
                                          rounded(a.bias_m_s2, 3), a.noise_m_s2, rounded(1e3 * a.delay_s, 1), a.gain,
                                          rounded(a.correlation, 3), a.used ? "" : "; not used")});
    if (m.fusion)
        table.rows.push_back(
            {"displacement and acceleration",
             html_words(fmt::format("{}; the fused motion leaves {:.3g} mm rms of the displacement",
                                    fused_motion::describe(m.fusion->calibration), 1e3 * m.fusion->residual_m))});
    table.rows.push_back({"at rest", fmt::format("largest achieved acceleration {:.3f} m/s&sup2;", m.rest_noise_m_s2)});
    table.rows.push_back(
        {"samples", fmt::format("every {:.3f} ms of device time; encoder: {} dropped, {} gaps", 1e3 * m.grid.step_s,
                                m.encoder_gaps.dropped, m.encoder_gaps.gap_count)});
    return "<h3>Achieved motion" + of + "</h3>" + html_table(table);
}

void add_clock_rows(HtmlTable& table, const compare::ClockStatistics& clock, std::uint64_t origin_us) {
    table.rows.push_back(
        {"device clock fast against the host's",
         fmt::format("{:+.1f} ppm, accurate to ±{:.0f} ppm{}", rounded(clock.skew_ppm, 1), clock.skew_bound_ppm,
                     clock.drifting ? ": <span class=\"no\">not plausible</span>" : "")});
    table.rows.push_back({"host time of a sample", fmt::format("accurate to ±{:.1f} ms", 1e3 * clock.bound_s)});
    for (const auto& jump : clock.jumps)
        table.rows.push_back({"<span class=\"no\">jump of the device clock</span>",
                              fmt::format("{:+.1f} ms at t = {:.3f} s", rounded(1e3 * jump.step_s, 1),
                                          compare::seconds_from(origin_us, jump.device_time_us))});
}

std::string percentile_cells(const compare::Percentiles& p) {
    return fmt::format("{:.0f} / {:.0f} / {:.0f} &micro;s", p.p50, p.p99, p.max);
}

}  // namespace

std::string table_section(const Conclusion& c) {
    std::string motion;
    if (c.axes.empty()) motion = tracking_table(c.tracking, "") + achieved_table(c.motion, "");
    for (const compare::AxisConclusion& axis : c.axes) {
        const std::string of = " of axis " + axis.name;
        motion += tracking_table(axis.tracking, of) + achieved_table(axis.motion, of);
    }
    return html_section("What the table did", identified_table(c) + plateau_table(c.plateaus) +
                                                  spectra_table(c.spectra) + plane_table(c) + motion);
}

std::string feasibility_section(const Conclusion& c) {
    if (c.feasibility.checks.empty()) return {};
    HtmlTable table{.header = {"check", "worst", "limit", "at", ""}, .rows = {}};
    for (const auto& check : c.feasibility.checks)
        table.rows.push_back({escape_html((check.axis.empty() ? "" : "axis " + check.axis + ": ") + check.name),
                              fmt::format("{:.4g} {}", check.value, html_words(check.unit)),
                              fmt::format("{:.4g} {}", check.limit, html_words(check.unit)),
                              fmt::format("{:.3f} s", check.time_s),
                              check.passed         ? "<span class=\"yes\">within</span>"
                              : check.warning_only ? "<span class=\"no\">warning</span>"
                                                   : "<span class=\"no\">beyond</span>"});
    return html_section("Feasibility on " + c.machine.name, html_table(table));
}

std::string timing_section(const Conclusion& c) {
    HtmlTable table{.header = {"", "median / 99 % / largest"}, .rows = {}};
    const compare::TimingStatistics& t = c.timing;
    if (t.cycles > 0) {
        table.rows.push_back({"host wake-up late", percentile_cells(t.wake_late_us)});
        table.rows.push_back({"host work per cycle", percentile_cells(t.busy_us)});
        table.rows.push_back({"host cycles", fmt::format("{}, of which missed {}", t.cycles, t.cycles_missed)});
    }
    if (t.scheduling) table.rows.push_back({"scheduling of the host's cycles", escape_html(*t.scheduling)});
    if (t.feedback_count > 1)
        table.rows.push_back({"period of the feedback, device time", percentile_cells(t.feedback_period_us)});
    if (t.queue_level_min > 0)
        table.rows.push_back({"smallest number of setpoints waiting in the device", std::to_string(t.queue_level_min)});
    if (t.round_trip_us)
        table.rows.push_back({"round trip at connect", fmt::format("{:.0f} &micro;s", *t.round_trip_us)});
    if (t.clock) add_clock_rows(table, *t.clock, c.origin_us);
    return table.rows.empty() ? std::string() : html_section("Timing", html_table(table));
}

std::string truth_section(const RunIdentity& identity) {
    if (identity.truth_json.empty()) return {};
    const auto truth = nlohmann::ordered_json::parse(identity.truth_json, nullptr, false);
    if (truth.is_discarded() || truth.is_null()) return {};
    return html_section("Hidden truth of the simulated specimen",
                        "<p class=\"soft\">Revealed after the comparison was made; neither prediction nor "
                        "comparison knew it.</p><pre>" +
                            escape_html(truth.dump(1)) + "</pre>");
}

std::string identity_section(const Conclusion& c, const RunIdentity& identity) {
    HtmlTable table;
    table.rows.push_back({"Topple", escape_html(host::version())});
    for (const auto& [key, value] : identity.metadata) table.rows.push_back({escape_html(key), escape_html(value)});
    table.rows.push_back({"simulation seed", std::to_string(c.experiment.simulation.seed)});
    for (const auto& [file, hash] : identity.sha256)
        table.rows.push_back({"SHA-256 of " + escape_html(file), escape_html(hash)});
    table.rows.push_back(
        {"prediction.json", identity.prediction_json.empty() ? "there is none"
                            : identity.prediction_is_frozen
                                ? "is the one that was frozen before the motion"
                                : "<span class=\"no\">is not the one whose hash the log begins with</span>"});
    for (const std::string& file : identity.flight_files)
        table.rows.push_back({"flight recorder", escape_html(file) + ": the last ticks before the stop or fault"});
    if (!identity.log_damage.empty()) table.rows.push_back({"log", escape_html(identity.log_damage)});
    return html_section("Identity", html_table(table, "hash"));
}

}  // namespace topple::hil::report
