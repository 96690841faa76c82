#include "hil/report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/files/errors.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/files/output_file.hpp"
#include "hil/plan/foot_figure.hpp"
#include "hil/report/assembly_report.hpp"
#include "hil/report/camera_report.hpp"
#include "hil/report/figure_data.hpp"
#include "hil/report/figure_script.hpp"
#include "hil/report/figure_texts.hpp"

namespace topple::hil::report {
namespace {

using compare::Conclusion;
using compare::SpecimenConclusion;

// Rows until `end_s`: where time is no axis, no range ends a curve.
std::string rows_until(const signal::EvenGrid& grid, double end_s) {
    return fmt::format("{}::::{:.0f}", stride(grid, grid.start_s, end_s),
                       std::max(1.0, std::floor((end_s - grid.start_s) / grid.step_s)));
}

// Horizontal lines at +-level across the figure, named once in the key.
std::string limit_lines(double level, const std::string& title) {
    if (!std::isfinite(level) || level <= 0.0) return {};
    return fmt::format(
        ", {0:.7g} with lines lw 1 lc rgb '#7b1fa2' dt (2,3) title '{1}', {2:.7g} with lines lw 1 lc rgb "
        "'#7b1fa2' dt (2,3) notitle",
        level, title, -level);
}

Figure motion_figure(const Conclusion& c) {
    const TimeSpan span = start_span(c);
    const std::string every = stride(c.motion.grid, c.motion.grid.start_s, c.motion.grid.end_s());
    const auto panel = [&](int column, double factor, const std::string& label, const std::string& more) {
        std::string text = fmt::format("set ylabel '{}'\nplot ", label);
        text += curve("motion", every, fmt::format("1:({}*${})", factor, column + 3), "achieved", kAchieved);
        if (c.motion.has_command)
            text += ", " + curve("motion", every, fmt::format("1:({}*${})", factor, column), "commanded", kPlanned);
        return text + more + "\n";
    };
    std::string script = script_head("motion", 900, 760);
    script += fmt::format("set xrange [{:.4g}:{:.4g}]\nset multiplot layout 3,1\nset format x ''\n", span.start_s,
                          span.end_s);
    script += panel(2, 1e3, "displacement  x / mm", "");
    script += "unset key\n" + panel(3, 1.0, "velocity  v / (m/s)", "");
    const double threshold_m_s2 =
        c.experiment.specimens.empty() ? 0.0 : experiment::uplift_threshold_m_s2(c.experiment);
    script +=
        "set key outside top center horizontal maxrows 1 samplen 2\nset format x '%g'\nset xlabel 'time  t / "
        "s'\n" +
        panel(4, 1.0, "acceleration  a / (m/s²)", limit_lines(threshold_m_s2, "uplift threshold"));
    script += "unset multiplot\n";
    return {"motion",
            fmt::format("Platen motion, {}, relative to where the platen rested before it moved; low-pass {:.0f} Hz, "
                        "zero phase.",
                        c.motion.has_command ? "commanded and achieved" : "as recorded", c.motion.bandwidth_hz),
            motion_alt(c), "motion", script};
}

// Strips with the time axis of the motion, so that they can be laid under it.
Figure tracking_figure(const Conclusion& c) {
    const TimeSpan span = start_span(c);
    const std::string every = stride(c.motion.grid, c.motion.grid.start_s, c.motion.grid.end_s());
    const auto strip = [&](const char* label, const char* columns) {
        return fmt::format("set ylabel '{}'\nplot {}, 0 with lines lw 0.8 lc rgb '#44505c' notitle\n", label,
                           curve("motion", every, columns, "", kAchieved));
    };
    std::string script = script_head("tracking", 900, 420);
    script += fmt::format("set xrange [{:.4g}:{:.4g}]\nunset key\nset multiplot layout 2,1\nset format x ''\n",
                          span.start_s, span.end_s);
    script += strip("error  x - x_c / mm", "1:(1e3*$8)");
    script += "set format x '%g'\nset xlabel 'time  t / s'\n" + strip("error  a - a_c / (m/s²)", "1:($7-$4)");
    script += "unset multiplot\n";
    return {"tracking", "Tracking error: achieved minus commanded displacement and acceleration.", tracking_alt(c),
            "motion", script};
}

// Until everything that is known has come to rest or fallen.
TimeSpan rotation_span(const SpecimenConclusion& s, const Conclusion& c) {
    double end_s = c.window.motion_end_s + 0.5;
    for (const auto* p : {&s.planned.prediction, &s.achieved.prediction})
        for (const auto& time : {p->settled_time_s, p->overturn_time_s})
            if (time) end_s = std::max(end_s, *time + 0.2);
    for (const compare::BlockMeasurement& block : s.measured.blocks)
        for (std::size_t i = block.filtered_rad.size(); i > 0; --i)
            if (std::abs(block.filtered_rad[i - 1]) > block.threshold_rad && !block.fallen_s) {
                end_s = std::max(end_s, c.motion.grid.time_s(i - 1) + 0.2);
                break;
            }
    return {std::max(c.motion.grid.start_s, -0.1), std::min(end_s, c.motion.grid.end_s())};
}

std::string rotation_curves(const SpecimenConclusion& s, const std::string& data, const std::string& every,
                            std::size_t block, bool phase_plane) {
    const std::size_t first = 2 + 6 * block;
    const auto columns = [&](std::size_t k) {
        return phase_plane ? fmt::format("{}:{}", first + k, first + 3 + k) : fmt::format("1:{}", first + k);
    };
    std::string text;
    if (s.measured.has_rotation()) text += curve(data, every, columns(2), "measured", kMeasured) + ", ";
    if (!s.achieved.filtered_rad.empty())
        text += curve(data, every, columns(1), "predicted (achieved)", kAchieved) + ", ";
    return text + curve(data, every, columns(0), "predicted (planned)", kPlanned);
}

std::string block_name(const SpecimenConclusion& s, std::size_t block) {
    return s.specimen.blocks.size() == 1 ? "" : fmt::format(" of block {}", block);
}

double slenderness_of(const SpecimenConclusion& s, std::size_t block) {
    return s.specimen.pivots || s.specimen.foot ? compare::slenderness_of(s.specimen).right_rad
                                                : s.specimen.blocks[block].slenderness_rad();
}

// A second scale on the right (`axis` y) or above (x) in multiples of `unit`; the first one ranges from low to high.
std::string scale_beside(const char* axis, double low, double high, double unit, const std::string& label) {
    return fmt::format(
        "set {0}range [{1:.6g}:{2:.6g}]\nset {0}tics nomirror\nset {0}2range [{3:.6g}:{4:.6g}]\n"
        "set {0}2tics\nset {0}2label '{5}'\n",
        axis, low, high, low / unit, high / unit, label);
}

enum class RotationPart { start, whole };

Figure rotation_figure(const SpecimenConclusion& s, const Conclusion& c, const std::string& data, const std::string& of,
                       RotationPart part) {
    const bool whole = part == RotationPart::whole;
    const TimeSpan span = whole ? rotation_span(s, c) : start_span(c);
    const std::size_t blocks = s.specimen.blocks.size();
    const std::string every = stride(c.motion.grid, span.start_s, span.end_s);
    const std::string name = whole ? data : "start_" + data;
    std::string script = script_head(name, 900, blocks == 1 ? 380 : 60 + 260 * static_cast<int>(blocks));
    script +=
        fmt::format("set border 11\nset xrange [{:.4g}:{:.4g}]\nset xlabel 'time  t / s'\n", span.start_s, span.end_s);
    if (blocks > 1) script += fmt::format("set multiplot layout {},1\n", blocks);
    for (std::size_t k = 0; k < blocks; ++k) {
        const std::size_t block = blocks - 1 - k;  // the top one on top
        const double alpha_rad = slenderness_of(s, block);
        script += fmt::format("set ylabel 'rotation{}  θ / rad'\n", block_name(s, block));
        const RotationRange range = rotation_range(s, c.motion.grid, block, span.start_s, span.end_s);
        script += scale_beside("y", range.low_rad, range.high_rad, alpha_rad,
                               fmt::format("θ / α   (α = {:.4g} rad)", alpha_rad)) +
                  "plot ";
        script += rotation_curves(s, data, every, block, false);
        if (blocks == 1 && s.measured.blocks_overturned.empty() && s.planned.prediction.blocks_overturned.empty())
            script += ", 0 with lines lw 0.5 lc rgb '#44505c' notitle";
        else if (blocks == 1)
            script += limit_lines(alpha_rad, "slenderness α");
        script += "\n";
    }
    if (blocks > 1) script += "unset multiplot\n";
    return {
        name,
        fmt::format("Rotation{}{}: predicted from the planned and from the achieved motion, and measured. Positive: "
                    "clockwise, leaning towards +x of the specimen's plane. Right: in multiples of the slenderness α.",
                    of, whole ? ", the whole record" : ", time axis of the platen's motion"),
        rotation_alt(s, of, span.start_s, span.end_s), data, script};
}

constexpr double kPhaseStarts = 3.0;  // as long as the figures of the start: later loops hide each other

Figure phase_figure(const SpecimenConclusion& s, const Conclusion& c, const std::string& data, const std::string& of,
                    std::size_t index) {
    TimeSpan span = rotation_span(s, c);
    span.end_s = std::min(span.end_s, kPhaseStarts * start_span(c).end_s);
    const std::size_t blocks = s.specimen.blocks.size();
    const std::string name = fmt::format("phase_plane_{}", index);
    std::string script = script_head(name, 900, 500 * static_cast<int>(blocks)) +
                         "set border 15\nset key outside bottom center horizontal\n";
    if (blocks > 1) script += fmt::format("set multiplot layout {},1\n", blocks);
    PhaseExtent extent;
    for (std::size_t k = 0; k < blocks; ++k) {
        const std::size_t block = blocks - 1 - k;
        const double alpha_rad = slenderness_of(s, block);
        extent = phase_extent(s, c.motion.grid, block, alpha_rad, span.start_s, span.end_s);
        const double wide_rad = extent.rotation_rad, high_rad_s = extent.rate_rad_s;
        script += fmt::format("set yrange [{0:.6g}:{1:.6g}]\n", -high_rad_s, high_rad_s);
        script += scale_beside("x", -wide_rad, wide_rad, alpha_rad, fmt::format("θ / α   (α = {:.4g} rad)", alpha_rad));
        if (!s.specimen.pivots && !s.specimen.foot) {
            const double p_rad_s = s.specimen.blocks[block].frequency_parameter_rad_s(c.experiment.gravity_m_s2);
            script += scale_beside("y", -high_rad_s, high_rad_s, p_rad_s * alpha_rad,
                                   fmt::format("dθ/dt / (p α)   (p = {:.4g} rad/s)", p_rad_s));
        }
        script +=
            fmt::format("set xlabel 'rotation{0}  θ / rad'\nset ylabel 'rotation rate{0}  dθ/dt / (rad/s)'\nplot ",
                        block_name(s, block));
        script += rotation_curves(s, data, rows_until(c.motion.grid, span.end_s), block, true) + "\n";
    }
    if (blocks > 1) script += "unset multiplot\n";
    return {name,
            fmt::format(
                "Phase plane{} until t = {:.2f} s: rotation rate over rotation, in multiples of p α and α above and on "
                "the right.",
                of, span.end_s),
            phase_alt(of, extent.rotation_rad, extent.rate_rad_s), data, script};
}

Figure timing_figure(const compare::TimingStatistics& timing) {
    std::string script = script_head("timing", 900, 300);
    const double width_us = std::max({timing.wake_late_us.max, timing.busy_us.max, 1.0}) / 60.0;
    script += fmt::format(
        "set xlabel 'time / µs'\nset ylabel 'host cycles'\nset logscale y\nset yrange [0.7:]\nset xrange "
        "[0:]\nset style fill solid 0.6 "
        "noborder\nset boxwidth {0:.6g}\n"
        "plot 'timing.csv' skip 1 using ($1-{1:.6g}):2 with boxes lc rgb '#1565c0' title 'wake-up late', "
        "'timing.csv' skip 1 using ($1+{1:.6g}):3 with boxes lc rgb '#d84315' title 'work per cycle'\n",
        0.45 * width_us, 0.23 * width_us);
    return {"timing", "Timing of the host's cycles: lateness of the wake-up and duration of the work.",
            timing_alt(timing), "timing", script};
}

/// Sections and footprints of irregular bodies, two beside each other, as `topple plan --figure` draws them.
void add_bodies(const Conclusion& c, FigureSet& set) {
    const plan::FootPanels panels = plan::foot_panels(c.experiment);
    if (panels.count == 0) return;
    for (const files::FigureFile& file : panels.data)
        set.data.push_back({std::filesystem::path(file.name).stem().string(), file.text});
    const std::size_t rows = (panels.count + 1) / 2, columns = std::min<std::size_t>(panels.count, 2);
    std::string script = script_head("bodies", 900, 60 + 400 * static_cast<int>(rows));
    script += fmt::format("set multiplot layout {},{}\n", rows, columns) + panels.script + "unset multiplot\n";
    set.figures.push_back({"bodies",
                           "The bodies: section in the shaking plane with the faces on which it can rest, and what it "
                           "stands on seen from above, as far as it is known.",
                           bodies_alt(c), set.data.back().name, script});
}

}  // namespace

FigureSet describe_figures(const Conclusion& c) {
    FigureSet set;
    if (!c.motion.empty()) {
        set.data.push_back({"motion", motion_csv(c.motion)});
        set.figures.push_back(motion_figure(c));
        if (c.motion.has_command) set.figures.push_back(tracking_figure(c));
        for (const compare::AxisConclusion& axis : c.axes)
            set.data.push_back({"motion_" + axis.name, motion_csv(axis.motion)});
        if (!c.axes.empty()) set.figures.push_back(axes_figure(c));
        for (std::size_t i = 0; i < c.specimens.size(); ++i) {
            const std::string data = fmt::format("rotation_{}", i);
            const std::string of = c.specimens.size() == 1 ? "" : fmt::format(" of specimen {}", i);
            set.data.push_back({data, rotation_csv(c.specimens[i], c.motion.grid)});
            for (const RotationPart part : {RotationPart::start, RotationPart::whole})
                set.figures.push_back(rotation_figure(c.specimens[i], c, data, of, part));
            set.figures.push_back(phase_figure(c.specimens[i], c, data, of, i));
            if (!c.camera || !c.specimens[i].measured.has_rotation()) continue;
            set.data.push_back({fmt::format("camera_{}", i), camera_curves_csv(c, i)});
            set.data.push_back({fmt::format("camera_frames_{}", i), camera_frames_csv(c, i)});
            set.figures.push_back(camera_figure(c, i));
        }
    }
    add_bodies(c, set);
    if (c.assembly && c.assembly->achieved) {
        set.data.push_back({"assembly", assembly_figure_data(c)});
        if (c.assembly->measured) set.data.push_back({"positions", measured_positions_data(c)});
        set.figures.push_back(assembly_figure(c));
    }
    if (c.timing.cycles > 0) {
        set.data.push_back({"timing", timing_csv(c.timing)});
        set.figures.push_back(timing_figure(c.timing));
    }
    return set;
}

void make_figures(const FigureSet& set, const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw files::OutputError(fmt::format("{}: {}", folder.string(), error.message()));
    for (const FigureData& data : set.data)
        files::write_file(folder / (data.name + ".csv"), data.text, files::Overwrite::allow);
    for (const Figure& figure : set.figures)
        files::write_file(folder / (figure.name + ".gp"), figure.script, files::Overwrite::allow);
    for (const Figure& figure : set.figures) files::run_gnuplot(folder / (figure.name + ".gp"));
}

}  // namespace topple::hil::report
