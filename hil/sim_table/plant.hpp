// The simulated machine: drive, position servo, platen on rails, brake and ends, loaded by what stands on it.
#pragma once

#include <cstdint>
#include <vector>

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/machine.hpp"
#include "hil/sim_table/carried_specimen.hpp"

namespace topple::hil::sim_table {

/// Figures that are not in the machine description are assumptions of the simulation, chosen for a stiff
/// ball-screw or linear-motor stage of this class (docs/machines.md says which).
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
/// The drive reaches acceleration_clean with `payload_kg` on the platen and no more: above, a sine becomes a
/// "double constant".
PlantParameters plant_of(const firmware_iface::MachineDescription& machine, double payload_kg) noexcept;

/// Advanced in steps of 50 to 100 us. The platen's acceleration is found together with the specimens' reactions,
/// which depend on it; its velocity then follows from the balance of horizontal momentum, so that impacts of
/// a specimen kick the platen and nothing is lost.
class Plant {
  public:
    Plant(const PlantParameters& parameters, std::vector<CarriedSpecimen> specimens, double position_m);

    /// One step from device time `now_us`; the command holds during it.
    void step(std::uint64_t now_us, std::uint32_t step_us, const firmware_iface::DriveCommand& command,
              double encoder_zero_m) noexcept;
    void stand_specimens_up();

    double position_m() const noexcept { return position_m_; }
    double velocity_m_s() const noexcept { return velocity_m_s_; }
    double acceleration_m_s2() const noexcept { return acceleration_m_s2_; }  ///< mean of the last step
    double drive_force_n() const noexcept { return force_n_; }                ///< of the drive, in the last step
    void set_force_ratio(double ratio) noexcept { force_ratio_ = ratio; }     ///< of the drive's force that is left
    void push(double velocity_m_s) noexcept {
        velocity_m_s_ += velocity_m_s, unfelt_m_s_ += velocity_m_s;
    }  ///< somebody knocks the platen
    const std::vector<CarriedSpecimen>& specimens() const noexcept { return specimens_; }
    /// Of the platen and the blocks that still stand on it.
    double horizontal_momentum_kg_m_s() const noexcept;

  private:
    double next_force_n(const firmware_iface::DriveCommand& command, double encoder_zero_m, double dt_s) noexcept;
    double friction_n() const noexcept;

    PlantParameters parameters_;
    std::vector<CarriedSpecimen> specimens_;
    double position_m_ = 0.0, velocity_m_s_ = 0.0, acceleration_m_s2_ = 0.0;
    double unfelt_m_s_ = 0.0;  // of the platen's velocity: jumps by impacts reach the specimens in the next step
    double force_n_ = 0.0;     // of the drive, after its lag
    double force_ratio_ = 1.0;
    bool release_seen_ = false;
};

}  // namespace topple::hil::sim_table
