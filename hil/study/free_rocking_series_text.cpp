#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/host/version.hpp"
#include "hil/study/free_rocking_series.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::study {
namespace {

using solver::Estimate;
using Json = nlohmann::ordered_json;

std::string_view name(solver::FitWindow window) {
    switch (window) {
        case solver::FitWindow::whole: return "whole";
        case solver::FitWindow::middle_half: return "middle";
        case solver::FitWindow::first_half_period: return "first";
    }
    return "";
}

bool is_edge(const FreeRockingRequest& request) { return request.contact == Contact::edge; }

void add_records(std::string& text, const FreeRockingRequest& request, const FreeRockingSeries& series) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{:<34} {:>9} {:>8} {:>9} {:>9}   {}\n", "record", "release", "impacts", "eta", "± (1 s)",
                   is_edge(request) ? "material" : "k");
    for (const FreeRockingFit& fit : series.fits) {
        const Estimate& last = is_edge(request) ? fit.material : fit.impulse_k;
        fmt::format_to(out, "{:<34} {:>9.5f} {:>8} {:>9.5f} {:>8.5f}   {}\n", text::one_line(fit.record.file.string()),
                       fit.record.fits.whole.release_rad, fit.record.lobes.impacts.size(), fit.ratio.value,
                       fit.ratio.standard_error,
                       std::isfinite(last.value) ? fmt::format("{:.4f}", last.value) : "none");
    }
}

void add_pooled(std::string& text, const FreeRockingRequest& request, const FreeRockingSeries& series) {
    auto out = std::back_inserter(text);
    const Pooled& ratio = series.ratio;
    fmt::format_to(
        out,
        "eta, mean of {} records      {:.5f}, scatter {:.5f} (1 s)\n"
        "eta, random-effects mean    {:.5f} ± {:.5f} (95 %), between the records {:.5f} (1 s), Q {:.1f} of {} "
        "expected\n",
        ratio.count, ratio.mean, ratio.scatter, ratio.random.value, ratio.reach_95(), ratio.tau, ratio.q,
        ratio.count - 1);
    fmt::format_to(out, "eta, a further release      {:.5f} ± {:.5f} (95 %)\n", ratio.random.value,
                   ratio.t_95 * ratio.next_error);
    fmt::format_to(out, "material factor             {}\n",
                   series.is_material_known ? fmt::format("{:.5f} ± {:.5f} (95 %)", series.material.value,
                                                          ratio.t_95 * series.material.standard_error)
                                            : std::string("1 (assumed; give --material or --edge)"));
    if (is_edge(request)) return;
    if (std::isnan(series.impulse_k.value))
        text += "impulse position            none: eta over the material factor is above 1\n";
    else
        fmt::format_to(
            out, "impulse position k          {:.4f} ± {:.4f} (95 %) of the block, ± {:.4f} of a further release\n",
            series.impulse_k.value, ratio.t_95 * series.impulse_k.standard_error,
            ratio.t_95 * series.next_impulse_k.standard_error);
}

void add_half_periods(std::string& text, const FreeRockingSeries& series) {
    auto out = std::back_inserter(text);
    text += "impact   records   eta mean   scatter    energy left   scatter    eta^(2n)\n";
    for (std::size_t i = 0; i < series.half_periods.size(); ++i) {
        const Pooled& ratio = series.half_periods[i].ratio;
        fmt::format_to(out, "{:>6} {:>9}   {:>8.5f}   {:.5f}", series.half_periods[i].number, ratio.count, ratio.mean,
                       ratio.scatter);
        if (i < series.energy.size())
            fmt::format_to(out, "    {:>11.5f}   {:.5f}    {:.5f}", series.energy[i].measured.mean,
                           series.energy[i].measured.scatter, series.energy[i].by_mean_ratio);
        text += "\n";
    }
}

Json estimate_json(const Estimate& estimate, double t_95) {
    if (!std::isfinite(estimate.value)) return nullptr;
    const double reach = t_95 * estimate.standard_error;
    return {{"value", estimate.value},
            {"standard_error", estimate.standard_error},
            {"interval_95", {estimate.value - reach, estimate.value + reach}}};
}

Json pooled_json(const Pooled& pooled) {
    if (pooled.count == 0) return nullptr;
    return {{"records", pooled.count},
            {"mean", pooled.mean},
            {"scatter", pooled.count > 1 ? Json(pooled.scatter) : Json(nullptr)},
            {"common_mean", pooled.common.value},
            {"random_effects_mean", estimate_json(pooled.random, pooled.t_95)},
            {"between_records", pooled.count > 1 ? Json(pooled.tau) : Json(nullptr)},
            {"q", pooled.q},
            {"further_record_error", pooled.next_error}};
}

std::string impacts_csv(const FreeRockingFit& fit, double slenderness_rad) {
    std::string text;
    for (const auto& impact : fit.record.lobes.impacts)
        fmt::format_to(std::back_inserter(text), "{:.9g},{:.9g},{:.9g}\n", impact.apex_before_rad / slenderness_rad,
                       impact.ratio.value, impact.own_error);
    return text;
}

std::string energy_csv(const FreeRockingSeries& series) {
    std::string text = "0,1,0,1\n";
    for (const EnergyOfSeries& one : series.energy)
        fmt::format_to(std::back_inserter(text), "{},{:.9g},{:.9g},{:.9g}\n", one.impacts, one.measured.mean,
                       one.measured.scatter, one.by_mean_ratio);
    return text;
}

}  // namespace

std::string series_text(const FreeRockingRequest& request, const FreeRockingSeries& series) {
    std::string text =
        fmt::format("block {:g} x {:g} m: alpha {:.6f} rad, p {:.6f} rad/s, Housner's eta {:.6f}\n",
                    request.block.width_m, request.block.height_m, request.block.slenderness_rad(),
                    request.block.frequency_parameter_rad_s(request.gravity_m_s2), series.fits.front().housner_ratio);
    add_records(text, request, series);
    add_half_periods(text, series);
    text += fmt::format("amplitude dependence        {}: {}\n", name(series.amplitude.verdict), series.amplitude.why);
    add_pooled(text, request, series);
    for (const std::string& doubt : series.doubts) text += fmt::format("WARNING: {}\n", text::one_line(doubt));
    if (!series.doubts.empty()) return text + "no line for an experiment file: see the warnings\n";
    if (is_edge(request) || std::isnan(series.impulse_k.value))
        return text + fmt::format("restitution = {{ model = \"fixed\", value = {:.6g} }}\n", series.ratio.random.value);
    return text + fmt::format("restitution = {{ model = \"improved\", k = {:.6g}, material = {:.6g} }}\n",
                              series.impulse_k.value, series.material.value);
}

std::string series_json(const FreeRockingRequest& request, const FreeRockingSeries& series) {
    Json records = Json::array(), half_periods = Json::array(), energy = Json::array();
    for (const FreeRockingFit& fit : series.fits) records.push_back(Json::parse(free_rocking_json(request, fit)));
    for (const HalfPeriodOfSeries& one : series.half_periods)
        half_periods.push_back({{"impact", one.number}, {"restitution", pooled_json(one.ratio)}});
    for (const EnergyOfSeries& one : series.energy)
        energy.push_back({{"impacts", one.impacts},
                          {"energy_ratio", pooled_json(one.measured)},
                          {"by_mean_restitution", one.by_mean_ratio}});
    const double t_95 = series.ratio.t_95;
    const Json document{
        {"schema", "topple.free_rocking_series/1"},
        {"width_m", request.block.width_m},
        {"height_m", request.block.height_m},
        {"gravity_m_s2", request.gravity_m_s2},
        {"contact", is_edge(request) ? "edge" : "full"},
        {"window", name(request.window)},
        {"restitution_housner", series.fits.front().housner_ratio},
        {"restitution", pooled_json(series.ratio)},
        {"material", series.is_material_known ? estimate_json(series.material, t_95) : Json(nullptr)},
        {"k", is_edge(request) ? Json(nullptr) : estimate_json(series.impulse_k, t_95)},
        {"k_of_a_further_release", is_edge(request) ? Json(nullptr) : estimate_json(series.next_impulse_k, t_95)},
        {"half_periods", half_periods},
        {"energy", energy},
        {"amplitude_dependence",
         {{"verdict", name(series.amplitude.verdict)},
          {"why", series.amplitude.why},
          {"slope", pooled_json(series.amplitude.slope)},
          {"amplitude_ratio_from", series.amplitude.low},
          {"amplitude_ratio_to", series.amplitude.high}}},
        {"doubts", series.doubts},
        {"records", records},
        {"topple_version", host::version()}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void draw_series(const FreeRockingRequest& request, const FreeRockingSeries& series,
                 const std::filesystem::path& figure) {
    std::string script = files::figure_head(figure, 900, 900);
    script += fmt::format(
        "set multiplot layout 2,1 title {} noenhanced\nset grid\nset lmargin 14\nset rmargin 4\n"
        "set key bottom right\nset xlabel 'amplitude before the impact  θ / α'\nset ylabel 'ratio of rates  η'\n"
        "set xrange [0:*]\nplot ",
        files::gnuplot_text(fmt::format("{} releases ({:g} m x {:g} m)", series.fits.size(), request.block.width_m,
                                        request.block.height_m)));
    std::vector<files::FigureFile> data;
    for (std::size_t i = 0; i < series.fits.size(); ++i) {
        const std::string file = fmt::format("impacts_{}.csv", i);
        script += fmt::format("'{}' using 1:2:3 with yerrorbars pt {} ps 0.7 lc rgb '#555555' {}, \\\n  ", file,
                              5 + i % 10, i == 0 ? "title 'impact by impact, a sign per release'" : "notitle");
        data.push_back({file, impacts_csv(series.fits[i], request.block.slenderness_rad())});
    }
    script += fmt::format(
        "{:.9g} with lines lw 1.5 lc rgb '#c44e52' title 'η = {:.4f}, mean of the releases', \\\n"
        "  {:.9g} with lines dt 2 lw 1.5 lc rgb '#4c72b0' title 'Housner'\n"
        "set key top right\nset xlabel 'impacts  n'\nset ylabel 'energy after n impacts / energy at the release'\n"
        "set logscale y\nset yrange [*:*]\n"
        "plot 'energy.csv' using 1:2:3 with yerrorbars pt 7 ps 0.7 lc rgb '#555555' title 'measured, mean and "
        "scatter', \\\n"
        "  '' using 1:4 with lines lw 1.5 lc rgb '#c44e52' title 'η^{{2n}}'\nunset multiplot\n",
        series.ratio.random.value, series.ratio.random.value, series.fits.front().housner_ratio);
    data.push_back({"energy.csv", energy_csv(series)});
    files::draw_figure(script, data, figure);
}

}  // namespace topple::hil::study
