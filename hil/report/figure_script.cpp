#include "hil/report/figure_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/files/gnuplot.hpp"
#include "hil/report/figure_texts.hpp"

namespace topple::hil::report {
namespace {

constexpr std::size_t kPointsMax = 4000;  // per curve drawn

}  // namespace

std::string script_head(const std::string& name, int width, int height) {
    const std::string terminal = fmt::format(
        "svg size {},{} dynamic enhanced font 'Helvetica,13' background '#ffffff' name '{}'", width, height, name);
    return fmt::format(
        "# Run in this folder: gnuplot {}.gp\n{}set datafile separator ','\nset datafile missing 'nan'\n"
        "set border 3 lw 0.8 lc rgb '#44505c'\nset tics nomirror out scale 0.6\n"
        "set grid lc rgb '#e3e7eb' lw 0.8 dt 1\nset key outside top center horizontal maxrows 1 samplen 2 "
        "spacing "
        "1.1\n"
        "set lmargin 13\nset rmargin 11\n",
        name, files::gnuplot_head(terminal, name + ".svg"));
}

std::string stride(const signal::EvenGrid& grid, double start_s, double end_s) {
    const double points = std::max(1.0, (end_s - start_s) / grid.step_s);
    return fmt::format("{}", static_cast<std::size_t>(std::ceil(points / static_cast<double>(kPointsMax))));
}

std::string curve(const std::string& data, const std::string& every, const std::string& columns,
                  const std::string& title, const char* style) {
    return fmt::format("'{}.csv' skip 1 every {} using {} with lines {} title '{}'", data, every, columns, style,
                       title);
}

TimeSpan start_span(const compare::Conclusion& c) {
    constexpr double kLater_s = 2.0;
    double end_s = std::max(c.window.motion_end_s, 0.1) * 1.15 + 0.15;
    const double latest_s = end_s + kLater_s;
    for (const compare::SpecimenConclusion& s : c.specimens)
        for (std::size_t q = 0; q < s.numbers.names.size() && q < s.numbers.measured.size(); ++q)
            if (s.numbers.names[q].is_impact && s.numbers.measured[q])
                end_s = std::max(end_s, std::min(latest_s, *s.numbers.measured[q] + 0.1));
    end_s = std::min(c.motion.grid.end_s(), end_s);
    return {std::max(c.motion.grid.start_s, -0.1), std::max(end_s, c.motion.grid.start_s + c.motion.grid.step_s)};
}

Figure axes_figure(const compare::Conclusion& c) {
    const TimeSpan span = start_span(c);
    const std::string every = stride(c.motion.grid, c.motion.grid.start_s, c.motion.grid.end_s());
    std::string script = script_head("axes", 900, 60 + 360 * static_cast<int>(c.axes.size()));
    script += fmt::format("set xrange [{:.4g}:{:.4g}]\nset multiplot layout {},1\nset format x ''\n", span.start_s,
                          span.end_s, 2 * c.axes.size());
    for (std::size_t i = 0; i < c.axes.size(); ++i) {
        const compare::AxisConclusion& axis = c.axes[i];
        const auto panel = [&](int column, double factor, const std::string& label) {
            std::string text = fmt::format("set ylabel '{}'\nplot ", label);
            text += curve("motion_" + axis.name, every, fmt::format("1:({}*${})", factor, column + 3), "achieved",
                          kAchieved);
            if (axis.motion.has_command)
                text += ", " + curve("motion_" + axis.name, every, fmt::format("1:({}*${})", factor, column),
                                     "commanded", kPlanned);
            return text + "\nunset key\n";
        };
        script += panel(2, 1e3, fmt::format("{} / mm", axis.name));
        if (i + 1 == c.axes.size()) script += "set format x '%g'\nset xlabel 'time  t / s'\n";
        script += panel(4, 1.0, fmt::format("a_{} / (m/s²)", axis.name));
    }
    script += "unset multiplot\n";
    return {"axes", "Motion of each axis, commanded and achieved, relative to where the platen rested before it moved.",
            axes_alt(c), "motion_x", script};
}

}  // namespace topple::hil::report
