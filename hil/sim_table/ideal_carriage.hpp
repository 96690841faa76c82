// The ideal table: one rigid mass with a servo of its own that knows everything.
#pragma once

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/machine.hpp"
#include "hil/sim_table/carriage.hpp"

namespace topple::hil::sim_table {

/// Figures that are not in the machine description are assumptions of the simulation (docs/machines.md says which).
struct PlantParameters {
    double moving_mass_kg = 0.0;    ///< platen and carriage
    double servo_mass_kg = 0.0;     ///< what the servo counts with: tuned with the payload at rest on the platen
    double force_max_n = 0.0;       ///< of the drive, both ways
    double velocity_max_m_s = 0.0;  ///< the force that accelerates fades to zero over the last 5 % below it
    double brake_force_n = 0.0;
    double frame_m = 0.0;       ///< the platen hits the frame at +- this
    double servo_rad_s = 90.0;  ///< natural frequency of the position loop
    double servo_damping_ratio = 0.9;
    double force_lag_s = 3e-4;  ///< of the current loop
    double viscous_n_s_m = 4.0;
    double coulomb_n = 1.5;
};
/// The ideal drive reaches acceleration_clean with `payload_kg` on the platen and no more: above, a sine becomes a
/// "double constant".
PlantParameters plant_of(const firmware_iface::MachineDescription& machine, double payload_kg) noexcept;

class IdealCarriage {
  public:
    IdealCarriage(const PlantParameters& parameters, double position_m) noexcept
        : parameters_(parameters), platen_{position_m, 0.0, 0.0} {}

    SeatStep step(const firmware_iface::DriveCommand& command, double encoder_zero_m, const SpecimenLoad& load,
                  double dt_s) noexcept;
    /// The end of the step: the seat's velocity, with what the specimens did to it.
    void settle(double velocity_m_s, double dt_s) noexcept;
    const Motion& platen() const noexcept { return platen_; }
    const Motion& motor() const noexcept { return platen_; }
    const Motion& seat() const noexcept { return platen_; }
    double momentum_kg_m_s() const noexcept { return parameters_.moving_mass_kg * platen_.velocity_m_s; }
    double drive_force_n() const noexcept { return force_n_; }
    void set_force_ratio(double ratio) noexcept { force_ratio_ = ratio; }
    void push(double velocity_m_s) noexcept { platen_.velocity_m_s += velocity_m_s; }

  private:
    double next_force_n(const firmware_iface::DriveCommand& command, double encoder_zero_m, double dt_s) noexcept;
    double friction_n() const noexcept;

    PlantParameters parameters_;
    Motion platen_;
    double force_n_ = 0.0;  // of the drive, after its lag
    double force_ratio_ = 1.0;
};

}  // namespace topple::hil::sim_table
