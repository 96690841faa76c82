#include "hil/drive/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "firmware_iface/fault.hpp"
#include "hil/experiment/axis_motions.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/motion_plan.hpp"
#include "solver/laws/resting_places.hpp"

namespace topple::hil::drive {

namespace {

/// When, according to the prediction, nothing moves any more. One that failed, or that never comes to rest, does not
/// show it: then the recording is as long as any.
double predicted_end_s(const solver::Prediction& prediction) {
    if (prediction.settled_time_s) return *prediction.settled_time_s;
    if (prediction.outcome == solver::Outcome::translation) return 0.0;
    const bool some_stand = prediction.outcome == solver::Outcome::partial_overturning;
    if (solver::is_overturning(prediction.outcome) && !some_stand) return prediction.overturn_time_s.value_or(0.0);
    return std::numeric_limits<double>::infinity();
}

/// Half way from the face on which it stands to the next on which it can rest.
double elsewhere_rad(const solver::Specimen& specimen) {
    double limit_rad = kFallen_rad;
    for (const solver::RestingPlace& place : solver::resting_places(specimen))
        if (place.rotation_rad != 0.0) limit_rad = std::min(limit_rad, 0.5 * std::abs(place.rotation_rad));
    return limit_rad;
}

void watch_ends(const experiment::Experiment& experiment, RunPlan& plan) {
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        const solver::Specimen& specimen = experiment.specimens[i];
        plan.elsewhere_rad.insert(plan.elsewhere_rad.end(), specimen.blocks.size(), elsewhere_rad(specimen));
        const std::optional<std::size_t> face = plan.prediction.specimens.at(i).prediction.resting_face;
        if (face && specimen.foot && *face != solver::standing_face(*specimen.foot)) plan.ends_elsewhere = true;
    }
}

}  // namespace

std::vector<controller::Profile> RunPlan::axes() const {
    std::vector<controller::Profile> all{profile};
    if (profile_y) all.push_back(*profile_y);
    return all;
}

std::vector<controller::Profile> RunPlan::drive_axes() const { return learned.empty() ? axes() : learned; }

RunPlan with_limits_of(const experiment::Experiment& experiment, RunPlan plan) {
    plan::MotionPlan motion = plan::plan_motion(experiment);
    if (!motion.feasibility.feasible())
        throw files::InputError(fmt::format("{}: not feasible on {}, nothing has moved\n{}", experiment.source.string(),
                                            experiment.table.description.name, motion.feasibility.text()));
    plan.profile = std::move(motion.profile);
    plan.profile_y = std::move(motion.profile_y);
    plan.feasibility = std::move(motion.feasibility);
    return plan;
}

RunPlan plan_run(const experiment::Experiment& experiment) {
    RunPlan plan = with_limits_of(experiment, {});
    if (experiment.table.protect && experiment.table.description.y)
        throw files::InputError(
            fmt::format("{}: [table] protect looks for other ends of a motion of one axis: leave it out on a machine "
                        "of two",
                        experiment.source.string()));
    if (experiment.table.iterate > 0 && experiment.assembly)
        throw files::InputError(fmt::format(
            "{}: drive iteration is not available with an assembly: leave [table] iterate and --iterate out",
            experiment.source.string()));
    if (experiment.table.protect) experiment::require_planar(experiment, "[table] protect");
    plan::PredictionRequest request;
    request.ensemble = plan::ensemble_size(experiment.uncertainty, plan::kTestEnsemble);
    plan.prediction = plan::predict_experiment(experiment, request);
    for (const auto& specimen : plan.prediction.specimens)
        plan.predicted_settling_s = std::max(plan.predicted_settling_s, predicted_end_s(specimen.prediction));
    watch_ends(experiment, plan);
    plan.trigger = experiment.table.trigger;
    plan.positioning.acceleration_m_s2 =
        std::min(plan.positioning.acceleration_m_s2, 0.2 * experiment::uplift_threshold_m_s2(experiment));
    return plan;
}

firmware_iface::MachineDescription effective_machine(const firmware_iface::MachineDescription& machine,
                                                     const firmware_iface::DeviceInfo& device) {
    if (const std::string difference = controller::mismatch(machine, device); !difference.empty())
        throw firmware_iface::DeviceError(fmt::format(
            "the machine file does not match the table: {} Use the machine file of this table", difference));
    auto effective = controller::tightened(machine, device);
    effective.feedback_rate_hz = 1e6 / device.feedback_period_us;  // as it really comes
    return effective;
}

controller::SupervisorSettings supervisor_settings(const firmware_iface::DeviceInfo& device) {
    controller::SupervisorSettings settings;
    settings.feedback_period_us = std::max<std::uint32_t>(device.feedback_period_us, 1);
    settings.setpoint_capacity = device.setpoint_capacity;
    if (device.simulated) settings.silent_periods = 1'000'000 / settings.feedback_period_us;
    return settings;
}

firmware_iface::Wording return_advice(const PositioningLimits& positioning) noexcept {
    using firmware_iface::NumberForm;
    using firmware_iface::Wording;
    const double by_hand_m_s2 = PositioningLimits{}.acceleration_m_s2;
    if (positioning.acceleration_m_s2 >= by_hand_m_s2)
        return Wording("`topple table move 0` (of two axes `move 0 0`) returns it");
    return Wording(
               "take the specimens off, then `topple table move 0` (of two axes `move 0 0`) returns it: it accelerates "
               "with ")
        .add(by_hand_m_s2, NumberForm::three_digits)
        .add(" m/s2, and more than ")
        .add(positioning.acceleration_m_s2, NumberForm::two_decimals)
        .add(" m/s2, a fifth of the acceleration that lifts them, is not gentle for them");
}

std::string place_text(const RunPlan& plan, bool at_start) {
    std::string text = fmt::format("{:+.4f} m", at_start ? plan.profile.start_position_m : 0.0);
    if (plan.profile_y) text += fmt::format(", y {:+.4f} m", at_start ? plan.profile_y->start_position_m : 0.0);
    return text;
}

std::string describe_motion(std::span<const controller::Profile> axes) {
    std::string text;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto extremes = axes[i].motion.extremes();
        const double start_m = axes[i].start_position_m;
        if (axes.size() > 1) text += fmt::format("{}axis {}: ", i > 0 ? "; " : "", firmware_iface::kAxisNames[i]);
        text += fmt::format("from {:+.4f} m between {:+.4f} and {:+.4f} m, {:.2f} s, up to {:.3f} m/s and {:.2f} m/s2",
                            start_m, start_m + extremes.displacement_min_m, start_m + extremes.displacement_max_m,
                            axes[i].duration_s(), extremes.velocity_peak_m_s, extremes.acceleration_peak_m_s2);
    }
    return text;
}

}  // namespace topple::hil::drive
