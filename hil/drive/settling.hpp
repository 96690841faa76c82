// Has everything on the platen come to rest? How long a test is recorded, and a table held after a stop.
#pragma once

#include <array>
#include <cstdint>

#include "firmware_iface/samples.hpp"

namespace topple::hil::drive {

/// Watches the specimens' rotation sensors. At rest = every rotation has stayed within kBand_rad during the last
/// two full windows. No allocation; fed on the tick path.
class SettlingWatch {
  public:
    static constexpr std::uint64_t kWindow_us = 500'000;
    /// Peak to peak. Ten times the noise of the simulated sensor (0.2 mrad, 1 sigma); a B6L rocking at 1.5 mrad
    /// has 0.3 s between impacts, so a window sees several of them.
    static constexpr double kBand_rad = 2.0e-3;

    void add(const firmware_iface::Feedback& feedback) noexcept;
    bool has_sensor() const noexcept { return sensor_count_ > 0; }
    bool at_rest() const noexcept { return quiet_windows_ >= 2; }

  private:
    std::size_t sensor_count_ = 0;
    std::uint64_t window_end_us_ = 0;
    unsigned quiet_windows_ = 0;
    std::array<double, firmware_iface::kRotationSensorsMax> low_rad_{}, high_rad_{};
};

/// Device time that a table holds where a stop has brought it to rest, until it is disarmed: nobody is taken by
/// surprise.
inline constexpr std::uint64_t kHoldAfterStop_us = 5'000'000;

/// When to end the recording after the platen has come to rest at motion_end_s (t = 0 at the first setpoint).
/// With a sensor: at rest, but not before 5 s; without: 5 s or 2 s after the predicted settling, whichever is
/// later; never later than 60 s.
bool recording_complete(double time_s, double motion_end_s, const SettlingWatch& watch,
                        double predicted_settling_s) noexcept;

}  // namespace topple::hil::drive
