// One motion of a test, from the operator's consent until it is done or the platen has come to rest.
#include <cmath>
#include <functional>

#include "hil/drive/begin_motion.hpp"
#include "hil/drive/motion_driver.hpp"
#include "hil/drive/run_plan.hpp"

namespace topple::hil::drive {
namespace {

using controller::StopReason;
using controller::Supervisor;
using controller::SupervisorState;
using firmware_iface::DeviceState;
using firmware_iface::NumberForm;
using firmware_iface::Wording;
using run_log::EventKind;

constexpr int kArmedWithinTicks = 50;
constexpr double kInPlace_m = 5e-6;  // nearer to a place than this nothing need move

struct StartOf {
    DrivePhase phase;
    EventKind event;
};

StartOf start_of(ConsentGate::Motion which) noexcept {
    switch (which) {
        case ConsentGate::positioning: return {DrivePhase::positioning, EventKind::positioning_start};
        case ConsentGate::back: return {DrivePhase::returning, EventKind::return_start};
        case ConsentGate::test: break;
    }
    return {DrivePhase::motion, EventKind::motion_start};
}

}  // namespace

// A motion starts from the setpoint that the device holds, so that nothing jumps.
double MotionDriver::held_m(std::size_t axis) const noexcept { return tick_.newest().axes[axis].setpoint_position_m; }

bool MotionDriver::is_at(double x_m, double y_m) const noexcept {
    return std::abs(held_m() - x_m) <= kInPlace_m && (!machine_.y || std::abs(held_m(1) - y_m) <= kInPlace_m);
}

std::vector<controller::Profile> MotionDriver::positioning_to(double x_m, double y_m) const {
    const auto move = [&](std::size_t axis, double to_m) {
        return controller::positioning(held_m(axis), to_m, plan_.positioning.velocity_m_s,
                                       plan_.positioning.acceleration_m_s2);
    };
    std::vector<controller::Profile> axes{move(0, x_m)};
    if (machine_.y) axes.push_back(move(1, y_m));
    return axes;
}

bool MotionDriver::accelerometers_are_sound() {
    const controller::MotionEstimator* const estimators[] = {&parts_.estimator, parts_.estimator_y};
    for (std::size_t i = 0; i < machine_.axis_count(); ++i) {
        if (estimators[i] == nullptr || estimators[i]->bias_acceptable()) continue;
        const firmware_iface::AxisDescription& axis = i == 0 ? machine_ : *machine_.y;
        fail(StopReason::feedback_implausible,
             Wording(i == 0 ? "the accelerometer reads " : "the accelerometer reads along y ")
                 .add(estimators[i]->rest().bias_m_s2, NumberForm::two_decimals)
                 .add(" m/s2 at rest, ")
                 .add(axis.accelerometer_offset_max_m_s2, NumberForm::two_decimals)
                 .add(" is the limit: check its mounting and the machine file"));
        return false;
    }
    return true;
}

bool MotionDriver::consented(ConsentGate::Motion which) {
    if (gate_ == nullptr) return true;
    gate_->ask(which);
    while (gate_->answer() == ConsentGate::Answer::none) {
        tick_.step(nullptr);
        if (trouble()) return false;
    }
    return gate_->answer() == ConsentGate::Answer::yes;
}

MotionDriver::Moved MotionDriver::move(const std::vector<controller::Profile>& axes, ConsentGate::Motion which) {
    if (!consented(which)) {
        if (result_.reason == StopReason::none && which != ConsentGate::back)
            fail(StopReason::operator_stop, Wording("the operator did not consent to the motion"));
        return result_.reason == StopReason::none ? Moved::declined : Moved::failed;
    }
    armed_ = true;  // or perhaps, if the answer should get lost
    const auto armed = parts_.link.arm(parts_.link.device().configuration_hash);
    if (!armed.accepted) {
        armed_ = false;
        fail(StopReason::device_state, Wording("the device refused to arm: ").add(explanation(armed.refusal)));
        return Moved::failed;
    }
    if (!wait_until_armed()) return Moved::failed;
    const std::uint64_t start_us = motion_start_us(parts_.link, tick_.newest());
    const controller::SupervisorSettings settings = supervisor_settings(parts_.link.device());
    auto knots = controller::setpoints(axes, start_us, settings.feedback_period_us);
    Supervisor supervisor(std::move(knots), machine_, settings, parts_.stop_requested);
    if (!begin(supervisor, start_us, which)) return Moved::failed;
    return follow(supervisor, which) ? Moved::done : Moved::failed;
}

// Feedback from before the command may still be on its way.
bool MotionDriver::wait_until_armed() {
    for (int tick = 0; tick < kArmedWithinTicks; ++tick) {
        tick_.step(nullptr);
        if (trouble()) return false;
        if (tick_.newest().state == DeviceState::armed) return true;
    }
    fail(StopReason::device_state,
         Wording("the device accepted the command to arm but does not report that it is armed"));
    return false;
}

bool MotionDriver::begin(Supervisor& supervisor, std::uint64_t start_us, ConsentGate::Motion which) {
    tick_.learn_rest(false);
    MotionStart start;
    start.newest = tick_.newest();
    start.start_us = start_us;
    start.release_specimen = which == ConsentGate::test;
    start.trigger = which == ConsentGate::test && plan_.trigger;
    start.on_sent = [this](const firmware_iface::Setpoint& setpoint) { parts_.log.push(setpoint); };
    const auto on_start = [&] {
        result_.moved = true;
        const StartOf what = start_of(which);
        tick_.set_phase(what.phase);
        event(what.event, start_us);
        if (which != ConsentGate::test) return;
        motion_start_us_ = start_us;
        tick_.set_motion_start(start_us);
        tick_.watch_settling_anew();
    };
    start.on_start = std::ref(on_start);  // what it refers to would not fit into a function without the heap
    const Wording against = begin_motion(supervisor, parts_.link, parts_.clock, start);
    if (!against.empty())
        fail(parts_.stop_requested.load() ? StopReason::operator_stop : StopReason::device_state, against);
    return against.empty();
}

bool MotionDriver::follow(Supervisor& supervisor, ConsentGate::Motion which) {
    bool stop_noted = false;
    while (supervisor.state() != SupervisorState::done && supervisor.state() != SupervisorState::failed) {
        tick_.step(&supervisor);
        if (supervisor.reason() != StopReason::none && !stop_noted) {
            stop_noted = true;
            tick_.keep_flight(supervisor.reason());
            event(EventKind::stop_requested, tick_.newest().device_time_us, Wording(name(supervisor.reason())));
        }
        keep_later_fault();
    }
    if (supervisor.state() == SupervisorState::done) {
        if (which != ConsentGate::test) return true;
        motion_end_us_ = supervisor.end_time_us();  // not the planned one if the specimens were protected
        event(EventKind::motion_done, motion_end_us_);
        return true;
    }
    result_.fault_code = supervisor.fault_code();
    fail(supervisor.reason(), supervisor.wording());
    return false;
}

// A fault while the stop is under way is an incident of its own; that the device has latched the stop is none.
void MotionDriver::keep_later_fault() noexcept {
    const auto incidents = tick_.flight().incidents();
    const auto code = static_cast<firmware_iface::FaultCode>(tick_.newest().fault_code);
    using firmware_iface::FaultCode;
    if (incidents.empty() || code == FaultCode::none || code == FaultCode::operator_stop ||
        code == FaultCode::host_lost)
        return;
    if (tick_.newest().fault_code != incidents.back().fault_code) tick_.keep_flight(StopReason::device_fault);
}

}  // namespace topple::hil::drive
