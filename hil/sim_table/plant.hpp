// The simulated machine: one of two carriages, ideal or with faults, loaded by what stands on it.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "firmware_iface/device/device_core.hpp"
#include "hil/sim_table/carried_specimen.hpp"
#include "hil/sim_table/ideal_carriage.hpp"
#include "hil/sim_table/stage_carriage.hpp"

namespace topple::hil::sim_table {

/// Advanced in steps of 50 to 100 us. The seat's acceleration is found together with the specimens' reactions,
/// which depend on it; its velocity then follows from the balance of horizontal momentum, so that impacts of
/// a specimen kick the platen and nothing is lost.
class Plant {
  public:
    Plant(const PlantParameters& parameters, std::vector<CarriedSpecimen> specimens, double position_m)
        : Plant(IdealCarriage(parameters, position_m), std::move(specimens)) {}
    using Carriage = std::variant<IdealCarriage, StageCarriage>;
    Plant(const Carriage& carriage, std::vector<CarriedSpecimen> specimens)
        : carriage_(carriage), specimens_(std::move(specimens)) {}

    /// One step from device time `now_us`; the command holds during it.
    void step(std::uint64_t now_us, std::uint32_t step_us, const firmware_iface::DriveCommand& command,
              double encoder_zero_m) noexcept;
    void stand_specimens_up();

    double position_m() const noexcept { return platen().position_m; }
    double velocity_m_s() const noexcept { return platen().velocity_m_s; }
    double acceleration_m_s2() const noexcept { return platen().acceleration_m_s2; }  ///< mean of the last step
    double encoder_position_m() const noexcept;   ///< of the motor side; the platen's where nothing is between them
    double drive_force_n() const noexcept;        ///< of the drive, in the last step
    void set_force_ratio(double ratio) noexcept;  ///< of the drive's force that is left
    void push(double velocity_m_s) noexcept;      ///< somebody knocks the platen
    const std::vector<CarriedSpecimen>& specimens() const noexcept { return specimens_; }
    /// Of the carriage and the blocks that still stand on it.
    double horizontal_momentum_kg_m_s() const noexcept;

  private:
    const Motion& platen() const noexcept;
    double seat_velocity_m_s() const noexcept;

    Carriage carriage_;
    std::vector<CarriedSpecimen> specimens_;
    double unfelt_m_s_ = 0.0;  // of the seat's velocity: jumps by impacts reach the specimens in the next step
    bool release_seen_ = false;
};

}  // namespace topple::hil::sim_table
