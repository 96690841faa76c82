#include "hil/identification/servo_proposal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace topple::hil::identification {
namespace {

using firmware_iface::MachineDescription;

std::string reason_against(const std::optional<TableEstimate>& table, const std::optional<FrictionEstimate>& friction,
                           const std::optional<DriveEstimate>& drive) {
    if (!table) return "the moving mass could not be identified";
    if (!table->whole)
        return fmt::format(
            "only {} lines of the force are coherent, which leaves the screw's resonance in the dark: the "
            "screw has play, or the motion was too weak for the noise (--amplitude)",
            table->line_count);
    if (table->residual_ratio > kModelResidualMax_ratio)
        return fmt::format(
            "force and motion differ by {:.0f} % rms from a mass behind a screw ({:.0f} % is allowed): the "
            "table has something that this model has not (play, another resonance, a specimen on it)",
            100.0 * table->residual_ratio, 100.0 * kModelResidualMax_ratio);
    if (!friction) return "the friction could not be identified";
    if (!drive) return "the drive's lag could not be identified: too few coherent lines";
    if (std::abs(drive->gain.value - 1.0) > kDriveGainDeviationMax_ratio ||
        drive->residual_ratio > kModelResidualMax_ratio)
        return fmt::format(
            "the measured force is {:.2f} times what this servo with the gains of the machine file would command, with "
            "{:.0f} % rms of deviation: the device has another servo, other gains, or the force channel's scale is "
            "wrong",
            drive->gain.value, 100.0 * drive->residual_ratio);
    if (drive->closed_loop_ratio > kModelResidualMax_ratio)
        return fmt::format(
            "servo, drive and table together predict the closed loop to {:.0f} % rms only ({:.0f} % is "
            "allowed)",
            100.0 * drive->closed_loop_ratio, 100.0 * kModelResidualMax_ratio);
    return {};
}

bool is_enough(const LoopMargins& margins) {
    return margins.stable && margins.phase_margin_deg >= kPhaseMarginMin_deg && margins.gain_margin >= kGainMarginMin;
}

MachineDescription identified(MachineDescription machine, const TableEstimate& table, const FrictionEstimate& friction,
                              const DriveEstimate& drive) {
    const auto rounded = [](double value, double unit) { return unit * std::round(value / unit); };
    const double unit_n = 0.01;
    machine.moving_mass_kg = rounded(table.mass_kg.value, 0.01);
    machine.servo.coulomb_n = rounded(kFrictionShare * std::max(0.0, friction.coulomb_n.value), unit_n);
    machine.servo.viscous_n_s_m = rounded(kFrictionShare * std::max(0.0, friction.viscous_n_s_m.value), unit_n);
    machine.servo.drive_lag_s = rounded(std::max(0.0, drive.total_s.value), 1e-6);
    machine.servo.motor_mass_ratio = rounded(table.model.motor_mass_ratio, 1e-3);
    machine.servo.screw_stiffness_n_m = rounded(table.model.stiffness_n_m, 1e3);
    return machine;
}

}  // namespace

ServoProposal propose_servo(const MachineDescription& machine, const std::optional<TableEstimate>& table,
                            const std::optional<FrictionEstimate>& friction,
                            const std::optional<DriveEstimate>& drive) {
    ServoProposal proposal;
    proposal.why_not = reason_against(table, friction, drive);
    if (!proposal.why_not.empty()) return proposal;
    constexpr double kStep_rad_s = 10.0, kObserverShare = 0.5;
    const std::array payloads_kg{0.0, machine.payload_max_kg};
    const auto margins = [&](const MachineDescription& with, double payload_kg) {
        return loop_margins(servo_of(with, payload_kg), drive->model, table->model);
    };
    proposal.machine = identified(machine, *table, *friction, *drive);
    double& loop_rad_s = proposal.machine.servo.motor_loop_rad_s;
    const auto all_enough = [&](double candidate_rad_s) {
        loop_rad_s = candidate_rad_s;
        return std::all_of(payloads_kg.begin(), payloads_kg.end(),
                           [&](double payload_kg) { return is_enough(margins(proposal.machine, payload_kg)); });
    };
    double candidate_rad_s = kStep_rad_s * std::floor(kObserverShare * machine.servo.observer_rad_s / kStep_rad_s);
    while (candidate_rad_s >= kStep_rad_s && !all_enough(candidate_rad_s)) candidate_rad_s -= kStep_rad_s;
    if (candidate_rad_s < kStep_rad_s) {
        proposal.why_not = fmt::format(
            "no motor_loop_rad_s leaves {:.0f} degrees of phase and a factor of {} of gain with 0 and {} kg: "
            "the observer ({} rad/s) or the drive ({:.2f} ms) is too slow",
            kPhaseMarginMin_deg, kGainMarginMin, machine.payload_max_kg, machine.servo.observer_rad_s,
            1e3 * drive->total_s.value);
        return proposal;
    }
    for (const double payload_kg : payloads_kg)
        proposal.margins.push_back({payload_kg, margins(machine, payload_kg), margins(proposal.machine, payload_kg)});
    return proposal;
}

}  // namespace topple::hil::identification
