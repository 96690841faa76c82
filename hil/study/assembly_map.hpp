// What an assembly in a basin does over the frequency and the amplitude of its excitation.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hil/study/map_grid.hpp"
#include "solver/assembly/assembly.hpp"

namespace topple::hil::study {

/// One motion of the map. NaN: not solved, or an index of inertia of a single block.
struct AssemblyCell {
    double inertia_index_max = 0.0, inertia_index_end = 0.0;
    double centroid_end_m = 0.0;
    std::size_t impacts = 0;
    bool solved = false;
};

/// The axes are multiples of the file's own frequency and amplitude. The amplitude is what the file gives: the
/// displacement of harmonic and displacement_sine, the acceleration of anything else.
struct AssemblyMap {
    GridAxis frequency, amplitude;
    double frequency_hz = 0.0;        ///< at ratio 1; 0: the excitation has none
    double amplitude_unit = 0.0;      ///< at ratio 1, m or m/s2
    bool of_displacement = false;     ///< unit m
    std::vector<AssemblyCell> cells;  ///< [frequency index * amplitude.count + amplitude index]
};

/// Throws InputError for an experiment without excitation, and as require_solvable.
AssemblyMap solve_assembly_map(const experiment::Experiment& experiment, const GridAxis& frequency,
                               const GridAxis& amplitude, const MapWork& how);

/// frequency_ratio, amplitude_ratio, frequency_hz, displacement_m or acceleration_m_s2, index_max, index_end,
/// centroid_end (m), impacts; solved cells only.
std::string assembly_map_csv(const AssemblyMap& map);
/// Writes map.gp and map_cells.dat into `folder` and draws map.svg and map.png: the largest index of inertia, of a
/// single block the impacts. Throws OutputError.
void draw_assembly_map(const AssemblyMap& map, const std::string& title, const std::filesystem::path& folder);

}  // namespace topple::hil::study
