#include "hil/report/camera_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "hil/plan/json_or_null.hpp"
#include "hil/report/figure_script.hpp"
#include "hil/report/html.hpp"

namespace topple::hil::report {
namespace {

using compare::Conclusion;
using compare::FilmedRotation;
using compare::HistoryLikeness;
using plan::or_null;
using Json = nlohmann::ordered_json;

Json bodies_json(const FilmedRotation& filmed) {
    Json list = Json::array();
    for (const camera::BodyFit& body : filmed.bodies)
        list.push_back({{"markers", body.markers}, {"left_out", body.left_out}, {"residual_m", body.residual_m}});
    return list;
}

Json clock_json(const FilmedRotation& f) {
    return {{"how", f.how},
            {"offset_s", f.line.offset_s},
            {"rate", f.line.rate},
            {"offset_error_s", f.offset_error_s},
            {"rate_error", f.rate_error},
            {"is_fitted", f.is_fitted},
            {"compared_with", plan::text_or_null(f.compared_with)},
            {"lag_s", or_null(f.lag_s)},
            {"residual_s", or_null(f.residual_s)},
            {"correlation", or_null(f.correlation)},
            {"gain", or_null(f.gain)}};
}

Json likeness_json(const std::vector<HistoryLikeness>& blocks) {
    if (blocks.empty()) return nullptr;
    Json list = Json::array();
    for (const HistoryLikeness& b : blocks)
        list.push_back({{"until_s", b.until_s},
                        {"peak_rotation_rad", b.peak_rad},
                        {"expected_peak_rotation_rad", b.expected_peak_rad},
                        {"nrmse", or_null(b.nrmse)},
                        {"phase_plane_distance", or_null(b.phase_plane)},
                        {"orbit_distance", or_null(b.orbit)},
                        {"impact_times_s", b.impact_s},
                        {"expected_impact_times_s", b.expected_impact_s},
                        {"periods_s", b.period_s},
                        {"expected_periods_s", b.expected_period_s}});
    return list;
}

std::string percent(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:.2g} %", 100.0 * *ratio) : "-";
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.2g}", *value) : "-"; }

std::string times(const std::vector<double>& list, const char* format) {
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 3); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", fmt::format(fmt::runtime(format), list[i]));
    return text.empty() ? "-" : text;
}

std::string likeness_line(const HistoryLikeness& b, const std::string& block, const std::string& with) {
    return fmt::format(
        "{}against the {}: peak {:.4g} to {:.4g} rad, nrmse {}, phase-plane distance {} (orbits {}), until t = {:.2f} "
        "s",
        block, with, b.peak_rad, b.expected_peak_rad, percent(b.nrmse), number(b.phase_plane), number(b.orbit),
        b.until_s);
}

void add_rows(HtmlTable& table, const std::vector<HistoryLikeness>& blocks, const std::string& of,
              const std::string& with) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const HistoryLikeness& b = blocks[i];
        const std::string block = blocks.size() == 1 ? "" : fmt::format(", block {}", i);
        table.rows.push_back({with + of + block, fmt::format("{:.4g} / {:.4g} rad", b.peak_rad, b.expected_peak_rad),
                              times(b.impact_s, "{:.3f}") + " / " + times(b.expected_impact_s, "{:.3f}") + " s",
                              times(b.period_s, "{:.3f}") + " / " + times(b.expected_period_s, "{:.3f}") + " s",
                              percent(b.nrmse), number(b.phase_plane), number(b.orbit)});
    }
}

std::string frames_text(const FilmedRotation& f) {
    return fmt::format("{} frames at {:.4g} Hz ({}) from t = {:.2f} to {:.2f} s", f.time_s.size(), 1.0 / f.frame_s,
                       f.format, f.time_s.front(), f.time_s.back());
}

std::string markers_text(const FilmedRotation& f) {
    std::string text;
    for (std::size_t i = 0; i < f.bodies.size(); ++i) {
        const camera::BodyFit& body = f.bodies[i];
        text +=
            fmt::format("{}{} markers{}, {:.2g} mm from a rigid block (rms)", i == 0 ? "" : "; ", body.markers.size(),
                        f.bodies.size() == 1 ? "" : fmt::format(" on block {}", i), 1e3 * body.residual_m);
        if (!body.left_out.empty()) text += fmt::format(", {} left out", fmt::join(body.left_out, ", "));
    }
    return text;
}

std::string check_text(const FilmedRotation& f) {
    if (!f.residual_s) return {};
    return fmt::format("Compared with the {}: correlation {:.4f}, {}residual {:.2f} ms, {:.3f} times its size",
                       f.compared_with, f.correlation.value_or(0.0),
                       f.lag_s ? fmt::format("lag {:+.2f} ms, ", 1e3 * *f.lag_s) : "", 1e3 * *f.residual_s,
                       f.gain.value_or(1.0));
}

/// Index of the specimen's first block among the columns of the camera.
std::size_t first_block(const Conclusion& c, std::size_t index) {
    std::size_t first = 0;
    for (std::size_t s = 0; s < index; ++s) first += c.specimens[s].specimen.blocks.size();
    return first;
}

void put(std::string& text, const std::vector<double>* values, std::size_t i) {
    if (values && i < values->size() && std::isfinite((*values)[i]))
        fmt::format_to(std::back_inserter(text), ",{:.7g}", (*values)[i]);
    else
        text += ",nan";
}

}  // namespace

Json camera_json(const Conclusion& c) {
    if (!c.camera) return nullptr;
    const FilmedRotation& f = c.camera->filmed;
    Json specimens = Json::array();
    for (const compare::CameraSpecimen& specimen : c.camera->specimens)
        specimens.push_back({{"with_prediction", likeness_json(specimen.with_prediction)},
                             {"with_sensor", likeness_json(specimen.with_sensor)}});
    return {{"format", f.format},       {"frames", f.time_s.size()}, {"from_s", f.time_s.front()},
            {"to_s", f.time_s.back()},  {"frame_s", f.frame_s},      {"clock", clock_json(f)},
            {"blocks", bodies_json(f)}, {"remarks", f.remarks},      {"specimens", std::move(specimens)}};
}

std::vector<std::string> camera_lines(const Conclusion& c) {
    if (!c.camera) return {};
    const FilmedRotation& f = c.camera->filmed;
    std::vector<std::string> lines{frames_text(f)};
    if (!f.bodies.empty()) lines.push_back(markers_text(f));
    lines.push_back("its clock: " + f.how);
    if (f.residual_s) lines.push_back(check_text(f));
    for (std::size_t s = 0; s < c.camera->specimens.size(); ++s) {
        const auto add = [&](const std::vector<HistoryLikeness>& blocks, const char* with) {
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                std::string of = c.specimens.size() == 1 ? "" : fmt::format("specimen {} ", s);
                if (blocks.size() > 1) of += fmt::format("block {} ", i);
                lines.push_back(likeness_line(blocks[i], of, with));
            }
        };
        add(c.camera->specimens[s].with_prediction, "prediction from the achieved motion");
        add(c.camera->specimens[s].with_sensor, "rotation sensor");
    }
    return lines;
}

std::string camera_section(const Conclusion& c) {
    if (!c.camera) return {};
    const FilmedRotation& f = c.camera->filmed;
    std::string body = fmt::format("<p>{}.</p><p>Its clock: {}.</p>", escape_html(frames_text(f)), escape_html(f.how));
    if (!f.bodies.empty()) body += fmt::format("<p>{}.</p>", escape_html(markers_text(f)));
    if (f.residual_s) body += fmt::format("<p>{}.</p>", escape_html(check_text(f)));
    for (const std::string& remark : f.remarks) body += fmt::format("<p class=\"note\">{}</p>", escape_html(remark));
    HtmlTable table{
        {"camera / the other curve", "peak", "first impacts", "periods", "nrmse", "phase-plane distance", "orbits"},
        {}};
    for (std::size_t s = 0; s < c.camera->specimens.size(); ++s) {
        const std::string of = c.specimens.size() == 1 ? "" : fmt::format(", specimen {}", s);
        add_rows(table, c.camera->specimens[s].with_prediction, of, "prediction from the achieved motion");
        add_rows(table, c.camera->specimens[s].with_sensor, of, "rotation sensor");
    }
    body +=
        html_table(table) +
        "<p class=\"soft\">nrmse: rms of the difference over the range of the other curve. Phase-plane distance: rms "
        "at "
        "the same instant, in multiples of &alpha; and &alpha; p. Orbits: mean distance to the nearest point of the "
        "other curve, without time.</p>";
    return html_section("Camera", body);
}

std::string camera_frames_csv(const Conclusion& c, std::size_t index) {
    const FilmedRotation& f = c.camera->filmed;
    const std::size_t first = first_block(c, index), blocks = c.specimens[index].specimen.blocks.size();
    std::string text = "time_s";
    for (std::size_t b = 0; b < blocks; ++b) text += fmt::format(",camera_{}_rad", b);
    text += '\n';
    for (std::size_t i = 0; i < f.time_s.size(); ++i) {
        if (f.time_s[i] < c.motion.grid.start_s || f.time_s[i] > c.motion.grid.end_s()) continue;
        fmt::format_to(std::back_inserter(text), "{:.6f}", f.time_s[i]);
        for (std::size_t b = 0; b < blocks; ++b) put(text, &f.rotation_rad[first + b], i);
        text += '\n';
    }
    return text;
}

std::string camera_curves_csv(const Conclusion& c, std::size_t index) {
    const compare::SpecimenConclusion& s = c.specimens[index];
    const compare::SpecimenMeasurement& sensor = c.camera->by_sensor[index];
    std::string text = "time_s";
    for (std::size_t b = 0; b < s.specimen.blocks.size(); ++b)
        text += fmt::format(",camera_{0}_rad,expected_{0}_rad,sensor_{0}_rad", b);
    text += '\n';
    for (std::size_t i = 0; i < c.motion.grid.count && c.motion.grid.time_s(i) <= c.camera->filmed.time_s.back(); ++i) {
        fmt::format_to(std::back_inserter(text), "{:.6f}", c.motion.grid.time_s(i));
        for (std::size_t b = 0; b < s.specimen.blocks.size(); ++b) {
            put(text, b < s.measured.blocks.size() ? &s.measured.blocks[b].filtered_rad : nullptr, i);
            put(text, b < s.achieved.filtered_rad.size() ? &s.achieved.filtered_rad[b] : nullptr, i);
            put(text, b < sensor.blocks.size() ? &sensor.blocks[b].filtered_rad : nullptr, i);
        }
        text += '\n';
    }
    return text;
}

Figure camera_figure(const Conclusion& c, std::size_t index) {
    const std::size_t blocks = c.specimens[index].specimen.blocks.size();
    const std::string name = fmt::format("camera_{}", index), frames = fmt::format("camera_frames_{}", index);
    const bool has_sensor = c.camera->by_sensor[index].has_rotation();
    TimeSpan span = start_span(c);
    span.end_s = std::min(c.camera->filmed.time_s.back(), std::max(span.end_s, 3.0 * span.end_s));
    const std::string every = stride(c.motion.grid, span.start_s, span.end_s);
    std::string script = script_head(name, 900, 60 + 440 * static_cast<int>(blocks));
    script += fmt::format("set xrange [{:.4g}:{:.4g}]\nset xlabel 'time  t / s'\nset multiplot layout {},1\n",
                          span.start_s, span.end_s, 2 * blocks);
    for (std::size_t b = 0; b < blocks; ++b) {
        const std::size_t column = 2 + 3 * b;
        const std::string of = blocks == 1 ? "" : fmt::format(" of block {}", b);
        script += fmt::format("set ylabel 'rotation{}  θ / rad'\nplot ", of);
        if (has_sensor)
            script += curve(name, every, fmt::format("1:{}", column + 2), "sensor", "lw 3.4 lc rgb '#9e9e9e'") + ", ";
        script += curve(name, every, fmt::format("1:{}", column + 1), "prediction", kAchieved);
        script += fmt::format(", '{}.csv' skip 1 using 1:{} with points pt 7 ps 0.35 lc rgb '#d84315' title 'camera'\n",
                              frames, 2 + b);
        script += fmt::format("set ylabel 'difference{} / rad'\nplot ", of);
        if (has_sensor)
            script += curve(name, every, fmt::format("1:(${}-${})", column, column + 2), "camera less sensor",
                            "lw 2 lc rgb '#9e9e9e'") +
                      ", ";
        script += curve(name, every, fmt::format("1:(${}-${})", column, column + 1), "camera less prediction",
                        "lw 1.6 lc rgb '#1565c0'") +
                  "\n";
    }
    script += "unset multiplot\n";
    const auto& likeness = c.camera->specimens[index].with_prediction;
    return {
        name,
        fmt::format("Rotation as the camera saw it, frame by frame, beside the prediction from the achieved motion{}, "
                    "and the difference of the filtered curves.",
                    has_sensor ? " and the rotation sensor" : ""),
        likeness.empty()
            ? std::string("Frames of the camera over time.")
            : fmt::format("Peak {:.4g} rad by the camera, {:.4g} rad predicted; nrmse {}.", likeness.front().peak_rad,
                          likeness.front().expected_peak_rad, percent(likeness.front().nrmse)),
        name, script};
}

}  // namespace topple::hil::report
