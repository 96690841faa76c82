#include "hil/drive/tick.hpp"

#include <algorithm>

#include "hil/drive/send_due.hpp"

namespace topple::hil::drive {
namespace {

firmware_iface::ClockSyncSettings clock_sync_settings(const firmware_iface::TableLink& link, std::uint32_t period_us) {
    firmware_iface::ClockSyncSettings settings;
    settings.round_trip_s = std::chrono::duration<double>(link.statistics().round_trip).count();
    settings.reading_period_s = 1e-6 * period_us;
    return settings;
}

}  // namespace

const char* name(DrivePhase phase) noexcept {
    switch (phase) {
        case DrivePhase::waiting: return "waiting";
        case DrivePhase::positioning: return "positioning";
        case DrivePhase::resting: return "at rest";
        case DrivePhase::motion: return "MOTION";
        case DrivePhase::recording: return "recording";
        case DrivePhase::returning: return "returning";
        case DrivePhase::ended: return "ended";
    }
    return "?";
}

Tick::Tick(const DriveParts& parts, const firmware_iface::MachineDescription& machine, std::uint32_t period_us,
           const std::vector<std::size_t>& block_counts)
    : parts_(parts),
      machine_(machine),
      period_us_(period_us),
      loop_(parts.clock, std::chrono::microseconds(period_us)),
      clock_sync_(clock_sync_settings(parts.link, period_us)),
      heard_(parts.clock.now()),
      forecast_records_(block_counts.size()) {
    clock_watch_.start(heard_);
    for (std::size_t i = 0; i < block_counts.size(); ++i) {
        forecast_records_[i].specimen = static_cast<std::uint32_t>(i);
        forecast_records_[i].rotation_rad.resize(block_counts[i]);
    }
}

void Tick::begin() noexcept {
    loop_.restart();
    heard_ = parts_.clock.now();
    clock_watch_.start(heard_);
}

void Tick::set_motion_start(std::uint64_t device_time_us) noexcept {
    motion_start_us_ = device_time_us;
    parts_.predictor.set_motion_start(device_time_us);
}

void Tick::step(controller::Supervisor* supervisor) {
    const controller::CycleStart start = loop_.wait();
    fresh_ = false;
    flight_row_.feedback_received_count = flight_row_.setpoints_sent_count = 0;
    time_skip_us_ = 0;
    nothing_lost_ = lost_until_poll_ == feedback_lost();  // while a command waited, of what is delivered now
    parts_.link.poll(&Tick::on_feedback, this);
    lost_until_poll_ = feedback_lost();
    note_time_skip();
    if (fresh_) note_heard();
    if (fresh_) follow_clock(start);
    if (supervisor != nullptr) supervise(*supervisor);
    parts_.link.flush();
    log_forecast();
    log_timing(start);
    record_flight(start, supervisor);
    published_.write(status_);
    if (parts_.clock.is_virtual()) parts_.predictor.work_off();
}

void Tick::on_feedback(void* self, const firmware_iface::Feedback& feedback) noexcept {
    static_cast<Tick*>(self)->take(feedback);
}

void Tick::take(const firmware_iface::Feedback& feedback) noexcept {
    nothing_lost_ = nothing_lost_ && lost_until_newest_ == feedback_lost();
    lost_until_newest_ = feedback_lost();
    const std::uint64_t step_us = feedback.device_time_us - newest_.device_time_us;
    const bool long_step = feedback.device_time_us > newest_.device_time_us && 2 * step_us > 3 * period_us_;
    if (nothing_lost_ && long_step) time_skip_us_ = std::max(time_skip_us_, step_us - period_us_);
    newest_ = feedback;
    fresh_ = true;
    ++flight_row_.feedback_received_count;
    parts_.log.push(feedback);
    settling_.add(feedback);
    controller::MotionEstimator* const of_y = parts_.estimator_y;
    if (learn_rest_) parts_.estimator.observe_rest(feedback);
    if (learn_rest_ && of_y != nullptr) of_y->observe_rest(feedback);
    const auto y = of_y != nullptr ? of_y->update(feedback) : std::nullopt;
    if (const auto estimate = parts_.estimator.update(feedback))
        parts_.predictor.push(*estimate, feedback, y.value_or(controller::MotionEstimate{}));
}

void Tick::note_heard() noexcept {
    heard_ = parts_.clock.now();
    if (clock_watch_.jumped_ahead(newest_.device_time_us, heard_)) clock_jumped_ahead_ = true;
}

void Tick::supervise(controller::Supervisor& supervisor) noexcept {
    using controller::StopReason;
    const StopReason own = parts_.log.failed() ? StopReason::log_failure : StopReason::none;
    if (must_stop(supervisor, parts_.link, fresh_ ? &newest_ : nullptr, parts_.clock.now(), own)) parts_.link.stop();
    take_ending(supervisor);
    send_due(supervisor, parts_.link, [this](const firmware_iface::Setpoint& setpoint) {
        parts_.log.push(setpoint);
        flight_row_.setpoint = setpoint;
        ++flight_row_.setpoints_sent_count;
    });
}

void Tick::take_ending(controller::Supervisor& supervisor) noexcept {
    ChosenEnding* const ending = parts_.predictor.offer().waiting();
    if (ending == nullptr) return;
    const bool taken = supervisor.replan(ending->setpoints);
    if (taken)
        parts_.log.push(run_log::EventNote{motion_start_us_ + static_cast<std::uint64_t>(1e6 * ending->switch_s),
                                           run_log::EventKind::protective_ending, wording_of(*ending)});
    parts_.predictor.offer().answer(taken);
}

std::uint64_t Tick::feedback_lost() const noexcept {
    return parts_.link.statistics().sequence_gaps + parts_.link.statistics().feedback_not_polled;
}

// A device that steps its clock by less than the readings of two clocks can show: every frame came, an instant did not.
void Tick::note_time_skip() noexcept {
    if (time_skip_us_ == 0) return;
    note_step(run_log::EventKind::time_skip, 1e-3 * static_cast<double>(time_skip_us_));
}

void Tick::follow_clock(const controller::CycleStart& start) noexcept {
    const firmware_iface::Nanoseconds woke(start.deadline_ns + start.wake_late_ns);
    const auto jump = clock_sync_.observe(newest_.device_time_us, woke);
    if (!jump) return;
    note_step(run_log::EventKind::clock_jump, 1e3 * jump->step_s);
}

void Tick::note_step(run_log::EventKind kind, double step_ms) noexcept {
    constexpr double kMost_ms = 9e8;  // ten days: what lies beyond is no step any more
    const double told_ms = std::clamp(step_ms, -kMost_ms, kMost_ms);
    const auto wording =
        firmware_iface::Wording().add(told_ms, firmware_iface::NumberForm::signed_one_decimal).add(" ms");
    parts_.log.push(run_log::EventNote{newest_.device_time_us, kind, wording});
}

void Tick::record_flight(const controller::CycleStart& start, const controller::Supervisor* supervisor) noexcept {
    flight_row_.host_time_ns = start.deadline_ns + start.wake_late_ns;
    flight_row_.wake_late_ns = start.wake_late_ns;
    flight_row_.feedback = newest_;
    flight_row_.supervised = supervisor != nullptr;
    flight_row_.supervisor = supervisor != nullptr ? supervisor->state() : controller::SupervisorState::idle;
    flight_row_.reason = supervisor != nullptr ? supervisor->reason() : controller::StopReason::none;
    flight_.add(flight_row_);
}

void Tick::log_forecast() noexcept {
    const PredictorSnapshot forecast = parts_.predictor.latest();
    status_.forecast = forecast;
    status_.position_m = controller::encoder_position_m(machine_, newest_.axes[0].encoder_count);
    const std::uint64_t start_us = motion_start_us_ != 0 ? motion_start_us_ : expected_start_us_;
    const double time_s = static_cast<double>(static_cast<std::int64_t>(newest_.device_time_us - start_us)) * 1e-6;
    status_.time_s = motion_start_us_ != 0 ? time_s : expected_start_us_ != 0 ? std::min(time_s, 0.0) : 0.0;
    status_.rotation_count = static_cast<std::uint32_t>(newest_.rotation_count);
    status_.rotation_rad = newest_.rotation_rad;
    if (!fresh_ || forecast.forecast_time_us == 0) return;
    std::size_t next = 0;
    for (std::size_t i = 0; i < forecast_records_.size() && i < forecast.specimen_count; ++i) {
        run_log::PredictionRecord& record = forecast_records_[i];
        record.device_time_us = forecast.device_time_us;
        record.age_us = newest_.device_time_us - forecast.forecast_time_us;
        record.outcome = forecast.outcome[i];
        record.forecast = forecast.forecast[i];
        for (double& rotation_rad : record.rotation_rad) rotation_rad = forecast.rotation_rad[next++];
        parts_.log.push(record);
    }
}

void Tick::log_timing(const controller::CycleStart& start) noexcept {
    run_log::TimingRecord timing;
    timing.device_time_us = newest_.device_time_us;
    timing.cycle = start.cycle;
    timing.deadline_ns = start.deadline_ns;
    timing.wake_late_ns = start.wake_late_ns;
    timing.busy_ns = loop_.busy_ns();
    timing.cycles_missed = start.cycles_missed;
    timing.queue_level = newest_.queue_level;
    parts_.log.push(timing);
}

}  // namespace topple::hil::drive
