#include "hil/cli/map_places.hpp"

#include <fmt/format.h>

#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {

std::filesystem::path numbered(const std::filesystem::path& file, std::size_t index) {
    if (index == 0) return file;
    std::filesystem::path name = file;
    name.replace_filename(fmt::format("{}_{}{}", file.stem().string(), index, file.extension().string()));
    return name;
}

std::filesystem::path MapPlaces::csv_of(std::size_t index) const { return numbered(csv, index); }

MapPlaces map_places(const MapTarget& target, const std::string& experiment_name, std::size_t case_count) {
    MapPlaces to;
    if (!target.out.empty() && std::filesystem::exists(target.out) && !target.force)
        throw files::InputError(fmt::format("{}: already exists; choose another --out, or --force", target.out));
    if (!target.out.empty() || target.csv.empty())
        to.folder = target.out.empty() ? files::create_default_run_folder(experiment_name + "_map")
                                       : std::filesystem::path(target.out);
    to.csv = target.csv.empty() ? to.folder / "map.csv" : std::filesystem::path(target.csv);
    const files::Overwrite overwrite = target.force ? files::Overwrite::allow : files::Overwrite::refuse;
    for (std::size_t i = 0; i < case_count; ++i) files::require_writable_name(to.csv_of(i), overwrite);
    return to;
}

void make_map_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw files::OutputError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
}

void print_map_progress(double share) { text::tell_over(fmt::format("cells: {:3.0f} %", 100.0 * share)); }

}  // namespace topple::hil::cli
