// The reliability diagram, and tests over the peak velocity of the base.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "hil/files/drawn_figure.hpp"
#include "hil/scores/scores_output.hpp"

namespace topple::hil::scores {
namespace {

constexpr int kWidth_px = 640, kHeight_px = 680, kVelocityWidth_px = 880;

std::string bins_csv(const std::vector<ReliabilityBin>& bins) {
    std::string text;
    for (const ReliabilityBin& bin : bins)
        fmt::format_to(std::back_inserter(text), "{:.6g},{:.6g},{:.6g},{:.6g},{},{:.6g},{:.6g}\n", bin.mean_probability,
                       bin.overturned.value(), bin.overturned.interval.low, bin.overturned.interval.high,
                       bin.overturned.total, 0.5 * (bin.low + bin.high), bin.high - bin.low);
    return text;
}

/// Points at 0 and 1 side by side instead of one above the other, never at random.
double moved_apart(std::size_t index) {
    constexpr double kLevels = 7.0, kApart = 0.008;
    return kApart * std::fmod(static_cast<double>(index), kLevels);
}

std::string velocity_csv(const Scores& scores) {
    constexpr std::size_t kDrawnMost = 2000;
    const std::size_t stride = 1 + scores.tests.size() / kDrawnMost;
    std::string text;
    std::size_t index = 0;
    for (std::size_t i = 0; i < scores.tests.size(); i += stride) {
        const ScoredTest& test = scores.tests[i];
        if (!test.peak_velocity_m_s || !(*test.peak_velocity_m_s > 0.0)) continue;
        const bool fell = test.observed.overturned;
        const double apart = moved_apart(index++);
        fmt::format_to(std::back_inserter(text), "{:.6g},{:.6g},{:.6g},{}\n", *test.peak_velocity_m_s,
                       fell ? 1.02 + apart : -0.02 - apart, overturning_probability(test).value_or(0.0), fell ? 1 : 0);
    }
    return text;
}

/// 1, 2, 5 of each decade; gnuplot's own would be the powers of ten alone, of which a narrow range has none.
std::string velocity_tics(double least_m_s, double most_m_s) {
    std::string text;
    for (int decade = static_cast<int>(std::floor(std::log10(least_m_s))); std::pow(10.0, decade) <= most_m_s; ++decade)
        for (const double step : {1.0, 1.5, 2.0, 3.0, 5.0, 7.0}) {
            const double at_m_s = step * std::pow(10.0, decade);
            if (at_m_s < least_m_s || at_m_s > most_m_s) continue;
            text += fmt::format("{}'{:g}' {:.6g}", text.empty() ? "" : ", ", at_m_s, at_m_s);
        }
    return text;
}

}  // namespace

bool draw_reliability(const Scores& scores, const std::filesystem::path& file) {
    const auto& bins = scores.overturning.reliability;
    if (bins.empty()) return false;
    std::string script = files::figure_head(file, kWidth_px, kHeight_px);
    script +=
        "set multiplot\nset key top left Left reverse samplen 1.5\nset tics out nomirror\n"
        "set lmargin at screen 0.16\nset rmargin at screen 0.96\nset xrange [0:1]\n"
        "set tmargin at screen 0.96\nset bmargin at screen 0.36\nset yrange [0:1]\n"
        "set ylabel 'share that overturned'\nset format x ''\n"
        "plot x with lines lc rgb '#9aa5b1' dt 2 title 'right on average', \\\n"
        "  'bins.csv' using 1:2:3:4 with yerrorbars pt 7 ps 1.1 lw 2 lc rgb '#1565c0' "
        "title 'tests of a bin, with 95 % interval'\n"
        "set tmargin at screen 0.31\nset bmargin at screen 0.10\nunset key\nset yrange [0:*]\n"
        "set format x '%g'\nset xlabel 'predicted probability of overturning'\nset ylabel 'tests'\n"
        "set style fill solid 0.6 border\n"
        "plot 'bins.csv' using 6:5:7 with boxes lc rgb '#1565c0'\nunset multiplot\n";
    files::draw_figure(script, {{"bins.csv", bins_csv(bins)}}, file);
    return true;
}

bool draw_velocity_fit(const Scores& scores, const std::filesystem::path& file) {
    const auto& fit = scores.overturning.velocity_fit;
    if (!fit) return false;
    constexpr double kBeyond_ratio = 1.15;
    double least_m_s = std::numeric_limits<double>::infinity(), most_m_s = 0.0;
    for (const ScoredTest& test : scores.tests) {
        const double velocity_m_s = test.peak_velocity_m_s.value_or(0.0);
        if (!(velocity_m_s > 0.0)) continue;
        least_m_s = std::min(least_m_s, velocity_m_s);
        most_m_s = std::max(most_m_s, velocity_m_s);
    }
    std::string script = files::figure_head(file, kVelocityWidth_px, kVelocityWidth_px * 5 / 8);
    script += fmt::format("set logscale x\nset xrange [{:.6g}:{:.6g}]\nset xtics ({})\n", least_m_s / kBeyond_ratio,
                          most_m_s * kBeyond_ratio, velocity_tics(least_m_s / kBeyond_ratio, most_m_s * kBeyond_ratio));
    script += fmt::format(
        "set key outside right center vertical Left reverse samplen 1.5 spacing 1.2\nset tics out nomirror\n"
        "set xlabel 'peak velocity of the base, m/s'\nset ylabel 'probability of overturning'\n"
        "set yrange [-0.1:1.1]\nset ytics 0,0.2,1\nset samples 400\n"
        "plot 1/(1+exp(-({:.9g}+{:.9g}*log(x)))) with lines lw 2 lc rgb '#6b7580' title 'logistic fit', \\\n"
        "  'tests.csv' using ($4==1?$1:NaN):3 with points pt 6 ps 0.9 lc rgb '#c0341d' "
        "title 'predicted: tests that fell', \\\n"
        "  'tests.csv' using ($4==0?$1:NaN):3 with points pt 6 ps 0.9 lc rgb '#1b7f3b' "
        "title 'predicted: tests that stood', \\\n"
        "  'tests.csv' using ($4==1?$1:NaN):2 with points pt 7 ps 0.4 lc rgb '#c0341d' title 'seen: fell', \\\n"
        "  'tests.csv' using ($4==0?$1:NaN):2 with points pt 7 ps 0.4 lc rgb '#1b7f3b' title 'seen: stood'\n",
        fit->intercept, fit->slope);
    files::draw_figure(script, {{"tests.csv", velocity_csv(scores)}}, file);
    return true;
}

}  // namespace topple::hil::scores
