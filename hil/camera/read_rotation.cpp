#include "hil/camera/read_rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "hil/camera/bodies.hpp"
#include "hil/camera/cells.hpp"
#include "hil/camera/column_name.hpp"
#include "hil/camera/motive.hpp"
#include "hil/camera/plane.hpp"
#include "hil/camera/point_table.hpp"
#include "hil/camera/rigid_body.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/signal/even_grid.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::camera {
namespace {

using files::InputError;

constexpr std::size_t kFileMax_bytes = std::size_t{256} << 20;
constexpr double kRateLeast_hz = 10.0, kRateMost_hz = 20e3;
constexpr double kFlat_ratio = 0.1;                           // of the variance: an axis along which points hardly move
constexpr double kOutOfPlane_rad = 0.05;                      // worth a remark
constexpr double kTurnRotation_rad = 1.5 * std::numbers::pi;  // no block turns so far: the numbers are degrees

/// How far the points wander along each axis, m2; negative: the file has no such axis.
std::array<double, 3> wandering_m2(const std::vector<PointPath>& points) {
    std::array<double, 3> sum{-1.0, -1.0, -1.0};
    for (const PointPath& point : points)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::vector<double> seen;
            for (const double value : point.at_m[axis])
                if (std::isfinite(value)) seen.push_back(value);
            if (point.at_m[axis].empty()) continue;
            sum[axis] = std::max(0.0, sum[axis]) + std::pow(signal::standard_deviation(seen), 2);
        }
    return sum;
}

/// The plane that the operator gave, else that of two axes, else that of the two axes along which the points move.
ViewPlane plane_of(const std::vector<PointPath>& points, const ReadOptions& options, RotationHistory& history) {
    if (!options.plane.empty()) return *parse_plane(options.plane);
    const std::array<double, 3> wander = wandering_m2(points);
    std::size_t across = 0;
    for (std::size_t axis = 1; axis < 3; ++axis)
        if (wander[axis] < wander[across]) across = axis;
    const ViewPlane plane{across == 0 ? 1u : 0u, across == 2 ? 1u : 2u, 1.0, 1.0};
    if (wander[plane.right] < 0.0 || wander[plane.up] < 0.0)
        throw InputError(history.file + ": its points have one axis only; two are needed to see a rotation");
    const double less = std::min(wander[plane.right], wander[plane.up]);
    if (wander[across] >= 0.0 && wander[across] > kFlat_ratio * less)
        throw InputError(fmt::format(
            "{}: its points move along all three axes (x {:.2g}, y {:.2g}, z {:.2g} mm rms): in which plane do the "
            "blocks rock? Give --rotation-plane RIGHT,UP as the viewer sees it, e.g. x,z",
            history.file, 1e3 * std::sqrt(wander[0]), 1e3 * std::sqrt(wander[1]), 1e3 * std::sqrt(wander[2])));
    history.remarks.push_back(fmt::format("taken as seen with {} (--rotation-plane says otherwise)", plane.text()));
    return plane;
}

std::vector<MarkerPath> markers_of(const std::vector<std::string>& names, const std::vector<PointPath>& points,
                                   const ViewPlane& plane, const std::string& file) {
    std::vector<MarkerPath> markers;
    for (const std::string& name : names) {
        const PointPath& point = point_named(points, name, file);
        if (point.at_m[plane.right].empty() || point.at_m[plane.up].empty())
            throw InputError(fmt::format("{}: point \"{}\" has no coordinates with {}", file, name, plane.text()));
        MarkerPath marker{name, point.at_m[plane.right], point.at_m[plane.up]};
        for (double& value : marker.right_m) value *= plane.right_sign;
        for (double& value : marker.up_m) value *= plane.up_sign;
        markers.push_back(std::move(marker));
    }
    return markers;
}

void fit_bodies(const std::vector<PointPath>& points, const Bodies& bodies, const ViewPlane& plane,
                RotationHistory& history) {
    history.zero_is_rest = true;
    for (std::size_t block = 0; block < bodies.size(); ++block) {
        try {
            BodyRotation body = fit_body(markers_of(bodies[block], points, plane, history.file));
            history.rotation_rad.push_back(std::move(body.rotation_rad));
            history.bodies.push_back(std::move(body.fit));
            for (const std::string& remark : body.remarks)
                history.remarks.push_back(fmt::format("block {}: {}", block, remark));
        } catch (const std::invalid_argument& error) {
            throw InputError(
                fmt::format("{}: block {}: {} (of {})", history.file, block, error.what(), quoted(bodies[block])));
        }
    }
}

void take_rigid_bodies(const MotiveTake& take, const ReadOptions& options, std::size_t blocks,
                       RotationHistory& history) {
    history.zero_is_rest = true;
    std::vector<std::string> known, wanted;
    for (const MotiveBody& body : take.bodies) known.push_back(body.name);
    for (const auto& names : options.bodies) wanted.push_back(names.front());
    if (wanted.empty()) wanted = known;
    if (wanted.size() != blocks)
        throw InputError(
            fmt::format("{}: {} rigid bodies for {} blocks: give --rotation-block NAME once per block, from "
                        "the bottom up; there are: {}",
                        history.file, known.size(), blocks, quoted(known)));
    for (const std::string& name : wanted) {
        const auto at = std::find(known.begin(), known.end(), name);
        if (at == known.end()) refuse_name(history.file, name, known);
        const MotiveBody& body = take.bodies[static_cast<std::size_t>(at - known.begin())];
        double largest_rad = 0.0;
        for (const double value : body.rotation_rad)
            if (std::isfinite(value)) largest_rad = std::max(largest_rad, std::abs(value));
        if (body.out_of_plane_rad > std::max(kOutOfPlane_rad, largest_rad))
            throw InputError(fmt::format(
                "{}: \"{}\" turns by {:.2g} rad about the axis to the viewer and by {:.2g} rad about others: in which "
                "plane does it rock? Give --rotation-plane RIGHT,UP as the viewer sees it, e.g. z,y",
                history.file, name, largest_rad, body.out_of_plane_rad));
        if (body.out_of_plane_rad > kOutOfPlane_rad)
            history.remarks.push_back(
                fmt::format("\"{}\" also turns by {:.2g} rad out of the plane", name, body.out_of_plane_rad));
        history.rotation_rad.push_back(body.rotation_rad);
    }
}

void read_motive_take(const Cells& cells, const ReadOptions& options, std::size_t blocks, RotationHistory& history) {
    history.format = "OptiTrack Motive";
    if (options.rate_hz) throw InputError(history.file + ": has a time column; omit --rotation-rate");
    const ViewPlane plane = parse_plane(options.plane.empty() ? "x,y" : options.plane).value();
    const MotiveTake take = read_motive(cells, plane);
    history.time_s = take.time_s;
    history.remarks.push_back(fmt::format("taken as seen with {}{}", plane.text(),
                                          options.plane.empty() ? " (--rotation-plane says otherwise)" : ""));
    const bool by_markers = take.bodies.empty() || std::any_of(options.bodies.begin(), options.bodies.end(),
                                                               [](const auto& names) { return names.size() > 1; });
    if (!by_markers) return take_rigid_bodies(take, options, blocks, history);
    if (take.markers.empty()) throw InputError(history.file + ": holds neither rigid bodies nor markers");
    fit_bodies(take.markers, bodies_of(take.markers, options, blocks, history.file), plane, history);
}

void read_points(const Cells& cells, const ReadOptions& options, std::size_t blocks, RotationHistory& history) {
    PointTable table = read_point_table(cells, options);
    history.format = table.format;
    history.time_s = std::move(table.time_s);
    history.sync = std::move(table.sync);
    history.remarks = std::move(table.remarks);
    history.rotation_rad = std::move(table.rotation_rad);
    if (history.rotation_rad.empty())
        return fit_bodies(table.points, bodies_of(table.points, options, blocks, history.file),
                          plane_of(table.points, options, history), history);
    for (const auto& block : history.rotation_rad)
        if (signal::largest_magnitude(block) > kTurnRotation_rad)
            throw InputError(
                fmt::format("{}: a rotation of {:.4g} rad: are these degrees? Name the column "
                            "rotation_<i>_deg",
                            history.file, signal::largest_magnitude(block)));
}

/// Of rows at one time the last is kept; rows without a time are dropped.
void tidy_times(RotationHistory& h) {
    const std::size_t rows = h.time_s.size();
    std::size_t kept = 0;
    const auto move = [&](std::vector<double>& v, std::size_t from, std::size_t to) {
        if (!v.empty()) v[to] = v[from];
    };
    for (std::size_t i = 0; i < rows; ++i) {
        if (!std::isfinite(h.time_s[i])) continue;
        if (kept > 0 && h.time_s[i] < h.time_s[kept - 1])
            throw InputError(fmt::format("{}: time {:g} s comes after {:g} s; allowed: times that increase", h.file,
                                         h.time_s[i], h.time_s[kept - 1]));
        if (kept > 0 && h.time_s[i] == h.time_s[kept - 1]) --kept;
        for (auto& block : h.rotation_rad) move(block, i, kept);
        move(h.sync, i, kept);
        h.time_s[kept] = h.time_s[i];
        ++kept;
    }
    h.time_s.resize(kept);
    for (auto& block : h.rotation_rad) block.resize(kept);
    if (!h.sync.empty()) h.sync.resize(kept);
}

void require_sound(const RotationHistory& h, std::size_t blocks) {
    if (h.rotation_rad.size() != blocks)
        throw InputError(fmt::format("{}: {} rotation columns for {} blocks: each block needs one", h.file,
                                     h.rotation_rad.size(), blocks));
    if (h.frames() < kFramesLeast)
        throw InputError(fmt::format("{}: {} frames; at least {} are needed", h.file, h.frames(), kFramesLeast));
    const double frame_s = signal::typical_step_s(h.time_s);
    if (!(frame_s >= 1.0 / kRateMost_hz && frame_s <= 1.0 / kRateLeast_hz))
        throw InputError(fmt::format(
            "{}: the frames are {:.6g} s apart ({:.6g} Hz); allowed: {:g} to {:g} Hz: is the unit of time right?",
            h.file, frame_s, 1.0 / frame_s, kRateLeast_hz, kRateMost_hz));
    for (std::size_t block = 0; block < blocks; ++block)
        if (static_cast<std::size_t>(std::count_if(h.rotation_rad[block].begin(), h.rotation_rad[block].end(),
                                                   [](double v) { return std::isfinite(v); })) < kFramesLeast)
            throw InputError(fmt::format("{}: block {} is seen in fewer than {} frames", h.file, block, kFramesLeast));
}

void remark_on_gaps(RotationHistory& h) {
    for (std::size_t block = 0; block < h.rotation_rad.size(); ++block) {
        std::size_t lost = 0;
        double longest_s = 0.0, seen_s = h.time_s.front();
        for (std::size_t i = 0; i < h.frames(); ++i) {
            if (std::isfinite(h.rotation_rad[block][i])) {
                longest_s = std::max(longest_s, h.time_s[i] - seen_s);
                seen_s = h.time_s[i];
            } else {
                ++lost;
            }
        }
        longest_s = std::max(longest_s, h.time_s.back() - seen_s);
        if (lost > 0)
            h.remarks.push_back(fmt::format("block {} is not seen in {} of {} frames, for {:.0f} ms at the longest",
                                            block, lost, h.frames(), 1e3 * longest_s));
    }
}

}  // namespace

void require_plane(const std::string& plane) {
    if (!parse_plane(plane))
        throw InputError("\"" + plane +
                         "\"; allowed: RIGHT,UP of two different axes, each with a minus if it points the "
                         "other way, e.g. x,z or -x,y");
}

RotationHistory read_rotation(const std::filesystem::path& file, const ReadOptions& options, std::size_t blocks) {
    if (!options.plane.empty()) require_plane(options.plane);
    require_count(options, blocks, file.string());
    const Cells cells(files::read_text_file(file, kFileMax_bytes), file.string(), options.decimal);
    RotationHistory history;
    history.file = file.string();
    is_motive(cells) ? read_motive_take(cells, options, blocks, history) : read_points(cells, options, blocks, history);
    tidy_times(history);
    require_sound(history, blocks);
    for (auto& block : history.rotation_rad)
        for (double& value : block) value *= options.sign.value_or(1);
    remark_on_gaps(history);
    return history;
}

}  // namespace topple::hil::camera
