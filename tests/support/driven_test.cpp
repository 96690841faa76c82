#include "tests/support/driven_test.hpp"

namespace topple::tests {

void OversleepingClock::sleep_until(firmware_iface::Nanoseconds deadline) {
    if (deadline <= now_) return;
    now_ = deadline;
    if (oversleep) now_ += oversleep(table->device_time_us());
    table->advance_to(now_ + device_step);
    if (woken) woken();
}

DrivenTest::DrivenTest(const hil::Experiment& experiment, const std::filesystem::path& folder,
                       const hil::SimulatedTableOptions& options, const Wire& wire, Host mode)
    : plan_(hil::plan_test(experiment)), estimator_(experiment.table.description) {
    auto [host, device] = firmware_iface::make_pipe();
    const auto& machine = experiment.table.description;
    table_ = std::make_unique<hil::SimulatedTable>(machine, experiment.specimens, options, std::move(device));
    clock_.table = table_.get();
    clock_.host_has_threads = mode == Host::threads;
    if (wire) host = wire(std::move(host));
    link_ = std::make_unique<firmware_iface::TableLink>(std::move(host), clock_, 1);
    link_->connect();
    hil::RunLogOptions log_options;
    log_options.synchronous = mode == Host::lockstep;
    constexpr double kLongest_s = 100.0;
    log_options.queue_records = hil::log_records_for(kLongest_s, machine.feedback_rate_hz);
    log_options.metadata = hil::machine_metadata(machine);
    log_ = std::make_unique<hil::RunLog>(folder / "run.mcap", log_options);
    predictor_ = std::make_unique<hil::Predictor>(experiment.specimens, plan_.profile.motion, experiment.gravity_m_s2);
    driver_ = std::make_unique<hil::TestDriver>(
        hil::TestParts{*link_, clock_, *log_, *predictor_, estimator_, stop_requested_}, machine, plan_, nullptr);
    if (mode == Host::threads) predictor_->start_thread();
}

DrivenTest::~DrivenTest() = default;

hil::DriveResult DrivenTest::run() {
    driver_->run();
    if (driven) driven();
    predictor_->stop_thread();
    log_->close();
    link_->close();
    return driver_->result();
}

}  // namespace topple::tests
