// A ball-screw stage with its faults: motor side, platen and fixture plate on springs, moved by a commanded force.
#pragma once

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/machine.hpp"
#include "hil/sim_table/carriage.hpp"
#include "hil/sim_table/friction.hpp"
#include "hil/sim_table/table_preset.hpp"

namespace topple::hil::sim_table {

/// Of the setpoint in the command it sees nothing: only the force, one control cycle late, through the current loop.
/// Symplectic Euler in steps of 25 us; the highest mode, of the unloaded fixture plate, is near 800 Hz, so that the
/// product of frequency and step is 0.13 (stable below 2).
class StageCarriage {
  public:
    StageCarriage(const firmware_iface::MachineDescription& machine, const TablePreset& preset, double payload_kg,
                  double position_m) noexcept;

    SeatStep step(const firmware_iface::DriveCommand& command, double encoder_zero_m, const SpecimenLoad& load,
                  double dt_s) noexcept;
    /// The end of the step: the seat's velocity, with what the specimens did to it.
    void settle(double velocity_m_s, double dt_s) noexcept;
    const Motion& platen() const noexcept { return platen_; }
    const Motion& motor() const noexcept { return motor_; }  ///< along the way, before the screw
    const Motion& seat() const noexcept { return fixture_; }
    double momentum_kg_m_s() const noexcept;
    double drive_force_n() const noexcept { return force_n_; }
    void set_force_ratio(double ratio) noexcept { force_ratio_ = ratio; }
    void push(double velocity_m_s) noexcept;

  private:
    double next_force_n(double wanted_n, double dt_s) noexcept;
    double screw_force_n() const noexcept;  // on the platen
    void substep(const firmware_iface::DriveCommand& command, const SpecimenLoad& load, double dt_s) noexcept;

    TablePreset preset_;
    double motor_kg_, platen_kg_, fixture_kg_;
    double scale_;  // of forces, stiffness and damping
    double force_max_n_, no_load_m_s_, brake_force_n_, frame_m_;
    Friction screw_friction_, guide_friction_;
    Motion motor_, platen_, fixture_;
    double seat_impulse_n_s_ = 0.0;  // on the fixture plate in this step, without the specimens
    double wanted_n_ = 0.0;          // commanded one cycle ago
    double force_n_ = 0.0;           // of the drive
    double force_ratio_ = 1.0;
};

}  // namespace topple::hil::sim_table
