#include "hil/cli/map_keys.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "firmware_iface/fault.hpp"
#include "hil/cli/map_places.hpp"
#include "hil/cli/signals.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/study/key_map.hpp"
#include "hil/study/map_files.hpp"
#include "hil/study/map_summary.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using experiment::Experiment;

std::string axis_line(const char* name, const study::KeyAxis& axis, double own) {
    const std::string unit = axis.symbol.unit.empty() ? "" : " " + axis.symbol.unit;
    return fmt::format("{}: {} = {} from {:g} to {:g}{} in {} steps, in the file {:g}\n", name, axis.symbol.plain,
                       axis.key, axis.grid.low, axis.grid.high, unit, axis.grid.count, own);
}

/// One specimen: its cells, its boundaries.
struct Solved {
    std::string label;
    study::MapGrid grid;
    std::vector<study::MapTransition> boundaries;
};

Solved solve_specimen(const study::KeyMap& map, const study::KeyAxes& axes, const Experiment& experiment,
                      std::size_t index, const MapPlaces& to, double tolerance, const study::MapWork& how) {
    study::RefusedPoints refused, ignored;
    Solved solved{study::specimen_label(experiment.specimens[index]),
                  study::solve_grid(map.solver(index, refused), axes.x().grid, axes.y().grid, how),
                  {}};
    solved.grid.block_count = experiment.specimens[index].blocks.size();
    solved.grid.x_name = axes.x().column();
    solved.grid.y_name = axes.y().column();
    study::write_map_csv(solved.grid, to.csv_of(index));
    if (!to.folder.empty()) {
        solved.boundaries = study::find_boundaries(map.solver(index, ignored), solved.grid, tolerance, how);
        files::write_file(numbered(to.folder / "boundaries.csv", index),
                          study::boundaries_csv(solved.boundaries, solved.grid), files::Overwrite::allow);
    }
    if (how.on_progress) text::tell_over("");
    text::print_out("{}{}{}\n", solved.label + ": ", study::outcome_shares(solved.grid),
                    to.folder.empty() ? std::string() : fmt::format("; {} transitions", solved.boundaries.size()));
    if (refused.count > 0)
        text::tell("topple: {} points are no experiment and have no outcome; the first: {}\n", refused.count,
                   refused.first_reason);
    if (const std::size_t failed = study::failed_count(solved.grid); failed > refused.count)
        text::tell("topple: {}: the solutions of {} points failed; they have no outcome\n", solved.label,
                   failed - refused.count);
    return solved;
}

void draw(const std::vector<Solved>& maps, const study::KeyAxes& axes, const Experiment& experiment,
          const std::filesystem::path& folder) {
    study::MapCaption caption{fmt::format("{}: {}", experiment.name, maps[0].label),
                              axes.x().label(),
                              axes.y().label(),
                              std::array{axes.own(axes.x()), axes.own(axes.y())},
                              {}};
    for (std::size_t i = 1; i < maps.size(); ++i) caption.overlays.push_back({maps[i].label, maps[i].boundaries});
    study::draw_map(maps[0].grid, caption, folder);
}

}  // namespace

void run_key_map(const KeyMapOptions& options, const Experiment& experiment) {
    if (experiment.specimens.empty()) throw files::InputError("map: the experiment has no specimen");
    const study::KeyAxes axes(experiment, study::parse_key_axis("--x", options.x),
                              study::parse_key_axis("--y", options.y));
    study::require_solvable(axes.x().grid, axes.y().grid);
    const study::KeyMap map(experiment, options.model, axes, [&](const Experiment& one) {
        return plan::solver_options(one, options.model.empty() ? one.model : options.model);
    });
    const MapPlaces to =
        map_places({options.out, options.csv, options.force}, experiment.name, experiment.specimens.size());
    const std::atomic<bool>& stop = stop_on_signals();
    study::MapWork how{options.threads, &stop, {}};
    if (::isatty(STDERR_FILENO) == 1) how.on_progress = [](double share) { print_map_progress(share); };
    if (!to.folder.empty()) make_map_folder(to.folder);
    text::print_out("{}{}", axis_line("x", axes.x(), axes.own(axes.x())), axis_line("y", axes.y(), axes.own(axes.y())));
    std::vector<Solved> maps;
    for (std::size_t i = 0; i < experiment.specimens.size() && !stop; ++i)
        maps.push_back(solve_specimen(map, axes, experiment, i, to, options.tolerance, how));
    if (!to.folder.empty() && !maps.empty()) draw(maps, axes, experiment, to.folder);
    text::print_out("written: {}\n", to.folder.empty() ? to.csv.string() : to.folder.string());
    if (stop)
        throw firmware_iface::DeviceError(
            fmt::format("stopped by {} with {} of {} columns solved; the solved ones are written", stop_signal_name(),
                        maps.empty() ? 0 : maps.back().grid.done_count(), axes.x().grid.count));
}

std::string derived_axes_text() {
    std::string text;
    for (const study::DerivedAxis& axis : study::derived_axes())
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", axis.name, axis.text);
    return text;
}

}  // namespace topple::hil::cli
