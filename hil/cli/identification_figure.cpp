#include "hil/cli/identification_figure.hpp"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/identification/table_text.hpp"

namespace topple::hil::cli {
namespace {

using identification::Identification;

// Force over acceleration, kg, of the fitted model.
std::string model_csv(const Identification& found) {
    constexpr int kPoints = 400;
    std::string text;
    const double low = found.frequency_hz.front(), ratio = found.frequency_hz.back() / low;
    for (int i = 0; i <= kPoints; ++i) {
        const double f = low * std::pow(ratio, static_cast<double>(i) / kPoints), w = 2.0 * std::numbers::pi * f;
        text += fmt::format("{},{}\n", f, std::abs(found.table->model.dynamic_stiffness_n_m(w)) / (w * w));
    }
    return text;
}

std::string panel(std::string_view ylabel, int column, std::string_view scale) {
    return fmt::format(
        "set ylabel '{}'\nplot 'lines.csv' using 1:{} skip 1 with linespoints pt 7 ps 0.4 title 'setpoint to encoder', "
        "'lines.csv' using 1:{} skip 1 with linespoints pt 7 ps 0.4 title 'setpoint to accelerometer'\n",
        ylabel, scale.empty() ? fmt::format("{}", column) : fmt::format("({}(column({})))", scale, column),
        scale.empty() ? fmt::format("{}", column + 4) : fmt::format("({}(column({})))", scale, column + 4));
}

}  // namespace

void draw_identification(const std::string& machine, const Identification& found, const std::filesystem::path& figure) {
    const bool with_force = found.table.has_value();
    std::string script =
        files::figure_head(figure, 800, with_force ? 1100 : 850) +
        fmt::format(
            "set multiplot layout {},1 title {} noenhanced\nset datafile separator ','\nset grid\nset logscale x\n"
            "set xrange [{}:{}]\nset lmargin 12\nset key left bottom\ndb(x) = 20*log10(x)\n",
            with_force ? 4 : 3, files::gnuplot_text("frequency response of " + machine), found.frequency_hz.front(),
            found.frequency_hz.back());
    script += panel("magnitude / dB", 2, "db") + panel("phase / deg", 3, "") + "set yrange [0.75:1.01]\n" +
              panel("coherence", 4, "") + "set yrange [*:*]\n";
    std::vector<files::FigureFile> data{{"lines.csv", identification::lines_csv(found)}};
    if (with_force) {
        data.push_back({"model.csv", model_csv(found)});
        script +=
            "set logscale y\nset xlabel 'frequency  f / Hz'\nset ylabel 'force / acceleration  / kg'\n"
            "plot 'lines.csv' using 1:(column(10)/(2*pi*column(1))**2) skip 1 with points pt 7 ps 0.5 "
            "title 'measured', 'model.csv' using 1:2 with lines lw 2 title 'mass, screw, mass'\n";
    }
    files::draw_figure(script + "unset multiplot\n", data, figure);
}

}  // namespace topple::hil::cli
