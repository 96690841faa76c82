// One axis of the table's controller: its setpoints, its frame, its limits, its servo and its stop. What the table as a
// whole does is decided in device_core.hpp. No heap, no exceptions, no OS.
#pragma once

#include <cstdint>
#include <span>

#include "firmware_iface/device/homing.hpp"
#include "firmware_iface/device/limits.hpp"
#include "firmware_iface/device/servo.hpp"
#include "firmware_iface/device/setpoint_queue.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

/// What the electronics read of one axis at the start of a control cycle.
struct AxisMeasurement {
    std::int64_t encoder_count = 0;  ///< from the encoder's own zero, its own direction
    bool reference_pressed = false;  ///< flag over the negative half of the stroke (homing.hpp)
    bool limit_pressed = false;      ///< end-of-travel switch, either side
    bool drive_ok = true;
};

/// What an axis wants of its drive until the next cycle.
struct AxisCommand {
    /// m, m/s, m/s2; position counted from the encoder's own zero, positive along the axis. For a drive with a position
    /// loop of its own; any other gets force_n.
    AxisSetpoint setpoint;
    double force_n = 0.0;  ///< of the position servo (servo.hpp), along the axis; 0 while the drive is off
};

struct AxisParameters {
    AxisLimits limits;
    HomingBounds homing;    ///< travel_max_m 0: 1.1 x the full stroke
    ServoParameters servo;  ///< left out: the drive has a position loop of its own
};

class AxisCore {
  public:
    /// `ring`: memory for the waiting setpoints; it must outlive the axis.
    AxisCore(const AxisParameters& parameters, std::span<Knot> ring) noexcept;
    /// The count at mid stroke, before the first cycle.
    void assume_reference(std::int64_t count) noexcept { reference_count_ = count; }

    // ---- between cycles ----
    /// `knot` must be finite. Held against the limits and put into the queue.
    FaultCode push(const Knot& knot) noexcept;
    void forget_setpoints() noexcept { queue_.clear(); }
    bool has_setpoints() const noexcept { return !queue_.empty(); }
    /// Of a motion that begins with the first waiting setpoint: setpoint_time, setpoint_jump or none.
    FaultCode check_start(std::uint64_t start_time_us) const noexcept;
    void start() noexcept { creep_m_ = 0.0; }
    void start_homing(bool drive_was_on, bool reference_pressed) noexcept;
    /// A fault has been cleared. Where the drive was off and comes on again, nothing jumps.
    void resume(bool from_where_it_is) noexcept;

    // ---- in every cycle, in this order ----
    void begin(const AxisMeasurement& measurement, bool homed) noexcept;  ///< instead of take(), in the first one
    /// Encoder and, where there is one, accelerometer. False: the encoder is not plausible, and nothing was learnt.
    bool take(double dt_s, const AxisMeasurement& measurement, const double* acceleration_m_s2, bool drive_on) noexcept;
    void hold(bool drive_on) noexcept;
    Homing::Status home(double dt_s, const AxisMeasurement& measurement) noexcept;
    SetpointQueue::Reading read(std::uint64_t now_us) noexcept { return queue_.evaluate(now_us); }
    void follow(const AxisSetpoint& setpoint) noexcept { setpoint_ = setpoint; }
    void follow_stop(std::uint64_t now_us) noexcept { setpoint_ = stop_.at(now_us); }
    /// The queue is emptied; a stop with this start is under way.
    void plan_stop(std::uint64_t from_us, const AxisSetpoint& from) noexcept;
    /// The same from the setpoint being interpolated, if it is one that may be executed, else from the last one.
    void plan_stop_now(std::uint64_t now_us, std::uint64_t last_us, bool streaming) noexcept;
    /// The first limit that setpoint or platen breaks.
    FaultCode check(double dt_s, DeviceState state, bool homed) noexcept;
    AxisCommand finish(double dt_s, bool drive_on) noexcept;

    /// Whether a setpoint may follow that of the last cycle: a jump of position or velocity.
    FaultCode continues(const SetpointQueue::Reading& reading, std::uint64_t last_us) const noexcept;
    /// A stop that the platen does not follow: a drive too weak to brake it.
    bool stop_not_followed(bool homed) const noexcept;
    bool stop_over(std::uint64_t now_us) const noexcept { return stop_.over(now_us); }
    bool stop_overdue(std::uint64_t now_us) const noexcept { return stop_.overdue(now_us, kStopOverdue_s); }
    bool rests() const noexcept;

    AxisFeedback feedback() const noexcept;
    std::size_t queue_level(std::uint64_t now_us) const noexcept { return queue_.level(now_us); }
    const AxisSetpoint& setpoint() const noexcept { return setpoint_; }
    const AxisSetpoint& last_setpoint() const noexcept { return last_setpoint_; }
    const AxisSetpoint& measured() const noexcept { return measured_; }
    const ServoStatus& servo() const noexcept { return servo_.status(); }

  private:
    double position_of(std::int64_t count) const noexcept;
    double encoder_m(std::int64_t count) const noexcept;  // in the encoder's own frame
    void set_reference(std::int64_t count) noexcept;
    bool encoder_plausible(double dt_s, std::int64_t count, bool drive_on) noexcept;
    void note_friction() noexcept;
    void observe(double dt_s, std::int64_t count, const double* acceleration_m_s2) noexcept;
    double servo_force_n(double dt_s, const AxisSetpoint& wanted, bool drive_on) noexcept;
    FaultCode continues(const AxisSetpoint& now, double dt_s) const noexcept;  // from the last cycle's setpoint
    double departure_m(const AxisSetpoint& now, double dt_s) const noexcept;
    FaultCode check_continuity(double dt_s) noexcept;

    static constexpr double kStopOverdue_s = 0.1;  // after the planned end of a stop

    AxisParameters parameters_;
    SetpointQueue queue_;
    Homing homing_;
    bool reference_found_ = false;  // in the homing under way
    StopPlan stop_;
    Servo servo_;

    AxisSetpoint setpoint_{}, last_setpoint_{}, measured_{};
    std::int64_t reference_count_ = 0;
    std::int64_t last_count_ = 0, moved_count_ = 0;
    double setpoint_when_moved_m_ = 0.0;
    bool pushes_hard_ = false, beside_held_ = false;  // the servo, in the last cycle; held: a place
    double pushed_s_ = 0.0, beside_held_s_ = 0.0;     // for so long, and the encoder has not moved
    double push_n_ = 0.0,
           held_by_friction_n_ = 0.0;  // the servo's force, smoothed; and what of it a held place may take
    double creep_m_ = 0.0;             // of the setpoint's position against the integral of its velocity, while running
};

}  // namespace topple::firmware_iface
