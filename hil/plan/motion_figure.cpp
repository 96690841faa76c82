#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/plan/foot_figure.hpp"
#include "hil/plan/motion_plan.hpp"
#include "hil/plan/record_view.hpp"

namespace topple::hil::plan {
namespace {

using controller::FeasibilityCheck;

/// Of the columns of motion.csv that hold this quantity, one per axis.
std::string curves(const char* column, int first, std::size_t axes) {
    std::string text;
    for (std::size_t i = 0; i < axes; ++i)
        text += fmt::format("{} 'motion.csv' using 1:{} skip 1 with lines lw 2 title '{}'", i == 0 ? "plot" : ",",
                            fmt::format(fmt::runtime(column), first + 3 * static_cast<int>(i)), "xy"[i]);
    return text + "\n";
}

/// A check of the motion in time: which panel shows it, and how.
struct Shown {
    const char* check;
    const char* quantity;
    const char* label;
};
constexpr Shown kShown[] = {{"stroke", "position", "stroke"},
                            {"stroke with room to stop", "position", "stop"},
                            {"velocity", "velocity", "velocity"},
                            {"acceleration", "acceleration", "acceleration"},
                            {"force", "acceleration", "force"}};

/// A point with "NN % of WHAT" for each limit that this panel shows, at its worst instant; those of one instant
/// together.
std::string worst_labels(const MotionPlan& plan, const char* quantity) {
    struct Mark {
        double time_s, value;
        std::string label;
    };
    std::vector<Mark> marks;
    constexpr double kNear = 0.03;  // of the motion: their words would lie on each other
    const std::vector<controller::Profile> axes = plan.axes();
    const double near_s = kNear * controller::duration_s(axes);
    for (const FeasibilityCheck& check : plan.feasibility.checks)
        for (const Shown& shown : kShown) {
            if (check.name != shown.check || shown.quantity != std::string(quantity) || !(check.value > 0.0)) continue;
            const controller::Profile& axis = axes[check.axis == firmware_iface::kAxisNames[1] ? 1 : 0];
            const solver::BaseState state = axis.at(check.time_s);
            const double value = shown.quantity == std::string("position")   ? 1e3 * state.displacement_m
                                 : shown.quantity == std::string("velocity") ? state.velocity_m_s
                                                                             : state.acceleration_m_s2;
            const std::string label = fmt::format("{:.0f} % of {}", 100.0 * check.value / check.limit, shown.label);
            const auto same = std::find_if(marks.begin(), marks.end(), [&](const Mark& mark) {
                return std::abs(mark.time_s - check.time_s) < near_s && mark.value * value >= 0.0;
            });
            if (same != marks.end())
                same->label += " and " + label;
            else
                marks.push_back({check.time_s, value, label});
        }
    std::string text = "unset label\n";
    const double middle_s = 0.5 * controller::duration_s(axes);
    for (const Mark& mark : marks) {  // the words where there is room for them
        const bool is_left = mark.time_s < middle_s;
        text += fmt::format(
            "set label '{}' at {},{} {} offset {},0.6 point pt 7 ps 0.8 lc rgb '#b2182b' "
            "textcolor rgb '#b2182b' front\n",
            mark.label, mark.time_s, mark.value, is_left ? "left" : "right", is_left ? 1 : -1);
    }
    return text;
}

/// Over frequency the velocity amplitude of a harmonic motion at each limit of the machine, and of one with the
/// motion's own peaks of displacement (half its range), velocity and acceleration.
std::string envelope_csv(const experiment::Experiment& experiment, const MotionPlan& plan) {
    constexpr double kLow_hz = 0.05, kHigh_hz = 60.0;
    constexpr int kPoints = 120;
    const firmware_iface::MachineDescription machine = experiment.table.description;
    const double mass_kg = machine.moving_mass_kg + experiment::payload_kg(experiment);
    const auto peak = plan.profile.motion.extremes();
    const double reach_m = 0.5 * (peak.displacement_max_m - peak.displacement_min_m);
    std::string text = "frequency_hz,stroke,velocity,acceleration,force,machine,motion\n";
    for (int i = 0; i <= kPoints; ++i) {
        const double frequency_hz = kLow_hz * std::pow(kHigh_hz / kLow_hz, static_cast<double>(i) / kPoints);
        const double w = 2.0 * std::numbers::pi * frequency_hz;
        const double stroke = w * (machine.stroke_m - controller::kStrokeMargin_m), velocity = machine.velocity_max_m_s;
        const double acceleration = machine.acceleration_max_m_s2 / w;
        const double force = firmware_iface::drive_force_max_n(machine) / mass_kg / w;
        const double motion = std::min({w * reach_m, peak.velocity_peak_m_s, peak.acceleration_peak_m_s2 / w});
        text += fmt::format("{},{},{},{},{},{},{}\n", frequency_hz, stroke, velocity, acceleration, force,
                            std::min({stroke, velocity, acceleration, force}), motion);
    }
    return text;
}

std::string envelope_script(bool moves) {
    return fmt::format(
        "unset xrange\nset xrange [0.05:60]\nset logscale xy\nset offsets 0,0,0,0\nset key above horizontal\nset "
        "xlabel 'frequency  f / Hz'\n"
        "set ylabel 'velocity amplitude / (m/s)'\nset yrange [1e-3:*]\n"
        "plot 'envelope.csv' using 1:6 skip 1 with filledcurves y1=1e-3 lc rgb '#d9e6f2' title 'within the machine', "
        "'' using 1:2 skip 1 with lines lc rgb '#1b7837' title 'stroke', "
        "'' using 1:3 skip 1 with lines lc rgb '#762a83' title 'velocity', "
        "'' using 1:4 skip 1 with lines lc rgb '#2166ac' title 'acceleration', "
        "'' using 1:5 skip 1 with lines dt 2 lc rgb '#e08214' title 'force with payload'{}\n",
        moves ? ", '' using 1:7 skip 1 with lines lw 3 lc rgb '#b2182b' title 'this motion (x)'" : "");
}

/// Periods and pseudo-accelerations as a table.
std::string spectrum_csv(const ground_motion::Spectrum& spectrum) {
    std::string text = "period_s,pseudo_acceleration_m_s2\n";
    for (std::size_t i = 0; i < spectrum.period_s.size(); ++i)
        text += fmt::format("{},{}\n", spectrum.period_s[i], spectrum.pseudo_acceleration_m_s2[i]);
    return text;
}

constexpr const char* kSpectrumScript =
    "set key off\nunset logscale\nset xrange [*:*]\nset yrange [*:*]\nset logscale x\nset xlabel 'period  T / s'\n"
    "set ylabel 'pseudo-acceleration  S_a / (m/s²)'\n"
    "plot 'spectrum.csv' using 1:2 skip 1 with lines lw 2 title '5 % damping'\n";

/// What the figure has besides the motion.
struct Panels {
    std::size_t axes = 1;
    bool moves = false, has_spectrum = false;
    FootPanels feet{};
};

constexpr std::size_t kPanelHeight_px = 310;

std::string script_text(const std::string& title, const std::filesystem::path& figure, const MotionPlan& plan,
                        const Panels& panels) {
    const bool two = panels.axes > 1;
    const std::size_t rows = 4 + (panels.has_spectrum ? 1 : 0) + panels.feet.count;
    return files::figure_head(figure, 800, static_cast<int>(kPanelHeight_px * rows)) +
           fmt::format(
               "set multiplot layout {},1 title {} noenhanced\nset grid\n{}\nset lmargin 14\n"
               "set offsets 0,0,graph 0.12,graph 0.05\nset ylabel 'position  {} / mm'\n",
               rows, files::gnuplot_text(title), two ? "set key top right" : "set key off",
               two ? "x, y" : "x") +
           worst_labels(plan, "position") + curves("(${}*1000)", 2, panels.axes) +
           "set ylabel 'velocity  v / (m/s)'\n" + worst_labels(plan, "velocity") + curves("{}", 3, panels.axes) +
           "set xlabel 'time  t / s'\nset ylabel 'acceleration  a / (m/s²)'\n" + worst_labels(plan, "acceleration") +
           curves("{}", 4, panels.axes) + "unset label\n" + envelope_script(panels.moves) +
           (panels.has_spectrum ? kSpectrumScript : "") + panels.feet.script + "unset multiplot\n";
}

}  // namespace

void draw_motion(const experiment::Experiment& experiment, const MotionPlan& plan,
                 const std::filesystem::path& figure) {
    const auto samples = sample_axes(plan.axes(), experiment.table.description.feedback_rate_hz);
    std::vector<files::FigureFile> data{{"motion.csv", motion_csv(samples)},
                                        {"envelope.csv", envelope_csv(experiment, plan)}};
    const ground_motion::Spectrum spectrum = record_spectrum(experiment);
    const bool has_spectrum = !spectrum.period_s.empty();
    if (has_spectrum) data.push_back({"spectrum.csv", spectrum_csv(spectrum)});
    const bool moves = !plan.profile.motion.empty() && plan.headroom.amplitude_ratio > 0.0;
    const Panels panels{samples.size(), moves, has_spectrum, foot_panels(experiment)};
    data.insert(data.end(), panels.feet.data.begin(), panels.feet.data.end());
    files::draw_figure(script_text(experiment.name, figure, plan, panels), data, figure);
}

}  // namespace topple::hil::plan
