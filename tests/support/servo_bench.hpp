// The device's servo on the stage with its faults, without host, wire and limits: one call is one control cycle.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "firmware_iface/device/servo.hpp"
#include "hil/sim_table/stage_carriage.hpp"

namespace topple::test {

struct ServoBench {
    ServoBench(const firmware_iface::MachineDescription& machine, const hil::sim_table::TablePreset& table,
               double payload, double position_m = 0.0)
        : preset(table),
          counts_per_m(machine.counts_per_m),
          payload_kg(payload),
          carriage(machine, table, payload, position_m),
          servo(servo_of(machine, payload)),
          setpoint{position_m, 0.0, 0.0} {
        servo.reset(measured_m());
    }

    double measured_m() const noexcept {
        const double exact = carriage.motor().position_m * counts_per_m;
        const double phase = 2.0 * std::numbers::pi * exact / preset.encoder_period_counts;
        return std::round(exact + preset.encoder_ripple_counts * std::sin(phase)) / counts_per_m;
    }
    void cycle() {
        command.enable = enabled;
        command.brake = !enabled;
        if (!enabled) servo.reset(measured_m());
        command.force_n = enabled ? servo.step(setpoint, measured_m()) : 0.0;
        const double seat_m_s = carriage.seat().velocity_m_s;
        const auto seat = carriage.step(command, 0.0, {0.0, payload_kg}, kStep_s);
        carriage.settle(seat_m_s + seat.impulse_n_s / (seat.mass_kg + payload_kg), kStep_s);
        error_max_m = std::max(error_max_m, std::abs(platen_m() - setpoint.position_m));
        velocity_max_m_s = std::max(velocity_max_m_s, std::abs(carriage.platen().velocity_m_s));
    }
    void run(double duration_s) {
        for (auto left = std::lround(duration_s / kStep_s); left > 0; --left) cycle();
    }
    /// From now on.
    void watch() noexcept { error_max_m = velocity_max_m_s = 0.0; }
    double platen_m() const noexcept { return carriage.platen().position_m; }

    static constexpr double kStep_s = 1e-4;
    hil::sim_table::TablePreset preset;
    double counts_per_m, payload_kg;
    hil::sim_table::StageCarriage carriage;
    firmware_iface::Servo servo;
    firmware_iface::AxisSetpoint setpoint;
    firmware_iface::DriveCommand command{};
    bool enabled = true;
    double error_max_m = 0.0, velocity_max_m_s = 0.0;
};

}  // namespace topple::test
