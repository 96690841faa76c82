#include "hil/session/test_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/errors.hpp"
#include "solver/rocking_run.hpp"

namespace topple::hil {
namespace {

controller::Profile table_profile(const Experiment& experiment) {
    const auto& excitation = experiment.excitation;
    if (!excitation.table_motion)
        throw InputError(fmt::format("{}: [excitation] type = \"{}\" cannot be made on a table: {}",
                                     experiment.source.string(), excitation.type, excitation.table_motion_missing));
    try {
        return controller::place(*excitation.table_motion, experiment.table.centre);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: [excitation]: {}", experiment.source.string(), error.what()));
    }
}

}  // namespace

TestPlan plan_test(const Experiment& experiment, const firmware_iface::MachineDescription& machine) {
    TestPlan plan;
    plan.profile = table_profile(experiment);
    plan.feasibility = controller::check_feasibility(plan.profile, machine, payload_kg(experiment));
    if (!plan.feasibility.feasible())
        throw InputError(fmt::format("{}: infeasible on \"{}\", nothing has moved:\n{}", experiment.source.string(),
                                     machine.name, plan.feasibility.text()));
    solver::SolverOptions options;
    options.gravity_m_s2 = experiment.gravity_m_s2;
    for (const auto& specimen : experiment.specimens) {
        plan.predictions.push_back(solver::predict(specimen, plan.profile.motion, options));
        plan.predicted_settling_s =
            std::max(plan.predicted_settling_s, plan.predictions.back().settled_time_s.value_or(0.0));
    }
    plan.positioning.acceleration_m_s2 =
        std::min(plan.positioning.acceleration_m_s2, 0.2 * uplift_threshold_m_s2(experiment));
    return plan;
}

firmware_iface::MachineDescription effective_machine(const firmware_iface::MachineDescription& machine,
                                                     const firmware_iface::DeviceInfo& device) {
    if (device.axes.empty()) throw firmware_iface::DeviceError("the device describes no axis");
    const auto& axis = device.axes.front();
    if (axis.counts_per_m != machine.counts_per_m || axis.encoder_sign != machine.encoder_sign ||
        axis.accelerometer_sign != machine.accelerometer_sign)
        throw firmware_iface::DeviceError(fmt::format(
            "refused to arm: the device says {} counts/m, encoder sign {:+d}, accelerometer sign {:+d}; machine file "
            "\"{}\" says {} counts/m, {:+d}, {:+d}. Use the machine file of this table",
            axis.counts_per_m, axis.encoder_sign, axis.accelerometer_sign, machine.name, machine.counts_per_m,
            machine.encoder_sign, machine.accelerometer_sign));
    firmware_iface::MachineDescription effective = machine;
    effective.stroke_m = std::min(machine.stroke_m, axis.stroke_m);
    effective.velocity_max_m_s = std::min(machine.velocity_max_m_s, axis.velocity_max_m_s);
    effective.acceleration_max_m_s2 = std::min(machine.acceleration_max_m_s2, axis.acceleration_max_m_s2);
    effective.stop_deceleration_m_s2 = std::min(machine.stop_deceleration_m_s2, axis.stop_deceleration_m_s2);
    return effective;
}

std::string describe_motion(const controller::Profile& profile) {
    const auto extremes = profile.motion.extremes();
    return fmt::format("from {:+.4f} m between {:+.4f} and {:+.4f} m, {:.2f} s, up to {:.3f} m/s and {:.2f} m/s2",
                       profile.start_position_m, profile.start_position_m + extremes.displacement_min_m,
                       profile.start_position_m + extremes.displacement_max_m, profile.duration_s(),
                       extremes.velocity_peak_m_s, extremes.acceleration_peak_m_s2);
}

}  // namespace topple::hil
