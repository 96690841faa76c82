#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/learn/learned_document.hpp"

namespace topple::hil::learn {
namespace {

constexpr double kPanel_px = 260;

/// Density of the departure under the prior.
double two_sided_density(const MarginalPanel& one, double at) {
    const solver::Distribution& of = one.prior;
    switch (of.kind) {
        case solver::DistributionKind::fixed: return 0.0;
        case solver::DistributionKind::uniform: return std::abs(at - of.centre) <= of.spread ? 0.5 / of.spread : 0.0;
        case solver::DistributionKind::lognormal: {
            if (at <= -1.0) return 0.0;
            const double away = (std::log1p(at) - of.centre) / of.spread;
            return std::exp(-0.5 * away * away) / ((1.0 + at) * of.spread * std::sqrt(2.0 * M_PI));
        }
        case solver::DistributionKind::normal: break;
    }
    const double away = (at - of.centre) / of.spread;
    return std::exp(-0.5 * away * away) / (of.spread * std::sqrt(2.0 * M_PI));
}

double prior_density(const MarginalPanel& one, double at) {
    if (!one.is_one_sided) return two_sided_density(one, at);
    return at < 0.0 ? 0.0 : 2.0 * two_sided_density(one, at);
}

std::string curve_csv(const MarginalPanel& one) {
    std::string text;
    const Marginal& of = *one.marginal;
    for (std::size_t i = 0; i < of.curve.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{:.9g},{:.9g},{:.9g}\n", of.curve_at[i],
                       prior_density(one, of.curve_at[i]), of.curve[i]);
    return text;
}

}  // namespace

void draw_marginals(const std::vector<MarginalPanel>& all, const std::filesystem::path& figure) {
    const std::size_t panels = all.size();
    std::string script =
        files::figure_head(figure, 800, static_cast<int>(kPanel_px * static_cast<double>(panels)) + 40);
    script += fmt::format(
        "set multiplot layout {},1\nset grid\nset lmargin 12\nset key outside top right horizontal\n"
        "set ylabel 'probability density'\nset yrange [0:*]\n",
        panels);
    std::vector<files::FigureFile> data;
    for (std::size_t i = 0; i < panels; ++i) {
        const MarginalPanel& one = all[i];
        const std::string file = fmt::format("curve_{}.csv", i);
        script += fmt::format(
            "set xlabel {} noenhanced\nplot '{}' using 1:2 with lines dt 2 lw 1.5 lc rgb '#4c72b0' title 'prior', \\\n"
            "  '' using 1:3 with lines lw 2 lc rgb '#c44e52' title '{}'\n",
            files::gnuplot_text(one.label), file,
            one.marginal->is_informative ? "posterior" : "posterior (uninformative)");
        data.push_back({file, curve_csv(one)});
    }
    files::draw_figure(script + "unset multiplot\n", data, figure);
}

void draw_learning(const Learning& learning, const std::filesystem::path& figure) {
    std::vector<MarginalPanel> panels;
    for (const LearnedParameter& one : learning.parameters)
        panels.push_back({one.parameter == solver::SpecimenParameter::tilt_rad
                              ? std::string("slope of the seat, added / rad")
                              : fmt::format("{}, relative departure", experiment::key_of(one.parameter)),
                          one.prior, &one, false});
    draw_marginals(panels, figure);
}

}  // namespace topple::hil::learn
