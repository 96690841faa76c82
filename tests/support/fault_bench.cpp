#include "tests/support/fault_bench.hpp"

#include <time.h>

#include <cmath>
#include <numbers>

#include "firmware_iface/fault.hpp"
#include "hil/check/recorded_motion.hpp"
#include "hil/drive/send_due.hpp"

namespace topple::test {

using namespace firmware_iface;

namespace {

constexpr double kSettled_m_s = 0.010;
constexpr double kAfter_s = 1.2;             // how long a cell goes on after its fault
constexpr std::uint64_t kLead_us = 100'000;  // from the start command to the first setpoint, as in a test
constexpr auto kSilenceMax = std::chrono::milliseconds(100);  // of a holding table, as in a test

// That one end has come or gone is known at the other end of the same computer after this.
void let_the_kernel_deliver() {
    constexpr timespec kMoment{0, 40'000};
    ::nanosleep(&kMoment, nullptr);
}

std::string with_moment(const std::string& script, MatrixState state) {
    std::string when;
    switch (state) {
        case MatrixState::idle: when = "after_s = 0.05\n"; break;
        case MatrixState::homing: when = "at = \"homing\"\nafter_s = 0.3\n"; break;
        case MatrixState::armed: when = "at = \"armed\"\nafter_s = 0.05\n"; break;
        case MatrixState::running: when = "at = \"motion\"\nafter_s = 0.1\n"; break;
        case MatrixState::stopping: when = "at = \"stopping\"\nafter_s = 0.02\n"; break;
    }
    return script.empty() ? std::string() : "[[fault]]\n" + script + when;
}

double seconds(std::uint64_t from_us, std::uint64_t to_us) { return static_cast<double>(to_us - from_us) * 1e-6; }

}  // namespace

const char* name(MatrixState state) noexcept {
    constexpr const char* kNames[] = {"idle", "homing", "armed", "running", "stopping"};
    return kNames[static_cast<int>(state)];
}

const char* name(Wire wire) noexcept {
    constexpr const char* kNames[] = {"pipe", "pty", "tcp"};
    return kNames[static_cast<int>(wire)];
}

FaultBench::FaultBench(MatrixState state, const std::string& script, Wire wire, HostFault host)
    : state_(state), host_(host), machine_(quanser_st_iii()) {
    make_table(with_moment(script, state), wire);
}

void FaultBench::make_table(const std::string& script, Wire wire) {
    const bool homed = state_ != MatrixState::idle && state_ != MatrixState::homing;
    hil::sim_table::SimulatedTableOptions options;
    options.start_homed = homed;
    options.start_position_m = homed ? -0.5 * kTravel_m : 0.03;
    if (!script.empty()) options.faults = hil::sim_table::parse_fault_script(script, "matrix");
    options.disturb = [this](std::uint64_t, Measurement&) { watch(); };
    std::unique_ptr<ByteStream> host, device;
    if (wire == Wire::pipe) {
        std::tie(host, device) = make_pipe();
    } else {
        listener_ = wire == Wire::pty ? listen_pty() : listen_tcp("0");
        host = std::make_unique<DeliveredStream>(open_stream(listener_->uri()), 0, written_);
    }
    table_ = std::make_unique<hil::sim_table::SimulatedTable>(machine_, std::vector<solver::Specimen>{}, options,
                                                              std::move(device));
    clock_.set_on_advance([this](Nanoseconds now) { advance(now); });
    link_ = std::make_unique<TableLink>(std::move(host), clock_, 1);
}

void FaultBench::advance(Nanoseconds now) {
    if (listener_) {
        let_the_kernel_deliver();
        if (auto arrived = listener_->accept())
            table_->connect(std::make_unique<DeliveredStream>(std::move(arrived), 1, written_));
    }
    table_->advance_to(now);
    if (listener_) let_the_kernel_deliver();
}

// Every 100 us of the table's life, before its core sees the measurement.
void FaultBench::watch() {
    if (!table_) return;
    const DeviceCore& core = table_->core();
    const double x = table_->plant().position_m(), v = table_->plant().velocity_m_s();
    const AxisSetpoint& setpoint = core.setpoint();
    const std::uint64_t now_us = core.now_us();
    outcome_.position_max_m = std::max(outcome_.position_max_m, std::abs(x));
    outcome_.velocity_max_m_s = std::max(outcome_.velocity_max_m_s, std::abs(v));
    if (core.drive_enabled() && core.homed()) {
        outcome_.setpoint_max_m = std::max(outcome_.setpoint_max_m, std::abs(setpoint.position_m));
        outcome_.setpoint_velocity_max_m_s =
            std::max(outcome_.setpoint_velocity_max_m_s, std::abs(setpoint.velocity_m_s));
        outcome_.setpoint_acceleration_max_m_s2 =
            std::max(outcome_.setpoint_acceleration_max_m_s2, std::abs(setpoint.acceleration_m_s2));
    }
    if (core.state() == DeviceState::stopping && !outcome_.stopped) {
        outcome_.stopped = true;
        outcome_.stop_from_m_s = setpoint.velocity_m_s;
        stop_us_ = now_us;
    }
    if (outcome_.stopped && still_us_ == 0 && setpoint.velocity_m_s == 0.0) {
        still_us_ = calm_us_ = now_us;
        outcome_.stop_took_s = seconds(stop_us_, now_us);
    }
    if (still_us_ != 0 && !resting_ && std::abs(v) >= kSettled_m_s) {
        calm_us_ = now_us;
        outcome_.rest_after_s = seconds(still_us_, now_us);
    }
    if (resting_) outcome_.moved_after_rest_m = std::max(outcome_.moved_after_rest_m, std::abs(x - rest_m_));
}

// One period of the host, as hil::Tick::step. False once the host has given up.
bool FaultBench::cycle() {
    clock_.sleep_for(std::chrono::milliseconds(2));
    fresh_ = false;
    link_->poll(
        [](void* self, const Feedback& feedback) {
            auto& bench = *static_cast<FaultBench*>(self);
            bench.newest_ = feedback;
            bench.fresh_ = true;
            bench.outcome_.motion[static_cast<std::int64_t>(feedback.device_time_us - bench.start_us_)] = {
                feedback.axes[0].setpoint_position_m, feedback.axes[0].encoder_count};
        },
        this);
    if (fresh_) heard_ = clock_.now();
    const bool open = link_->status() == StreamStatus::open;
    if (supervisor_) {
        const auto decision = supervisor_->tick(fresh_ ? &newest_ : nullptr, clock_.now(), open);
        if (decision.send_stop) link_->stop();
        hil::drive::send_due(*supervisor_, *link_, [](const Setpoint&) {});
    } else if (!open || clock_.now() - heard_ > kSilenceMax || newest_.fault_code != 0) {
        return false;
    }
    link_->flush();
    return true;
}

void FaultBench::cycles(double duration_s) {
    const auto until = clock_.now() + std::chrono::nanoseconds(std::llround(duration_s * 1e9));
    while (clock_.now() < until) {
        if (host_done_) {
            clock_.sleep_for(std::chrono::milliseconds(2));
        } else if (!cycle()) {  // as a test ends without a motion
            host_done_ = true;
            link_->close();
        }
    }
}

void FaultBench::host_fault() {
    switch (host_) {
        case HostFault::none: break;
        case HostFault::stop: supervisor_ ? stop_.store(true) : link_->stop(); break;
        case HostFault::log_failure:
            if (supervisor_) supervisor_->stop(controller::StopReason::log_failure);
            break;
        case HostFault::gone:
            link_->close();
            host_done_ = true;
            break;
        case HostFault::stall_30_ms: clock_.sleep_for(std::chrono::milliseconds(30)); break;
        case HostFault::stall_1_s: clock_.sleep_for(std::chrono::seconds(1)); break;
    }
}

// What a stubborn host might try: none of it may move a stopped table.
void FaultBench::provoke() {
    constexpr auto kShort = std::chrono::milliseconds(20);
    if (host_done_ || link_->status() != StreamStatus::open) return;
    const std::uint64_t soon_us = (table_->device_time_us() / 2000 + 20) * 2000;
    try {
        outcome_.completed = outcome_.completed || link_->arm(configuration_hash(machine_), kShort).accepted;
        for (const Setpoint& setpoint : motion_from(soon_us)) link_->send_setpoints(std::span(&setpoint, 1));
        outcome_.completed = outcome_.completed || link_->start(soon_us, true, false, kShort).accepted;
    } catch (const DeviceError&) {  // nobody answers: as good
    }
}

// Single sine of acceleration over kTravel_m, symmetric about mid stroke.
std::vector<Setpoint> FaultBench::motion_from(std::uint64_t start_us) const {
    const double w = 2 * std::numbers::pi * kFrequency_hz, amplitude = kTravel_m * w * w / (2 * std::numbers::pi);
    const auto steps = static_cast<std::uint64_t>(std::lround(500.0 / kFrequency_hz));
    std::vector<Setpoint> all;
    for (std::uint64_t i = 0; i <= steps; ++i) {
        const double t = 0.002 * static_cast<double>(i), v = amplitude / w;
        Setpoint s;
        s.device_time_us = start_us + 2000 * i;
        s.axes[0] = {-0.5 * kTravel_m + v * t - v / w * std::sin(w * t), v * (1 - std::cos(w * t)),
                     amplitude * std::sin(w * t)};
        s.final = i == steps;
        if (s.final) s.axes[0].velocity_m_s = s.axes[0].acceleration_m_s2 = 0.0;
        all.push_back(s);
    }
    return all;
}

void FaultBench::run_homing() {
    // A stop or the end of the host comes from the clock: record_homing() waits.
    Nanoseconds began{0};
    bool done = host_ == HostFault::none;
    clock_.set_on_advance([&](Nanoseconds now) {
        advance(now);
        if (began == Nanoseconds{0} && table_->core().state() == DeviceState::homing) began = now;
        if (done || began == Nanoseconds{0} || now - began < std::chrono::milliseconds(300)) return;
        done = true;
        if (host_ == HostFault::stop) stop_.store(true);
        if (host_ == HostFault::gone) link_->close();
        if (host_ == HostFault::stall_30_ms) advance(now + std::chrono::milliseconds(30));
        if (host_ == HostFault::stall_1_s) advance(now + std::chrono::seconds(1));
    });
    try {
        hil::check::record_homing({*link_, clock_, machine_, stop_});
        outcome_.completed = true;
    } catch (const DeviceError&) {
        outcome_.completed = false;
    }
    clock_.set_on_advance([this](Nanoseconds now) { advance(now); });
    heard_ = clock_.now();
    newest_ = {};
}

void FaultBench::run_armed() {
    if (!link_->arm(configuration_hash(machine_)).accepted) throw DeviceError("the table does not arm");
    heard_ = clock_.now();
    cycles(0.05);
    host_fault();
}

void FaultBench::run_motion() {
    if (!link_->arm(configuration_hash(machine_)).accepted) throw DeviceError("the table does not arm");
    for (int i = 0; i < 50 && newest_.state != DeviceState::armed; ++i) cycle();
    start_us_ = (newest_.device_time_us + kLead_us) / 2000 * 2000;
    controller::SupervisorSettings settings;
    settings.setpoint_capacity = link_->device().setpoint_capacity;
    settings.look_ahead_us = look_ahead_us;
    auto supervisor = std::make_unique<controller::Supervisor>(motion_from(start_us_), machine_, settings, stop_);
    hil::drive::send_due(*supervisor, *link_, [](const Setpoint&) {});
    if (!link_->start(start_us_, true).accepted) throw DeviceError("the table does not start");
    if (supervisor->begin(newest_, clock_.now()) != controller::StartRefusal::none)
        throw DeviceError("the host does not begin");
    supervisor_ = std::move(supervisor);
    const auto act_us = start_us_ + static_cast<std::uint64_t>(1e6 * acts_after_s);
    while (table_->device_time_us() < act_us && supervisor_->state() == controller::SupervisorState::streaming) cycle();
    if (state_ == MatrixState::stopping) {
        stop_.store(true);
        for (int i = 0; i < 100 && table_->core().state() == DeviceState::running; ++i) cycle();
        for (int i = 0; i < 10; ++i) cycle();
    }
    host_fault();
}

CellOutcome FaultBench::run() {
    link_->connect();
    link_->wait_feedback();
    heard_ = clock_.now();
    cycle();
    switch (state_) {
        case MatrixState::idle:
            cycles(0.05);
            host_fault();
            break;
        case MatrixState::homing: run_homing(); break;
        case MatrixState::armed: run_armed(); break;
        case MatrixState::running:
        case MatrixState::stopping: run_motion(); break;
    }
    cycles(0.4 * kAfter_s);
    const bool at_rest = !may_move(table_->core().state());
    rest_m_ = table_->plant().position_m();
    resting_ = true;
    if (supervisor_) outcome_.completed = supervisor_->state() == controller::SupervisorState::done;
    if (table_->core().fault() != FaultCode::none) provoke();
    cycles(0.6 * kAfter_s);
    if (!at_rest) outcome_.moved_after_rest_m = 1.0;
    outcome_.fault = table_->core().fault();
    outcome_.state = table_->core().state();
    outcome_.drive_on = table_->core().drive_enabled();
    return outcome_;
}

}  // namespace topple::test
