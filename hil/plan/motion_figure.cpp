#include <fmt/format.h>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/plan/motion_plan.hpp"

namespace topple::hil::plan {
namespace {

std::string script_text(const std::string& title, const std::filesystem::path& figure) {
    return files::figure_head(figure, 800, 900) +
           fmt::format(
               "set multiplot layout 3,1 title {} noenhanced\nset grid\nset key off\nset lmargin 14\n"
               "set ylabel 'position  x / mm'\nplot 'motion.csv' using 1:($2*1000) skip 1 with lines lw 2\n"
               "set ylabel 'velocity  v / (m/s)'\nplot 'motion.csv' using 1:3 skip 1 with lines lw 2\n"
               "set xlabel 'time  t / s'\nset ylabel 'acceleration  a / (m/s²)'\n"
               "plot 'motion.csv' using 1:4 skip 1 with lines lw 2\nunset multiplot\n",
               files::gnuplot_text(title));
}

}  // namespace

void draw_motion(const std::string& title, const std::vector<MotionSample>& samples,
                 const std::filesystem::path& figure) {
    files::draw_figure(script_text(title, figure), {{"motion.csv", motion_csv(samples)}}, figure);
}

}  // namespace topple::hil::plan
