#include "hil/plan/motion_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "hil/files/errors.hpp"
#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"
#include "hil/plan/feasibility_advice.hpp"
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
    double duration_s, net_displacement_m, position_min_m, position_max_m, velocity_peak_m_s, acceleration_peak_m_s2;

    explicit Summary(const controller::Profile& profile) {
        const solver::BaseMotion::Extremes extremes = profile.motion.extremes();
        const solver::BaseState start = profile.motion.before(profile.motion.start_s());
        duration_s = profile.duration_s();
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
    if (!check.passed) json["advice"] = check.advice;
    return json;
}

MotionSample sample(const solver::BaseState& state, double time_s, double start_position_m) {
    constexpr double kZero = 0.0;  // added: no minus zero in a file
    return {time_s, state.displacement_m + start_position_m + kZero, state.velocity_m_s + kZero,
            state.acceleration_m_s2 + kZero};
}

/// Times of a step of acceleration, where the plan has two rows.
std::vector<double> step_times(const solver::BaseMotion& motion) {
    std::vector<double> times;
    const auto look_at = [&](double time_s) {
        constexpr double kStep_m_s2 = 1e-9;
        if (std::abs(motion.at(time_s).acceleration_m_s2 - motion.before(time_s).acceleration_m_s2) > kStep_m_s2)
            times.push_back(time_s);
    };
    for (const solver::MotionPiece& piece : motion.pieces()) look_at(piece.start_s);
    if (!motion.empty()) look_at(motion.end_s());
    return times;
}

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

MotionPlan plan_motion(const Experiment& experiment) {
    const experiment::Excitation& excitation = experiment.excitation;
    experiment::require_drivable(experiment);
    if (!excitation.table_motion)
        throw InputError(fmt::format("{}: {}", experiment.source.string(), excitation.table_motion_missing));
    require_standing(experiment);
    MotionPlan plan;
    try {
        plan.profile = controller::place(*excitation.table_motion, experiment.table.centre);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), error.what()));
    }
    plan.feasibility =
        controller::check_feasibility(plan.profile, experiment.table.description, experiment::payload_kg(experiment));
    fit_advice(experiment, plan.profile, plan.feasibility);
    return plan;
}

std::vector<MotionSample> sample_motion(const controller::Profile& profile, double rate_hz) {
    const solver::BaseMotion& motion = profile.motion;
    const double end_s = std::max(0.0, profile.duration_s());
    const std::vector<double> steps = step_times(motion);
    std::vector<MotionSample> samples;
    auto step = steps.begin();
    const auto add_steps_until = [&](double time_s) {
        for (; step != steps.end() && *step <= time_s; ++step) {
            samples.push_back(sample(motion.before(*step), *step, profile.start_position_m));
            samples.push_back(sample(motion.at(*step), *step, profile.start_position_m));
        }
    };
    constexpr double kSameTime_s = 1e-9;  // a step this near to a sample replaces it
    const auto periods = static_cast<std::size_t>(std::ceil(end_s * rate_hz - kSameTime_s * rate_hz));
    for (std::size_t i = 0; i <= periods; ++i) {
        const double time_s = std::min(static_cast<double>(i) / rate_hz, end_s);
        add_steps_until(time_s + kSameTime_s);
        if (!samples.empty() && std::abs(samples.back().time_s - time_s) <= kSameTime_s) continue;
        samples.push_back(sample(motion.at(time_s), time_s, profile.start_position_m));
    }
    return samples;
}

std::string motion_csv(const std::vector<MotionSample>& samples) {
    std::string text = "time_s,position_m,velocity_m_s,acceleration_m_s2\n";
    for (const MotionSample& s : samples)
        fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", s.time_s, s.position_m, s.velocity_m_s,
                       s.acceleration_m_s2);
    return text;
}

std::string plan_json(const Experiment& experiment, const MotionPlan& plan) {
    const Summary summary(plan.profile);
    nlohmann::ordered_json json{{"schema", "topple.plan/1"},
                                {"feasible", plan.feasibility.feasible()},
                                {"duration_s", summary.duration_s},
                                {"start_position_m", plan.profile.start_position_m},
                                {"net_displacement_m", summary.net_displacement_m},
                                {"position_min_m", summary.position_min_m},
                                {"position_max_m", summary.position_max_m},
                                {"velocity_peak_m_s", summary.velocity_peak_m_s},
                                {"acceleration_peak_m_s2", summary.acceleration_peak_m_s2}};
    json["checks"] = nlohmann::ordered_json::array();
    for (const controller::FeasibilityCheck& check : plan.feasibility.checks)
        json["checks"].push_back(check_json(check));
    json["remarks"] = experiment.excitation.remarks;
    json["name"] = experiment.name;
    json["machine"] = experiment.table.description.name;
    json["experiment_sha256"] = files::sha256_hex(experiment.text);
    json["topple_version"] = host::version();
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string plan_text(const Experiment& experiment, const MotionPlan& plan) {
    const Summary s(plan.profile);
    const bool feasible = plan.feasibility.feasible();
    std::string text = fmt::format("{}\n  {} on {}\n", one_line(experiment.name),
                                   feasible ? "feasible" : "NOT FEASIBLE", one_line(experiment.table.description.name));
    text += fmt::format("  duration          {:.3f} s\n", s.duration_s);
    text += fmt::format("  position          {:.1f} .. {:.1f} mm, starts at {:.1f} mm\n", rounded_mm(s.position_min_m),
                        rounded_mm(s.position_max_m), rounded_mm(plan.profile.start_position_m));
    text += fmt::format("  net displacement  {:.1f} mm\n", rounded_mm(s.net_displacement_m));
    text += fmt::format("  peak velocity     {:.4f} m/s\n", s.velocity_peak_m_s);
    text += fmt::format("  peak acceleration {:.4f} m/s2\n", s.acceleration_peak_m_s2);
    for (const std::string& remark : experiment.excitation.remarks)
        text += fmt::format("  note              {}\n", one_line(remark));
    const std::string report = plan.feasibility.text();
    return feasible && !report.empty() ? text + report + (report.ends_with('\n') ? "" : "\n") : text;
}

}  // namespace topple::hil::plan
