#include "hil/study/map_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>

#include "hil/files/gnuplot.hpp"
#include "hil/files/output_file.hpp"

namespace topple::hil::study {
namespace {

using files::Overwrite;
using files::write_file;

constexpr std::size_t kFigureCellsMax = 600;  // per axis

std::string_view direction_name(const MapCell& cell) {
    return cell.direction == 0 ? "" : solver::name(cell.direction < 0 ? solver::Side::left : solver::Side::right);
}

/// Colour of a cell in the figure; the legend is in map_script.
int colour(const MapCell& cell, std::size_t block_count) {
    if (block_count == 3 && cell.blocks > 0 && cell.outcome())
        return 6 + 2 * cell.blocks + (cell.direction > 0 ? 1 : 0);
    if (!cell.outcome()) return 14;
    switch (*cell.outcome()) {
        case solver::Outcome::translation: return 0;
        case solver::Outcome::sliding: return 1;
        case solver::Outcome::rocking: return 2;
        case solver::Outcome::overturning: return cell.impacts == 0 ? 3 : cell.impacts == 1 ? 4 : 5;
        case solver::Outcome::partial_overturning: return 6;
        case solver::Outcome::total_overturning: return 7;
    }
    return 0;
}

struct Colour {
    int number;
    const char* rgb;
    const char* label;
};
constexpr Colour kColours[] = {
    {0, "#eeeeee", "translation"},
    {1, "#d9e6f2", "sliding"},
    {2, "#bcd4c0", "rocking"},
    {3, "#c44e52", "overturning, no impact before"},
    {4, "#dd8452", "overturning after one impact"},
    {5, "#8c5a9e", "overturning after two or more impacts"},
    {6, "#dd8452", "partial overturning"},
    {7, "#c44e52", "total overturning"},
    {8, "#f6d55c", "BL: top falls, left"},
    {9, "#c9a227", "BR: top falls, right"},
    {10, "#8ecae6", "CL: upper two, left"},
    {11, "#2a6f97", "CR: upper two, right"},
    {12, "#e5737a", "DL: all, left"},
    {13, "#8b1e3f", "DR: all, right"},
    {14, "#000000", "failed: no outcome"},
};

/// Every `stride`-th index of a grid, so that a figure stays small.
std::size_t stride_of(std::size_t count) { return (count + kFigureCellsMax - 1) / kFigureCellsMax; }

/// One row or column of cells in the figure.
struct DrawnLine {
    std::size_t index;  ///< in the grid
    double at;          ///< on the axis
};

/// What of an axis is drawn, evenly spaced. A single value becomes two lines, because an image of gnuplot has an
/// extent.
std::vector<DrawnLine> drawn_lines(const GridAxis& axis) {
    if (axis.count == 1) {
        constexpr double kHalfWidth_ratio = 0.05;
        const double half = axis.low != 0.0 ? kHalfWidth_ratio * std::abs(axis.low) : kHalfWidth_ratio;
        return {{0, axis.low - half}, {0, axis.low + half}};
    }
    std::vector<DrawnLine> lines;
    for (std::size_t i = 0; i < axis.count; i += stride_of(axis.count)) lines.push_back({i, axis.at(i)});
    return lines;
}

/// frequency amplitude colour, one block per frequency; unfinished cells are left out. Returns the colours used.
unsigned write_cells(const MapGrid& grid, const std::filesystem::path& file) {
    unsigned used = 0;
    std::string text = "# frequency_ratio amplitude_ratio colour (see map.gp)\n";
    const std::vector<DrawnLine> rows = drawn_lines(grid.amplitude);
    for (const DrawnLine& column : drawn_lines(grid.frequency)) {
        for (const DrawnLine& row : rows) {
            if (!grid.is_done[column.index]) {
                fmt::format_to(std::back_inserter(text), "{:g} {:g} NaN\n", column.at, row.at);
                continue;
            }
            const int number = colour(grid.cell(column.index, row.index), grid.block_count);
            used |= 1u << number;
            fmt::format_to(std::back_inserter(text), "{:g} {:g} {}\n", column.at, row.at, number);
        }
        text += '\n';
    }
    write_file(file, text, Overwrite::allow);
    return used;
}

bool shows(const GridAxis& axis, double value) {
    const auto lines = drawn_lines(axis);
    return value >= std::min(lines.front().at, lines.back().at) && value <= std::max(lines.front().at, lines.back().at);
}

/// "set xrange [..]": the drawn lines, from one end to the other.
std::string range(const char* name, const GridAxis& axis) {
    const auto lines = drawn_lines(axis);
    const double last = axis.count == 1 ? lines.back().at : axis.high;
    return fmt::format("set {} [{}:{}]\n", name, lines.front().at, last);
}

/// The colours with their names, the overlays and the experiment's own point: everything of `plot` behind the cells.
std::string legend(const MapGrid& grid, const MapCaption& caption, unsigned colours_used) {
    std::string text;
    for (const Colour& c : kColours)
        if (colours_used & (1u << c.number))
            text += fmt::format(", \\\n  NaN with points pt 5 ps 1.6 lc rgb '{}' title '{}'", c.rgb, c.label);
    if (!caption.reach.empty())
        text += fmt::format(
            ", \\\n  'map_reach.dat' using 1:($2<{0}?$2:{0}):({0}) with filledcurves fc rgb '#ffffff' fs transparent "
            "solid "
            "0.55 noborder title 'beyond this table'"
            ", \\\n  'map_reach.dat' using 1:2 with lines lw 2.5 lc rgb '#000000' dt 2 notitle",
            std::max(grid.amplitude.low, grid.amplitude.high));
    for (std::size_t i = 0; i < caption.overlays.size(); ++i)
        text += fmt::format(", \\\n  'map_boundaries_{}.dat' with points pt 7 ps 0.25 lt {} title {} noenhanced", i + 1,
                            i + 1, files::gnuplot_text("boundaries of " + caption.overlays[i].label));
    if (caption.own_point && shows(grid.frequency, (*caption.own_point)[0]) &&
        shows(grid.amplitude, (*caption.own_point)[1]))
        text +=
            ", \\\n  $own with points pt 2 ps 2.4 lw 6 lc rgb '#ffffff' notitle"
            ", \\\n  $own with points pt 2 ps 2.2 lw 2.5 lc rgb '#000000' title 'this experiment'";
    return text;
}

std::string map_script(const MapGrid& grid, const MapCaption& caption, unsigned colours_used) {
    std::string palette;
    for (const Colour& c : kColours) palette += fmt::format("{}{} '{}'", palette.empty() ? "" : ", ", c.number, c.rgb);
    const std::string plot =
        fmt::format("plot 'map_cells.dat' using 1:2:3 with image notitle{}\n", legend(grid, caption, colours_used));
    std::string script = "# Outcome map by topple; restyle and run: gnuplot map.gp\n";
    if (caption.own_point)
        script += fmt::format("$own << EOD\n{:.9g} {:.9g}\nEOD\n", (*caption.own_point)[0], (*caption.own_point)[1]);
    script += fmt::format("set title {} noenhanced\nset xlabel '{}'\nset ylabel '{}'\n",
                          files::gnuplot_text(caption.title), caption.x_axis, caption.y_axis);
    script += fmt::format("set palette maxcolors 15 defined ({})\nset cbrange [-0.5:14.5]\nunset colorbox\n", palette);
    script += range("xrange", grid.frequency) + range("yrange", grid.amplitude);
    script += "set key outside right top vertical Left reverse samplen 1.5 spacing 1.2\nset tics out nomirror\n";
    return script + files::gnuplot_head("pngcairo size 1120,760", "map.png") + plot +
           files::gnuplot_head("svg size 1120,760 enhanced background 'white'", "map.svg") + plot;
}

/// The cells of a map, some rows at a time: a megapixel has 40 MB of text.
template <typename Sink>
void each_row(const MapGrid& grid, Sink&& sink) {
    const bool has_mode = grid.block_count == 3;
    std::string text = fmt::format("{},{},outcome,direction,impacts_before_overturning{}\n", x_column(grid),
                                   y_column(grid), has_mode ? ",mode" : "");
    std::vector<std::string> amplitude(grid.amplitude.count);
    for (std::size_t j = 0; j < amplitude.size(); ++j) amplitude[j] = fmt::format("{}", grid.amplitude.at(j));
    for (std::size_t i = 0; i < grid.frequency.count; ++i) {
        if (!grid.is_done[i]) continue;
        const std::string frequency = fmt::format("{}", grid.frequency.at(i));
        for (std::size_t j = 0; j < amplitude.size(); ++j) {
            const MapCell& cell = grid.cell(i, j);
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{}{}{}\n", frequency, amplitude[j],
                           solver::name(cell.outcome()), direction_name(cell), unsigned{cell.impacts},
                           has_mode ? "," : "", mode_name(cell, grid.block_count));
        }
        sink(text);
        text.clear();
    }
    sink(text);
}

}  // namespace

void write_map_csv(const MapGrid& grid, const std::filesystem::path& file) {
    files::write_file_in_pieces(file, Overwrite::allow, [&](const files::TextSink& sink) { each_row(grid, sink); });
}

std::string boundaries_csv(const std::vector<MapTransition>& boundaries, MapKind kind) {
    MapGrid grid;
    grid.kind = kind;
    return boundaries_csv(boundaries, grid);
}

std::string boundaries_csv(const std::vector<MapTransition>& boundaries, const MapGrid& grid) {
    std::string text =
        fmt::format("{},{},outcome_below,direction_below,impacts_below,outcome_above,direction_above,impacts_above\n",
                    x_column(grid), y_column(grid));
    for (const MapTransition& t : boundaries)
        fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{}\n", t.frequency_ratio,
                       0.5 * (t.amplitude_low_ratio + t.amplitude_high_ratio), solver::name(t.below.outcome()),
                       direction_name(t.below), t.below.impacts, solver::name(t.above.outcome()),
                       direction_name(t.above), t.above.impacts);
    return text;
}

void draw_map(const MapGrid& grid, const MapCaption& caption, const std::filesystem::path& folder) {
    const unsigned used = write_cells(grid, folder / "map_cells.dat");
    for (std::size_t i = 0; i < caption.overlays.size(); ++i) {
        std::string text = "# frequency_ratio amplitude_ratio\n";
        for (const MapTransition& t : caption.overlays[i].boundaries)
            if (t.below.outcome_code != t.above.outcome_code || t.below.direction != t.above.direction)
                fmt::format_to(std::back_inserter(text), "{:g} {:g}\n", t.frequency_ratio, t.amplitude_high_ratio);
        write_file(folder / fmt::format("map_boundaries_{}.dat", i + 1), text, Overwrite::allow);
    }
    if (!caption.reach.empty()) {
        std::string text = "# along the first axis, largest value of the second that the table can do\n";
        for (const auto& [x, y] : caption.reach) fmt::format_to(std::back_inserter(text), "{:.9g} {:.9g}\n", x, y);
        write_file(folder / "map_reach.dat", text, Overwrite::allow);
    }
    write_file(folder / "map.gp", map_script(grid, caption, used), Overwrite::allow);
    files::run_gnuplot(folder / "map.gp");
}

}  // namespace topple::hil::study
