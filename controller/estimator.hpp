// What the platen does, from encoder counts and accelerometer: for the solver that runs beside the test.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::controller {

/// State of the platen along one axis at one device time, table frame.
struct MotionEstimate {
    std::uint64_t device_time_us = 0;  ///< the instant the state belongs to: MotionEstimator::delay_s() in the past
    double position_m = 0.0;
    double velocity_m_s = 0.0;
    double acceleration_m_s2 = 0.0;
};

/// Counts to metres: sign and scale of the machine file; the homed count 0 is mid stroke.
double encoder_position_m(const firmware_iface::MachineDescription& machine, std::int64_t count) noexcept;

/// The accelerometer while the platen rests; scale and sign applied.
struct RestReading {
    std::uint64_t sample_count = 0;  ///< 0: no accelerometer seen at rest
    double bias_m_s2 = 0.0;          ///< mean
    double noise_m_s2 = 0.0;         ///< standard deviation of one sample; 0 below two samples
};

/// Local polynomial through the last 11 samples of both sensors (degree 7 in position; accelerations are its second
/// derivative), least squares weighted by quantisation of the encoder and noise of the accelerometer, read at the
/// middle sample. Symmetric in time, so without phase error: the delay is 5 samples (10 ms at 500 Hz) and stated in
/// the estimate's time. Uses no future sample. At 500 Hz and 1e6 counts/m: acceleration within 1 % up to 40 Hz,
/// -3 dB at 84 Hz, noise 0.02 m/s2; a jump of acceleration is smeared over +-5 samples (docs/conventions.md).
/// Samples without accelerometer: encoder alone (-3 dB at 104 Hz, noise 0.05 m/s2). A gap in the feedback restarts the
/// window: no estimate for 10 samples.
class MotionEstimator {
  public:
    static constexpr std::size_t kDelaySamples = 5;
    static constexpr std::size_t kWindow = 2 * kDelaySamples + 1;

    /// Throws std::invalid_argument if feedback rate or counts per metre are not positive numbers.
    /// Of axis x; or of axis y (1), which the machine must have.
    explicit MotionEstimator(const firmware_iface::MachineDescription& machine, std::size_t axis = 0);

    /// Before the motion, while the platen rests: learns the accelerometer's bias and noise.
    void observe_rest(const firmware_iface::Feedback& feedback) noexcept;
    RestReading rest() const noexcept;
    /// False if the bias is beyond what the machine file allows: the sensor or its mounting is wrong.
    bool bias_acceptable() const noexcept;

    /// Every feedback once, in order. Nothing until the window is full or for a repeated sample. No allocation.
    std::optional<MotionEstimate> update(const firmware_iface::Feedback& feedback) noexcept;

    double delay_s() const noexcept { return static_cast<double>(kDelaySamples) * period_s_; }
    /// Frequency at which a sinusoidal acceleration comes out 3 dB low, computed from the weights.
    double bandwidth_hz(bool with_accelerometer = true) const noexcept;
    /// Amplitude ratio of estimated to true acceleration for a sine of this frequency.
    double acceleration_gain(double frequency_hz, bool with_accelerometer = true) const noexcept;

  private:
    /// Weights of positions and accelerations in one estimated quantity.
    struct Weights {
        std::array<double, kWindow> position{}, acceleration{};
    };
    struct Filter {
        Weights position, velocity, acceleration;
    };
    struct Sample {
        std::uint64_t device_time_us = 0;
        double position_m = 0.0;
        std::optional<double> acceleration_m_s2;
    };
    static Filter design(double period_s, double position_noise_m, bool with_accelerometer);
    double apply(const Weights& weights, bool with_accelerometer) const noexcept;
    std::optional<double> true_acceleration_m_s2(const firmware_iface::Feedback& feedback) const noexcept;
    const Sample& sample(std::size_t age_from_oldest) const noexcept;

    firmware_iface::MachineDescription machine_;  // of this axis alone
    std::size_t axis_;
    double period_s_;
    Filter both_, encoder_only_;
    std::array<Sample, kWindow> ring_{};
    std::size_t next_ = 0, filled_ = 0;
    RestReading rest_;
    double rest_squares_ = 0.0;  // sum of squared deviations (Welford)
};

}  // namespace topple::controller
