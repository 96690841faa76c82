// Where a map's files go, and how its progress is shown.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace topple::hil::cli {

inline constexpr double kFrequencyRatioLeast = 1e-3;

struct MapPlaces {
    std::filesystem::path folder;  ///< empty: no folder
    std::filesystem::path csv;
    std::filesystem::path csv_of(std::size_t index) const;  ///< map.csv, map_1.csv, ...
};
std::filesystem::path numbered(const std::filesystem::path& file, std::size_t index);

/// --out, --csv and --force as given.
struct MapTarget {
    std::string out, csv;
    bool force = false;
};
/// Asked before the work starts. Throws InputError for what exists already; makes the default folder if neither is
/// given.
MapPlaces map_places(const MapTarget& target, const std::string& experiment_name, std::size_t case_count);
void make_map_folder(const std::filesystem::path& folder);  ///< throws OutputError
void print_map_progress(double share);

}  // namespace topple::hil::cli
