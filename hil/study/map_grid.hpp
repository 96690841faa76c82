// The grid of an outcome map: its axes, and its cells solved by all threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "solver/study/stability_map.hpp"

namespace topple::hil::study {

/// Evenly spaced values, ends included. count = 1 only with low = high.
struct GridAxis {
    double low = 0.1, high = 10.0;
    std::size_t count = 200;

    double at(std::size_t index) const noexcept;
};

/// "LO:HI:N". Throws InputError naming `option`, the text and what is allowed (`least` <= LO <= HI <= 1000).
GridAxis parse_axis(const std::string& option, const std::string& text, double least);
/// The same between any two ends.
GridAxis parse_range(const std::string& option, const std::string& text, double least, double most);

/// One cell in four bytes.
struct MapCell {
    /// Empty: the solution failed.
    std::optional<solver::Outcome> outcome() const noexcept { return solver::outcome_of_code(outcome_code); }
    bool operator==(const MapCell&) const = default;

    unsigned char outcome_code : 4 = 0;  ///< solver::outcome_code()
    unsigned char blocks : 4 = 0;        ///< overturned
    signed char direction = 0;           ///< -1 left, +1 right, 0 none
    unsigned short impacts = 0;          ///< before overturning, at most 65535
};
MapCell cell_of(const solver::MapOutcome& outcome) noexcept;

/// What the axes of a grid are.
enum class MapKind {
    wave,          ///< omega/p and a0/(g tan alpha) or a0/(g alpha)
    double_pulse,  ///< peak velocity (m/s) in place of the frequency and gap (m) in place of the amplitude
};

/// Solves the points of one column: x is the frequency (or peak velocity), y the amplitudes (or gaps).
using ColumnSolver = std::function<void(double x, std::span<const double> y, std::span<solver::MapOutcome> outcomes)>;
ColumnSolver column_solver(const solver::StabilityMap& map);  ///< keeps a reference to the map

struct MapGrid {
    GridAxis frequency, amplitude;
    std::vector<MapCell> cells;  ///< [frequency index * amplitude.count + amplitude index]
    std::vector<char> is_done;   ///< per frequency; all 1 unless interrupted
    MapKind kind = MapKind::wave;
    std::size_t block_count = 1;     ///< of the specimen
    std::string x_name{}, y_name{};  ///< columns of the axes; empty: those of the kind

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

/// The wave of an experiment as a map varies it: its whole planned motion, the stop of a pulse included. omega: of the
/// file for sine, cosine and harmonic; 2 pi / duration (of the pulse without its stop) for anything else. a0: of the
/// file for sine, cosine and constant; the peak acceleration for anything else. Throws InputError for an experiment
/// without excitation or specimen.
solver::MapWave map_wave(const experiment::Experiment& experiment);

/// Calls work(index) for 0 .. count - 1 from several threads; stops early on `stop`. The first exception is thrown.
void share_out(std::size_t count, const MapWork& how, const std::function<void(std::size_t)>& work);

inline constexpr double kMapCellsMax = 2.5e7;  ///< 100 MB of cells; a CSV of 1 GB
/// Throws InputError for more than kMapCellsMax cells.
void require_solvable(const GridAxis& frequency, const GridAxis& amplitude);

/// Solves every cell over any values of the axes, one x after the other; cells[x index * y.size() + y index]. Cells of
/// columns that were not begun, because of `stop`, are those of failed solutions. Throws as require_solvable.
std::vector<MapCell> solve_cells(const ColumnSolver& solve, std::span<const double> x, std::span<const double> y,
                                 const MapWork& how, std::vector<char>& is_done);

/// Solves every cell, one frequency after the other; throws as require_solvable.
MapGrid solve_grid(const ColumnSolver& solve, const GridAxis& frequency, const GridAxis& amplitude, const MapWork& how);
inline MapGrid solve_grid(const solver::StabilityMap& map, const GridAxis& frequency, const GridAxis& amplitude,
                          const MapWork& how) {
    return solve_grid(column_solver(map), frequency, amplitude, how);
}

/// Names of the axes in files: frequency_ratio and amplitude_ratio, or peak_velocity_m_s and gap_m.
std::string_view x_column(MapKind kind) noexcept;
std::string_view y_column(MapKind kind) noexcept;
std::string x_column(const MapGrid& grid);
std::string y_column(const MapGrid& grid);
/// Overturning mode of a stack of three: A none falls, BL and BR the top, CL and CR the upper two, DL and DR
/// all three; the side is that of the first to fall. Empty for any other number of blocks and where the solution
/// failed.
std::string_view mode_name(const MapCell& cell, std::size_t block_count) noexcept;

}  // namespace topple::hil::study
