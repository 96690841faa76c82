#include <fmt/format.h>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/plan/motion_plan.hpp"

namespace topple::hil::plan {
namespace {

/// Of the columns of motion.csv that hold this quantity, one per axis.
std::string curves(const char* column, int first, std::size_t axes) {
    std::string text;
    for (std::size_t i = 0; i < axes; ++i)
        text += fmt::format("{} 'motion.csv' using 1:{} skip 1 with lines lw 2 title '{}'", i == 0 ? "plot" : ",",
                            fmt::format(fmt::runtime(column), first + 3 * static_cast<int>(i)), "xy"[i]);
    return text;
}

std::string script_text(const std::string& title, const std::filesystem::path& figure, std::size_t axes) {
    return files::figure_head(figure, 800, 900) +
           fmt::format(
               "set multiplot layout 3,1 title {} noenhanced\nset grid\n{}\nset lmargin 14\n"
               "set ylabel 'position  {} / mm'\n{}\n"
               "set ylabel 'velocity  v / (m/s)'\n{}\n"
               "set xlabel 'time  t / s'\nset ylabel 'acceleration  a / (m/s²)'\n{}\nunset multiplot\n",
               files::gnuplot_text(title), axes > 1 ? "set key top right" : "set key off", axes > 1 ? "x, y" : "x",
               curves("(${}*1000)", 2, axes), curves("{}", 3, axes), curves("{}", 4, axes));
}

}  // namespace

void draw_motion(const std::string& title, const std::vector<std::vector<MotionSample>>& axes,
                 const std::filesystem::path& figure) {
    files::draw_figure(script_text(title, figure, axes.size()), {{"motion.csv", motion_csv(axes)}}, figure);
}

}  // namespace topple::hil::plan
