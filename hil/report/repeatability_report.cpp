#include "hil/report/repeatability_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/gnuplot.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::report {
namespace {

using compare::Repeatability;
using compare::RepeatedRun;
using compare::RepeatedSpecimen;
using compare::SpecimenRepeatability;
using compare::Spread;
using Json = nlohmann::ordered_json;

constexpr double kFigureAfter_s = 1.0;  // shown after the impact at which the runs part
constexpr std::size_t kFigurePoints = 3000;
constexpr std::size_t kImpactsShown = 10;

Json spread_json(const Spread& s, const char* unit) {
    const auto key = [unit](const char* name) { return fmt::format("{}_{}", name, unit); };
    return {{"count", s.count},
            {key("mean"), s.mean},
            {key("standard_deviation"), s.standard_deviation},
            {key("lowest"), s.low},
            {key("highest"), s.high}};
}

Json specimen_json(const Repeatability& r, std::size_t index) {
    const SpecimenRepeatability& s = r.specimens[index];
    Json outcomes = Json::object(), peaks = Json::array(), impacts = Json::array(), runs = Json::array();
    for (const auto& [word, count] : s.outcomes) outcomes[word] = count;
    for (const Spread& spread : s.peak) peaks.push_back(spread_json(spread, "rad"));
    for (const Spread& spread : s.impact) impacts.push_back(spread_json(spread, "s"));
    for (const RepeatedRun& run : r.runs) {
        const RepeatedSpecimen& one = run.specimens[index];
        runs.push_back({{"source", compare::name(one.source)},
                        {"outcome", one.outcome ? Json(name(*one.outcome)) : Json(nullptr)},
                        {"side", one.side ? Json(name(*one.side)) : Json(nullptr)},
                        {"peak_rotation_rad", one.peak_rad},
                        {"impact_times_s", one.impact_s}});
    }
    return {{"outcomes", std::move(outcomes)},
            {"peak_rotation", std::move(peaks)},
            {"impacts", std::move(impacts)},
            {"scatter_before_s", s.early_s},
            {"parts_at_impact", s.parts_at ? Json(*s.parts_at + 1) : Json(nullptr)},
            {"parts_because", s.why},
            {"runs", std::move(runs)}};
}

std::string line(const std::string& label, const std::string& text) { return fmt::format("{:<12}{}\n", label, text); }

std::string specimen_text(const SpecimenRepeatability& s, const std::string& of) {
    std::string outcomes;
    for (const auto& [word, count] : s.outcomes)
        outcomes += fmt::format("{}{} {}", outcomes.empty() ? "" : ", ", count, word);
    std::string text = line("outcome" + of, outcomes);
    for (std::size_t b = 0; b < s.peak.size(); ++b) {
        const Spread& p = s.peak[b];
        text += line(b == 0 ? "peak" + of : "",
                     fmt::format("{}{:.4g} rad, sd {:.2g} rad ({:.2g} %), {:.4g} to {:.4g} rad in {} runs",
                                 s.peak.size() == 1 ? "" : fmt::format("block {}: ", b), p.mean, p.standard_deviation,
                                 p.mean > 0.0 ? 100.0 * p.standard_deviation / p.mean : 0.0, p.low, p.high, p.count));
    }
    for (std::size_t i = 0; i < std::min(s.impact.size(), kImpactsShown); ++i) {
        const Spread& t = s.impact[i];
        text += line(i == 0 ? "impacts" + of : "",
                     fmt::format("{:>2}: {:.4f} s, sd {:.1f} ms, {:.4f} to {:.4f} s in {} runs", i + 1, t.mean,
                                 1e3 * t.standard_deviation, t.low, t.high, t.count));
    }
    if (s.impact.size() > kImpactsShown) text += line("", fmt::format("... {} in all", s.impact.size()));
    text += line("parting" + of, s.parts_at ? fmt::format("at impact {}: {}", *s.parts_at + 1, s.why) : s.why);
    return text;
}

double shown_until_s(const SpecimenRepeatability& s, const std::vector<RepeatedRun>& runs, std::size_t index) {
    double end_s = 0.0;
    for (const RepeatedRun& run : runs) end_s = std::max(end_s, run.specimens[index].until_s);
    if (s.impact.empty()) return end_s;
    const std::size_t last = std::min(s.parts_at ? *s.parts_at + 4 : s.impact.size() - 1, s.impact.size() - 1);
    return std::min(end_s, s.impact[last].high + kFigureAfter_s);
}

std::string run_csv(const RepeatedSpecimen& run, double until_s) {
    std::string text;
    const std::size_t every = static_cast<std::size_t>(until_s / run.grid.step_s) / kFigurePoints + 1;
    for (std::size_t i = 0; i < run.grid.count; i += every) {
        const double t = run.grid.time_s(i);
        if (t < -0.2 || t > std::min(until_s, run.until_s)) continue;
        fmt::format_to(std::back_inserter(text), "{:.6g}", t);
        for (const auto& block : run.rotation_rad) fmt::format_to(std::back_inserter(text), ",{:.6g}", block[i]);
        text += '\n';
    }
    return text;
}

}  // namespace

std::string repeatability_text(const Repeatability& r) {
    std::string text;
    for (std::size_t i = 0; i < r.runs.size(); ++i) text += line(i == 0 ? "runs" : "", text::one_line(r.runs[i].name));
    for (std::size_t s = 0; s < r.specimens.size(); ++s)
        text += specimen_text(r.specimens[s], r.specimens.size() == 1 ? "" : fmt::format(" {}", s));
    return text;
}

std::string repeatability_json(const Repeatability& r) {
    Json runs = Json::array(), specimens = Json::array();
    for (const RepeatedRun& run : r.runs) runs.push_back(run.name);
    for (std::size_t s = 0; s < r.specimens.size(); ++s) specimens.push_back(specimen_json(r, s));
    const Json json{
        {"schema", "topple.repeatability/1"}, {"runs", std::move(runs)}, {"specimens", std::move(specimens)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void draw_repeatability(const Repeatability& r, const std::filesystem::path& figure) {
    std::string panels;
    std::vector<files::FigureFile> data;
    int count = 0;
    for (std::size_t s = 0; s < r.specimens.size(); ++s) {
        const double until_s = shown_until_s(r.specimens[s], r.runs, s);
        std::size_t blocks = 0;
        for (std::size_t i = 0; i < r.runs.size(); ++i) {
            data.push_back({fmt::format("run_{}_{}.csv", s, i), run_csv(r.runs[i].specimens[s], until_s)});
            blocks = std::max(blocks, r.runs[i].specimens[s].rotation_rad.size());
        }
        for (std::size_t b = 0; b < blocks; ++b, ++count) {
            std::string curves;
            for (std::size_t i = 0; i < r.runs.size(); ++i)
                if (b < r.runs[i].specimens[s].rotation_rad.size())
                    curves +=
                        fmt::format("{}'run_{}_{}.csv' using 1:{} with lines lw 1.6 lc {} title {} noenhanced",
                                    curves.empty() ? "" : ", ", s, i, 2 + b, i + 1,
                                    files::gnuplot_text(std::filesystem::path(r.runs[i].name).filename().string()));
            const SpecimenRepeatability& one = r.specimens[s];
            panels += "unset arrow\nunset label\n";
            if (one.parts_at)
                panels += fmt::format(
                    "set arrow from {0:.6g}, graph 0 to {0:.6g}, graph 1 nohead dt 2 lc rgb '#7b1fa2'\n"
                    "set label 'they part' at {0:.6g}, graph 0.95 offset 0.5,0 tc rgb '#7b1fa2'\n",
                    one.impact[*one.parts_at].mean);
            panels += fmt::format("set xrange [-0.1:{:.6g}]\nset ylabel 'rotation{}{}  θ / rad'\nplot {}\n", until_s,
                                  r.specimens.size() == 1 ? "" : fmt::format(" of specimen {}", s),
                                  blocks == 1 ? "" : fmt::format(" of block {}", b), curves);
        }
    }
    if (count == 0) throw files::InputError("--figure: none of the runs has measured rotations");
    const std::string script = files::figure_head(figure, 900, 120 + 330 * count) +
                               fmt::format(
                                   "set grid\nset lmargin 13\nset xlabel 'time  t / s'\nset key outside top center "
                                   "horizontal\nset multiplot layout {},1\n",
                                   count) +
                               panels + "unset multiplot\n";
    files::draw_figure(script, data, figure);
}

}  // namespace topple::hil::report
