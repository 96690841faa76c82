// How well `topple table identify` finds simulated stages drawn around a preset, and what its gains do on them.
//   identification_bench [stage|worn] [tables]
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <string>

#include "tests/support/identified_table.hpp"
#include "tests/support/servo_bench.hpp"

using namespace topple;
using hil::identification::Estimate;

namespace {

/// Peak error of the true platen in one cycle of a sine of 8 m/s2 and 5 Hz with these gains, um.
double sine_error_um(const hil::sim_table::TablePreset& preset, const firmware_iface::MachineDescription& machine,
                     const firmware_iface::MachineDescription& gains, double payload_kg) {
    constexpr double kAmplitude_m_s2 = 8.0, kFrequency_hz = 5.0, kStep_s = test::ServoBench::kStep_s;
    constexpr double w = 2.0 * std::numbers::pi * kFrequency_hz, v = kAmplitude_m_s2 / w;
    test::ServoBench bench(machine, preset, payload_kg);
    bench.servo = firmware_iface::Servo(servo_of(gains, payload_kg));
    bench.servo.reset(bench.measured_m());
    bench.run(0.3);
    bench.watch();
    for (double t = 0.0; t < 2.0 / kFrequency_hz; t += kStep_s) {
        const double moved_s = std::min(t, 1.0 / kFrequency_hz);
        bench.setpoint = {v * moved_s - v / w * std::sin(w * moved_s), v * (1.0 - std::cos(w * moved_s)),
                          kAmplitude_m_s2 * std::sin(w * moved_s)};
        bench.cycle();
    }
    return 1e6 * bench.error_max_m;
}

/// Deviation in percent of the truth, and in standard errors.
std::string off(const Estimate& found, double truth) {
    return fmt::format("{:+.2f} % ({:+.1f})", 100.0 * (found.value / truth - 1.0), (found.value - truth) / found.error);
}

void identify_one(const hil::sim_table::TablePreset& preset, std::uint64_t seed) {
    const test::IdentifiedTable table(preset, seed + 1);
    const auto& found = table.found;
    fmt::print("{:>2}  ", seed);
    if (!found.table || !found.friction) {
        fmt::print("not identified\n");
        return;
    }
    fmt::print("mass {}, Coulomb {}, viscous {}", off(found.table->mass_kg, 30.0 * preset.moving_mass_ratio),
               off(found.friction->coulomb_n, preset.screw.coulomb_n + preset.guide.coulomb_n),
               off(found.friction->viscous_n_s_m, preset.screw.viscous_n_s_m + preset.guide.viscous_n_s_m));
    if (!found.proposal.why_not.empty()) {
        fmt::print("; no gains: {}\n", found.proposal.why_not);
        return;
    }
    // A control cycle, half of one for which the command is held, and the current loop; the stage integrates by the
    // force and the velocity at the end of each of its 25 us.
    const double lag_s = 1.5e-4 - 2.5e-5 + 1.0 / (2.0 * std::numbers::pi * preset.current_loop_hz);
    fmt::print(", motor share {}, screw {}, drive {}\n", off(found.table->motor_mass_ratio, preset.motor_mass_ratio),
               off(found.table->stiffness_n_m, preset.screw_stiffness_n_m), off(found.drive->total_s, lag_s));
    fmt::print("    motor loop {:g} -> {:g} rad/s", table.machine.servo.motor_loop_rad_s,
               found.proposal.machine.servo.motor_loop_rad_s);
    for (const auto& m : found.proposal.margins)
        fmt::print("; {:g} kg: {:.0f} deg, {:.1f} -> {:.0f} deg, {:.1f}", m.payload_kg, m.present.phase_margin_deg,
                   m.present.gain_margin, m.proposed.phase_margin_deg, m.proposed.gain_margin);
    fmt::print("\n    sine, peak error");
    for (const double payload_kg : {0.0, 5.0, 60.0})
        fmt::print("; {:g} kg: {:.0f} -> {:.0f} um", payload_kg,
                   sine_error_um(preset, table.machine, table.machine, payload_kg),
                   sine_error_um(preset, table.machine, found.proposal.machine, payload_kg));
    fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
    const bool worn = argc > 1 && std::string(argv[1]) == "worn";
    const int tables = argc > 2 ? std::atoi(argv[2]) : 24;
    const auto preset = worn ? hil::sim_table::worn_preset() : hil::sim_table::stage_preset();
    fmt::print("{}: found against true, and in standard errors\n", worn ? "worn" : "stage");
    for (int i = 1; i <= tables; ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        identify_one(drawn_around(preset, seed), seed);
    }
    return 0;
}
