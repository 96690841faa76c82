// The grid of an outcome map: its axes, and its cells solved by all threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "hil/experiment.hpp"
#include "solver/study/stability_map.hpp"

namespace topple::hil {

/// Evenly spaced values, ends included. count = 1 only with low = high.
struct GridAxis {
    double low = 0.1, high = 10.0;
    std::size_t count = 200;

    double at(std::size_t index) const noexcept;
};

/// "LO:HI:N". Throws InputError naming `option`, the text and what is allowed (`least` <= LO <= HI <= 1000).
GridAxis parse_axis(const std::string& option, const std::string& text, double least);

/// One cell in four bytes.
struct MapCell {
    solver::Outcome outcome() const noexcept { return static_cast<solver::Outcome>(outcome_code); }
    bool operator==(const MapCell&) const = default;

    unsigned char outcome_code = 0;      ///< solver::Outcome
    signed char direction = 0;           ///< -1 left, +1 right, 0 none
    unsigned short impacts = 0;          ///< before overturning, at most 65535
};
MapCell cell_of(const solver::MapOutcome& outcome) noexcept;

struct MapGrid {
    GridAxis frequency, amplitude;
    std::vector<MapCell> cells;    ///< [frequency index * amplitude.count + amplitude index]
    std::vector<char> is_done;     ///< per frequency; all 1 unless interrupted

    const MapCell& cell(std::size_t frequency_index, std::size_t amplitude_index) const noexcept {
        return cells[frequency_index * amplitude.count + amplitude_index];
    }
    std::size_t done_count() const noexcept;  ///< frequencies
};

/// How long work is shared out.
struct MapWork {
    unsigned threads = 0;                             ///< 0: one per processor
    const std::atomic<bool>* stop = nullptr;          ///< set: no new column is begun
    std::function<void(double share)> on_progress{};  ///< called by the calling thread about ten times a second
};

/// The wave of an experiment as a map varies it. omega: of the file for sine, cosine and harmonic; 2 pi / duration for
/// anything else. a0: of the file for sine, cosine and constant; the peak acceleration for anything else.
/// Throws InputError for an experiment without excitation or specimen.
solver::MapWave map_wave(const Experiment& experiment);

/// Calls work(index) for 0 .. count - 1 from several threads; stops early on `stop`. The first exception is thrown.
void share_out(std::size_t count, const MapWork& how, const std::function<void(std::size_t)>& work);

inline constexpr double kMapCellsMax = 2.5e7;  ///< 100 MB of cells; a CSV of 1 GB
/// Throws InputError for more than kMapCellsMax cells.
void require_solvable(const GridAxis& frequency, const GridAxis& amplitude);

/// Solves every cell, one frequency after the other; throws as require_solvable.
MapGrid solve_grid(const solver::StabilityMap& map, const GridAxis& frequency, const GridAxis& amplitude,
                   const MapWork& how);

}  // namespace topple::hil
