#include "hil/campaign/stability_graph.hpp"

#include <fmt/format.h>

#include <iterator>

#include "hil/files/drawn_figure.hpp"
#include "hil/files/gnuplot.hpp"

namespace topple::hil::campaign {
namespace {

constexpr int kWidth_px = 960, kHeight_px = 640;
constexpr double kLogFrom = 15.0;  // ends of the abscissa further apart than this are shown logarithmically

/// Letter and look of an outcome; the letters are the sources', colours differ in lightness too.
struct Mark {
    solver::Outcome outcome;
    const char* letter;
    const char* meaning;
    int point;
    const char* colour;
};
constexpr Mark kMarks[] = {
    {solver::Outcome::translation, "T", "translation", 4, "#5f6b76"},
    {solver::Outcome::sliding, "S", "sliding", 12, "#7b5ea7"},
    {solver::Outcome::rocking, "R", "rocking", 6, "#1565c0"},
    {solver::Outcome::partial_overturning, "P", "partial overturning", 9, "#e08a00"},
    {solver::Outcome::overturning, "O", "overturning", 7, "#b3261e"},
    {solver::Outcome::total_overturning, "D", "total overturning", 11, "#7f1d1d"},
};
constexpr const char* kCurveLooks[] = {"lw 2.5 lc rgb '#111827'",      "lw 1.2 dt 3 lc rgb '#111827'",
                                       "lw 1.2 dt 2 lc rgb '#111827'", "lw 1.8 dt 4 lc rgb '#0f766e'",
                                       "lw 1.8 dt 5 lc rgb '#92400e'", "lw 1.8 lc rgb '#6d28d9'"};

// A key has underscores, which are no subscripts.
std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '_' ? std::string("\\_") : std::string(1, c);
    return result;
}

std::string curve_csv(const BoundaryCurve& curve) {
    std::string text;
    for (const auto& line : curve.lines) {
        for (const BoundaryPoint& point : line)
            fmt::format_to(std::back_inserter(text), "{:.8g},{:.8g}\n", point.x, point.y);
        text += "\n";
    }
    return text;
}

// Repeats of one setting lie on each other.
std::string marks_csv(std::span<const TestRecord> tests, std::size_t specimen, solver::Outcome outcome) {
    std::string text;
    for (const TestRecord& test : tests)
        if (test.counts() && specimen < test.specimens.size() && test.specimens[specimen].outcome == outcome)
            fmt::format_to(std::back_inserter(text), "{:.8g},{:.8g}\n", test.setting.at(1), test.setting.at(0));
    return text;
}

std::string intervals_csv(const GraphContent& content) {
    std::string text;
    for (const RowBoundary& row : content.boundaries)
        if (row.specimen == content.specimen && row.estimate && row.low && row.high)
            fmt::format_to(std::back_inserter(text), "{:.8g},{:.8g},{:.8g},{:.8g}\n", *row.estimate, row.row, *row.low,
                           *row.high);
    return text;
}

bool is_drawn(const BoundaryCurve& curve) {
    for (const auto& line : curve.lines)
        if (line.size() > 1) return true;
    return false;
}

}  // namespace

std::string boundaries_csv(const std::vector<BoundaryCurve>& curves, const GraphPlane& plane) {
    std::string text = fmt::format("{},{},curve\n", plane.x_key, plane.y_key);
    for (const BoundaryCurve& curve : curves)
        for (const auto& line : curve.lines) {
            for (const BoundaryPoint& point : line) text += fmt::format("{},{},{}\n", point.x, point.y, curve.name);
            text += "\n";
        }
    return text;
}

void draw_stability_graph(const GraphPlane& plane, const GraphContent& content, const std::filesystem::path& figure) {
    std::vector<files::FigureFile> data;
    std::string plots;
    const auto add = [&](std::string name, std::string text, const std::string& look, const std::string& title) {
        plots += fmt::format("{}'{}' using {} title '{}'", plots.empty() ? "" : ", \\\n  ", name, look, title);
        data.push_back({std::move(name), std::move(text)});
    };
    for (std::size_t i = 0; i < content.curves.size(); ++i)
        if (is_drawn(content.curves[i]))
            add(fmt::format("curve_{}.csv", i), curve_csv(content.curves[i]),
                std::string("1:2 with lines ") + kCurveLooks[i % std::size(kCurveLooks)],
                "computed: " + content.curves[i].name);
    if (std::string bars = intervals_csv(content); !bars.empty())
        add("intervals.csv", std::move(bars), "1:2:3:4 with xerrorbars pt 2 ps 0.9 lw 3 lc rgb '#0f766e'",
            "found: 90 % interval");
    for (const Mark& mark : kMarks) {
        std::string marks = marks_csv(content.tests, content.specimen, mark.outcome);
        if (marks.empty()) continue;
        add(fmt::format("marks_{}.csv", mark.letter), std::move(marks),
            fmt::format("1:2 with points pt {} ps 1.2 lw 1.6 lc rgb '{}'", mark.point, mark.colour),
            fmt::format("{} {}", mark.letter, mark.meaning));
    }
    std::string script = files::figure_head(figure, kWidth_px, kHeight_px);
    script += fmt::format(
        "set title {} noenhanced\nset key below left Left reverse maxcols 3 samplen 2\nset tics out nomirror\n"
        "set grid lc rgb '#e5e7eb'\n{}set xrange [{:g}:{:g}]\nset yrange [{:g}:{:g}]\nset xlabel '{}'\n"
        "set ylabel '{}'\n",
        files::gnuplot_text(content.title), plane.x_high > kLogFrom * plane.x_low ? "set logscale x\n" : "",
        plane.x_low * 0.95, plane.x_high * 1.05, plane.y_low, plane.y_high, plain(plane.x_key), plain(plane.y_key));
    if (plots.empty())
        script += "set label 'no test yet' at graph 0.5, 0.5 center\nplot NaN notitle\n";
    else
        script += "plot " + plots + "\n";
    files::draw_figure(script, data, figure);
}

}  // namespace topple::hil::campaign
