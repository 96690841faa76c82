// The simulated machine: a carriage for each axis, ideal or with faults, loaded by what stands on it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "firmware_iface/device/device_core.hpp"
#include "hil/sim_table/carried_specimen.hpp"
#include "hil/sim_table/ideal_carriage.hpp"
#include "hil/sim_table/stage_carriage.hpp"

namespace topple::hil::sim_table {

/// Advanced in steps of 50 to 100 us. The seat's acceleration is found together with the specimens' reactions,
/// which depend on it; its velocity then follows from the balance of horizontal momentum, so that impacts of
/// a specimen kick the platen and nothing is lost. A specimen in a plane between the axes ties them: the momentum of
/// both is balanced together, the acceleration takes that of the other axis from the step before.
class Plant {
  public:
    Plant(const PlantParameters& parameters, std::vector<CarriedSpecimen> specimens, double position_m)
        : Plant(IdealCarriage(parameters, position_m), std::move(specimens)) {}
    using Carriage = std::variant<IdealCarriage, StageCarriage>;
    /// `y`: of axis y; without it the table has axis x only, and nothing moves across it.
    Plant(const Carriage& x, std::vector<CarriedSpecimen> specimens, const std::optional<Carriage>& y = std::nullopt);

    /// One step from device time `now_us`; the command holds during it.
    void step(std::uint64_t now_us, std::uint32_t step_us, const firmware_iface::DriveCommand& command,
              double encoder_zero_m, double encoder_zero_y_m = 0.0) noexcept;
    void stand_specimens_up();

    // ---- of an axis: 0 x, 1 y (at rest at 0 where there is none) ----
    double position_m(std::size_t axis = 0) const noexcept { return platen(axis).position_m; }
    double velocity_m_s(std::size_t axis = 0) const noexcept { return platen(axis).velocity_m_s; }
    /// Mean of the last step.
    double acceleration_m_s2(std::size_t axis = 0) const noexcept { return platen(axis).acceleration_m_s2; }
    /// Of the motor side; the platen's where nothing is between them.
    double encoder_position_m(std::size_t axis = 0) const noexcept;
    std::size_t axis_count() const noexcept { return carriages_.size(); }

    double drive_force_n() const noexcept;        ///< of the drive of axis x, in the last step
    void set_force_ratio(double ratio) noexcept;  ///< of the drives' force that is left
    void push(double velocity_m_s) noexcept;      ///< somebody knocks the platen along x
    const std::vector<CarriedSpecimen>& specimens() const noexcept { return specimens_; }
    /// Of the carriage and the blocks that still stand on it.
    double horizontal_momentum_kg_m_s(std::size_t axis = 0) const noexcept;

  private:
    using PerAxis = std::array<double, 2>;
    const Motion& platen(std::size_t axis) const noexcept;
    double seat_velocity_m_s(std::size_t axis) const noexcept;
    std::array<SpecimenLoad, 2> load() const noexcept;
    double across_kg(const CarriedSpecimen& specimen) const noexcept;

    std::vector<Carriage> carriages_;  // one or two
    std::vector<CarriedSpecimen> specimens_;
    PerAxis acceleration_m_s2_{};  // of the seats in the last step, without impacts
    PerAxis unfelt_m_s_{};         // of the seats' velocity: jumps by impacts reach the specimens in the next step
    bool release_seen_ = false;
};

}  // namespace topple::hil::sim_table
