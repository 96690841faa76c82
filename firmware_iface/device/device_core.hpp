// The controller inside the table, one axis: commands, setpoints, limits, stops and faults, one tick per control cycle.
// No heap, no exceptions, no OS, no protobuf: a firmware can use it unchanged. device_session.hpp puts it on a wire.
#pragma once

#include <array>
#include <cstdint>

#include "firmware_iface/device/homing.hpp"
#include "firmware_iface/device/limits.hpp"
#include "firmware_iface/device/servo.hpp"
#include "firmware_iface/device/setpoint_queue.hpp"
#include "firmware_iface/device/state_machine.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

/// What the electronics read at the start of a control cycle.
struct Measurement {
    std::int64_t encoder_count = 0;  ///< from the encoder's own zero, its own direction
    bool has_acceleration = false;
    double acceleration_x_m_s2 = 0.0;  ///< as reported: own sign, bias and scale
    double acceleration_y_m_s2 = 0.0;
    std::size_t rotation_count = 0;
    std::array<double, kRotationSensorsMax> rotation_rad{};
    std::size_t aux_count = 0;  ///< auxiliary analog inputs, volts
    std::array<double, kAuxChannelsMax> aux_v{};
    bool reference_pressed = false;  ///< flag over the negative half of the stroke (homing.hpp)
    bool limit_pressed = false;      ///< end-of-travel switch, either side
    bool drive_ok = true;
    bool estop_pressed = false;
};

/// What the core requires of the drive until the next cycle.
struct DriveCommand {
    bool enable = false;  ///< position loop on
    bool brake = true;    ///< mechanical or dynamic brake; set whenever the drive is off
    /// m, m/s, m/s2; position counted from the encoder's own zero, positive along +x. For a drive with a position loop
    /// of its own; any other gets force_n.
    AxisSetpoint setpoint;
    bool release_specimen = false;    ///< true from the start of a motion that asked for it until the next start
    std::uint64_t start_time_us = 0;  ///< of that motion, device time; at most one cycle ago when it gets true
    bool trigger = false;  ///< level of the trigger output: high while a motion runs that asked for it, from its start
    double force_n = 0.0;  ///< of the position servo (servo.hpp), along +x; 0 while the drive is off
};

struct DeviceTiming {
    std::uint32_t feedback_period_us = 2000;
    /// Running: the look-ahead and three periods without a valid frame is a lost host.
    std::uint32_t silence_running_us = kLookAhead_us + 3 * 2000;
    /// Armed and holding, or homing slowly within bounds: a slow host gets more time.
    std::uint32_t silence_armed_us = 500000;
    /// Three periods: two ticks further apart than this, and the device's own loop has stalled. A hardware watchdog
    /// cuts the drive's power after the same time.
    std::uint32_t stall_us = 6000;
};

struct DeviceParameters {
    AxisLimits limits;
    DeviceTiming timing;
    HomingBounds homing;    ///< travel_max_m 0: 1.1 x the full stroke
    ServoParameters servo;  ///< left out: the drive has a position loop of its own
    std::uint64_t configuration_hash = 0;
    bool has_trigger = false;  ///< a digital output follows DriveCommand::trigger
};

class DeviceCore {
  public:
    explicit DeviceCore(const DeviceParameters& parameters) noexcept;
    /// For tables with an absolute or remembered reference, before the first tick: homed, and holds where it is.
    void assume_homed(std::int64_t reference_count) noexcept;

    // ---- between ticks: what the host said ----
    /// This and clear() are refused (wrong_state) while a platen whose drive is off is still coasting.
    RefusalCode home() noexcept;
    RefusalCode arm(std::uint64_t configuration_hash) noexcept;
    RefusalCode disarm() noexcept;
    /// Refused unless `start_time_us` is the time of the first queued setpoint, not in the past, and that setpoint
    /// is the held position (20 um) at rest; a wrong setpoint also latches setpoint_jump or setpoint_time.
    /// not_supported: `trigger` without a trigger output.
    RefusalCode start(std::uint64_t start_time_us, bool release_specimen, bool trigger = false) noexcept;
    RefusalCode clear() noexcept;
    /// Controlled stop at the next tick, before the queue is read. Latches operator_stop, also while holding;
    /// does nothing where the drive is off.
    void request_stop() noexcept { stop_requested_ = true; }
    /// Ignored unless armed or running (then it counts as refused data, not as a fault).
    void push(const Setpoint& setpoint) noexcept;
    /// A damaged or foreign batch of setpoints (a frame with a correct checksum but no valid content): as not_finite.
    void refuse_data() noexcept { pending_not_finite_ = true; }
    /// A valid frame of the controlling session came in.
    void host_heard() noexcept { host_heard_ = true; }
    /// End of file, hang-up: acted on at the next tick.
    void host_gone() noexcept { host_gone_ = true; }

    // ---- every control cycle ----
    DriveCommand tick(std::uint64_t now_us, const Measurement& measurement) noexcept;

    /// State as of the last tick, in the homed frame.
    Feedback feedback() const noexcept;
    DeviceState state() const noexcept { return state_; }
    FaultCode fault() const noexcept { return fault_; }
    /// Why clear() is refused as of the last tick: what is pressed or not ready; else the latched fault, none without
    /// one.
    FaultCode cause() const noexcept;
    bool homed() const noexcept { return homed_; }
    bool motion_done() const noexcept { return motion_done_; }
    bool drive_enabled() const noexcept { return drive_on_; }
    const AxisSetpoint& setpoint() const noexcept { return setpoint_; }  ///< being interpolated
    const AxisSetpoint& measured() const noexcept { return measured_; }  ///< estimated from encoder and accelerometer
    std::uint64_t now_us() const noexcept { return now_us_; }
    const ServoStatus& servo() const noexcept { return servo_.status(); }

  private:
    void event(DeviceEvent what) noexcept { state_ = next(state_, what); }
    void latch(FaultCode code) noexcept;
    void drive_off(FaultCode code, DeviceEvent how = DeviceEvent::drive_off) noexcept;
    void controlled_stop(FaultCode code, std::uint64_t from_us, const AxisSetpoint& from) noexcept;
    double position_of(std::int64_t count) const noexcept;
    void set_reference(std::int64_t count) noexcept;

    double servo_force_n(double dt_s, const AxisSetpoint& wanted) noexcept;
    void first_tick(const Measurement& measurement) noexcept;
    void observe(double dt_s, const Measurement& measurement) noexcept;
    void check_hardware(double dt_s, const Measurement& measurement) noexcept;
    bool encoder_plausible(double dt_s, std::int64_t count) noexcept;
    void check_requests() noexcept;
    void advance_setpoint(double dt_s, const Measurement& measurement) noexcept;
    void advance_running() noexcept;
    void advance_homing(double dt_s, const Measurement& measurement) noexcept;
    void advance_stopping() noexcept;
    void check_limits(double dt_s) noexcept;
    FaultCode continues(const AxisSetpoint& now, double dt_s) const noexcept;  // from the last cycle's setpoint
    FaultCode continues(const SetpointQueue::Reading& reading) const noexcept;
    double departure_m(const AxisSetpoint& now, double dt_s) const noexcept;
    FaultCode check_continuity(double dt_s) noexcept;
    bool stop_not_followed() const noexcept;
    bool runs_out() const noexcept;

    static constexpr double kRestVelocity_m_s = 0.05;  // the platen rests when it is slower (servo still settling)
    static constexpr double kStopOverdue_s = 0.1;      // after the planned end of a stop

    DeviceParameters parameters_;
    SetpointQueue queue_;
    Homing homing_;
    StopPlan stop_;
    Servo servo_;

    DeviceState state_ = DeviceState::idle;
    FaultCode fault_ = FaultCode::none;
    bool fault_is_s0_ = false;
    bool drive_on_ = false, homed_ = false, motion_done_ = false, release_specimen_ = false;
    bool release_at_start_ = false;
    bool trigger_ = false, trigger_at_start_ = false;
    bool stop_requested_ = false, host_heard_ = false, host_gone_ = false, cause_present_ = false;
    bool ticked_ = false;
    FaultCode pending_s1_ = FaultCode::none;  // found between ticks
    bool pending_not_finite_ = false;

    std::uint64_t now_us_ = 0, last_us_ = 0, last_heard_us_ = 0, start_us_ = 0;
    AxisSetpoint setpoint_{}, last_setpoint_{}, measured_{};
    std::int64_t reference_count_ = 0;
    std::int64_t last_count_ = 0, moved_count_ = 0;
    double setpoint_when_moved_m_ = 0.0;
    bool pushes_hard_ = false, beside_held_ = false;  // the servo, in the last cycle; held: a place
    double pushed_s_ = 0.0, beside_held_s_ = 0.0;     // for so long, and the encoder has not moved
    double creep_m_ = 0.0;  // of the setpoint's position against the integral of its velocity, while running
    Measurement measurement_{};
};

}  // namespace topple::firmware_iface
