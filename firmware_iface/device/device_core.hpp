// The controller inside the table, of one axis or two: commands, setpoints, limits, stops and faults, one tick per
// control cycle. No heap, no exceptions, no OS, no protobuf: a firmware can use it unchanged. device_session.hpp puts
// it on a wire.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "firmware_iface/device/axis_core.hpp"
#include "firmware_iface/device/state_machine.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

/// What the electronics read at the start of a control cycle; what it inherits is of axis x.
struct Measurement : AxisMeasurement {
    AxisMeasurement y;  ///< without meaning on a table of one axis
    bool has_acceleration = false;
    double acceleration_x_m_s2 = 0.0;  ///< as reported: own sign, bias and scale
    double acceleration_y_m_s2 = 0.0;
    std::size_t rotation_count = 0;
    std::array<double, kRotationSensorsMax> rotation_rad{};
    std::size_t aux_count = 0;  ///< auxiliary analog inputs, volts
    std::array<double, kAuxChannelsMax> aux_v{};
    bool estop_pressed = false;
};

/// What the core requires of the drives until the next cycle. All axes are switched on and off together.
struct DriveCommand {
    bool enable = false;  ///< position loop on
    bool brake = true;    ///< mechanical or dynamic brake; set whenever the drive is off
    /// Of axis x: m, m/s, m/s2; position counted from the encoder's own zero, positive along +x. For a drive with a
    /// position loop of its own; any other gets force_n.
    AxisSetpoint setpoint;
    bool release_specimen = false;    ///< true from the start of a motion that asked for it until the next start
    std::uint64_t start_time_us = 0;  ///< of that motion, device time; at most one cycle ago when it gets true
    bool trigger = false;  ///< level of the trigger output: high while a motion runs that asked for it, from its start
    double force_n = 0.0;  ///< of the position servo (servo.hpp), along +x; 0 while the drive is off
    AxisCommand y{};       ///< the same of axis y, on a table that has it
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

/// What it inherits is of axis x.
struct DeviceParameters : AxisParameters {
    std::optional<AxisParameters> y;  ///< empty: a table of one axis
    DeviceTiming timing;
    std::uint64_t configuration_hash = 0;
    bool has_trigger = false;  ///< a digital output follows DriveCommand::trigger
};

template <std::size_t kCapacity>
struct KnotRings {
    static_assert(kCapacity >= kSetpointCapacityMin);
    std::array<std::array<Knot, kCapacity>, kAxesMax> knots{};
    std::array<std::span<Knot>, kAxesMax> rings() noexcept { return {knots[0], knots[1]}; }
};

/// The axes share state, drive and clock: what stops one stops the other. Each has its own limits, queue and stop.
/// The memory of its queues is given to it: DeviceCoreOf has both.
class DeviceControl {
  public:
    /// Memory for the waiting setpoints of each axis; it must outlive the device.
    using Rings = std::array<std::span<Knot>, kAxesMax>;
    DeviceControl(const DeviceParameters& parameters, const Rings& rings) noexcept;
    DeviceControl(const DeviceControl&) = delete;
    /// As after power-on: everything is forgotten.
    void restart(const DeviceParameters& parameters) noexcept;
    /// For tables with an absolute or remembered reference, before the first tick: homed, and holds where it is.
    void assume_homed(std::int64_t reference_count, std::int64_t reference_count_y = 0) noexcept;

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
    std::size_t axis_count() const noexcept { return axis_count_; }
    std::size_t setpoint_capacity() const noexcept { return rings_[0].size(); }
    /// Being interpolated; and estimated from encoder and accelerometer. 0: x, 1: y.
    const AxisSetpoint& setpoint(std::size_t axis = 0) const noexcept { return axes_[axis].setpoint(); }
    const AxisSetpoint& measured(std::size_t axis = 0) const noexcept { return axes_[axis].measured(); }
    std::uint64_t now_us() const noexcept { return now_us_; }
    const ServoStatus& servo(std::size_t axis = 0) const noexcept { return axes_[axis].servo(); }

  private:
    using Readings = std::array<SetpointQueue::Reading, kAxesMax>;

    void event(DeviceEvent what) noexcept { state_ = next(state_, what); }
    void latch(FaultCode code) noexcept;
    void drive_off(FaultCode code, DeviceEvent how = DeviceEvent::drive_off) noexcept;
    bool begin_stop(FaultCode code) noexcept;  // false: already stopping, faulted or drive off
    void stop_from_last(FaultCode code) noexcept;
    std::span<AxisCore> axes() noexcept { return {axes_.data(), axis_count_}; }
    std::span<const AxisCore> axes() const noexcept { return {axes_.data(), axis_count_}; }

    void first_tick(const Measurement& measurement) noexcept;
    void check_hardware(double dt_s, const Measurement& measurement) noexcept;
    void check_requests() noexcept;
    void advance_setpoint(double dt_s, const Measurement& measurement) noexcept;
    void advance_running() noexcept;
    FaultCode jump_at_end(const Readings& readings) const noexcept;
    void advance_homing(double dt_s, const Measurement& measurement) noexcept;
    void advance_stopping() noexcept;
    void check_limits(double dt_s) noexcept;
    bool runs_out() const noexcept;

    DeviceControl& operator=(const DeviceControl&) noexcept = default;

    DeviceParameters parameters_;
    Rings rings_;
    std::array<AxisCore, kAxesMax> axes_;
    std::size_t axis_count_;

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
    Measurement measurement_{};
};

/// A device that holds up to kCapacity setpoints.
template <std::size_t kCapacity>
class DeviceCoreOf : private KnotRings<kCapacity>, public DeviceControl {
  public:
    explicit DeviceCoreOf(const DeviceParameters& parameters) noexcept
        : DeviceControl(parameters, KnotRings<kCapacity>::rings()) {}
};
using DeviceCore = DeviceCoreOf<kSetpointCapacity>;

}  // namespace topple::firmware_iface
