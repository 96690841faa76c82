// topple map: the outcome over frequency and amplitude of the experiment's wave.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "firmware_iface/fault.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/signals.hpp"
#include "hil/errors.hpp"
#include "hil/map/map_files.hpp"
#include "hil/output_file.hpp"
#include "hil/tell.hpp"

namespace topple::hil {
namespace {

constexpr double kFrequencyLeast = 1e-3;
constexpr unsigned kThreadsMax = 1024;

struct MapOptions {
    std::string file, out, csv;
    std::string frequency = "0.1:10:200", amplitude = "0.1:10:200", by = "tan";
    std::vector<double> initial_rotations_rad;
    double tolerance = 1e-6;
    unsigned threads = 0;
    bool force = false;
};

/// What one map is of.
struct MapCase {
    solver::Specimen specimen;
    std::string label;
};

struct SolvedMap {
    MapGrid grid;
    std::vector<MapTransition> boundaries;
};

std::string specimen_label(const solver::Specimen& specimen) {
    std::string label;
    for (const solver::Block& block : specimen.blocks)
        label += fmt::format("{}{:g} m x {:g} m", label.empty() ? "" : " + ", block.width_m, block.height_m);
    return label;
}

/// Every specimen of the file, from every initial rotation that is asked for.
std::vector<MapCase> map_cases(const Experiment& experiment, const std::vector<double>& initial_rotations_rad) {
    std::vector<MapCase> cases;
    for (const solver::Specimen& specimen : experiment.specimens) {
        if (initial_rotations_rad.empty()) cases.push_back({specimen, specimen_label(specimen)});
        for (const double rotation_rad : initial_rotations_rad) {
            if (specimen.blocks.size() != 1)
                throw InputError("--initial-rotation is for single blocks; the file has a stack");
            if (!(std::abs(rotation_rad) < 0.5 * std::numbers::pi))
                throw InputError(fmt::format("--initial-rotation {}: allowed is between -pi/2 and pi/2", rotation_rad));
            MapCase one{specimen, fmt::format("{} from {:g} rad", specimen_label(specimen), rotation_rad)};
            one.specimen.initial_rotation_rad = {rotation_rad};
            cases.push_back(std::move(one));
        }
    }
    return cases;
}

/// map.csv, map_1.csv, ...
std::filesystem::path numbered(const std::filesystem::path& file, std::size_t index) {
    if (index == 0) return file;
    std::filesystem::path name = file;
    name.replace_filename(fmt::format("{}_{}{}", file.stem().string(), index, file.extension().string()));
    return name;
}

std::filesystem::path default_folder(const Experiment& experiment) {
    std::string name = experiment.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return std::filesystem::path("runs") / fmt::format("{:%Y%m%dT%H%M%SZ}_{}_map", fmt::gmtime(now), name);
}

void print_progress(const char* what, double share) {
    tell("\r{}: {:3.0f} %", what, 100.0 * share);
    std::fflush(stderr);
}

std::string summary(const solver::StabilityMap& map, const std::string& label, const SolvedMap& result) {
    std::array<std::size_t, 6> count{};
    std::size_t total = 0;
    for (std::size_t i = 0; i < result.grid.frequency.count; ++i)
        for (std::size_t j = 0; result.grid.is_done[i] && j < result.grid.amplitude.count; ++j, ++total)
            ++count[static_cast<std::size_t>(result.grid.cell(i, j).outcome_code)];
    std::string text = fmt::format("{}: alpha = {:.6g} rad, p = {:.6g} rad/s, amplitude ratio 1 = {:.6g} m/s2\n",
                                   label, map.slenderness_rad(), map.frequency_parameter_rad_s(),
                                   map.amplitude_unit_m_s2());
    text += fmt::format("  {} waves", total);
    for (std::size_t i = 0; i < count.size(); ++i)
        if (count[i] > 0)
            text += fmt::format(", {} {:.2f} %", solver::name(static_cast<solver::Outcome>(i)),
                                100.0 * static_cast<double>(count[i]) / static_cast<double>(total));
    return text + fmt::format("; {} transitions\n", result.boundaries.size());
}

/// Where the files go; asked before the work starts.
struct MapPlaces {
    std::filesystem::path folder;  ///< empty: no folder
    std::filesystem::path csv;
    std::filesystem::path csv_of(std::size_t index) const { return numbered(csv, index); }
};

MapPlaces places(const MapOptions& options, const Experiment& experiment, std::size_t case_count) {
    MapPlaces to;
    if (!options.out.empty() || options.csv.empty())
        to.folder = options.out.empty() ? default_folder(experiment) : std::filesystem::path(options.out);
    if (!to.folder.empty() && std::filesystem::exists(to.folder) && !options.force)
        throw InputError(fmt::format("{}: exists already; choose another --out, or --force", to.folder.string()));
    to.csv = options.csv.empty() ? to.folder / "map.csv" : std::filesystem::path(options.csv);
    const Overwrite overwrite = options.force ? Overwrite::allow : Overwrite::refuse;
    for (std::size_t i = 0; i < case_count; ++i) require_writable_name(to.csv_of(i), overwrite);
    return to;
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw OutputError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
}

void draw(const std::vector<SolvedMap>& maps, const std::vector<MapCase>& cases, const std::string& name,
          const MapOptions& options, const std::filesystem::path& folder) {
    MapCaption caption{fmt::format("{}: {}", name, cases[0].label),
                       options.by == "alpha" ? "a_0 / ({/Symbol a} g)" : "a_0 / (g tan {/Symbol a})", {}};
    for (std::size_t i = 1; i < maps.size(); ++i)
        caption.overlays.push_back({cases[i].label, maps[i].boundaries});
    draw_map(maps[0].grid, caption, folder);
}

void run_map(const MapOptions& options) {
    const Experiment experiment = read_experiment(options.file);
    const GridAxis frequency = parse_axis("--frequency-ratio", options.frequency, kFrequencyLeast);
    const GridAxis amplitude = parse_axis("--amplitude-ratio", options.amplitude, 0.0);
    const solver::MapWave wave = map_wave(experiment);
    require_solvable(frequency, amplitude);
    const std::vector<MapCase> cases = map_cases(experiment, options.initial_rotations_rad);
    const MapPlaces to = places(options, experiment, cases.size());
    const std::atomic<bool>& stop = stop_on_signals();
    const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
    MapWork how{options.threads, &stop, {}};
    if (is_terminal) how.on_progress = [](double share) { print_progress("cells", share); };

    std::vector<SolvedMap> maps;
    if (!to.folder.empty()) make_folder(to.folder);
    for (const MapCase& one : cases) {
        const auto axis = options.by == "alpha" ? solver::AmplitudeAxis::angle : solver::AmplitudeAxis::tangent;
        const solver::StabilityMap map(one.specimen, wave, axis, experiment.gravity_m_s2);
        SolvedMap result{solve_grid(map, frequency, amplitude, how), {}};
        write_map_csv(result.grid, to.csv_of(maps.size()));
        if (!to.folder.empty()) {
            result.boundaries = find_boundaries(map, result.grid, options.tolerance, how);
            write_file(numbered(to.folder / "boundaries.csv", maps.size()), boundaries_csv(result.boundaries),
                       Overwrite::allow);
        }
        if (is_terminal) tell("\r\033[K");
        fmt::print("{}", summary(map, one.label, result));
        maps.push_back(std::move(result));
        if (stop) break;
    }
    if (!to.folder.empty()) draw(maps, cases, experiment.name, options, to.folder);
    fmt::print("written: {}\n", to.folder.empty() ? to.csv.string() : to.folder.string());
    if (stop)
        throw firmware_iface::DeviceError(fmt::format(
            "stopped by {} with {} of {} frequencies solved; what was solved is written", stop_signal_name(),
            maps.back().grid.done_count(), frequency.count));
}

}  // namespace

void add_map(CLI::App& app) {
    CLI::App* command = app.add_subcommand("map", "Outcome over frequency and amplitude of the experiment's wave");
    const auto options = std::make_shared<MapOptions>();
    command->add_option("FILE", options->file, "Experiment file (TOML)")->required();
    command->add_option("--frequency-ratio", options->frequency, "omega/p, evenly spaced, ends included")
        ->type_name("LO:HI:N")
        ->capture_default_str();
    command->add_option("--amplitude-ratio", options->amplitude, "a0/(g tan alpha), evenly spaced, ends included")
        ->type_name("LO:HI:N")
        ->capture_default_str();
    command->add_option("--amplitude-by", options->by, "tan: a0/(g tan alpha); alpha: a0/(alpha g)")
        ->check(CLI::IsMember({"tan", "alpha"}))
        ->capture_default_str();
    command->add_option("--initial-rotation", options->initial_rotations_rad,
                        "A map for each of these rotations from which the block is released at t = 0; rad, by commas")
        ->delimiter(',')
        ->type_name("R,...");
    command->add_option("--out", options->out, "Folder for map.csv, boundaries.csv, map.svg, map.png and map.gp; "
                                               "default runs/<UTC>_<name>_map")
        ->type_name("DIR");
    command->add_option("--csv", options->csv, "Write the cells to this file; without --out nothing else")
        ->type_name("OUT.csv");
    command->add_option("--boundary-tolerance", options->tolerance, "Width of the brackets of the boundaries, relative")
        ->check(CLI::Range(1e-12, 0.1))
        ->capture_default_str();
    command->add_option("--threads", options->threads, "Default: one per processor")
        ->check(CLI::Range(1u, kThreadsMax))
        ->type_name("N");
    command->add_flag("--force", options->force, "Allow overwriting");
    command->footer("Ctrl-C writes what is solved so far.\n"
                    "Example:\n  topple map docs/examples/b6l_sine.toml --frequency-ratio 0.1:10:1000 "
                    "--amplitude-ratio 0.1:10:1000 --out b6l_map");
    command->callback([options] { run_map(*options); });
}

}  // namespace topple::hil
