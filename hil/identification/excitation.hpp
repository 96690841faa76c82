// The motions that a table is identified with, and which stretches of them are evaluated.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/profile/profile.hpp"
#include "firmware_iface/machine.hpp"
#include "hil/identification/multisine.hpp"

namespace topple::hil::identification {

/// A stretch of constant speed, from the motion's start.
struct Stretch {
    double start_s = 0.0, end_s = 0.0;
    double velocity_m_s = 0.0;  ///< signed
};

/// There and back along the stroke at constant speed, with or without a multisine on top. The speed never changes its
/// sign while a stretch is evaluated: friction then pushes one way and does not disturb the multisine's lines.
struct IdentificationMotion {
    controller::Profile profile;     ///< from rest to rest; ends where it starts
    solver::BaseMotion carrier;      ///< the same without the multisine
    std::vector<Stretch> stretches;  ///< with a multisine: whole periods of it
};

struct IdentificationPlan {
    double start_m = 0.0;                         ///< table frame; where every motion begins and ends
    double travel_m = 0.0;                        ///< of every motion
    double period_s = 0.0;                        ///< of the multisine
    std::vector<double> frequency_hz;             ///< its lines
    std::vector<IdentificationMotion> multisine;  ///< other phases in each
    std::vector<IdentificationMotion> strokes;    ///< at several speeds, the same stretch of the way in each
    // Over all motions; of the peaks, what the lines and the carrier add up to at most while the multisine is held:
    double velocity_peak_m_s = 0.0, acceleration_peak_m_s2 = 0.0, duration_s = 0.0;
};

/// What the plan may use of a table. Numbers and reasons: docs/identification.md.
inline constexpr double kStrokeShare = 0.7;                                    ///< of the stroke less its margin
inline constexpr double kAmplitudeUsual_m_s2 = 5.0;                            ///< peak acceleration of the multisine
inline constexpr double kAmplitudeMin_m_s2 = 0.05, kAmplitudeMaxShare = 0.25;  ///< of acceleration_clean
inline constexpr double kTravelMin_m = 0.02;

/// `machine`: effective limits. `amplitude_m_s2`: largest acceleration of the multisine; it is less where the speed
/// would otherwise change its sign. Throws std::invalid_argument with a sentence for the operator if the amplitude is
/// outside kAmplitudeMin_m_s2 .. kAmplitudeMaxShare acceleration_clean, or the stroke is too short. Whether the machine
/// can make the motions is check_feasibility()'s affair.
IdentificationPlan plan_identification(const firmware_iface::MachineDescription& machine,
                                       std::uint32_t feedback_period_us, double amplitude_m_s2);

}  // namespace topple::hil::identification
