#include "hil/check/recorded_motion.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "controller/profile/profile.hpp"
#include "controller/rt/thread_setup.hpp"
#include "firmware_iface/fault.hpp"
#include "hil/check/recorder.hpp"
#include "hil/drive/begin_motion.hpp"
#include "hil/drive/follow_motion.hpp"
#include "hil/drive/require_accepted.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/drive/while_speaking.hpp"

namespace topple::hil::check {
namespace {

using controller::Supervisor;
using controller::SupervisorState;
using firmware_iface::DeviceError;
using firmware_iface::DeviceState;
using firmware_iface::FaultCode;
using firmware_iface::Feedback;
using firmware_iface::Setpoint;

constexpr std::uint32_t kSilentLookAhead_us =
    300'000;                            // queued before the silence: more than the table waits for, if it has the room
constexpr double kSilenceMax_s = 0.25;  // then the watchdog is taken for dead and a stop is sent
constexpr std::chrono::seconds kRestAfterStopMax{1};
constexpr double kRecordAfter_s = 10.0;  // longest stop, settling; what comes later is not needed

// The loop of one motion, once it has been started.
class Drive {
  public:
    /// `begun_us`: device time of the feedback with which the supervisor began.
    Drive(const CheckedTable& table, const MotionOrder& order, Supervisor& supervisor, RecordedMotion& recorded,
          std::uint64_t begun_us)
        : table_(table),
          order_(order),
          supervisor_(supervisor),
          recorded_(recorded),
          recorder_(recorded.feedback, table, order.motion.end_s() + kRecordAfter_s, begun_us),
          sent_bytes_(table.link.statistics().bytes_sent) {}

    void follow() {
        const auto period = std::chrono::microseconds(table_.link.device().feedback_period_us);
        controller::PeriodicLoop loop(table_.clock, period);
        drive::follow_motion(
            loop, {supervisor_, table_.link, table_.clock}, [this] { return look(); },
            [this](const Feedback* newest) { return !silent_ || over(newest); });
        const auto settled =
            table_.clock.now() + std::chrono::nanoseconds(std::llround(table_.machine.settling_time_s * 1e9));
        while (table_.clock.now() < settled) {
            loop.wait();
            recorder_.poll();
            table_.link.flush();
        }
    }

  private:
    double since_start_s(std::uint64_t device_time_us) const noexcept {
        return (static_cast<double>(device_time_us) - static_cast<double>(recorded_.start_us)) * 1e-6;
    }

    const Feedback* look() {
        note_sent();
        const Feedback* newest = recorder_.poll();
        if (newest && order_.intervention != Intervention::none && since_start_s(newest->device_time_us) >= order_.at_s)
            intervene(*newest);
        return newest;
    }

    // Of the period before.
    void note_sent() noexcept {
        const std::uint64_t before = std::exchange(sent_bytes_, table_.link.statistics().bytes_sent);
        if (sent_bytes_ != before && !recorded_.feedback.empty() && !intervened_)
            recorded_.last_sent_us = recorded_.feedback.back().device_time_us;
    }

    void intervene(const Feedback& newest) {
        if (intervened_) return;
        if (order_.intervention == Intervention::stop) supervisor_.stop(controller::StopReason::operator_stop);
        silent_ = order_.intervention == Intervention::silence;
        silent_since_us_ = newest.device_time_us;
        intervened_ = true;
    }

    /// The table has noticed, the operator wants a stop, or nothing has come of it: the host speaks again.
    bool over(const Feedback* newest) {
        if (supervisor_.state() != SupervisorState::streaming || table_.stop_requested.load()) return true;
        if (newest && since_start_s(newest->device_time_us) - since_start_s(silent_since_us_) > kSilenceMax_s)
            supervisor_.stop(controller::StopReason::operator_stop);
        return false;
    }

    const CheckedTable& table_;
    const MotionOrder& order_;
    Supervisor& supervisor_;
    RecordedMotion& recorded_;
    Recorder recorder_;
    std::uint64_t sent_bytes_;
    bool intervened_ = false, silent_ = false;
    std::uint64_t silent_since_us_ = 0;
};

// Between two motions there is nothing to stop: whether it has received a stop, only the table knows.
[[noreturn]] void end_by_operator(const CheckedTable& table) {
    const auto at_most = table.clock.now() + kRestAfterStopMax;
    Feedback newest = table.link.wait_feedback();
    while ((newest.state == DeviceState::running || newest.state == DeviceState::stopping) &&
           table.clock.now() < at_most)
        newest = table.link.wait_feedback();
    throw DeviceError(newest.fault_code != 0 ? kStoppedByOperator : "stopped by the operator between two motions");
}

// A silence begins with a long queue. A line that carries setpoints as fast as they are used has filled it by then.
std::uint64_t start_time_us(const CheckedTable& table, const MotionOrder& order, Feedback held) {
    if (order.intervention == Intervention::silence) held.device_time_us += kSilentLookAhead_us;
    return drive::motion_start_us(table.link, held);
}

void begin(const CheckedTable& table, Supervisor& supervisor, const Feedback& held, std::uint64_t start_us) {
    drive::MotionStart start;
    start.newest = held;
    start.start_us = start_us;
    const auto against = drive::begin_motion(supervisor, table.link, table.clock, start);
    if (against.empty()) return;
    if (table.stop_requested.load()) end_by_operator(table);
    throw DeviceError(against.text());
}

}  // namespace

solver::BaseMotion constant_velocity_move(double distance_m) {
    constexpr double kRamp_s = kGentleVelocity_m_s / kGentleAcceleration_m_s2;
    constexpr double kRamps_m = kGentleVelocity_m_s * kRamp_s;  // of both together
    const double cruise_s = std::max(1e-3, (std::abs(distance_m) - kRamps_m) / kGentleVelocity_m_s);
    const double a = std::copysign(kGentleAcceleration_m_s2, distance_m);
    solver::MotionPiece up{0.0, kRamp_s, {a}, {}}, along{kRamp_s, kRamp_s + cruise_s, {}, {}},
        down{kRamp_s + cruise_s, 2.0 * kRamp_s + cruise_s, {-a}, {}};
    return solver::BaseMotion({up, along, down});
}

RecordedMotion record_motion(const CheckedTable& table, const MotionOrder& order) {
    table.require_going();
    RecordedMotion recorded;
    const std::uint32_t period_us = table.link.device().feedback_period_us;
    drive::require_accepted(table.link.arm(table.link.device().configuration_hash), "arm", table.link);
    const Feedback armed = table.link.wait_feedback();
    const auto axes =
        controller::with_y_holding(controller::Profile{order.motion, armed.axes[0].setpoint_position_m}, armed);
    // A motion of many lines takes longer to be worked out than a start may be ahead.
    auto setpoints =
        drive::while_speaking(table.link, table.clock, [&] { return controller::setpoints(axes, 0, period_us); });
    const Feedback held = table.link.wait_feedback();
    recorded.start_us = start_time_us(table, order, held);
    for (Setpoint& setpoint : setpoints) setpoint.device_time_us += recorded.start_us;
    auto settings = drive::supervisor_settings(table.link.device());
    if (order.intervention == Intervention::silence) settings.look_ahead_us = kSilentLookAhead_us;
    Supervisor supervisor(std::move(setpoints), table.machine, settings, table.stop_requested);
    const controller::RealTime real_time(table.clock);
    begin(table, supervisor, held, recorded.start_us);
    Drive(table, order, supervisor, recorded, held.device_time_us).follow();
    recorded.ended = supervisor.state();
    recorded.fault_code = recorded.feedback.empty() ? 0 : recorded.feedback.back().fault_code;
    recorded.text = supervisor.text();
    if (supervisor.stop_overdue()) throw DeviceError(recorded.text);
    if (table.stop_requested.load()) end_by_operator(table);
    if (recorded.ended == SupervisorState::done) table.link.disarm();
    return recorded;
}

void clear_own_fault(const CheckedTable& table, FaultCode own) {
    const Feedback feedback = table.link.wait_feedback();
    if (feedback.fault_code == 0)
        throw DeviceError(
            fmt::format("the table did not stop: it latched no fault, {} was expected (docs/faults.md)", name(own)));
    if (feedback.fault_code != static_cast<std::uint32_t>(own))
        throw DeviceError(fmt::format(
            "the table latched {}, {} was expected: the fault stays latched, find its cause (docs/faults.md)",
            name(static_cast<FaultCode>(feedback.fault_code)), name(own)));
    drive::require_accepted(table.link.clear_fault(), "clear the fault that this check caused", table.link);
}

}  // namespace topple::hil::check
