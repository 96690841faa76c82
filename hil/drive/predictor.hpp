// The solver beside the test: follows the measured base motion with an ensemble and says, all the time, how the test
// will end.
#pragma once

#include <array>
#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "controller/estimator.hpp"
#include "controller/rt/latest.hpp"
#include "firmware_iface/samples.hpp"
#include "hil/drive/ending_offer.hpp"
#include "hil/drive/live_forecast.hpp"
#include "hil/drive/protection.hpp"

namespace topple::hil::drive {

inline constexpr std::size_t kSpecimensMax = firmware_iface::kRotationSensorsMax;

/// What the predictor knew after one measurement. Trivially copyable: it crosses threads by value.
struct PredictorSnapshot {
    std::uint64_t device_time_us = 0;    ///< of the newest measurement used; 0: none yet
    std::uint64_t forecast_time_us = 0;  ///< of the measurement from which the outcomes were forecast; 0: none were
    std::uint32_t specimen_count = 0;
    std::array<std::uint32_t, kSpecimensMax> outcome{};  ///< solver::outcome_code() of the likeliest end of the test
    std::array<run_log::Forecast, kSpecimensMax> forecast{};
    std::array<std::uint32_t, kSpecimensMax> block_count{};
    /// Now, of the specimens as described, in order, bottom up.
    std::array<double, firmware_iface::kRotationSensorsMax> rotation_rad{};
};

/// Fed by the tick through a lock-free queue, read by the tick as the latest value; never delays it.
/// If it falls behind, it first follows the measurements and forecasts again when it has caught up; see the age.
/// Own thread in real time; in lockstep the caller works the queue off after each tick, so runs repeat exactly.
class Predictor {
  public:
    /// `planned` is the motion still to come when forecasting; its t = 0 is the motion's first setpoint.
    /// Of one motion, in whose plane all specimens rock; or of one in the plane of each specimen.
    Predictor(const std::vector<solver::Specimen>& specimens, const solver::BaseMotion& planned, double gravity_m_s2,
              const ForecastMembers& members = {});
    Predictor(const std::vector<solver::Specimen>& specimens, double gravity_m_s2,
              const std::vector<PlaneMotion>& planned, const ForecastMembers& members = {});
    ~Predictor();
    /// From here on endings are offered. Before the motion.
    void protect(ProtectionSettings settings) { protection_.emplace(std::move(settings)); }
    Predictor(const Predictor&) = delete;
    Predictor& operator=(const Predictor&) = delete;

    /// From here on as many members are carried along and run ahead as the time allows.
    void start_thread();
    void stop_thread() noexcept;

    // ---- the tick's side: noexcept, no allocation, never waits ----
    /// Device time of t = 0. Estimates before it are ignored; the specimens are released at it.
    void set_motion_start(std::uint64_t device_time_us) noexcept { motion_start_us_ = device_time_us; }
    /// `newest`: the feedback with which the estimate became known; its rotations are kept until an estimate is of its
    /// time. False if the predictor is so far behind that the queue is full (the measurement is dropped and counted).
    /// `y`: of axis y at the same instant, on a table that has it.
    bool push(const controller::MotionEstimate& estimate, const firmware_iface::Feedback& newest = {},
              const controller::MotionEstimate& y = {}) noexcept;
    PredictorSnapshot latest() const noexcept { return latest_.read(); }
    /// Another end of the motion, when the specimens are about to fall.
    EndingOffer& offer() noexcept { return offer_; }
    std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

    /// Works the queue off in the calling thread (lockstep).
    void work_off();

  private:
    struct Measured {
        controller::MotionEstimate estimate, y;
        MeasuredRotation rotation;
    };
    void offer_ending(std::uint64_t motion_start_us);
    void publish();

    LiveForecast forecast_;
    std::optional<Protection> protection_;
    EndingOffer offer_;
    bool motion_changed_ = false;
    std::atomic<std::uint64_t> motion_start_us_{0};
    boost::lockfree::spsc_queue<Measured> queue_;
    controller::Latest<PredictorSnapshot> latest_;
    std::atomic<std::uint64_t> dropped_{0};
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

}  // namespace topple::hil::drive
