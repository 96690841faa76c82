// One period of the host, always the same pipeline: read, log, decide, send. Nothing here waits or allocates.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "controller/estimator.hpp"
#include "controller/rt/latest.hpp"
#include "controller/rt/periodic_loop.hpp"
#include "controller/supervisor.hpp"
#include "firmware_iface/clock_sync.hpp"
#include "firmware_iface/table_link.hpp"
#include "hil/drive/flight_recorder.hpp"
#include "hil/drive/predictor.hpp"
#include "hil/drive/settling.hpp"
#include "hil/run_log/run_log_writer.hpp"

namespace topple::hil::drive {

/// What one test consists of while it runs. All outlive the tick, and the link the log: events name it.
struct DriveParts {
    firmware_iface::TableLink& link;
    firmware_iface::Clock& clock;
    run_log::RunLog& log;
    Predictor& predictor;
    controller::MotionEstimator& estimator;
    const std::atomic<bool>& stop_requested;
    controller::MotionEstimator* estimator_y = nullptr;  ///< of a table with two axes
};

enum class DrivePhase : std::uint8_t { waiting, positioning, resting, motion, recording, returning, ended };
const char* name(DrivePhase phase) noexcept;

/// For the progress line, as of the newest tick.
struct DriveStatus {
    DrivePhase phase = DrivePhase::waiting;
    double time_s = 0.0;  ///< since the first setpoint of the motion; before it, as expected, and at most 0
    double position_m = 0.0;
    PredictorSnapshot forecast;
    std::uint32_t rotation_count = 0;                                        ///< of the table's rotation sensors
    std::array<double, firmware_iface::kRotationSensorsMax> rotation_rad{};  ///< measured, newest
};

class Tick {
  public:
    /// `block_counts`: of the specimens, in order.
    Tick(const DriveParts& parts, const firmware_iface::MachineDescription& machine, std::uint32_t period_us,
         const std::vector<std::size_t>& block_counts);

    /// Waits for the next deadline and does one period's work. `supervisor`: of the motion under way, or null.
    void step(controller::Supervisor* supervisor);

    const firmware_iface::Feedback& newest() const noexcept { return newest_; }
    /// Since the last feedback, host clock.
    firmware_iface::Nanoseconds silence() const noexcept { return parts_.clock.now() - heard_; }
    /// Since the device's clock last went on, host clock.
    firmware_iface::Nanoseconds clock_standing() const noexcept { return clock_watch_.standing(parts_.clock.now()); }
    bool clock_jumped_ahead() const noexcept { return clock_jumped_ahead_; }  ///< far, ever
    const SettlingWatch& settling() const noexcept { return settling_; }
    void watch_settling_anew() noexcept { settling_ = SettlingWatch(); }
    /// While the platen rests before a motion: the accelerometer's bias is learnt.
    void learn_rest(bool on) noexcept { learn_rest_ = on; }
    void set_phase(DrivePhase phase) noexcept { status_.phase = phase; }
    void set_motion_start(std::uint64_t device_time_us) noexcept;
    /// From the newest feedback on, if no answer is awaited: what the time of the status counts down to.
    void expect_motion_in(double duration_s) noexcept {
        expected_start_us_ = newest_.device_time_us + static_cast<std::uint64_t>(duration_s * 1e6);
    }
    /// In the thread that ticks, when it is set up and before its first step.
    void begin() noexcept;
    /// The ticks up to now are kept as those before a stop or fault.
    void keep_flight(controller::StopReason reason) noexcept { flight_.keep(reason); }
    const FlightRecorder& flight() const noexcept { return flight_; }
    /// Read by one other thread.
    DriveStatus status() const noexcept { return published_.read(); }

  private:
    static void on_feedback(void* self, const firmware_iface::Feedback& feedback) noexcept;
    void take(const firmware_iface::Feedback& feedback) noexcept;
    void note_heard() noexcept;
    void supervise(controller::Supervisor& supervisor) noexcept;
    void take_ending(controller::Supervisor& supervisor) noexcept;
    std::uint64_t feedback_lost() const noexcept;
    void note_time_skip() noexcept;
    void follow_clock(const controller::CycleStart& start) noexcept;
    void note_step(run_log::EventKind kind, double step_ms) noexcept;
    void record_flight(const controller::CycleStart& start, const controller::Supervisor* supervisor) noexcept;
    void log_forecast() noexcept;
    void log_timing(const controller::CycleStart& start) noexcept;

    DriveParts parts_;
    firmware_iface::MachineDescription machine_;
    std::uint64_t period_us_;
    controller::PeriodicLoop loop_;
    firmware_iface::Feedback newest_;
    bool fresh_ = false;
    std::uint64_t time_skip_us_ = 0;  // longest between two feedbacks of this tick, beyond a period
    std::optional<std::uint64_t> lost_until_poll_,
        lost_until_newest_;  // frames, when the last poll ended, when the newest came
    bool nothing_lost_ = false;
    firmware_iface::ClockSync clock_sync_;
    FlightRecorder flight_;
    FlightRow flight_row_;  // of this tick
    firmware_iface::Nanoseconds heard_;
    controller::ClockWatch clock_watch_;
    bool clock_jumped_ahead_ = false;
    SettlingWatch settling_;
    bool learn_rest_ = false;
    std::uint64_t motion_start_us_ = 0, expected_start_us_ = 0;
    std::vector<run_log::PredictionRecord> forecast_records_;  // one per specimen, reused
    DriveStatus status_;
    controller::Latest<DriveStatus> published_;
};

}  // namespace topple::hil::drive
