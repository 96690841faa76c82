// The figures of a study: fragility curve, incremental dynamic analysis, efficiency.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/fragility/outputs.hpp"

namespace topple::hil::fragility {
namespace {

constexpr int kWidth_px = 900, kHeight_px = 560;
constexpr double kFallen = 1.3;               // where overturned runs are drawn
constexpr std::size_t kMotionLinesMax = 200;  // more are a grey area and a large page

std::string axis(const Evaluated& evaluated) {
    return "set xlabel " + files::gnuplot_text(intensity_label(evaluated.study.section)) +
           " noenhanced\nset tics out nomirror\nset key left top\n";
}

/// A title from the user's file.
std::string title(const Evaluated& evaluated, std::size_t specimen) {
    std::string text = evaluated.study.experiment.name;
    if (evaluated.specimens.size() > 1) text += fmt::format(", specimen {}", specimen);
    if (evaluated.is_partial()) text += " (partial)";
    return "set title " + files::gnuplot_text(text) + " noenhanced\n";
}

std::string fragility_data(const SpecimenResult& result) {
    std::string text;
    for (const ValueResult& value : result.values) {
        if (value.runs == 0) continue;
        fmt::format_to(std::back_inserter(text), "{:.9g},{:.6g},{:.6g},{:.6g}\n", value.intensity,
                       static_cast<double>(value.overturned) / static_cast<double>(value.runs),
                       value.band ? value.band->low : 0.0, value.band ? value.band->high : 0.0);
    }
    return text;
}

double shown(double peak) { return std::isfinite(peak) ? std::min(peak, kFallen) : kFallen; }

std::string ida_data(const SpecimenResult& result) {
    std::string text;
    for (const ValueResult& value : result.values)
        if (!std::isnan(value.peak_50))
            fmt::format_to(std::back_inserter(text), "{:.9g},{:.4f},{:.4f},{:.4f}\n", value.intensity,
                           shown(value.peak_16), shown(value.peak_50), shown(value.peak_84));
    return text;
}

std::string motion_lines(const Study& study, const Tally& tally) {
    std::string text;
    for (std::size_t m = 0; m < std::min(study.motions.size(), kMotionLinesMax); ++m) {
        for (std::size_t v = 0; v < study.value_count(); ++v)
            if (const double peak = tally.at(m, v).median_peak; !std::isnan(peak))
                fmt::format_to(std::back_inserter(text), "{:.9g},{:.4f}\n", study.section.values[v], shown(peak));
        text += "\n";
    }
    return text;
}

}  // namespace

bool draw_fragility(const Evaluated& evaluated, std::size_t specimen, const std::filesystem::path& file) {
    const SpecimenResult& result = evaluated.specimens[specimen];
    const std::string data = fragility_data(result);
    if (data.empty()) return false;
    std::string script = files::figure_head(file, kWidth_px, kHeight_px) + title(evaluated, specimen) +
                         axis(evaluated) +
                         "set key bottom right\nset ylabel 'probability of overturning'\nset yrange [-0.03:1.03]\nset "
                         "samples 500\nplot ";
    if (result.median_band)
        script += "'curve.csv' using 1:3:4 with filledcurves fc rgb '#dbe4ee' title '5-95 % over resampled motions', ";
    if (has_curve(result.fit.state))
        script += fmt::format("norm(log(x/{:.12g})/{:.12g}) with lines lw 2.2 lc rgb '#1f4e79' title 'lognormal', ",
                              result.fit.median, result.fit.dispersion);
    script += "'curve.csv' using 1:2 with points pt 7 ps 0.6 lc rgb '#b3261e' title 'share of the runs'\n";
    files::draw_figure(script, {{"curve.csv", data}}, file);
    return true;
}

bool draw_ida(const Evaluated& evaluated, const Tally& tally, std::size_t specimen, const std::filesystem::path& file) {
    const std::string data = ida_data(evaluated.specimens[specimen]);
    if (data.empty() || !evaluated.study.section.has_peaks) return false;
    const std::string script =
        files::figure_head(file, kWidth_px, kHeight_px) + title(evaluated, specimen) + axis(evaluated) +
        fmt::format(
            "set ylabel 'peak |θ| / α'\nset yrange [0:{0}]\nset ytics add ('fallen' {1})\nset key right bottom\n",
            kFallen + 0.05, kFallen) +
        "plot 'motions.csv' with lines lw 0.9 lc rgb '#8a939e' title 'median of each motion', "
        "'ida.csv' using 1:2 with lines lw 1.6 dt 2 lc rgb '#1f4e79' title '16 %', "
        "'ida.csv' using 1:3 with lines lw 2.4 lc rgb '#1f4e79' title '50 %', "
        "'ida.csv' using 1:4 with lines lw 1.6 dt 4 lc rgb '#1f4e79' title '84 %'\n";
    files::draw_figure(script, {{"ida.csv", data}, {"motions.csv", motion_lines(evaluated.study, tally)}}, file);
    return true;
}

bool draw_efficiency(const Evaluated& evaluated, std::size_t specimen, const std::filesystem::path& file) {
    const SpecimenResult& result = evaluated.specimens[specimen];
    if (result.efficiency.empty()) return false;
    std::string data;
    for (std::size_t i = 0; i < result.efficiency.size(); ++i)
        fmt::format_to(std::back_inserter(data), "{},{:.6g},\"{}\"\n", i, result.efficiency[i].dispersion,
                       result.efficiency[i].measure.name);
    const std::string script = files::figure_head(file, kWidth_px, kHeight_px * 3 / 4) + title(evaluated, specimen) +
                               "set tics out nomirror\nset yrange [0:*]\nset boxwidth 0.7\nset style fill solid\n"
                               "set xtics rotate by -40 noenhanced\nunset key\n"
                               "set ylabel 'dispersion of ln at overturning'\n"
                               "plot 'efficiency.csv' using 1:2:xtic(3) with boxes lc rgb '#1f4e79'\n";
    files::draw_figure(script, {{"efficiency.csv", data}}, file);
    return true;
}

}  // namespace topple::hil::fragility
