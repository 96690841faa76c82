// One motion on one simulated table, from the host's setpoints to what the platen really did.
#pragma once

#include <cstdint>
#include <vector>

#include "controller/profile/profile.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"
#include "hil/sim_table/table_preset.hpp"
#include "solver/specimen.hpp"

namespace topple::test {

/// Histories every 100 us from the start of the motion to kAfter_s behind its end.
struct TrackedMotion {
    static constexpr double kStep_s = 1e-4, kAfter_s = 0.5;

    std::vector<double> commanded_m, commanded_m_s2;  ///< closed form, at the same instants as the true ones
    std::vector<double> true_m, true_m_s2;            ///< of the platen; no controller sees them
    std::vector<firmware_iface::Feedback> measured;   ///< what the host received, from 0.5 s before it
    std::uint64_t start_us = 0;                       ///< of the motion, device time
    firmware_iface::FaultCode fault = firmware_iface::FaultCode::none;
};

/// What stands on the platen and does not rock: a low block.
solver::Specimen dead_weight(double mass_kg);

/// The machine with a stop that its drive can make with this payload, as an operator must set it.
firmware_iface::MachineDescription able_to_stop(firmware_iface::MachineDescription machine, double payload_kg);

/// What the platen is to do, at the instants of TrackedMotion.
struct WantedMotion {
    std::vector<double> position_m, acceleration_m_s2;
};
WantedMotion wanted_motion(const controller::Profile& profile);

/// The table holds at the drive's start, is armed, and makes the motion over a pipe; `wanted` becomes the commanded
/// histories, as many samples as the platen's motion was seen at.
TrackedMotion track_motion(const firmware_iface::MachineDescription& machine,
                           const hil::sim_table::TablePreset& mechanics, double payload_kg,
                           const controller::Profile& drive, const WantedMotion& wanted);
/// The same of a drive that is what is wanted.
TrackedMotion track_motion(const firmware_iface::MachineDescription& machine,
                           const hil::sim_table::TablePreset& mechanics, double payload_kg,
                           const controller::Profile& profile);

/// Sum of harmonics with random signs, delays and frequencies, evenly spread from 0.8 to 10 Hz with equal amplitudes of
/// acceleration, from rest to rest within 10 s; scaled to `peak_m_s2`.
solver::BaseMotion broadband_motion(std::uint64_t seed, double peak_m_s2);

/// How well the true motion is the commanded one.
struct TrackingError {
    double peak_mm = 0.0;  ///< largest |true - commanded| position
    double nrmse_ratio =
        0.0;  ///< rms error of acceleration over rms of the commanded, both through the same 60 Hz low-pass
    /// Largest error of the spectral acceleration (5 %, 0.3 to 20 Hz, above a fiftieth of its peak), relative.
    double spectrum_ratio = 0.0;
};
/// `with_spectrum`: for a record; 0 otherwise.
TrackingError tracking_error(const TrackedMotion& motion, bool with_spectrum = false);

}  // namespace topple::test
