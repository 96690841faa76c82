#include "hil/cli/map_assembly.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "firmware_iface/fault.hpp"
#include "hil/cli/map_places.hpp"
#include "hil/cli/signals.hpp"
#include "hil/files/output_file.hpp"
#include "hil/study/assembly_map.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {

void run_assembly_map(const AssemblyMapOptions& options, const experiment::Experiment& experiment) {
    const study::GridAxis frequency = study::parse_axis("--frequency-ratio", options.frequency, kFrequencyRatioLeast);
    const study::GridAxis amplitude = study::parse_axis("--amplitude-ratio", options.amplitude, 0.0);
    study::require_solvable(frequency, amplitude);
    const MapPlaces to = map_places({options.out, options.csv, options.force}, experiment.name, 1);
    const std::atomic<bool>& stop = stop_on_signals();
    const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
    study::MapWork how{options.threads, &stop, {}};
    if (is_terminal) how.on_progress = [](double share) { print_map_progress(share); };
    if (!to.folder.empty()) make_map_folder(to.folder);
    const study::AssemblyMap map = study::solve_assembly_map(experiment, frequency, amplitude, how);
    if (is_terminal) text::tell_over("");
    files::write_file(to.csv, study::assembly_map_csv(map), files::Overwrite::allow);
    if (!to.folder.empty()) study::draw_assembly_map(map, experiment.name, to.folder);
    const auto solved =
        std::count_if(map.cells.begin(), map.cells.end(), [](const study::AssemblyCell& cell) { return cell.solved; });
    text::print_out("{} of {} motions solved\nwritten: {}\n", solved, map.cells.size(),
                    to.folder.empty() ? to.csv.string() : to.folder.string());
    if (stop)
        throw firmware_iface::DeviceError(
            fmt::format("stopped by {} with {} of {} motions solved; the solved ones are written", stop_signal_name(),
                        solved, map.cells.size()));
}

}  // namespace topple::hil::cli
