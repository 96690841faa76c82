// The position servo of a device that moves its axis by force or current: one call per control cycle. No heap, no
// exceptions, no OS; the sample time is fixed.
#pragma once

#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

/// What stays as long as the device runs. All zero: no servo (the drive has its own); its force is always 0.
struct ServoParameters {
    ServoGains gains{};
    double force_max_n = 0.0;
    double moving_mass_kg = 0.0;  ///< without the payload
    /// On the platen, at rest. The device cannot measure it: whoever loads the table tells it (docs/machines.md).
    double payload_kg = 0.0;
    double sample_s = 1e-4;
};
ServoParameters servo_of(const MachineDescription& machine, double payload_kg) noexcept;

/// What the servo did in its last cycle, for the log of a firmware and for tests.
struct ServoStatus {
    double force_n = 0.0;        ///< commanded, within +-force_max_n
    double error_m = 0.0;        ///< where the motor should be, less where it was measured
    double disturbance_n = 0.0;  ///< the observer's, on the axis
    bool saturated = false;      ///< more force was wanted than there is
};

/// Feed-forward of mass, friction, lag of the drive and give of the screw; position and velocity fed back from an
/// observer, which also finds the disturbance: that is the integral action, and since the observer gets the force as it
/// was limited, nothing winds up. Equations: docs/servo.md.
class Servo {
  public:
    explicit Servo(const ServoParameters& parameters) noexcept;

    /// Forgets everything; the platen is at `position_m` and rests. The next force is 0 if the setpoint is there too.
    void reset(double position_m) noexcept;
    /// Force along +x until the next cycle. `position_m` as measured on the motor's side, in the setpoint's frame;
    /// `cycles` since the last call, more than one after a stall (at most kCyclesMax count).
    double step(const AxisSetpoint& setpoint, double position_m, unsigned cycles = 1) noexcept;
    static constexpr unsigned kCyclesMax = 64;
    const ServoStatus& status() const noexcept { return status_; }
    double position_rad_s() const noexcept { return position_rad_s_; }  ///< natural frequency of the position loop

  private:
    /// What must happen at the motor for the setpoint to happen at the platen.
    struct Reference {
        double position_m = 0.0, velocity_m_s = 0.0, force_n = 0.0;
    };
    /// A notch filter's memory (direct form 2, transposed).
    struct Notch {
        double b0 = 1.0, b1 = 0.0, b2 = 0.0, a1 = 0.0, a2 = 0.0, s1 = 0.0, s2 = 0.0;
        double filter(double in) noexcept;
    };
    static Notch notch_of(const ServoParameters& parameters) noexcept;
    Reference reference(const AxisSetpoint& setpoint, unsigned cycles) noexcept;
    double friction_n(double velocity_m_s) const noexcept;
    void predict() noexcept;
    void observe(double position_m) noexcept;

    ServoParameters parameters_;
    double mass_kg_;        // moving mass and payload
    double compliance_s2_;  // of the screw under the platen's share of it: way that it gives per acceleration
    double position_rad_s_, disturbance_rad_s_;
    double drive_share_, correct_position_, correct_velocity_1_s_, correct_acceleration_1_s2_;
    Notch notch_;

    double smooth_m_s2_ = 0.0, smooth_m_s3_ = 0.0;  // the setpoint's acceleration and its derivative, filtered
    double position_m_ = 0.0, velocity_m_s_ = 0.0, acceleration_m_s2_ = 0.0;  // observed
    double momentum_n_s_ = 0.0;    // what the known forces and the disturbance found so far give
    double disturbance_n_ = 0.0;   // along +x
    double drive_n_ = 0.0;         // what the drive probably gives
    double friction_now_n_ = 0.0;  // fed forward in the last cycle
    ServoStatus status_;
};

}  // namespace topple::firmware_iface
