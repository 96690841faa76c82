// Setpoints waiting in the device: a ring in device time, interpolated by quintics. No heap, no exceptions, no OS.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

inline constexpr std::size_t kSetpointCapacity = 512;  ///< knots: 1 s at 500 Hz; a small firmware may hold fewer
/// No device may hold fewer: the look-ahead, its reserve and a batch at 500 Hz (docs/firmware.md).
inline constexpr std::size_t kSetpointCapacityMin = 64;
inline constexpr double kJumpTolerance_m = 20e-6;   ///< 20 encoder counts; also start against held position
inline constexpr double kJumpTolerance_m_s = 1e-3;  ///< between two knots at one time, and at the final one

/// One knot of one axis in device time.
struct Knot {
    std::uint64_t time_us = 0;
    AxisSetpoint state;
    bool final = false;
};

/// Quintic with the position, velocity and acceleration of both ends; `from` and `to` are `duration_s` > 0 apart.
AxisSetpoint interpolate(const AxisSetpoint& from, const AxisSetpoint& to, double duration_s,
                         double elapsed_s) noexcept;

/// Its memory is its owner's: the capacity is a number of the device, not of the queue's code.
class SetpointQueue {
  public:
    /// `ring`, not empty, must outlive the queue.
    explicit SetpointQueue(std::span<Knot> ring) noexcept : ring_(ring) {}

    enum class Push {
        accepted,
        overflow,    ///< more knots than the ring holds
        wrong_time,  ///< earlier than the last knot, a third one at the same time, or after the final one
        jump,        ///< position or velocity differs between two knots at one time, or the final one moves
    };
    /// `knot` must be finite.
    Push push(const Knot& knot) noexcept;
    void clear() noexcept;

    enum class Status {
        empty,     ///< nothing queued
        waiting,   ///< before the first knot: its state at rest (velocity and acceleration 0)
        moving,    ///< between knots: the right-hand limit where two share one time
        done,      ///< at or after the final knot: its position at rest
        underrun,  ///< past the last knot, which was not final: the state of that knot
    };
    struct Reading {
        Status status = Status::empty;
        AxisSetpoint setpoint;
        std::uint64_t time_us = 0;  ///< of `setpoint`: the time asked for, or the last knot's in an underrun
    };
    /// Times must not decrease between calls: knots that are over are forgotten.
    Reading evaluate(std::uint64_t time_us) noexcept;

    bool empty() const noexcept { return size_ == 0; }
    std::size_t capacity() const noexcept { return ring_.size(); }
    const Knot& front() const noexcept { return at(0); }  ///< not if empty()
    /// Knots later than `time_us`.
    std::size_t level(std::uint64_t time_us) const noexcept;

  private:
    const Knot& at(std::size_t index) const noexcept { return ring_[(first_ + index) % ring_.size()]; }
    void pop() noexcept;

    std::span<Knot> ring_;
    std::size_t first_ = 0, size_ = 0;
};

}  // namespace topple::firmware_iface
