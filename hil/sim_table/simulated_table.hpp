// A shaking table that is not there: the device core on a simulated machine, behind the same wire as a real one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/served/device_session.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "hil/sim_table/aux_voltages.hpp"
#include "hil/sim_table/plant.hpp"
#include "hil/sim_table/scripted_faults.hpp"
#include "hil/sim_table/sensors.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::sim_table {

struct SimulatedTableOptions {
    std::uint64_t seed = 1;
    double gravity_m_s2 = solver::kStandardGravity_m_s2;
    double clock_skew_ppm = 40.0;  ///< device clock fast against the host's
    bool start_homed = true;       ///< false: idle, unhomed, at start_position_m
    double start_position_m = 0.0, start_position_y_m = 0.0;
    /// Planes of the true specimens, about z from +x, in their order; of those beyond its end 0.
    std::vector<double> plane_angle_rad{};
    std::size_t aux_channel_count = 0;  ///< auxiliary analog inputs (aux_voltages.hpp), at most kAuxChannelsMax
    bool reports_simulated = true;      ///< false: says it is a real table, so that consent can be rehearsed
    std::optional<TablePreset> mechanics = stage_preset();  ///< empty: the ideal table
    /// Default: those of the mechanics.
    std::optional<SensorParameters> sensors{};
    /// Called with each measurement before the core sees it: switches, drive, counts can be falsified (tests, faults).
    std::function<void(std::uint64_t device_time_us, firmware_iface::Measurement&)> disturb{};
    std::optional<FaultScript> faults{};  ///< what goes wrong with the table and its wire, and when
};

/// Everything happens in steps of 100 us of device time, which runs offset and skewed against the host's clock.
/// The simulated world's own time is device time. For one seed and one sequence of host calls, every bit that comes
/// back is the same. Feedback leaves at whole multiples of the feedback period.
class SimulatedTable final : private firmware_iface::Board {
  public:
    /// `wire` may be null: connect() later. Throws std::invalid_argument for specimens the solver refuses.
    SimulatedTable(const firmware_iface::MachineDescription& machine,
                   const std::vector<solver::Specimen>& true_specimens, const SimulatedTableOptions& options,
                   std::unique_ptr<firmware_iface::ByteStream> wire);

    /// Reads the wire, then lives until the host's clock shows `host_time`. The first call fixes the origin.
    void advance_to(firmware_iface::Nanoseconds host_time);

    /// The next host's wire; the present session ends (controlled stop if moving).
    void connect(std::unique_ptr<firmware_iface::ByteStream> wire);
    void disconnect() { session_.attach(nullptr); }
    /// Puts all specimens back as they stood at the beginning; the platen stays where it is.
    void stand_specimens_up() { plant_.stand_specimens_up(); }

    const firmware_iface::DeviceCore& core() const noexcept { return core_; }
    const firmware_iface::DeviceSession& session() const noexcept { return session_; }
    const Plant& plant() const noexcept { return plant_; }
    Plant& plant() noexcept { return plant_; }  ///< for tests: knocks
    std::uint64_t device_time_us() const noexcept { return core_time_us(); }
    ScriptedFaults* faults() noexcept { return faults_.get(); }  ///< null without a script

  private:
    // ---- the board that the device core sees ----
    firmware_iface::Measurement measure() noexcept override { return read_; }
    std::uint64_t now_us() noexcept override { return core_time_us(); }
    void drive(const firmware_iface::DriveCommand& command) noexcept override { command_ = command; }
    void kick_watchdog() noexcept override { ticked_us_ = now_us_; }
    firmware_iface::SerialLine& line() noexcept override { return session_.line(); }

    void step();
    firmware_iface::Measurement read_sensors();
    void control(bool sampling);
    void boot();
    /// What the device's own clock shows.
    std::uint64_t core_time_us() const noexcept;

    SimulatedTableOptions options_;
    Plant plant_;
    Sensors sensors_;
    AuxVoltages aux_;
    firmware_iface::DeviceCore core_;
    firmware_iface::DeviceSession session_;
    firmware_iface::DeviceParameters parameters_;
    std::unique_ptr<ScriptedFaults> faults_;
    std::uint32_t period_us_;
    std::uint64_t now_us_;              // of the world
    std::int64_t clock_offset_us_ = 0;  // of the device's clock since its last start
    std::uint64_t ticked_us_ = 0;       // world time of the core's last cycle
    firmware_iface::Measurement read_;  // by the electronics in this step
    firmware_iface::DriveCommand command_;
    bool booting_ = false;
    std::array<double, 2> encoder_error_m_{};  // what faults make of the encoders, which the servo believes
    bool started_ = false;
    firmware_iface::Nanoseconds origin_{0};
};

}  // namespace topple::hil::sim_table
