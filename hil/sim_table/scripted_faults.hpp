// A fault script at work: which fault is there now, and what it makes of measurements, clock, drive and wire.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firmware_iface/device/device_core.hpp"
#include "firmware_iface/samples.hpp"
#include "firmware_iface/transport/byte_stream.hpp"
#include "hil/sim_table/fault_script.hpp"
#include "hil/sim_table/noise.hpp"

namespace topple::hil::sim_table {

/// Belongs to one simulated table. The same script and the same calls give the same faults.
class ScriptedFaults {
  public:
    explicit ScriptedFaults(const FaultScript& script);

    /// Every control cycle first. `time_us`: the table's world time, which no fault touches. `motion`: the platen
    /// follows the motion of a test.
    void note(std::uint64_t time_us, firmware_iface::DeviceState state, bool motion) noexcept;

    void falsify(firmware_iface::Measurement& measurement, const std::array<double, 2>& counts_per_m) noexcept;
    /// Of axes with the same encoders.
    void falsify(firmware_iface::Measurement& measurement, double counts_per_m) noexcept {
        falsify(measurement, {counts_per_m, counts_per_m});
    }
    bool lasts(FaultKind kind) const noexcept;
    double force_ratio() const noexcept;          ///< of the drive's force that is left
    std::int64_t clock_jump_us() const noexcept;  ///< all jumps so far

    /// The wire with this script's faults; not to outlive this object.
    std::unique_ptr<firmware_iface::ByteStream> on_wire(std::unique_ptr<firmware_iface::ByteStream> wire);
    /// Does a frame that goes this way now suffer from `kind`? Counts it if so. The value of the fault.
    std::optional<double> strikes(FaultKind kind, WireDirection way) noexcept;
    bool stalls(WireDirection way) const noexcept;  ///< the wire is held up
    std::uint64_t time_us() const noexcept { return time_us_; }
    Noise& noise() noexcept { return noise_; }

    /// Faults that have begun since the last call, as text.
    std::vector<std::string> news();

  private:
    struct Entry {
        ScriptedFault fault;
        std::optional<std::uint64_t> due_us, end_us;  // once its moment has come
        bool begun = false, reported = false;
        std::uint64_t frames = 0;
        double stuck_x_m_s2 = 0.0, stuck_y_m_s2 = 0.0;  // readings when it began
        std::int64_t stuck_count = 0;
    };
    bool is_on(const Entry& entry) const noexcept;
    void falsify_encoder(const Entry& entry, std::int64_t& count, double counts_per_m) const noexcept;
    static void falsify_accelerometer(const Entry& entry, firmware_iface::Measurement& measurement) noexcept;
    static void falsify_switches(const Entry& entry, firmware_iface::Measurement& measurement) noexcept;

    std::vector<Entry> entries_;
    Noise noise_;
    std::uint64_t time_us_ = 0;
    std::optional<firmware_iface::DeviceState> state_;  // of the last cycle
    bool motion_ = false;
    std::array<std::uint32_t, 9> entered_{};  // by FaultMoment
};

}  // namespace topple::hil::sim_table
