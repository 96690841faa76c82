#include "hil/plan/foot_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/plan/footprint.hpp"

namespace topple::hil::plan {
namespace {

using Point = std::array<double, 2>;

constexpr std::size_t kNumberedMax = 16;  // faces; with more their numbers would lie on each other

std::string rows_of(const std::vector<Point>& points) {
    std::string text;
    for (const auto& [a, b] : points) text += fmt::format("{},{}\n", a, b);
    return text;
}

/// The middle of every face and its number, as in the text.
std::string face_numbers(const solver::Foot& foot) {
    std::string text;
    for (std::size_t i = 0; i + 1 < foot.corners_m.size(); ++i) {
        const solver::ProfilePoint &left = foot.corners_m[i], &right = foot.corners_m[i + 1];
        text += fmt::format("{},{},{}\n", 0.5 * (left[0] + right[0]), 0.5 * (left[1] + right[1]), i);
    }
    return text;
}

/// Around the hull of points, back to where it begins.
std::vector<Point> outline_of(std::vector<Point> points) {
    std::vector<Point> outline;
    for (const std::size_t i : solver::lower_hull(points)) outline.push_back(points[i]);
    for (Point& point : points) point[1] = -point[1];
    const std::vector<std::size_t> upper = solver::lower_hull(points);
    for (auto i = upper.rbegin(); i != upper.rend(); ++i) outline.push_back({points[*i][0], -points[*i][1]});
    if (!outline.empty()) outline.push_back(outline.front());
    return outline;
}

/// Seen from above, the body turned by its yaw.
std::vector<Point> from_above(const solver::Solid& solid, double yaw_rad) {
    std::vector<Point> points;
    for (const solver::SpacePoint& corner : solid.corners_m)
        points.push_back({corner[0] * std::cos(yaw_rad) - corner[1] * std::sin(yaw_rad),
                          corner[0] * std::sin(yaw_rad) + corner[1] * std::cos(yaw_rad)});
    return outline_of(std::move(points));
}

constexpr const char* kHead =
    "reset\nset datafile separator ','\nset grid\nset size ratio -1\nset lmargin 14\n"
    "set xtics rotate by -60\nset key outside right noenhanced\n"
    "set offsets graph 0.05,graph 0.05,graph 0.05,graph 0.05\n";
constexpr const char* kMassCentre =
    ", '-' using 1:2 with points pt 7 ps 1.6 lc rgb '#b2182b' title 'mass centre'\n0,0\ne\n";

void add_section(const solver::Specimen& specimen, std::size_t index, FootPanels& panels) {
    const solver::Foot& foot = *specimen.foot;
    std::string resting;  // one line piece per face
    const std::vector<solver::FootFace> faces = solver::faces_of(foot, specimen.blocks.front().mass_kg);
    for (std::size_t i = 0; i < faces.size(); ++i)
        if (faces[i].can_rest) resting += rows_of({foot.corners_m[i], foot.corners_m[i + 1]}) + "\n";
    const std::string name = fmt::format("_{}.csv", index);
    panels.data.push_back({"corners" + name, rows_of(foot.corners_m)});
    panels.data.push_back({"resting" + name, resting});
    panels.data.push_back({"faces" + name, face_numbers(foot)});
    panels.data.push_back(
        {"section" + name,
         rows_of(specimen.solid ? outline_of(solver::section_of(*specimen.solid, specimen.yaw_rad)) : foot.corners_m)});
    panels.script += fmt::format(
        "{0}set xlabel 'specimen {2}: section in the shaking plane, x / m'\nset ylabel 'z / m'\n"
        "plot 'section{1}' using 1:2 with lines lw 2 lc rgb '#4d4d4d' title 'hull', "
        "'resting{1}' using 1:2 with lines lw 5 lc rgb '#1b7837' title 'can rest', "
        "'corners{1}' using 1:2 with points pt 7 ps 0.5 lc rgb '#2166ac' title 'corners'",
        kHead, name, index);
    if (faces.size() <= kNumberedMax)
        panels.script += fmt::format(
            ", 'faces{}' using 1:2:3 with labels offset 0,-0.9 textcolor rgb '#1b7837' title 'number of the face'",
            name);
    panels.script += kMassCentre;
    ++panels.count;
}

void add_footprint(const solver::Specimen& specimen, const Footprint& footprint, std::size_t index,
                   FootPanels& panels) {
    const std::string name = fmt::format("_{}.csv", index);
    panels.data.push_back({"footprint" + name, rows_of(outline_of(footprint.corners_m))});
    const WayOut weakest = nearest_edge(footprint);
    panels.data.push_back(
        {"weakest" + name,
         rows_of({{0.0, 0.0}, {weakest.distance_m * weakest.normal[0], weakest.distance_m * weakest.normal[1]}})});
    panels.script += fmt::format(
        "{0}set xlabel 'specimen {2}: seen from above, x / m (the motion is along x)'\nset ylabel 'y / m'\n"
        "set xzeroaxis dt 2\nplot 'footprint{1}' using 1:2 with filledcurves closed lc rgb '#b8e0c0' title 'stands "
        "on', "
        "'weakest{1}' using 1:2 with lines lw 2 lc rgb '#e08214' title 'weakest direction'",
        kHead, name, index);
    if (specimen.solid) {
        panels.data.push_back({"above" + name, rows_of(from_above(*specimen.solid, specimen.yaw_rad))});
        panels.script += fmt::format(", 'above{}' using 1:2 with lines lw 2 lc rgb '#4d4d4d' title 'hull'", name);
    }
    panels.script += kMassCentre;
    ++panels.count;
}

}  // namespace

FootPanels foot_panels(const experiment::Experiment& experiment) {
    FootPanels panels;
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        const solver::Specimen& specimen = experiment.specimens[i];
        if (specimen.foot) add_section(specimen, i, panels);
        const std::optional<Footprint> footprint =
            footprint_of(specimen, i < experiment.shapes.size() ? experiment.shapes[i] : experiment::SpecimenShape{});
        if (footprint) add_footprint(specimen, *footprint, i, panels);
    }
    if (panels.count > 0) panels.script += "reset\n";
    return panels;
}

}  // namespace topple::hil::plan
