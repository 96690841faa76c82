#include "hil/camera/rigid_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

#include "hil/signal/statistics.hpp"

namespace topple::hil::camera {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kRestSigmas = 6.0, kRestFloor_rad = 5e-4;
constexpr std::size_t kMedianFrames = 20;      // that say where the block rests
constexpr double kResidualSmall_ratio = 2e-3;  // of the markers' spread: what tracking software reaches anyway
constexpr double kBetterWithout_ratio = 1.0 / 3.0, kClearlyOne_ratio = 0.5;
constexpr double kResidualLarge_ratio = 0.02;  // of the spread: 20 mrad of doubt

struct Place {
    double right = 0.0, up = 0.0;
};

bool is_seen(const MarkerPath& marker, std::size_t frame) {
    return std::isfinite(marker.right_m[frame]) && std::isfinite(marker.up_m[frame]);
}

Place at(const MarkerPath& marker, std::size_t frame) { return {marker.right_m[frame], marker.up_m[frame]}; }

using Chosen = std::vector<std::size_t>;  // indices of markers

std::size_t count_seen(const std::vector<MarkerPath>& markers, const Chosen& chosen, std::size_t frame) {
    return static_cast<std::size_t>(
        std::count_if(chosen.begin(), chosen.end(), [&](std::size_t m) { return is_seen(markers[m], frame); }));
}

struct FrameFit {
    double rotation_rad = kNaN;
    double square_m2 = 0.0;  ///< sum of squared distances
    std::size_t seen = 0;
};

/// Of the markers seen in this frame against their places at rest.
FrameFit fit_frame(const std::vector<MarkerPath>& markers, const Chosen& chosen, const std::vector<Place>& rest,
                   std::size_t frame) {
    FrameFit fit;
    Place now{}, then{};
    for (const std::size_t m : chosen) {
        if (!is_seen(markers[m], frame)) continue;
        ++fit.seen;
        now.right += at(markers[m], frame).right;
        now.up += at(markers[m], frame).up;
        then.right += rest[m].right;
        then.up += rest[m].up;
    }
    if (fit.seen < 2) return fit;
    const double n = static_cast<double>(fit.seen);
    double cross = 0.0, dot = 0.0, squares = 0.0;
    for (const std::size_t m : chosen) {
        if (!is_seen(markers[m], frame)) continue;
        const Place c{at(markers[m], frame).right - now.right / n, at(markers[m], frame).up - now.up / n};
        const Place r{rest[m].right - then.right / n, rest[m].up - then.up / n};
        cross += c.right * r.up - c.up * r.right;  // positive: turned clockwise
        dot += c.right * r.right + c.up * r.up;
        squares += c.right * c.right + c.up * c.up + r.right * r.right + r.up * r.up;
    }
    fit.rotation_rad = std::atan2(cross, dot);
    fit.square_m2 = std::max(0.0, squares - 2.0 * std::hypot(cross, dot));
    return fit;
}

struct WholeFit {
    std::vector<double> rotation_rad;
    double residual_m = 0.0;
};

WholeFit fit_all(const std::vector<MarkerPath>& markers, const Chosen& chosen, const std::vector<Place>& rest) {
    WholeFit whole;
    double square_m2 = 0.0;
    std::size_t readings = 0;
    double before_rad = 0.0;
    for (std::size_t frame = 0; frame < markers.front().right_m.size(); ++frame) {
        const FrameFit fit = fit_frame(markers, chosen, rest, frame);
        double rotation_rad = fit.rotation_rad;
        if (std::isfinite(rotation_rad)) {
            rotation_rad += 2.0 * std::numbers::pi * std::round((before_rad - rotation_rad) / (2.0 * std::numbers::pi));
            before_rad = rotation_rad;
            square_m2 += fit.square_m2;
            readings += fit.seen;
        }
        whole.rotation_rad.push_back(rotation_rad);
    }
    whole.residual_m = readings > 0 ? std::sqrt(square_m2 / static_cast<double>(readings)) : 0.0;
    return whole;
}

/// Places in the mean of the frames from `from` to `until` in which all chosen markers were seen, turned back by
/// nothing: the block rests. Relative to their centroid, so that a platen that moves already changes nothing.
std::vector<Place> mean_places(const std::vector<MarkerPath>& markers, const Chosen& chosen, std::size_t until) {
    std::vector<Place> places(markers.size());
    double frames = 0.0;
    for (std::size_t frame = 0; frame < until; ++frame) {
        if (count_seen(markers, chosen, frame) != chosen.size()) continue;
        Place centre{};
        for (const std::size_t m : chosen) {
            centre.right += at(markers[m], frame).right / static_cast<double>(chosen.size());
            centre.up += at(markers[m], frame).up / static_cast<double>(chosen.size());
        }
        for (const std::size_t m : chosen) {
            places[m].right += at(markers[m], frame).right - centre.right;
            places[m].up += at(markers[m], frame).up - centre.up;
        }
        frames += 1.0;
    }
    for (Place& place : places) place = {place.right / frames, place.up / frames};
    return places;
}

/// First frame with the most markers; the others are not used.
std::size_t choose_markers(const std::vector<MarkerPath>& markers, Chosen& chosen, BodyRotation& result) {
    Chosen all(markers.size());
    for (std::size_t m = 0; m < all.size(); ++m) all[m] = m;
    std::size_t best = 0, most = 0;
    for (std::size_t frame = 0; frame < markers.front().right_m.size(); ++frame)
        if (const std::size_t seen = count_seen(markers, all, frame); seen > most) most = seen, best = frame;
    if (most < 2) throw std::invalid_argument("never two of its markers are seen at once");
    for (const std::size_t m : all)
        if (is_seen(markers[m], best))
            chosen.push_back(m);
        else
            result.fit.left_out.push_back(markers[m].name);
    return best;
}

double spread_m(const Chosen& chosen, const std::vector<Place>& rest) {
    double square = 0.0;
    for (const std::size_t m : chosen) square += rest[m].right * rest[m].right + rest[m].up * rest[m].up;
    return std::sqrt(square / static_cast<double>(chosen.size()));
}

struct Fitted {
    std::vector<Place> rest;
    WholeFit whole;
};

Fitted fit_chosen(const std::vector<MarkerPath>& markers, const Chosen& chosen, std::size_t first) {
    Fitted fitted;
    fitted.rest = mean_places(markers, chosen, first + 1);
    if (spread_m(chosen, fitted.rest) < 1e-9) throw std::invalid_argument("its markers are in one place");
    fitted.whole = fit_all(markers, chosen, fitted.rest);
    const std::size_t until = std::max(first + 1, frames_at_rest(fitted.whole.rotation_rad));
    fitted.rest = mean_places(markers, chosen, until);
    fitted.whole = fit_all(markers, chosen, fitted.rest);
    return fitted;
}

/// The marker without which the rest fits much better, if it is clearly one.
std::optional<std::size_t> stray(const std::vector<MarkerPath>& markers, const Chosen& chosen, std::size_t first,
                                 double residual_m) {
    if (chosen.size() < 3) return std::nullopt;
    double best = std::numeric_limits<double>::infinity(), second = best;
    std::size_t which = 0;
    for (const std::size_t without : chosen) {
        Chosen others;
        for (const std::size_t m : chosen)
            if (m != without) others.push_back(m);
        const double r = fit_chosen(markers, others, first).whole.residual_m;
        if (r < best)
            second = best, best = r, which = without;
        else
            second = std::min(second, r);
    }
    const bool is_clear = best < kBetterWithout_ratio * residual_m && best < kClearlyOne_ratio * second;
    return is_clear ? std::optional(which) : std::nullopt;
}

}  // namespace

std::size_t frames_at_rest(const std::vector<double>& rotation_rad) {
    std::vector<double> seen, seconds;
    std::vector<std::size_t> frame_of;
    for (std::size_t i = 0; i < rotation_rad.size(); ++i)
        if (std::isfinite(rotation_rad[i])) seen.push_back(rotation_rad[i]), frame_of.push_back(i);
    if (seen.size() < 3) return 1;
    for (std::size_t i = 2; i < seen.size(); ++i)
        seconds.push_back(std::abs(seen[i] - 2.0 * seen[i - 1] + seen[i - 2]));
    // Where a path is smooth second differences are noise, sqrt(6) times that of a reading: most likely at the start.
    const std::vector<double> early(
        seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(std::min(seconds.size(), kMedianFrames)));
    const double noise_rad = 1.4826 * std::min(signal::median(seconds), signal::median(early)) / std::sqrt(6.0);
    const double middle_rad = signal::median(
        {seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(std::min(seen.size(), kMedianFrames))});
    const double threshold_rad = std::max(kRestSigmas * noise_rad, kRestFloor_rad);
    for (std::size_t i = 0; i < seen.size(); ++i)
        if (std::abs(seen[i] - middle_rad) > threshold_rad) return std::max<std::size_t>(1, frame_of[i]);
    return rotation_rad.size();
}

void zero_at_rest(std::vector<double>& rotation_rad) {
    std::vector<double> resting;
    const std::size_t until = frames_at_rest(rotation_rad);
    for (std::size_t i = 0; i < until; ++i)
        if (std::isfinite(rotation_rad[i])) resting.push_back(rotation_rad[i]);
    if (resting.empty()) return;
    const double zero_rad = signal::mean(resting);
    for (double& value : rotation_rad) value -= zero_rad;
}

BodyRotation fit_body(const std::vector<MarkerPath>& markers) {
    if (markers.size() < 2)
        throw std::invalid_argument(fmt::format("{} marker; at least two are needed", markers.size()));
    BodyRotation result;
    Chosen chosen;
    const std::size_t first = choose_markers(markers, chosen, result);
    Fitted fitted = fit_chosen(markers, chosen, first);
    while (fitted.whole.residual_m > kResidualSmall_ratio * spread_m(chosen, fitted.rest)) {
        const auto one = stray(markers, chosen, first, fitted.whole.residual_m);
        if (!one) break;
        result.remarks.push_back(fmt::format("marker \"{}\" moved on its block and was left out", markers[*one].name));
        result.fit.left_out.push_back(markers[*one].name);
        chosen.erase(std::find(chosen.begin(), chosen.end(), *one));
        fitted = fit_chosen(markers, chosen, first);
    }
    if (fitted.whole.residual_m > kResidualLarge_ratio * spread_m(chosen, fitted.rest))
        result.remarks.push_back(fmt::format(
            "the markers move relative to each other by {:.2g} mm (rms), {:.2g} % of their spread: not one rigid "
            "block, "
            "or another plane",
            1e3 * fitted.whole.residual_m, 100.0 * fitted.whole.residual_m / spread_m(chosen, fitted.rest)));
    for (const std::size_t m : chosen) result.fit.markers.push_back(markers[m].name);
    result.fit.residual_m = fitted.whole.residual_m;
    result.rotation_rad = std::move(fitted.whole.rotation_rad);
    zero_at_rest(result.rotation_rad);
    return result;
}

}  // namespace topple::hil::camera
