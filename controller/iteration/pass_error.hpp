// What one pass of a motion made of its target: the platen's error, from the encoder and the accelerometer together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "controller/profile/profile.hpp"
#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::controller {

inline constexpr double kPassBandwidth_hz = 60.0;  ///< of every error of acceleration, -3 dB, zero phase
/// Below it the platen is where the encoder says, less what the screw gives; above it the accelerometer knows better.
inline constexpr double kPassCrossover_hz = 5.0;

/// The accelerometer against the encoder in one pass, and what lies between the two.
struct SensorMatch {
    bool accelerometer_used = false;
    double gain = 1.0;            ///< true acceleration per reported
    double delay_s = 0.0;         ///< of the accelerometer behind the encoder
    double compliance_s2 = 0.0;   ///< way that the encoder is ahead of the platen, per acceleration of the platen
    double cross_ratio = 0.0;     ///< of the other axis' acceleration, to be added to `gain` times the reported
    double residual_ratio = 0.0;  ///< rms of what the fit leaves over rms of the acceleration, in its band
    std::string remark;           ///< why the accelerometer is not used; else empty
};

/// On the grid of the feedback: from before the motion to behind its end.
struct PassError {
    double step_s = 0.0;                    ///< feedback period
    double start_s = 0.0;                   ///< of the grid, from the first setpoint; negative
    std::vector<double> displacement_m;     ///< platen less target, both from where they rested
    std::vector<double> acceleration_m_s2;  ///< the same, low-passed at kPassBandwidth_hz
    std::vector<double> target_m_s2;        ///< of the target, through the same filter
    SensorMatch sensors;
    double peak_m = 0.0;  ///< largest |displacement error| from the start to kPassAfter_s behind the end
    double nrmse = 0.0;   ///< rms error of acceleration over rms of the target's, over the same time

    bool empty() const noexcept { return displacement_m.empty(); }
};

inline constexpr double kPassAfter_s = 0.3;   ///< behind the end of the motion, that a pass needs
inline constexpr double kPassBefore_s = 0.3;  ///< at rest before it

/// `feedback`: of the pass and its surroundings, in order; `start_us`: device time of the first setpoint. Throws
/// std::invalid_argument if the record does not reach from kPassBefore_s before the motion to kPassAfter_s behind its
/// end, or more than 2 % of its samples are missing. Of axis x; where the machine has an axis y, its accelerometer
/// tells what the one of x feels of it. Method: docs/drive_iteration.md#what-the-platen-did.
PassError pass_error(const Profile& target, const firmware_iface::MachineDescription& machine,
                     std::span<const firmware_iface::Feedback> feedback, std::uint64_t start_us);

}  // namespace topple::controller
