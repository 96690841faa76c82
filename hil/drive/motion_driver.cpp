#include "hil/drive/motion_driver.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil::drive {
namespace {

using controller::StopReason;
using firmware_iface::DeviceState;
using firmware_iface::Wording;
using run_log::EventKind;

constexpr double kRestBefore_s = 1.0;  // accelerometer bias and noise are taken here
constexpr auto kSilenceMax = std::chrono::milliseconds(100), kSilenceMaxSimulated = std::chrono::milliseconds(1000);
constexpr auto kClockStandsMax = std::chrono::milliseconds(20);  // every feedback has a time of its own

std::vector<std::size_t> block_counts(const RunPlan& plan) {
    std::vector<std::size_t> counts;
    for (const auto& prediction : plan.prediction.specimens)
        counts.push_back(prediction.prediction.peak_rotation_rad.size());
    return counts;
}

}  // namespace

MotionDriver::MotionDriver(const DriveParts& parts, const firmware_iface::MachineDescription& machine,
                           const RunPlan& plan, ConsentGate* gate)
    : parts_(parts),
      machine_(machine),
      plan_(plan),
      gate_(gate),
      hold_watch_(machine),
      tick_(parts, machine, supervisor_settings(parts.link.device()).feedback_period_us, block_counts(plan)) {}

void MotionDriver::run(const std::string& thread_setup) noexcept {
    // Each part whatever became of the one before: the log must be closed and the table disarmed.
    const auto whatever_happens = [](auto&& part) noexcept {
        try {
            part();
        } catch (const std::exception&) {  // the device's own watchdog ends the session
        }
    };
    whatever_happens([&] {
        run_log::EventRecord remark;
        if (!thread_setup.empty()) remark.text = run_log::kTickThread + thread_setup;
        try {
            script(remark);
        } catch (const std::exception& error) {
            parts_.link.stop();
            fail_of_error(error.what());
        }
    });
    whatever_happens([&] {
        if (armed_ && result_.reason != StopReason::none) hold_after_stop();
    });
    whatever_happens([&] {
        if (armed_ && listening()) parts_.link.disarm();  // refused if a stop or fault has done so already
    });
    tick_.set_phase(DrivePhase::ended);
}

DriveResult MotionDriver::result() const {
    DriveResult result = result_;
    result.text = error_.empty() ? wording_.text() : error_;
    return result;
}

void MotionDriver::script(run_log::EventRecord& thread_setup) {
    tick_.begin();
    tick_.step(nullptr);
    event(EventKind::recording_start, tick_.newest().device_time_us, Wording(parts_.link.description()));
    thread_setup.device_time_us = tick_.newest().device_time_us;
    if (!thread_setup.text.empty()) parts_.log.push(thread_setup);
    tick_.learn_rest(true);
    const double start_x_m = plan_.profile.start_position_m;
    const double start_y_m = plan_.profile_y ? plan_.profile_y->start_position_m : 0.0;
    const bool must_move = !is_at(start_x_m, start_y_m);
    const auto there = positioning_to(start_x_m, start_y_m);
    const double way_s = must_move ? controller::duration_s(there) + machine_.settling_time_s : 0.0;
    tick_.expect_motion_in(kRestBefore_s + way_s + kRestBefore_s);
    if (!hold(kRestBefore_s)) return;
    if (must_move) {
        if (move(there, ConsentGate::positioning) != Moved::done) return;
        tick_.set_phase(DrivePhase::resting);
        if (!hold(machine_.settling_time_s)) return;
    }
    tick_.learn_rest(true);
    tick_.expect_motion_in(kRestBefore_s);
    if (!hold(kRestBefore_s)) return;
    if (!accelerometers_are_sound()) return;
    if (move(plan_.drive_axes(), ConsentGate::test) != Moved::done) return;
    tick_.set_phase(DrivePhase::recording);
    if (!hold_until_recorded()) return;
    event(EventKind::recording_end, tick_.newest().device_time_us);
    result_.complete = true;
    if (!result_.shortened) return go_back();
    wording_ =
        Wording("the recording was ended before everything was at rest; the verdict covers only what was recorded");
    if (!is_at(0.0, 0.0)) wording_.add("; the table stays where it is: ").add(return_advice(plan_.positioning));
}

// Ticks for a while without a motion; false if that had to end early.
bool MotionDriver::hold(double duration_s) {
    const std::uint64_t until_us = tick_.newest().device_time_us + static_cast<std::uint64_t>(duration_s * 1e6);
    while (tick_.newest().device_time_us < until_us) {
        tick_.step(nullptr);
        if (trouble()) return false;
    }
    return true;
}

bool MotionDriver::hold_until_recorded() {
    const double motion_end_s = static_cast<double>(motion_end_us_ - motion_start_us_) * 1e-6;
    for (;;) {
        tick_.step(nullptr);
        if (something_failed()) return false;
        if (parts_.stop_requested.load()) {
            end_recording();
            return true;
        }
        // Signed: a device clock that went back has not recorded for ages.
        const auto since_start_us = static_cast<std::int64_t>(tick_.newest().device_time_us - motion_start_us_);
        const double time_s = static_cast<double>(since_start_us) * 1e-6;
        if (!recording_complete(time_s, motion_end_s, tick_.settling(), plan_.predicted_settling_s)) continue;
        if (tick_.settling().at_rest()) event(EventKind::settled, tick_.newest().device_time_us);
        return true;
    }
}

// The motion is done and the platen holds: nothing need be stopped, and what has been measured is a test.
void MotionDriver::end_recording() {
    result_.shortened = true;
    event(EventKind::recording_cut, tick_.newest().device_time_us, Wording("by the operator"));
}

// The table holds where it came to rest, and what the specimens do belongs to the log too. In device time; a device
// whose clock runs wrong is not waited for longer than twice that.
void MotionDriver::hold_after_stop() {
    tick_.set_phase(DrivePhase::recording);
    const std::uint64_t until_us = tick_.newest().device_time_us + kHoldAfterStop_us;
    const auto at_most = parts_.clock.now() + std::chrono::microseconds(2 * kHoldAfterStop_us);
    while (tick_.newest().device_time_us < until_us && parts_.clock.now() < at_most && listening()) {
        tick_.step(nullptr);
        keep_later_fault();
    }
    event(EventKind::recording_end, tick_.newest().device_time_us);
}

// By itself only after a test without overturning; with consent on a real table.
void MotionDriver::go_back() {
    if (const char* why = why_stay(); why != nullptr) {
        wording_ = Wording(why).add(": the table stays where it is; ").add(return_advice(plan_.positioning));
        return;
    }
    if (is_at(0.0, 0.0)) return;
    switch (move(positioning_to(0.0, 0.0), ConsentGate::back)) {
        case Moved::done: event(EventKind::return_done, tick_.newest().device_time_us); break;
        case Moved::declined: wording_ = Wording("the table was not returned to mid stroke"); break;
        case Moved::failed: break;
    }
}

// What a specimen has done, or may have done, that forbids the return; null: nothing.
const char* MotionDriver::why_stay() const noexcept {
    constexpr const char* kFell = "a specimen fell";
    constexpr const char* kElsewhere = "a specimen fell, or rests on another face than before";
    const auto& feedback = tick_.newest();
    for (std::size_t i = 0; i < feedback.rotation_count; ++i) {
        const double limit_rad = i < plan_.elsewhere_rad.size() ? plan_.elsewhere_rad[i] : kFallen_rad;
        if (std::abs(feedback.rotation_rad[i]) > limit_rad) return limit_rad < kFallen_rad ? kElsewhere : kFell;
    }
    if (feedback.rotation_count > 0) return nullptr;
    for (const plan::SpecimenPrediction& specimen : plan_.prediction.specimens) {
        if (solver::is_overturning(specimen.prediction.outcome)) return kFell;
        if (plan_.ends_elsewhere) return kElsewhere;
        if (!specimen.prediction.outcome) return "neither a sensor nor a prediction shows whether a specimen fell";
    }
    return nullptr;
}

// Anything that must end the test while no motion is under way.
bool MotionDriver::trouble() {
    if (something_failed()) return true;
    if (!parts_.stop_requested.load()) return false;
    fail(StopReason::operator_stop, Wording(explanation(StopReason::operator_stop)));
    return true;
}

// The same without the operator's wish.
bool MotionDriver::something_failed() {
    const auto& feedback = tick_.newest();
    if (feedback.fault_code != 0 || feedback.state == DeviceState::faulted || feedback.state == DeviceState::estop) {
        const auto code = static_cast<firmware_iface::FaultCode>(feedback.fault_code);
        result_.fault_code = feedback.fault_code;
        fail(StopReason::device_fault, Wording(name(code)).add(": ").add(explanation(code)));
    } else if (const StopReason untrusted = why_untrusted(); untrusted != StopReason::none) {
        parts_.link.stop();
        const auto defect = parts_.link.feedback_defect();
        fail(untrusted, of_the_table(defect != firmware_iface::FeedbackDefect::none ? explanation(defect)
                                                                                    : explanation(untrusted)));
    } else if (!listening()) {
        const StopReason reason = why_silent();
        parts_.link.stop();  // perhaps it still hears
        fail(reason, of_the_table(explanation(reason)));
    } else if (const auto violation = hold_watch_.check(feedback)) {
        parts_.link.stop();
        fail(violation->reason, Wording(explanation(violation->reason)));
    } else if (parts_.log.failed()) {
        fail(StopReason::log_failure, parts_.log.failure_wording());
    } else {
        return false;
    }
    return true;
}

void MotionDriver::fail(StopReason reason, const Wording& why) noexcept {
    if (!is_first_failure(reason)) return;
    wording_ = why;
    event(failure_event(), tick_.newest().device_time_us, why);
}

// Of a command that the table did not answer: what was thrown has been put into words already.
void MotionDriver::fail_of_error(const char* what) {
    const StopReason defect = controller::reason_of(parts_.link.feedback_defect());
    const StopReason reason = defect != StopReason::none ? defect
                              : listening()              ? StopReason::device_state
                                                         : why_silent();
    if (!is_first_failure(reason)) return;
    error_ = what;
    parts_.log.push(run_log::EventRecord{tick_.newest().device_time_us, failure_event(), what});
}

// The first reason counts.
bool MotionDriver::is_first_failure(StopReason reason) noexcept {
    if (result_.reason != StopReason::none) return false;
    result_.reason = reason;
    const bool nothing_happened = reason == StopReason::operator_stop && !result_.moved;
    if (tick_.flight().incidents().empty() && !nothing_happened) tick_.keep_flight(reason);
    return true;
}

EventKind MotionDriver::failure_event() const noexcept {
    const bool link = result_.reason == StopReason::link_lost || result_.reason == StopReason::link_closed;
    return link                                         ? EventKind::link_lost
           : result_.reason == StopReason::device_fault ? EventKind::fault
                                                        : EventKind::stop_requested;
}

void MotionDriver::event(EventKind kind, std::uint64_t device_time_us, const Wording& wording) noexcept {
    parts_.log.push(run_log::EventNote{device_time_us, kind, wording});
}

Wording MotionDriver::of_the_table(std::string_view what) const noexcept {
    return Wording(parts_.link.description()).add(": ").add(what);
}

StopReason MotionDriver::why_silent() const noexcept {
    const bool open = parts_.link.status() == firmware_iface::StreamStatus::open;
    return open ? StopReason::link_lost : StopReason::link_closed;
}

firmware_iface::Nanoseconds MotionDriver::silence_max() const noexcept {
    return parts_.link.device().simulated ? kSilenceMaxSimulated : kSilenceMax;
}

bool MotionDriver::listening() const noexcept {
    return parts_.link.status() == firmware_iface::StreamStatus::open && tick_.silence() < silence_max();
}

// Feedback comes, but what it says cannot be used: at once, on a simulated table as on a real one.
StopReason MotionDriver::why_untrusted() const noexcept {
    if (const StopReason defect = controller::reason_of(parts_.link.feedback_defect()); defect != StopReason::none)
        return defect;
    const bool stands = tick_.clock_standing() - tick_.silence() >= kClockStandsMax;  // since then feedback has come
    return stands || tick_.clock_jumped_ahead() ? StopReason::clock_implausible : StopReason::none;
}

}  // namespace topple::hil::drive
