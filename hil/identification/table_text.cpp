#include "hil/identification/table_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/text/rounded.hpp"

namespace topple::hil::identification {
namespace {

using firmware_iface::MachineDescription;

std::string row(std::string_view label, const std::string& text) { return fmt::format("{:<18}{}\n", label, text); }

/// "30.12 +- 0.05": decimals by the error's first two digits.
std::string number(const Estimate& estimate, double unit = 1.0) {
    const double value = estimate.value / unit, error = estimate.error / unit;
    int decimals = 3;
    if (error > 0.0 && std::isfinite(error))
        decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 6);
    return fmt::format("{:.{}f} +- {:.{}f}", text::rounded(value, decimals), decimals, error, decimals);
}

std::string response_text(std::span<const LineResponse> lines, std::size_t line_count) {
    if (lines.empty()) return fmt::format("no line of {} has a coherence of {}", line_count, kCoherenceMin);
    const double bandwidth = bandwidth_hz(lines);
    return fmt::format("{}; {} of {} lines are coherent, {:.0f} to {:.0f} Hz",
                       bandwidth > 0.0 ? fmt::format("-3 dB at {:.0f} Hz", bandwidth)
                                       : fmt::format("-3 dB above {:.0f} Hz", lines.back().frequency_hz),
                       lines.size(), line_count, lines.front().frequency_hz, lines.back().frequency_hz);
}

std::string platen_text(const PlatenResponse& platen) {
    std::string text = row("accelerometer", fmt::format("{} ms after the encoder; reads {} of its acceleration",
                                                        number(platen.delay_s, 1e-3), number(platen.gain)));
    if (platen.resonance_hz)
        text +=
            row("platen", fmt::format("resonates near {:.0f} Hz: the accelerometer reads {:.1f} times as much there",
                                      *platen.resonance_hz, platen.resonance_ratio));
    return text;
}

std::string table_text(const TableEstimate& table, const MachineDescription& machine) {
    std::string text =
        row("moving mass", fmt::format("{} kg (machine file: {} kg)", number(table.mass_kg), machine.moving_mass_kg));
    if (!table.whole) {
        text += row("screw", "not told: too few lines are coherent where it would show");
    } else if (table.model.stiffness_n_m > 0.0) {
        text += row("", fmt::format("{} of it on the encoder's side of the screw", number(table.motor_mass_ratio)));
        text += row("screw",
                    fmt::format("{} N/um, {} N s/m", number(table.stiffness_n_m, 1e6), number(table.damping_n_s_m)));
        text += row("", fmt::format("resonance {:.1f} Hz; platen with the motor held {} Hz", table.model.resonance_hz(),
                                    number(table.platen_resonance_hz)));
    } else {
        text += row("screw", "no resonance to be seen below the highest line: taken for rigid");
    }
    return text + row("", fmt::format("the model leaves {:.1f} % rms of {} lines unexplained",
                                      100.0 * table.residual_ratio, table.line_count));
}

std::string friction_text(const FrictionEstimate& friction) {
    return row("friction", fmt::format("{} N and {} N s/m; {:.2f} N rms unexplained", number(friction.coulomb_n),
                                       number(friction.viscous_n_s_m), friction.residual_n)) +
           row("", fmt::format("offset of the force {} N (tilt, or the channel's zero)", number(friction.offset_n)));
}

std::string drive_text(const DriveEstimate& drive) {
    return row("drive", fmt::format("{} ms late, {} of the commanded force; {:.1f} % rms unexplained",
                                    number(drive.total_s, 1e-3), number(drive.gain), 100.0 * drive.residual_ratio)) +
           row("closed loop",
               fmt::format("predicted by servo, drive and table to {:.1f} % rms", 100.0 * drive.closed_loop_ratio));
}

std::string margins_text(const LoopMargins& margins) {
    if (!margins.stable) return "unstable";
    return fmt::format("{:.0f} degrees, factor {:.1f}", margins.phase_margin_deg, margins.gain_margin);
}

std::string proposal_text(const ServoProposal& proposal, const MachineDescription& machine) {
    if (!proposal.why_not.empty()) return row("gains", "none proposed: " + proposal.why_not);
    const firmware_iface::ServoGains &now = machine.servo, &next = proposal.machine.servo;
    std::string text = row("proposed", "machine file -> proposed");
    const auto gain = [&](std::string_view key, double before, double after) {
        text += row("", fmt::format("{:<22}{:g} -> {:g}", key, before, after));
    };
    gain("moving_mass_kg", machine.moving_mass_kg, proposal.machine.moving_mass_kg);
    gain("motor_loop_rad_s", now.motor_loop_rad_s, next.motor_loop_rad_s);
    gain("coulomb_n", now.coulomb_n, next.coulomb_n);
    gain("viscous_n_s_m", now.viscous_n_s_m, next.viscous_n_s_m);
    gain("drive_lag_s", now.drive_lag_s, next.drive_lag_s);
    gain("screw_stiffness_n_m", now.screw_stiffness_n_m, next.screw_stiffness_n_m);
    gain("motor_mass_ratio", now.motor_mass_ratio, next.motor_mass_ratio);
    for (const PayloadMargins& margins : proposal.margins)
        text += row("margins", fmt::format("with {:g} kg: {} -> {}, crossover {:.0f} Hz", margins.payload_kg,
                                           margins_text(margins.present), margins_text(margins.proposed),
                                           margins.proposed.crossover_hz));
    return text;
}

const LineResponse* at(std::span<const LineResponse> lines, double frequency_hz) {
    const auto found = std::find_if(lines.begin(), lines.end(),
                                    [&](const LineResponse& line) { return line.frequency_hz == frequency_hz; });
    return found == lines.end() ? nullptr : &*found;
}

}  // namespace

std::string describe(const IdentificationPlan& plan) {
    return fmt::format(
        "a gentle move to {:+.4f} m, then {} motions there and back over {:.0f} mm in {:.0f} s, shaken at {:.0f} to "
        "{:.0f} Hz, up to {:.3f} m/s and {:.2f} m/s2. No specimen may stand on it",
        plan.start_m, plan.multisine.size() + plan.strokes.size(), 1e3 * plan.travel_m, plan.duration_s,
        plan.frequency_hz.front(), plan.frequency_hz.back(), plan.velocity_peak_m_s, plan.acceleration_peak_m_s2);
}

std::string describe(const Identification& found, const MachineDescription& machine) {
    const std::size_t lines = found.frequency_hz.size();
    std::string text = row("encoder", response_text(found.position, lines));
    text += found.acceleration.empty() && !found.platen ? row("accelerometer", "the table reports none")
                                                        : row("platen", response_text(found.acceleration, lines));
    if (found.platen) text += platen_text(*found.platen);
    if (!found.has_force) {
        text += row("mass, friction", "not identified: no channel measures the drive's force");
        text +=
            row("", "list it in the machine file: [[aux]] name = \"drive force\", unit = \"N\", scale = N per volt");
    } else {
        text += found.table ? table_text(*found.table, machine)
                            : row("moving mass", "not identified: force and motion are not coherent");
        text += found.friction ? friction_text(*found.friction)
                               : row("friction", "not identified: too few strokes were recorded whole");
        if (found.drive) text += drive_text(*found.drive);
    }
    text += proposal_text(found.proposal, machine);
    for (const std::string& missing : found.missing) text += row("left out", missing);
    return text;
}

std::string lines_csv(const Identification& found) {
    std::string text = "frequency_hz";
    for (const char* name : {"position", "accelerometer", "force"})
        for (const char* column : {"magnitude", "phase_deg", "coherence", "error_ratio"})
            text += fmt::format(",{}_{}", name, column);
    text += '\n';
    for (const double frequency_hz : found.frequency_hz) {
        text += fmt::format("{}", frequency_hz);
        for (const auto* lines : {&found.position, &found.acceleration, &found.force})
            if (const LineResponse* line = at(*lines, frequency_hz))
                text += fmt::format(",{},{},{},{}", std::abs(line->response),
                                    180.0 / std::numbers::pi * std::arg(line->response), line->coherence,
                                    line->error_ratio);
            else
                text += ",,,,";
        text += '\n';
    }
    return text;
}

}  // namespace topple::hil::identification
