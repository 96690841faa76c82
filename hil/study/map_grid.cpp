#include "hil/study/map_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "hil/files/errors.hpp"
#include "hil/host/watched_work.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::study {
namespace {

using files::InputError;

constexpr double kRatioMax = 1000.0;
constexpr std::uint64_t kCountMax = 1'000'000'000'000'000;  // what a double still counts exactly
constexpr std::chrono::milliseconds kProgressPeriod{100};

/// NaN if it is none.
double number(std::string_view text) noexcept {
    return text::parse_number(text).value_or(std::numeric_limits<double>::quiet_NaN());
}

void require_cells(std::size_t x_count, std::size_t y_count) {
    const double cell_count = static_cast<double>(x_count) * static_cast<double>(y_count);
    if (cell_count > kMapCellsMax)
        throw InputError(fmt::format("map: {} x {} are {:g} cells; at most {:g} are allowed", x_count, y_count,
                                     cell_count, kMapCellsMax));
}

}  // namespace

double GridAxis::at(std::size_t index) const noexcept {
    if (index + 1 >= count) return high;
    return low + (high - low) * static_cast<double>(index) / static_cast<double>(count - 1);
}

GridAxis parse_axis(const std::string& option, const std::string& text, double least) {
    return parse_range(option, text, least, kRatioMax);
}

GridAxis parse_range(const std::string& option, const std::string& text, double least, double most) {
    const std::size_t first = text.find(':'), second = text.find(':', first == std::string::npos ? first : first + 1);
    const bool is_triple = first != std::string::npos && second != std::string::npos;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double low = is_triple ? number(text.substr(0, first)) : nan;
    const double high = is_triple ? number(text.substr(first + 1, second - first - 1)) : nan;
    const std::uint64_t count = is_triple ? text::parse_whole_number(text.substr(second + 1)).value_or(0) : 0;
    const bool is_range = low >= least && high >= low && high <= most;
    const bool is_count = count >= 1 && count <= kCountMax && (count > 1) == (high > low);
    if (!is_range || !is_count)
        throw InputError(fmt::format("{} \"{}\"; allowed: LO:HI:N with {} <= LO < HI <= {} and N >= 2 (or LO:LO:1)",
                                     option, text, least, most));
    return {low, high, static_cast<std::size_t>(count)};
}

MapCell cell_of(const solver::MapOutcome& outcome) noexcept {
    const bool left = outcome.direction == solver::Side::left;
    MapCell cell;
    cell.outcome_code = static_cast<unsigned char>(solver::outcome_code(outcome.outcome)) & 15u;
    cell.blocks = outcome.blocks_overturned & 15u;
    cell.direction = static_cast<signed char>(outcome.direction ? (left ? -1 : 1) : 0);
    cell.impacts = static_cast<unsigned short>(std::min<std::uint32_t>(outcome.impacts_before_overturning, 65535));
    return cell;
}

std::string_view x_column(MapKind kind) noexcept {
    return kind == MapKind::double_pulse ? "peak_velocity_m_s" : "frequency_ratio";
}
std::string_view y_column(MapKind kind) noexcept { return kind == MapKind::double_pulse ? "gap_m" : "amplitude_ratio"; }
std::string x_column(const MapGrid& grid) {
    return grid.x_name.empty() ? std::string(x_column(grid.kind)) : grid.x_name;
}
std::string y_column(const MapGrid& grid) {
    return grid.y_name.empty() ? std::string(y_column(grid.kind)) : grid.y_name;
}
std::string_view mode_name(const MapCell& cell, std::size_t block_count) noexcept {
    constexpr std::string_view kLeft[] = {"A", "BL", "CL", "DL"}, kRight[] = {"A", "BR", "CR", "DR"};
    if (block_count != 3 || !cell.outcome()) return "";
    const std::size_t fallen = cell.blocks < 3 ? cell.blocks : 3;
    return (cell.direction > 0 ? kRight : kLeft)[fallen];
}

std::size_t MapGrid::done_count() const noexcept {
    return static_cast<std::size_t>(std::count(is_done.begin(), is_done.end(), char{1}));
}

solver::MapWave map_wave(const experiment::Experiment& experiment) {
    const experiment::Excitation& excitation = experiment.excitation;
    if (experiment.specimens.empty()) throw InputError("map: the experiment has no specimen");
    if (excitation.coupled) throw InputError("map: a coupled air track has no wave to vary; write coupled = false");
    const solver::BaseMotion& wanted = excitation.motion;
    if (wanted.empty()) throw InputError("map: the experiment has no excitation to vary");
    // What predict() follows, with the stop of a pulse; omega is of the wave alone.
    solver::MapWave wave{excitation.planned_motion(), excitation.angular_frequency_rad_s, excitation.amplitude_m_s2};
    if (!(wave.angular_frequency_rad_s > 0.0))
        wave.angular_frequency_rad_s = 2.0 * std::numbers::pi / (wanted.end_s() - wanted.start_s());
    wave.amplitude_m_s2 = std::abs(wave.amplitude_m_s2);
    if (!(wave.amplitude_m_s2 > 0.0)) wave.amplitude_m_s2 = wanted.extremes().acceleration_peak_m_s2;
    wave.amplitude_m_s2 = std::abs(wave.amplitude_m_s2);
    if (!(wave.amplitude_m_s2 > 0.0)) throw InputError("map: the excitation has no amplitude to vary");
    return wave;
}

void share_out(std::size_t count, const MapWork& how, const std::function<void(std::size_t)>& work) {
    host::WatchedWork watched{.threads = how.threads, .stop = how.stop, .period = kProgressPeriod};
    if (how.on_progress)
        watched.on_done = [&](std::size_t done) {
            how.on_progress(static_cast<double>(done) / static_cast<double>(count));
        };
    host::share_out(count, watched, work);
}

void require_solvable(const GridAxis& frequency, const GridAxis& amplitude) {
    require_cells(frequency.count, amplitude.count);
}

ColumnSolver column_solver(const solver::StabilityMap& map) {
    return [&map](double x, std::span<const double> y, std::span<solver::MapOutcome> outcomes) {
        std::vector<solver::MapPoint> points;
        points.reserve(y.size());
        for (const double amplitude : y) points.push_back({x, amplitude});
        map.solve(points, outcomes);
    };
}

std::vector<MapCell> solve_cells(const ColumnSolver& solve, std::span<const double> x, std::span<const double> y,
                                 const MapWork& how, std::vector<char>& is_done) {
    require_cells(x.size(), y.size());
    MapCell none;
    none.outcome_code = solver::kFailedCode;
    std::vector<MapCell> cells(x.size() * y.size(), none);
    is_done.assign(x.size(), 0);
    share_out(x.size(), how, [&](std::size_t column) {
        std::vector<solver::MapOutcome> outcomes(y.size());
        solve(x[column], y, outcomes);
        std::transform(outcomes.begin(), outcomes.end(), cells.begin() + static_cast<std::ptrdiff_t>(column * y.size()),
                       cell_of);
        is_done[column] = 1;
    });
    return cells;
}

MapGrid solve_grid(const ColumnSolver& solve, const GridAxis& frequency, const GridAxis& amplitude,
                   const MapWork& how) {
    require_solvable(frequency, amplitude);
    const auto values = [](const GridAxis& axis) {
        std::vector<double> all(axis.count);
        for (std::size_t i = 0; i < axis.count; ++i) all[i] = axis.at(i);
        return all;
    };
    MapGrid grid;
    grid.frequency = frequency;
    grid.amplitude = amplitude;
    grid.cells = solve_cells(solve, values(frequency), values(amplitude), how, grid.is_done);
    return grid;
}

}  // namespace topple::hil::study
