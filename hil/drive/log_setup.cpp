#include "hil/drive/log_setup.hpp"

#include <fmt/format.h>

#include "hil/files/sha256.hpp"
#include "hil/host/version.hpp"

namespace topple::hil::drive {
namespace {

constexpr double kRecordAtMost_s = 60.0;    // as in recording_complete
constexpr double kBeforeAndAfter_s = 30.0;  // positioning, rest, return

}  // namespace

std::map<std::string, std::string> log_metadata(const experiment::Experiment& experiment, const std::string& prediction,
                                                const firmware_iface::TableLink& link, const std::string& device) {
    auto metadata = run_log::machine_metadata(experiment.table.description);
    metadata.merge(experiment::aux_metadata(experiment.table.aux));
    metadata["topple_version"] = std::string(host::version());
    metadata["machine_sha256"] = files::sha256_hex(experiment.table.machine_text);
    metadata["prediction_sha256"] = files::sha256_hex(prediction);
    metadata["device_uri"] = device;
    metadata["device"] = link.device().device;
    metadata["device_serial_number"] = link.device().serial_number;
    metadata["firmware_version"] = link.device().firmware_version;
    metadata["link_round_trip_us"] = std::to_string(link.statistics().round_trip.count() / 1000);
    metadata["simulated"] = link.device().simulated ? "true" : "false";
    if (link.device().simulated) metadata["simulation_seed"] = std::to_string(experiment.simulation.seed);
    metadata["configuration_hash"] = fmt::format("{:016x}", link.device().configuration_hash);
    return metadata;
}

run_log::RunLogOptions log_options(const experiment::Experiment& experiment, const RunPlan& plan,
                                   const firmware_iface::Clock& clock, std::int64_t wall_clock_anchor_ns) {
    const double duration_s = controller::duration_s(plan.axes()) + kRecordAtMost_s + kBeforeAndAfter_s;
    const double rate_hz = experiment.table.description.feedback_rate_hz;
    std::size_t blocks = 0;
    for (const auto& specimen : experiment.specimens) blocks += specimen.blocks.size();
    run_log::RunLogOptions options;
    options.synchronous = clock.is_virtual();
    options.wall_clock_anchor_ns = wall_clock_anchor_ns;
    options.scales = run_log::sensor_scales(experiment.table.description);
    options.reserve_bytes = run_log::log_bytes_for(duration_s, rate_hz, blocks, experiment.specimens.size());
    options.queue_records = run_log::log_records_for(duration_s, rate_hz, experiment.specimens.size());
    return options;
}

}  // namespace topple::hil::drive
