// Another end of the motion for specimens that are about to fall: chosen by trying endings on the ensembles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "controller/profile/ending.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"
#include "firmware_iface/wording.hpp"
#include "hil/drive/live_forecast.hpp"

namespace topple::hil::drive {

/// What protection needs to know of a test.
struct ProtectionSettings {
    controller::Profile planned;
    firmware_iface::MachineDescription machine;  ///< effective limits
    double payload_kg = 0.0;
    std::uint32_t period_us = 2000;  ///< of the setpoints
    double overturning_above = 1.0;  ///< [table] protect: an ending is looked for when P(overturning) exceeds it
};

/// A gain of P(standing) below this is not worth a test that is no longer the planned one.
inline constexpr double kLeastGain = 0.5;
/// From the measurement on which a choice is based to the first setpoint that it can still change: age of the estimate
/// (10 ms), what has been sent ahead (48 ms), and the time of the choice itself.
inline constexpr double kSwitchAfter_s = 0.090;

/// An ending that was chosen.
struct ChosenEnding {
    controller::Ending ending;
    double switch_s = 0.0;                               ///< from t = 0
    double standing_before = 0.0, standing_after = 0.0;  ///< P(no specimen overturns)
    std::vector<firmware_iface::Setpoint> setpoints;     ///< of the whole motion with this end
};

/// "P(standing) 0.4 % -> 87.2 %: pushed with 5.00 m/s2 for 80 ms, then braked with 2.50 m/s2".
firmware_iface::Wording wording_of(const ChosenEnding& chosen) noexcept;

class Protection {
  public:
    explicit Protection(ProtectionSettings settings) : settings_(std::move(settings)) {}

    /// After a forecast: the ending to take, if P(overturning) of a specimen exceeds the threshold and the best of the
    /// endings raises P(standing) by at least kLeastGain. `motion_start_us`: device time of t = 0.
    std::optional<ChosenEnding> choose(const LiveForecast& forecast, std::uint64_t motion_start_us) const;

  private:
    ProtectionSettings settings_;
};

}  // namespace topple::hil::drive
