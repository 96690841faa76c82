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

/// Periods and pseudo-accelerations as a table.
std::string spectrum_csv(const ground_motion::Spectrum& spectrum) {
    std::string text = "period_s,pseudo_acceleration_m_s2\n";
    for (std::size_t i = 0; i < spectrum.period_s.size(); ++i)
        text += fmt::format("{},{}\n", spectrum.period_s[i], spectrum.pseudo_acceleration_m_s2[i]);
    return text;
}

constexpr const char* kSpectrumScript =
    "set key off\nset logscale x\nset xlabel 'period  T / s'\n"
    "set ylabel 'pseudo-acceleration  S_a / (m/s²)'\n"
    "plot 'spectrum.csv' using 1:2 skip 1 with lines lw 2 title '5 % damping'\n";

std::string script_text(const std::string& title, const std::filesystem::path& figure, std::size_t axes,
                        bool has_spectrum) {
    return files::figure_head(figure, 800, has_spectrum ? 1200 : 900) +
           fmt::format(
               "set multiplot layout {},1 title {} noenhanced\nset grid\n{}\nset lmargin 14\n"
               "set ylabel 'position  {} / mm'\n{}\n"
               "set ylabel 'velocity  v / (m/s)'\n{}\n"
               "set xlabel 'time  t / s'\nset ylabel 'acceleration  a / (m/s²)'\n{}\n{}unset multiplot\n",
               has_spectrum ? 4 : 3, files::gnuplot_text(title), axes > 1 ? "set key top right" : "set key off",
               axes > 1 ? "x, y" : "x", curves("(${}*1000)", 2, axes), curves("{}", 3, axes), curves("{}", 4, axes),
               has_spectrum ? kSpectrumScript : "");
}

}  // namespace

void draw_motion(const std::string& title, const std::vector<std::vector<MotionSample>>& axes,
                 const ground_motion::Spectrum& spectrum, const std::filesystem::path& figure) {
    const bool has_spectrum = !spectrum.period_s.empty();
    std::vector<files::FigureFile> data{{"motion.csv", motion_csv(axes)}};
    if (has_spectrum) data.push_back({"spectrum.csv", spectrum_csv(spectrum)});
    files::draw_figure(script_text(title, figure, axes.size(), has_spectrum), data, figure);
}

}  // namespace topple::hil::plan
