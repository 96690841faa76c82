#include "tests/support/ticking_table.hpp"

#include <stdexcept>

#include "hil/drive/send_due.hpp"

namespace topple::tests {

TickingTable::TickingTable(const hil::experiment::Experiment& experiment, const std::filesystem::path& log_file,
                           hil::run_log::RecordObserver observer)
    : plan_(hil::drive::plan_run(experiment)),
      link_(make_table(table_, experiment), clock_, 1),
      log_(log_file, log_options(std::move(observer))),
      predictor_(experiment.specimens, plan_.profile.motion, experiment.gravity_m_s2),
      estimator_(experiment.table.description),
      machine_(experiment.table.description),
      tick_({link_, clock_, log_, predictor_, estimator_, stop_}, machine_, 2000,
            {experiment.specimens[0].blocks.size()}) {
    clock_.table = table_.get();
    link_.connect();
    predictor_.start_thread();
}

std::unique_ptr<firmware_iface::ByteStream> TickingTable::make_table(
    std::unique_ptr<hil::sim_table::SimulatedTable>& table, const hil::experiment::Experiment& experiment) {
    auto [host, device] = firmware_iface::make_pipe();
    hil::sim_table::SimulatedTableOptions options;
    options.aux_channel_count = firmware_iface::kAuxChannelsMax;
    table = std::make_unique<hil::sim_table::SimulatedTable>(experiment.table.description, experiment.specimens,
                                                             options, std::move(device));
    return std::move(host);
}

hil::run_log::RunLogOptions TickingTable::log_options(hil::run_log::RecordObserver observer) {
    hil::run_log::RunLogOptions options;
    options.observer = std::move(observer);
    options.queue_records = hil::run_log::log_records_for(60.0, 500.0);
    options.scales = {1e-6, 1.0};
    return options;
}

void TickingTable::begin() {
    if (!link_.arm(link_.device().configuration_hash).accepted) throw std::runtime_error("not armed");
    for (int i = 0; i < 100; ++i) tick_.step(nullptr);
    const std::uint64_t start_us = (tick_.newest().device_time_us + 100'000) / 2000 * 2000;
    controller::SupervisorSettings settings;
    settings.setpoint_capacity = link_.device().setpoint_capacity;
    controller::Profile profile = plan_.profile;
    profile.start_position_m = tick_.newest().axes[0].setpoint_position_m;  // where the platen is
    supervisor_ = std::make_unique<controller::Supervisor>(controller::setpoints(profile, start_us, 2000), machine_,
                                                           settings, stop_);
    hil::drive::send_due(*supervisor_, link_, [](const firmware_iface::Setpoint&) {});
    tick_.set_motion_start(start_us);
    if (!link_.start(start_us, true, true).accepted) throw std::runtime_error("not started");
    if (supervisor_->begin(tick_.newest(), clock_.now()) != controller::StartRefusal::none)
        throw std::runtime_error("not begun");
}

}  // namespace topple::tests
