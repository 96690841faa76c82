#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/study/free_rocking.hpp"

namespace topple::hil::study {
namespace {

std::string rotation_csv(const FittedRecord& record) {
    std::string text;
    const auto& history = record.history;
    double before = history.time_s.front(), usual = 1e300;
    for (std::size_t i = 1; i < history.time_s.size(); ++i)
        usual = std::min(usual, history.time_s[i] - history.time_s[i - 1]);
    for (std::size_t i = 0; i < history.time_s.size(); before = history.time_s[i++]) {
        if (history.time_s[i] - before > 5.0 * usual) text += '\n';  // no line over a gap
        fmt::format_to(std::back_inserter(text), "{:.9g},{:.9g},", history.time_s[i], history.rotation_rad[i]);
        const bool is_fitted = std::isfinite(record.fits.fitted_rad[i]);
        text +=
            is_fitted ? fmt::format("{:.9g}\n", record.fits.fitted_rad[i]) : "NaN\n";  // no line outside of the window
    }
    return text;
}

std::string impacts_csv(const FittedRecord& record, double slenderness_rad) {
    std::string text;
    for (const solver::MeasuredImpact& impact : record.lobes.impacts)
        fmt::format_to(std::back_inserter(text), "{:.9g},{:.9g},{:.9g}\n", impact.apex_before_rad / slenderness_rad,
                       impact.ratio.value, impact.ratio.standard_error);
    return text;
}

}  // namespace

void draw_free_rocking(const FreeRockingRequest& request, const FreeRockingFit& fit,
                       const std::filesystem::path& figure) {
    std::string script = files::figure_head(figure, 900, 900);
    script += fmt::format(
        "set multiplot layout 2,1 title {} noenhanced\nset grid\nset lmargin 14\nset key "
        "outside top right horizontal\n"
        "set xlabel 'time  t / s'\nset ylabel 'rotation  θ / rad'\n"
        "plot 'rotation.csv' using 1:2 with points pt 7 ps 0.3 lc rgb '#555555' title 'measured', \\\n"
        "  '' using 1:3 with lines lw 1.5 lc rgb '#c44e52' title 'η = {:.4f} over the whole record'\n",
        files::gnuplot_text(fmt::format("{} ({:g} m x {:g} m)", fit.record.file.filename().string(),
                                        request.block.width_m, request.block.height_m)),
        fit.record.fits.whole.ratio.value);
    script += fmt::format(
        "set xlabel 'amplitude before the impact  θ / α'\nset ylabel 'ratio of rates  η'\nset xrange [0:*]\nset key "
        "outside top right horizontal\n"
        "plot 'impacts.csv' using 1:2:3 with yerrorbars pt 7 ps 0.6 lc rgb '#555555' title 'impact by "
        "impact', \\\n"
        "  {:.9g} with lines lw 1.5 lc rgb '#c44e52' title 'whole record', \\\n"
        "  {:.9g} with lines dt 2 lw 1.5 lc rgb '#4c72b0' title 'Housner'\nunset multiplot\n",
        fit.record.fits.whole.ratio.value, fit.housner_ratio);
    files::draw_figure(script,
                       {{"rotation.csv", rotation_csv(fit.record)},
                        {"impacts.csv", impacts_csv(fit.record, request.block.slenderness_rad())}},
                       figure);
}

}  // namespace topple::hil::study
