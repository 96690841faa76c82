#include "hil/plan/motion_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hil/experiment/axis_motions.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/plan/calibration_json.hpp"
#include "hil/plan/feasibility_advice.hpp"
#include "hil/plan/foot_account.hpp"
#include "hil/plan/planes_json.hpp"
#include "hil/plan/prediction_text.hpp"
#include "hil/plan/record_view.hpp"
#include "hil/text/rounded.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::plan {
namespace {

using experiment::Experiment;
using files::InputError;
using text::one_line;

double rounded_mm(double length_m) { return text::rounded(1e3 * length_m, 1); }

/// What a laboratory wants to know of a motion at a glance.
struct Summary {
    double net_displacement_m, position_min_m, position_max_m, velocity_peak_m_s, acceleration_peak_m_s2;

    explicit Summary(const controller::Profile& profile) {
        const solver::BaseMotion::Extremes extremes = profile.motion.extremes();
        const solver::BaseState start = profile.motion.before(profile.motion.start_s());
        net_displacement_m =
            profile.motion.at(profile.motion.end_s()).displacement_m - start.displacement_m + 0.0;  // no minus zero
        position_min_m = profile.start_position_m + extremes.displacement_min_m + 0.0;
        position_max_m = profile.start_position_m + extremes.displacement_max_m + 0.0;
        velocity_peak_m_s = extremes.velocity_peak_m_s;
        acceleration_peak_m_s2 = extremes.acceleration_peak_m_s2;
    }
};

nlohmann::ordered_json check_json(const controller::FeasibilityCheck& check) {
    nlohmann::ordered_json json{{"name", check.name},
                                {"value", check.value},
                                {"limit", check.limit},
                                {"unit", check.unit},
                                {"time_s", check.time_s},
                                {"passed", check.passed},
                                {"warning_only", check.warning_only}};
    if (!check.axis.empty()) json["axis"] = check.axis;
    if (!check.passed) json["advice"] = check.advice;
    return json;
}

MotionSample sample(const solver::BaseState& state, double time_s, double start_position_m) {
    constexpr double kZero = 0.0;  // added: no minus zero in a file
    return {time_s, state.displacement_m + start_position_m + kZero, state.velocity_m_s + kZero,
            state.acceleration_m_s2 + kZero};
}

constexpr double kSameTime_s = 1e-9;  // a step this near to a sample replaces it

/// A table is positioned below every specimen's uplift threshold; one that lifts at nothing cannot be carried
/// there.
void require_standing(const Experiment& experiment) {
    constexpr double kLeast_m_s2 = 1e-3;
    const double threshold_m_s2 = experiment::uplift_threshold_m_s2(experiment);
    if (threshold_m_s2 >= kLeast_m_s2) return;
    throw InputError(
        fmt::format("{}: a specimen already lifts at {:.3g} m/s2, below {} m/s2: it cannot stand while the "
                    "table goes to its start; check width_m, height_m and initial_tilt_rad",
                    experiment.source.string(), threshold_m_s2, kLeast_m_s2));
}

}  // namespace

std::vector<double> step_times(std::span<const controller::Profile> axes) {
    std::vector<double> times;
    for (const controller::Profile& profile : axes) {
        const solver::BaseMotion& motion = profile.motion;
        const auto look_at = [&](double time_s) {
            constexpr double kStep_m_s2 = 1e-9;
            if (std::abs(motion.at(time_s).acceleration_m_s2 - motion.before(time_s).acceleration_m_s2) > kStep_m_s2)
                times.push_back(time_s);
        };
        for (const solver::MotionPiece& piece : motion.pieces()) look_at(piece.start_s);
        if (!motion.empty()) look_at(motion.end_s());
    }
    if (axes.size() < 2) return times;
    std::sort(times.begin(), times.end());
    const auto same = [](double a, double b) { return b - a <= kSameTime_s; };
    times.erase(std::unique(times.begin(), times.end(), same), times.end());
    return times;
}

std::vector<controller::Profile> MotionPlan::axes() const {
    std::vector<controller::Profile> all{profile};
    if (profile_y) all.push_back(*profile_y);
    return all;
}

MotionPlan plan_motion(const Experiment& experiment) {
    experiment::require_drivable(experiment);
    for (const experiment::Excitation* excitation :
         {&experiment.excitation, experiment.excitation_y ? &*experiment.excitation_y : nullptr})
        if (excitation != nullptr && !excitation->table_motion)
            throw InputError(fmt::format("{}: {}", experiment.source.string(), excitation->table_motion_missing));
    require_standing(experiment);
    MotionPlan plan;
    try {
        const std::vector<solver::BaseMotion> motions = experiment::axis_motions(experiment);
        plan.profile = controller::place(motions[0], experiment.table.centre);
        if (motions.size() > 1) plan.profile_y = controller::place(motions[1], experiment.table.centre);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), error.what()));
    }
    const std::vector<controller::Profile> axes = plan.axes();
    plan.feasibility =
        controller::check_feasibility(axes, experiment.table.description, experiment::payload_kg(experiment));
    plan.headroom = controller::headroom(axes, experiment.table.description, experiment::payload_kg(experiment));
    fit_advice(experiment, axes, plan.feasibility);
    return plan;
}

std::vector<std::vector<MotionSample>> sample_axes(std::span<const controller::Profile> axes, double rate_hz) {
    const double end_s = std::max(0.0, controller::duration_s(axes));
    const std::vector<double> steps = step_times(axes);
    std::vector<std::vector<MotionSample>> samples(axes.size());
    const auto add = [&](double time_s, bool before) {
        for (std::size_t i = 0; i < axes.size(); ++i) {
            const solver::BaseMotion& motion = axes[i].motion;
            samples[i].push_back(
                sample(before ? motion.before(time_s) : motion.at(time_s), time_s, axes[i].start_position_m));
        }
    };
    auto step = steps.begin();
    const auto add_steps_until = [&](double time_s) {
        for (; step != steps.end() && *step <= time_s; ++step) {
            add(*step, true);
            add(*step, false);
        }
    };
    const auto periods = static_cast<std::size_t>(std::ceil(end_s * rate_hz - kSameTime_s * rate_hz));
    for (std::size_t i = 0; i <= periods; ++i) {
        const double time_s = std::min(static_cast<double>(i) / rate_hz, end_s);
        add_steps_until(time_s + kSameTime_s);
        if (!samples[0].empty() && std::abs(samples[0].back().time_s - time_s) <= kSameTime_s) continue;
        add(time_s, false);
    }
    return samples;
}

std::vector<MotionSample> sample_motion(const controller::Profile& profile, double rate_hz) {
    return sample_axes(std::span(&profile, 1), rate_hz).front();
}

std::string motion_csv(const std::vector<MotionSample>& samples) {
    return motion_csv(std::vector<std::vector<MotionSample>>{samples});
}

std::string motion_csv(const std::vector<std::vector<MotionSample>>& axes) {
    std::string text = "time_s";
    for (std::size_t i = 0; i < axes.size(); ++i)
        fmt::format_to(std::back_inserter(text), ",position{0}_m,velocity{0}_m_s,acceleration{0}_m_s2",
                       axes.size() > 1 ? "_" + std::string(firmware_iface::kAxisNames[i]) : "");
    text += '\n';
    for (std::size_t row = 0; row < axes.front().size(); ++row) {
        fmt::format_to(std::back_inserter(text), "{}", axes.front()[row].time_s);
        for (const std::vector<MotionSample>& axis : axes)
            fmt::format_to(std::back_inserter(text), ",{},{},{}", axis[row].position_m, axis[row].velocity_m_s,
                           axis[row].acceleration_m_s2);
        text += '\n';
    }
    return text;
}

namespace {

nlohmann::ordered_json numbers_json(const controller::Profile& profile) {
    const Summary summary(profile);
    return {
        {"start_position_m", profile.start_position_m},   {"net_displacement_m", summary.net_displacement_m},
        {"position_min_m", summary.position_min_m},       {"position_max_m", summary.position_max_m},
        {"velocity_peak_m_s", summary.velocity_peak_m_s}, {"acceleration_peak_m_s2", summary.acceleration_peak_m_s2}};
}

std::string numbers_text(const controller::Profile& profile, const std::string& axis) {
    const Summary s(profile);
    const auto line = [&](const char* what, const std::string& value) {
        return fmt::format("  {:<{}}{}\n", what + axis, axis.empty() ? 18 : 21, value);
    };
    return line("position", fmt::format("{:.1f} .. {:.1f} mm, starts at {:.1f} mm", rounded_mm(s.position_min_m),
                                        rounded_mm(s.position_max_m), rounded_mm(profile.start_position_m))) +
           line("net displacement", fmt::format("{:.1f} mm", rounded_mm(s.net_displacement_m))) +
           line("peak velocity", fmt::format("{:.4f} m/s", s.velocity_peak_m_s)) +
           line("peak acceleration", fmt::format("{:.4f} m/s2", s.acceleration_peak_m_s2));
}

nlohmann::ordered_json headroom_json(const controller::Headroom& room) {
    const auto ratio_or_null = [](double ratio) {
        return ratio > 0.0 ? nlohmann::ordered_json(ratio) : nlohmann::ordered_json(nullptr);
    };
    return {{"amplitude_ratio", ratio_or_null(room.amplitude_ratio)},
            {"amplitude_limit", room.amplitude_limit},
            {"saturation_ratio", ratio_or_null(room.saturation_ratio)},
            {"frequency_ratio", ratio_or_null(room.frequency_ratio)},
            {"frequency_limit", room.frequency_limit}};
}

/// "foot" of the only specimen, if it has one; of several "feet", null for those without.
nlohmann::ordered_json feet_json(const Experiment& experiment) {
    nlohmann::ordered_json feet = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) feet.push_back(foot_json(experiment, i));
    const bool has_any = std::any_of(feet.begin(), feet.end(), [](const auto& foot) { return !foot.is_null(); });
    if (!has_any) return nlohmann::ordered_json::object();
    if (feet.size() == 1) return {{"foot", feet[0]}};
    return {{"feet", std::move(feet)}};
}

/// What of each hard limit the motion uses, and how much larger or slower it could be.
std::string headroom_text(const MotionPlan& plan, int width) {
    std::string used;
    for (const controller::FeasibilityCheck& check : plan.feasibility.checks)
        if (!check.warning_only && check.unit != "kg" && check.limit > 0.0 && check.value > 0.0)
            used += fmt::format("{}{}{} {:.0f} %", used.empty() ? "" : ", ", check.axis.empty() ? "" : check.axis + " ",
                                check.name, 100.0 * check.value / check.limit);
    const controller::Headroom& room = plan.headroom;
    if (!(room.amplitude_ratio > 0.0)) return {};
    std::string text = fmt::format(
        "  {:<{}}{}\n  {:<{}}up to {:.3g} times this amplitude ({}); the drive saturates above {:.3g} "
        "times",
        "used", width, used, "fits", width, room.amplitude_ratio, room.amplitude_limit, room.saturation_ratio);
    if (room.frequency_ratio > 0.0)
        text += fmt::format("; down to {:.3g} times this frequency ({})", room.frequency_ratio, room.frequency_limit);
    return text + "\n";
}

}  // namespace

std::string plan_json(const Experiment& experiment, const MotionPlan& plan) {
    const std::vector<controller::Profile> axes = plan.axes();
    nlohmann::ordered_json json{{"schema", "topple.plan/1"},
                                {"feasible", plan.feasibility.feasible()},
                                {"duration_s", controller::duration_s(axes)}};
    json.update(numbers_json(plan.profile));
    if (axes.size() > 1) {
        json["axes"] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < axes.size(); ++i) {
            json["axes"].push_back({{"axis", firmware_iface::kAxisNames[i]}, {"duration_s", axes[i].duration_s()}});
            json["axes"].back().update(numbers_json(axes[i]));
        }
    }
    if (experiment::shows_planes(experiment)) json["planes"] = planes_json(experiment);
    json.update(feet_json(experiment));
    if (experiment.excitation.record) json["record"] = record_json(experiment);
    json["checks"] = nlohmann::ordered_json::array();
    for (const controller::FeasibilityCheck& check : plan.feasibility.checks)
        json["checks"].push_back(check_json(check));
    json["headroom"] = headroom_json(plan.headroom);
    json["remarks"] = motion_remarks(experiment);
    json["name"] = experiment.name;
    json["machine"] = experiment.table.description.name;
    json["machine_calibration"] = calibration_json(experiment.table.calibration);
    json["experiment_sha256"] = files::sha256_hex(experiment.text);
    json["topple_version"] = host::version();
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string plan_text(const Experiment& experiment, const MotionPlan& plan) {
    const std::vector<controller::Profile> axes = plan.axes();
    const bool feasible = plan.feasibility.feasible();
    std::string text = fmt::format("{}\n  {} on {}\n", one_line(experiment.name),
                                   feasible ? "feasible" : "NOT FEASIBLE", one_line(experiment.table.description.name));
    const int width = axes.size() > 1 ? 21 : 18;
    if (experiment.table.calibration)
        text += fmt::format("  {:<{}}{}\n", "calibrated", width, describe(*experiment.table.calibration));
    text += fmt::format("  {:<{}}{:.3f} s\n", "duration", width, controller::duration_s(axes));
    for (std::size_t i = 0; i < axes.size(); ++i)
        text += numbers_text(axes[i], axes.size() > 1 ? " " + std::string(firmware_iface::kAxisNames[i]) : "");
    for (std::size_t i = 0; experiment::shows_planes(experiment) && i < experiment.specimens.size(); ++i) {
        const experiment::PlanePeaks peaks = experiment::plane_peaks(experiment, i);
        text +=
            fmt::format("  {:<18}plane at {:g} rad: {:.4f} m/s2 in it, {:.4f} m/s2 across it\n",
                        fmt::format("specimen {}", i), peaks.plane_angle_rad, peaks.in_plane_m_s2, peaks.across_m_s2);
    }
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        if (experiment.specimens[i].foot && experiment.specimens.size() > 1) text += fmt::format("  specimen {}\n", i);
        text += foot_text(experiment, i, width);
    }
    text += headroom_text(plan, width);
    text += record_text(experiment);
    for (const std::string& remark : motion_remarks(experiment))
        text += fmt::format("  {:<{}}{}\n", "note", width, one_line(remark));
    const std::string report = plan.feasibility.text();
    return feasible && !report.empty() ? text + report + (report.ends_with('\n') ? "" : "\n") : text;
}

}  // namespace topple::hil::plan
