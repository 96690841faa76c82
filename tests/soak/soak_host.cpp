#include "tests/soak/soak_host.hpp"

#include <stdexcept>

#include "controller/rt/thread_setup.hpp"
#include "firmware_iface/fault.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/drive/send_due.hpp"
#include "hil/plan/motion_plan.hpp"
#include "tests/support/heap_counter.hpp"

namespace topple::tests {
namespace {

constexpr std::uint64_t kStartLead_us = 100'000;
constexpr std::uint64_t kRestBefore_us = 500'000;
constexpr auto kClearWithin = std::chrono::seconds(30);
constexpr int kTicksPerClear = 100;
constexpr double kStalledDisk_s = 30.0;  // what the log's queue holds

hil::run_log::RunLogOptions log_options(double duration_s, std::size_t rotation_count) {
    hil::run_log::RunLogOptions options;
    options.queue_records = hil::run_log::log_records_for(kStalledDisk_s, 500.0);
    options.reserve_bytes = hil::run_log::log_bytes_for(duration_s + kStalledDisk_s, 500.0, rotation_count, 0);
    return options;
}

std::size_t block_count(const hil::experiment::Experiment& experiment) {
    std::size_t count = 0;
    for (const auto& specimen : experiment.specimens) count += specimen.blocks.size();
    return count;
}

void require(bool accepted, const std::string& what) {
    if (!accepted) throw std::runtime_error(what);
}

}  // namespace

SoakHost::SoakHost(const hil::experiment::Experiment& experiment, const std::string& device_uri,
                   const std::filesystem::path& log_file, double duration_s)
    : duration_s_(duration_s),
      profile_(hil::plan::plan_motion(experiment).profile),
      machine_(experiment.table.description),
      link_(firmware_iface::open_stream(device_uri), clock_, 1),
      log_(log_file, log_options(duration_s, block_count(experiment))),
      predictor_({}, profile_.motion, experiment.gravity_m_s2),
      estimator_(machine_),
      period_us_(link_.connect().feedback_period_us),
      tick_({link_, clock_, log_, predictor_, estimator_, stop_}, machine_, period_us_, {}) {}

SoakCounts SoakHost::run() {
    const controller::RealTime real_time(clock_);
    counts_.thread = real_time.setup().text();
    predictor_.start_thread();
    try {
        while (now_us() == 0) tick(nullptr);
        const std::uint64_t first_us = now_us();
        while (now_us() < first_us + kRestBefore_us) tick(nullptr);
        const auto end_us = first_us + static_cast<std::uint64_t>(duration_s_ * 1e6);
        while (now_us() < end_us) motion();
        link_.disarm();
    } catch (const std::exception& error) {
        link_.stop();
        counts_.failure = error.what();
    }
    predictor_.stop_thread();
    counts_.link = link_.statistics();
    log_.close();
    if (log_.failed()) counts_.log_failure = log_.failure();
    link_.close();
    return counts_;
}

void SoakHost::motion() {
    require(link_.arm(link_.device().configuration_hash).accepted, "the table refused to arm");
    while (tick_.newest().state != firmware_iface::DeviceState::armed) tick(nullptr);
    profile_.start_position_m = tick_.newest().axes[0].setpoint_position_m;
    const std::uint64_t start_us = (now_us() + kStartLead_us) / period_us_ * period_us_;
    controller::Supervisor supervisor(controller::setpoints(profile_, start_us, period_us_), machine_,
                                      hil::drive::supervisor_settings(link_.device()), stop_);
    hil::drive::send_due(supervisor, link_, [this](const firmware_iface::Setpoint& setpoint) { log_.push(setpoint); });
    require(link_.start(start_us, false).accepted, "the table refused to start");
    require(supervisor.begin(tick_.newest(), clock_.now()) == controller::StartRefusal::none,
            "the motion was not begun");
    follow(supervisor);
    ++counts_.motions;
}

void SoakHost::follow(controller::Supervisor& supervisor) {
    while (supervisor.state() != controller::SupervisorState::done &&
           supervisor.state() != controller::SupervisorState::failed)
        tick(&supervisor);
    if (supervisor.state() == controller::SupervisorState::failed) clear_stop(supervisor);
}

// A computer that has other work may be late with the setpoints or hold the emulator up, and the table stops, as it
// should. That is told, and the soak goes on: it is about what gets lost.
void SoakHost::clear_stop(const controller::Supervisor& supervisor) {
    using firmware_iface::FaultCode;
    const auto fault = static_cast<FaultCode>(tick_.newest().fault_code);
    const bool silent = supervisor.reason() == controller::StopReason::link_lost;
    require(silent || fault == FaultCode::queue_underrun || fault == FaultCode::host_lost,
            supervisor.text() + " (" + std::string(name(fault)) + ")");
    ++counts_.stops;
    if (silent) link_.stop();
    const auto until = clock_.now() + kClearWithin;
    while (tick_.newest().state != firmware_iface::DeviceState::ready) {
        require(clock_.now() < until, "the fault cannot be cleared");
        for (int i = 0; i < kTicksPerClear; ++i)
            tick(nullptr);  // also after a clear: a repeated stop may have overtaken it
        if (tick_.newest().state == firmware_iface::DeviceState::faulted) link_.clear_fault();
    }
}

void SoakHost::tick(controller::Supervisor* supervisor) {
    const std::uint64_t before = test::heap_allocations_of_this_thread();
    tick_.step(supervisor);
    ++counts_.ticks;
    if (counts_.motions > 0) counts_.tick_allocations += test::heap_allocations_of_this_thread() - before;
    require(link_.status() == firmware_iface::StreamStatus::open, "the wire is gone");
    require(tick_.silence() < std::chrono::seconds(10), "no feedback for 10 s");
}

}  // namespace topple::tests
