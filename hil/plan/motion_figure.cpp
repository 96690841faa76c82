#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/plan/motion_plan.hpp"

namespace topple::hil::plan {
namespace {

using controller::FeasibilityCheck;

/// Of the columns of motion.csv that hold this quantity, one per axis, and the worst instants of its limits.
std::string curves(const char* column, int first, std::size_t axes, const char* quantity) {
    std::string text;
    for (std::size_t i = 0; i < axes; ++i)
        text += fmt::format("{} 'motion.csv' using 1:{} skip 1 with lines lw 2 title '{}'", i == 0 ? "plot" : ",",
                            fmt::format(fmt::runtime(column), first + 3 * static_cast<int>(i)), "xy"[i]);
    const std::string at = fmt::format("'worst_{}.csv'", quantity);
    return text + fmt::format(
                      ", {} using 1:2 with points pt 7 ps 0.8 lc rgb '#b2182b' notitle, {} using 1:2:3 with "
                      "labels left offset 1,0.4 textcolor rgb '#b2182b' notitle",
                      at, at);
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

/// time, value as drawn, "NN % of WHAT" of the limits that this panel shows, at their worst instants.
std::string worst_csv(const MotionPlan& plan, const char* quantity) {
    std::string text;
    const std::vector<controller::Profile> axes = plan.axes();
    for (const FeasibilityCheck& check : plan.feasibility.checks)
        for (const Shown& shown : kShown) {
            if (check.name != shown.check || shown.quantity != std::string(quantity) || !(check.value > 0.0)) continue;
            const controller::Profile& axis = axes[check.axis == firmware_iface::kAxisNames[1] ? 1 : 0];
            const solver::BaseState state = axis.at(check.time_s);
            const double value = shown.quantity == std::string("position")   ? 1e3 * state.displacement_m
                                 : shown.quantity == std::string("velocity") ? state.velocity_m_s
                                                                             : state.acceleration_m_s2;
            text += fmt::format("{},{},{:.0f} % of {}\n", check.time_s, value, 100.0 * check.value / check.limit,
                                shown.label);
        }
    return text.empty() ? "NaN,NaN,\n" : text;
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
        "unset xrange\nset xrange [0.05:60]\nset logscale xy\nset key bottom center\nset xlabel 'frequency  f / Hz'\n"
        "set ylabel 'velocity amplitude / (m/s)'\nset yrange [1e-3:*]\n"
        "plot 'envelope.csv' using 1:6 skip 1 with filledcurves y1=1e-3 lc rgb '#d9e6f2' title 'within the machine', "
        "'' using 1:2 skip 1 with lines lc rgb '#1b7837' title 'stroke', "
        "'' using 1:3 skip 1 with lines lc rgb '#762a83' title 'velocity', "
        "'' using 1:4 skip 1 with lines lc rgb '#2166ac' title 'acceleration', "
        "'' using 1:5 skip 1 with lines dt 2 lc rgb '#e08214' title 'force with payload'{}\n",
        moves ? ", '' using 1:7 skip 1 with lines lw 3 lc rgb '#b2182b' title 'this motion (x)'" : "");
}

std::string script_text(const std::string& title, const std::filesystem::path& figure, std::size_t axes, bool moves) {
    return files::figure_head(figure, 800, 1250) +
           fmt::format(
               "set multiplot layout 4,1 title {} noenhanced\nset grid\n{}\nset lmargin 14\n"
               "set ylabel 'position  {} / mm'\n{}\n"
               "set ylabel 'velocity  v / (m/s)'\n{}\n"
               "set xlabel 'time  t / s'\nset ylabel 'acceleration  a / (m/s²)'\n{}\n{}unset multiplot\n",
               files::gnuplot_text(title), axes > 1 ? "set key top right" : "set key off", axes > 1 ? "x, y" : "x",
               curves("(${}*1000)", 2, axes, "position"), curves("{}", 3, axes, "velocity"),
               curves("{}", 4, axes, "acceleration"), envelope_script(moves));
}

}  // namespace

void draw_motion(const experiment::Experiment& experiment, const MotionPlan& plan,
                 const std::filesystem::path& figure) {
    const auto samples = sample_axes(plan.axes(), experiment.table.description.feedback_rate_hz);
    std::vector<files::FigureFile> data{{"motion.csv", motion_csv(samples)},
                                        {"envelope.csv", envelope_csv(experiment, plan)}};
    for (const char* quantity : {"position", "velocity", "acceleration"})
        data.push_back({fmt::format("worst_{}.csv", quantity), worst_csv(plan, quantity)});
    files::draw_figure(script_text(experiment.name, figure, samples.size(), !plan.profile.motion.empty()), data,
                       figure);
}

}  // namespace topple::hil::plan
