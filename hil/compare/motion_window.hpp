// Which part of a run's feedback is the test: after positioning, before the return move; and where everything
// rests.
#pragma once

#include <span>

#include "hil/run_log/records.hpp"

namespace topple::hil::compare {

/// Seconds from the motion's origin.
struct MotionWindow {
    double start_s = 0.0;       ///< after positioning
    double end_s = 0.0;         ///< recording end, before the return move
    double rest_start_s = 0.0;  ///< platen commanded to rest and settled, before the motion
    double rest_end_s = 0.0;    ///< = rest_start_s if there is no such window
    double motion_end_s = 0.0;  ///< final setpoint, or the end of the window if it was never reached

    bool has_rest() const noexcept { return rest_end_s > rest_start_s; }
};

inline constexpr double kLeadIn_s = 2.0;        ///< of the time before the motion at most this much is kept
inline constexpr double kRestSettling_s = 0.2;  ///< after a positioning move before the platen counts as resting
inline constexpr double kRestGuard_s = 0.02;    ///< kept free before the motion: the zero-phase filter looks ahead
inline constexpr double kRestShortest_s = 0.1;  ///< 50 samples at 500 Hz

MotionWindow find_motion_window(const run_log::RunData& run);

/// Seconds from the origin; negative before it.
double seconds_from(std::uint64_t origin_us, std::uint64_t device_time_us) noexcept;

/// Values at times within the rest window.
std::vector<double> within(std::span<const double> time_s, std::span<const double> value, double start_s, double end_s);

}  // namespace topple::hil::compare
