// What the platen really did: encoder and accelerometer blended into one base motion that a solver can trust.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "firmware_iface/machine.hpp"
#include "hil/compare/motion_fusion.hpp"
#include "hil/run_log/records.hpp"
#include "hil/signal/even_grid.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::hil::compare {

inline constexpr double kMotionBandwidth_hz = 60.0;              ///< -3 dB of every compared motion, zero phase
inline constexpr double kCrossoverMin_hz = 5.0;                  ///< below it the accelerometer is never believed
inline constexpr double kCrossoverMax_hz = kMotionBandwidth_hz;  ///< a fine encoder alone is the better instrument

/// One motion on a grid, relative to where the platen rested before the test.
struct MotionTrace {
    std::vector<double> displacement_m, velocity_m_s, acceleration_m_s2;
};

/// What the rest window and the comparison with the encoder say of the accelerometer.
struct AccelerometerAssessment {
    bool present = false;
    bool used = false;
    double bias_m_s2 = 0.0;    ///< in the rest window, after scale and sign; removed
    double noise_m_s2 = 0.0;   ///< standard deviation in the rest window
    double delay_s = 0.0;      ///< later than the encoder; compensated if used
    double gain = 1.0;         ///< true per reported against the encoder; applied if used
    double correlation = 0.0;  ///< with the encoder's second difference at that delay; 0 if not evaluated
    std::string remark;        ///< why it is not used, or what is unusual; empty if all is well
};

/// Platen motion of one axis on an even grid of device time; t = 0 is the first setpoint of the motion.
struct AchievedMotion {
    signal::EvenGrid grid;
    MotionTrace achieved;
    MotionTrace commanded;                        ///< as the device interpolated it, through the same filter
    bool has_command = false;                     ///< false for imported tests without a command
    double rest_position_m = 0.0;                 ///< encoder in the rest window, table frame: the zero of `achieved`
    double command_position_m = 0.0;              ///< setpoint in the rest window: the zero of `commanded`
    double bandwidth_hz = 0.0;                    ///< -3 dB, zero phase
    double crossover_hz = 0.0;                    ///< encoder below, accelerometer above; 0: encoder alone
    double rest_noise_m_s2 = 0.0;                 ///< largest |achieved acceleration| in the rest window
    double rest_start_s = 0.0, rest_end_s = 0.0;  ///< the rest window; equal if there was none
    AccelerometerAssessment accelerometer;
    std::optional<MotionFusion> fusion;  ///< of an imported test with both channels
    signal::SampleGaps encoder_gaps, accelerometer_gaps;
    std::vector<std::string> remarks;

    bool empty() const noexcept { return grid.count == 0; }
    /// The motion for the solver from `from_s` on (0 or a short lead before it), straight lines between the
    /// grid's accelerations, at rest before. Times are those of the grid.
    solver::BaseMotion base_motion(double from_s) const;
};

/// A motion in closed form as the encoder would have shown it: the same differences and filter.
MotionTrace trace_of_motion(const solver::BaseMotion& motion, const signal::EvenGrid& grid, double bandwidth_hz);

/// Device time of t = 0: the motion_start event, else the first setpoint, else the first feedback. 0 without
/// any.
std::uint64_t motion_origin_us(const run_log::RunData& run) noexcept;

/// Which channels of an imported test are real. A run of our own has both.
struct MotionChannels {
    bool encoder = true;
    bool command = true;
};
MotionChannels motion_channels(const run_log::RunData& run);

/// Axis x of the run, or axis y (1), which the machine must have. Empty (with a remark) if there are fewer than 8
/// usable encoder samples. Method, filter and accuracy: docs/report.md#achieved-motion.
AchievedMotion identify_achieved_motion(const run_log::RunData& run, const firmware_iface::MachineDescription& machine,
                                        std::size_t axis = 0);

}  // namespace topple::hil::compare
