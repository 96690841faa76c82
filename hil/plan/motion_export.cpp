#include "hil/plan/motion_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "hil/experiment/start_marker.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::plan {
namespace {

using experiment::Experiment;
using files::InputError;

constexpr double kRateMax_hz = 1e5;
constexpr double kRowsMax = 1e7;

const std::vector<std::string> kQuantities{"time", "position", "velocity", "acceleration"};

double length_factor(const std::string& unit) {
    for (const auto& [name, factor] :
         {std::pair{"m", 1.0}, std::pair{"cm", 1e2}, std::pair{"mm", 1e3}, std::pair{"in", 1.0 / 0.0254}})
        if (unit == name) return factor;
    throw InputError(fmt::format("unit of length \"{}\"; allowed: m, cm, mm, in", unit));
}

double acceleration_factor(const std::string& unit) {
    constexpr double kGravity_m_s2 = 9.80665;  // as a unit, in every file of other software
    if (unit == "m/s2") return 1.0;
    if (unit == "cm/s2") return 100.0;
    if (unit == "g") return 1.0 / kGravity_m_s2;
    throw InputError(fmt::format("unit of acceleration \"{}\"; allowed: m/s2, cm/s2, g", unit));
}

struct Scales {
    double length = 1.0, acceleration = 1.0;
};

std::string unit_of(const std::string& quantity, const ExportRequest& request) {
    if (quantity == "position") return request.length_unit;
    if (quantity == "velocity") return request.length_unit + "/s";
    return quantity == "acceleration" ? request.acceleration_unit : "s";
}

double value_of(const std::string& quantity, double time_s, const solver::BaseState& state, const Scales& scales) {
    constexpr double kZero = 0.0;  // added: no minus zero in a file
    if (quantity == "position") return scales.length * state.displacement_m + kZero;
    if (quantity == "velocity") return scales.length * state.velocity_m_s + kZero;
    return quantity == "acceleration" ? scales.acceleration * state.acceleration_m_s2 + kZero : time_s;
}

/// Marker included; it must be as feasible as the motion.
controller::Profile exported_profile(const Experiment& experiment, const MotionPlan& plan, bool marker,
                                     double& motion_start_s) {
    if (plan.profile_y && !plan.profile_y->motion.empty())
        throw InputError(
            "export: the motion has two axes, and a time series for other software has one: --csv has both");
    if (!marker) return plan.profile;
    const experiment::StartMarker start = experiment::start_marker(experiment);
    controller::Profile marked = plan.profile;
    marked.motion = experiment::with_marker(start, plan.profile.motion);
    motion_start_s = start.lead_s;
    const auto report =
        controller::check_feasibility(marked, experiment.table.description, experiment::payload_kg(experiment));
    if (!report.feasible())
        throw InputError(fmt::format("export: the motion fits, the start marker of {:g} mm before it does not\n{}",
                                     1e3 * experiment::kMarker_m, report.text()));
    return marked;
}

/// What second differences of the rows' positions are off from the planned acceleration, apart from steps and at them.
void judge_derivatives(ExportedMotion& exported, const controller::Profile& profile,
                       const std::vector<solver::BaseState>& states) {
    const std::vector<double> steps_s = step_times(std::span(&profile, 1));
    const double h = exported.step_s;
    for (std::size_t i = 1; i + 1 < states.size(); ++i) {
        const double time_s = h * static_cast<double>(i);
        const double second =
            (states[i + 1].displacement_m - 2.0 * states[i].displacement_m + states[i - 1].displacement_m) / (h * h);
        const double error = std::abs(second - states[i].acceleration_m_s2);
        const bool is_step =
            std::any_of(steps_s.begin(), steps_s.end(), [&](double step_s) { return std::abs(step_s - time_s) <= h; });
        double& worst = is_step ? exported.step_error_m_s2 : exported.derivative_error_m_s2;
        worst = std::max(worst, error);
    }
}

/// From rest to rest, the last at or just after the end.
std::vector<solver::BaseState> rows_of(const controller::Profile& profile, double rate_hz) {
    constexpr double kRounding = 1e-9;  // an end on the grid is its last row
    const double intervals = std::ceil(profile.duration_s() * rate_hz - kRounding);
    if (intervals + 1.0 > kRowsMax)
        throw InputError(
            fmt::format("export: {:.0f} rows; at most {:.0f} are allowed: lower the rate", intervals + 1.0, kRowsMax));
    constexpr double kIntervalsLeast = 20.0;  // fewer show no motion
    if (intervals < kIntervalsLeast)
        throw InputError(
            fmt::format("export: at {:g} Hz the motion of {:.4g} s has {:.0f} rows; at least {:.0f} are "
                        "needed: raise the rate",
                        rate_hz, profile.duration_s(), intervals + 1.0, kIntervalsLeast + 1.0));
    std::vector<solver::BaseState> states(static_cast<std::size_t>(intervals) + 1);
    const double step_s = 1.0 / rate_hz;
    for (std::size_t i = 0; i < states.size(); ++i) states[i] = profile.at(step_s * static_cast<double>(i));
    return states;
}

}  // namespace

void require_column(std::string_view quantity) {
    if (std::find(kQuantities.begin(), kQuantities.end(), quantity) == kQuantities.end())
        throw InputError(fmt::format("column \"{}\"; allowed: {}", quantity, fmt::join(kQuantities, ", ")));
}

ExportedMotion export_motion(const Experiment& experiment, const MotionPlan& plan, const ExportRequest& request) {
    const double rate_hz = request.rate_hz > 0.0 ? request.rate_hz : experiment.table.description.feedback_rate_hz;
    if (!(rate_hz > 0.0 && rate_hz <= kRateMax_hz))
        throw InputError(fmt::format("export: rate {:g} Hz; allowed: above 0, up to {:g}", rate_hz, kRateMax_hz));
    ExportedMotion exported;
    const controller::Profile profile = exported_profile(experiment, plan, request.marker, exported.motion_start_s);
    exported.step_s = 1.0 / rate_hz;
    const std::vector<solver::BaseState> states = rows_of(profile, rate_hz);
    const Scales scales{length_factor(request.length_unit), acceleration_factor(request.acceleration_unit)};
    for (const std::string& quantity : request.columns.empty() ? kQuantities : request.columns) {
        require_column(quantity);
        ExportColumn column{quantity, unit_of(quantity, request), std::vector<double>(states.size())};
        for (std::size_t i = 0; i < states.size(); ++i)
            column.values[i] = value_of(quantity, exported.step_s * static_cast<double>(i), states[i], scales);
        exported.columns.push_back(std::move(column));
    }
    judge_derivatives(exported, profile, states);
    return exported;
}

std::string tab_text(const ExportedMotion& motion) {
    std::string text;
    for (std::size_t k = 0; k < motion.columns.size(); ++k)
        text += fmt::format("{}{} ({})", k > 0 ? "\t" : "", motion.columns[k].quantity, motion.columns[k].unit);
    text += "\n";
    const std::size_t rows = motion.columns.front().values.size();
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < motion.columns.size(); ++k)
            text += fmt::format("{:.9g}{}", motion.columns[k].values[i], k + 1 < motion.columns.size() ? '\t' : '\n');
    return text;
}

std::string at2_text(const ExportedMotion& motion, std::string_view name) {
    const auto found = std::find_if(motion.columns.begin(), motion.columns.end(), [](const ExportColumn& column) {
        return column.quantity == "acceleration" && column.unit == "g";
    });
    if (found == motion.columns.end()) throw InputError("export: an AT2 file holds the acceleration in g");
    std::string text =
        fmt::format("TOPPLE PLANNED MOTION\n{}\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= {:6}, DT= {:.8g} SEC\n",
                    text::one_line(name), found->values.size(), motion.step_s);
    constexpr std::size_t kPerLine = 5;
    for (std::size_t i = 0; i < found->values.size(); ++i)
        text += fmt::format("{:15.7E}{}", found->values[i],
                            (i + 1) % kPerLine == 0 || i + 1 == found->values.size() ? "\n" : "");
    return text;
}

std::string export_remarks(const ExportedMotion& motion) {
    std::string text = fmt::format(
        "  exported      {} rows, every {:g} s; acceleration from second differences of "
        "these positions: off by at most {:.3g} m/s2",
        motion.columns.front().values.size(), motion.step_s, motion.derivative_error_m_s2);
    if (motion.step_error_m_s2 > 0.0) text += fmt::format(", and {:.3g} m/s2 at its steps", motion.step_error_m_s2);
    text += "\n";
    if (motion.motion_start_s > 0.0)
        text += fmt::format(
            "  marker        {:g} mm out and back first; the motion begins at {:.6g} s: import with "
            "--marker\n",
            1e3 * experiment::kMarker_m, motion.motion_start_s);
    return text;
}

}  // namespace topple::hil::plan
