// Impacts of the specimens as the platen feels them: spikes of its acceleration.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/motion_window.hpp"

namespace topple::hil::compare {

// Reasons for these numbers: docs/report.md#impacts.
inline constexpr double kSpikeSigmas = 5.0;         ///< of the noise at rest: once in about a million samples by chance
inline constexpr double kSpikeRestPeaks = 1.5;      ///< of the largest reading at rest, where noise is not normal
inline constexpr double kSpikeDriven_ratio = 0.05;  ///< of the motion's peak, added while the platen is driven
inline constexpr double kSpikeApart_s = 0.012;      ///< nearer ones are one impact and its ringing
inline constexpr double kReversalGuard_s = 0.010;   ///< the table makes spikes where it reverses or its command steps
inline constexpr std::size_t kSpikeNoiseSamples = 50;  ///< at rest, at least

struct PlatenSpike {
    double time_s = 0.0;
    double height_m_s2 = 0.0;  ///< signed, above its surroundings, of the highest sample
};

/// What the accelerometer shows of impacts.
struct PlatenImpacts {
    std::string why_not = "no accelerometer";  ///< why spikes cannot be looked for; empty if they were
    double noise_m_s2 = 0.0;                   ///< standard deviation at rest of what spikes stand out from
    double threshold_m_s2 = 0.0;               ///< over a platen at rest
    double driven_threshold_m_s2 = 0.0;        ///< while the platen is driven
    double driven_until_s = 0.0;
    double sample_s = 0.0;  ///< period of the readings: a time is known no better
    std::vector<PlatenSpike> spikes;

    bool evaluated() const noexcept { return why_not.empty(); }
    double threshold_at(double time_s) const noexcept {
        return time_s < driven_until_s ? driven_threshold_m_s2 : threshold_m_s2;
    }
};

/// Readings less what is smooth: each sample less the mean of the 3rd to 5th neighbours on both sides. 0 at the ends.
std::vector<double> stand_out(std::span<const double> samples);

/// The instants at which |value| exceeds `threshold` (per sample), the highest of each group nearer than kSpikeApart_s.
std::vector<PlatenSpike> find_platen_spikes(const signal::EvenGrid& grid, std::span<const double> value,
                                            std::span<const double> threshold);

/// From t = 0 to the end of the record, the accelerometer as assessed with `motion`.
PlatenImpacts find_platen_impacts(const run_log::RunData& run, const firmware_iface::MachineDescription& machine,
                                  const AchievedMotion& motion, const MotionWindow& window);

}  // namespace topple::hil::compare
