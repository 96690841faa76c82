#include "hil/drive/open_table.hpp"

#include <stdexcept>

#include "firmware_iface/transport/forwarding_stream.hpp"
#include "hil/drive/pacer.hpp"
#include "hil/drive/watched_stream.hpp"
#include "hil/files/errors.hpp"
#include "hil/sim_table/chosen_mechanics.hpp"

namespace topple::hil::drive {
namespace {

/// The host's end of the pipe to the simulated table, with a name that people know.
class SimulatedTableStream final : public firmware_iface::ForwardingStream {
  public:
    using ForwardingStream::ForwardingStream;
    std::string description() const override { return "simulated table"; }
};

}  // namespace

OpenedTable open_table(const std::string& device_uri, const experiment::Experiment& experiment,
                       const HostSession& session, const OpeningOptions& opening) {
    const std::optional<sim_table::FaultScript>& faults = opening.faults;
    OpenedTable table;
    if (faults && device_uri != "sim:")
        throw files::InputError("--faults applies only to the simulated table of this process, sim:, not to " +
                                device_uri +
                                "; for a simulated table on a wire give it to `topple emulate FILE --faults F`");
    std::unique_ptr<firmware_iface::ByteStream> host_end;
    if (device_uri == "sim:") {
        auto [host, device] = firmware_iface::make_pipe();
        host_end = std::make_unique<SimulatedTableStream>(std::move(host));
        table.truth = sim_table::truth(experiment);
        sim_table::SimulatedTableOptions options;
        options.seed = sim_table::noise_seed(experiment);
        options.mechanics = sim_table::preset_of(experiment.simulation.table);
        options.gravity_m_s2 = experiment.gravity_m_s2;
        options.plane_angle_rad = experiment.plane_angle_rad;
        options.aux_channel_count = experiment.table.aux.size();
        options.faults = faults;
        if (faults) sim_table::require_axes(*faults, experiment.table.description.axis_count());
        try {
            table.simulated = std::make_unique<sim_table::SimulatedTable>(
                experiment.table.description, sim_table::true_specimens(experiment, *table.truth), options,
                std::move(device));
        } catch (const std::invalid_argument& refused) {
            throw files::InputError(std::string("the simulated specimen (with its hidden differences) is refused: ") +
                                    refused.what());
        }
        sim_table::SimulatedTable* simulated = table.simulated.get();
        table.clock = std::make_unique<firmware_iface::VirtualClock>(
            [simulated, pacer = Pacer(opening.pace)](firmware_iface::Nanoseconds now) mutable {
                pacer.wait_until(now);
                simulated->advance_to(now);
            });
    } else {
        host_end = firmware_iface::open_stream(device_uri);
        table.clock = std::make_unique<firmware_iface::MonotonicClock>();
    }
    if (opening.observer)
        host_end = std::make_unique<WatchedStream>(
            std::move(host_end), StreamWatch{opening.observer, run_log::sensor_scales(experiment.table.description),
                                             session.id, table.clock->is_virtual()});
    table.link =
        std::make_unique<firmware_iface::TableLink>(std::move(host_end), *table.clock, session.id, session.client);
    return table;
}

}  // namespace topple::hil::drive
