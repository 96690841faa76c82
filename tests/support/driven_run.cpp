#include "tests/support/driven_run.hpp"

namespace topple::tests {

void OversleepingClock::sleep_until(firmware_iface::Nanoseconds deadline) {
    if (deadline <= now_) return;
    now_ = deadline;
    if (oversleep) now_ += oversleep(table->device_time_us());
    table->advance_to(now_ + device_step);
    if (woken) woken();
}

DrivenRun::DrivenRun(const hil::experiment::Experiment& experiment, const std::filesystem::path& folder,
                     const hil::sim_table::SimulatedTableOptions& options, const Wire& wire, Host mode)
    : plan_(hil::drive::plan_run(experiment)), estimator_(experiment.table.description) {
    auto [host, device] = firmware_iface::make_pipe();
    const auto& machine = experiment.table.description;
    table_ =
        std::make_unique<hil::sim_table::SimulatedTable>(machine, experiment.specimens, options, std::move(device));
    clock_.table = table_.get();
    clock_.host_has_threads = mode == Host::threads;
    if (wire) host = wire(std::move(host));
    link_ = std::make_unique<firmware_iface::TableLink>(std::move(host), clock_, 1);
    link_->connect();
    hil::run_log::RunLogOptions log_options;
    log_options.synchronous = mode == Host::lockstep;
    constexpr double kLongest_s = 100.0;
    log_options.queue_records = hil::run_log::log_records_for(kLongest_s, machine.feedback_rate_hz);
    log_options.scales = hil::run_log::sensor_scales(machine);
    log_options.metadata = hil::run_log::machine_metadata(machine);
    log_ = std::make_unique<hil::run_log::RunLog>(folder / "run.mcap", log_options);
    predictor_ = std::make_unique<hil::drive::Predictor>(
        experiment.specimens, plan_.profile.motion, experiment.gravity_m_s2,
        hil::drive::ForecastMembers{.in_lanes = 100, .uncertainty = experiment.uncertainty});
    driver_ = std::make_unique<hil::drive::MotionDriver>(
        hil::drive::DriveParts{*link_, clock_, *log_, *predictor_, estimator_, stop_requested_}, machine, plan_,
        nullptr);
    if (mode == Host::threads) predictor_->start_thread();
}

DrivenRun::~DrivenRun() = default;

hil::drive::DriveResult DrivenRun::run() {
    driver_->run();
    if (driven) driven();
    predictor_->stop_thread();
    log_->close();
    link_->close();
    return driver_->result();
}

}  // namespace topple::tests
