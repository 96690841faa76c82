#include "hil/compare/history_likeness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hil/compare/rocking_lobes.hpp"
#include "hil/signal/differences.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kMoves_rad = 1e-3;         // a smaller range is rest: nothing to divide by
constexpr std::size_t kOrbitPoints = 1500;  // of each curve, so that the nearest is found in a moment

struct PhasePoint {
    double angle = 0.0, rate = 0.0;  // in multiples of alpha and alpha p
};

std::vector<PhasePoint> orbit_of(std::span<const double> rotation_rad, std::span<const double> rate_rad_s,
                                 const PhaseScale& scale) {
    std::vector<PhasePoint> points;
    const std::size_t every = rotation_rad.size() / kOrbitPoints + 1;
    for (std::size_t i = 0; i < rotation_rad.size(); i += every)
        points.push_back({rotation_rad[i] / scale.alpha_rad, rate_rad_s[i] / (scale.alpha_rad * scale.p_rad_s)});
    return points;
}

double mean_nearest(const std::vector<PhasePoint>& from, const std::vector<PhasePoint>& to) {
    double sum = 0.0;
    for (const PhasePoint& a : from) {
        double nearest = std::numeric_limits<double>::infinity();
        for (const PhasePoint& b : to)
            nearest = std::min(nearest, std::pow(a.angle - b.angle, 2) + std::pow(a.rate - b.rate, 2));
        sum += std::sqrt(nearest);
    }
    return from.empty() ? 0.0 : sum / static_cast<double>(from.size());
}

/// First index at or after t = 0, and one past the last to compare.
std::pair<std::size_t, std::size_t> compared(const signal::EvenGrid& grid, std::span<const double> seen,
                                             std::span<const double> expected, double until_s) {
    std::size_t first = 0;
    while (first < grid.count && grid.time_s(first) < 0.0) ++first;
    std::size_t last = first;
    while (last < std::min({grid.count, seen.size(), expected.size()}) && grid.time_s(last) <= until_s &&
           std::isfinite(seen[last]) && std::isfinite(expected[last]))
        ++last;
    return {first, last};
}

std::vector<double> listed_impacts(const signal::EvenGrid& grid, std::span<const double> rotation_rad,
                                   double noticeable_rad, double until_s) {
    std::vector<double> times = impact_times_s(find_lobes(grid, rotation_rad, noticeable_rad, 0.0));
    std::erase_if(times, [until_s](double time_s) { return time_s > until_s; });
    if (times.size() > kLikenessImpacts) times.resize(kLikenessImpacts);
    return times;
}

std::vector<double> periods(const std::vector<double>& impact_s) {
    std::vector<double> list;
    for (std::size_t i = 2; i < impact_s.size(); ++i) list.push_back(impact_s[i] - impact_s[i - 2]);
    return list;
}

}  // namespace

PhaseScale phase_scale(const solver::Specimen& specimen, double gravity_m_s2) {
    if (specimen.blocks.empty()) return {};
    if (const auto pivots = solver::pivots_of(specimen)) {
        const solver::Pivots& p = *pivots;
        const bool left = p.alpha_left_rad < p.alpha_right_rad;
        const double radius_m = left ? p.radius_left_m : p.radius_right_m, mass_kg = specimen.blocks[0].mass_kg;
        const double inertia_kg_m2 = p.inertia_kg_m2 + mass_kg * radius_m * radius_m;
        return {left ? p.alpha_left_rad : p.alpha_right_rad,
                std::sqrt(mass_kg * gravity_m_s2 * radius_m / inertia_kg_m2)};
    }
    solver::Block whole = specimen.blocks.front();
    for (std::size_t i = 1; i < specimen.blocks.size(); ++i) whole.height_m += specimen.blocks[i].height_m;
    return {whole.slenderness_rad(), whole.frequency_parameter_rad_s(gravity_m_s2)};
}

HistoryLikeness likeness(const signal::EvenGrid& grid, std::span<const double> seen_rad,
                         std::span<const double> expected_rad, const PhaseScale& scale, double until_s) {
    HistoryLikeness result;
    const auto [first, last] = compared(grid, seen_rad, expected_rad, until_s);
    if (last <= first + 2) return result;
    const auto seen = seen_rad.subspan(first, last - first), expected = expected_rad.subspan(first, last - first);
    const std::vector<double> seen_rate = signal::first_difference(seen, grid.step_s);
    const std::vector<double> expected_rate = signal::first_difference(expected, grid.step_s);
    double square = 0.0, phase_square = 0.0, low = expected[0], high = expected[0];
    for (std::size_t i = 0; i < seen.size(); ++i) {
        result.peak_rad = std::max(result.peak_rad, std::abs(seen[i]));
        result.expected_peak_rad = std::max(result.expected_peak_rad, std::abs(expected[i]));
        low = std::min(low, expected[i]);
        high = std::max(high, expected[i]);
        square += std::pow(seen[i] - expected[i], 2);
        phase_square += std::pow((seen[i] - expected[i]) / scale.alpha_rad, 2) +
                        std::pow((seen_rate[i] - expected_rate[i]) / (scale.alpha_rad * scale.p_rad_s), 2);
    }
    const double n = static_cast<double>(seen.size());
    result.until_s = grid.time_s(last - 1);
    if (high - low > kMoves_rad) result.nrmse = std::sqrt(square / n) / (high - low);
    if (!(scale.alpha_rad * scale.p_rad_s > 0.0)) return result;
    result.phase_plane = std::sqrt(phase_square / n);
    const auto a = orbit_of(seen, seen_rate, scale), b = orbit_of(expected, expected_rate, scale);
    result.orbit = 0.5 * (mean_nearest(a, b) + mean_nearest(b, a));
    return result;
}

void add_impacts(HistoryLikeness& likeness, const signal::EvenGrid& grid, std::span<const double> seen_rad,
                 std::span<const double> expected_rad, double noticeable_rad) {
    likeness.impact_s = listed_impacts(grid, seen_rad, noticeable_rad, likeness.until_s);
    likeness.expected_impact_s = listed_impacts(grid, expected_rad, noticeable_rad, likeness.until_s);
    likeness.period_s = periods(likeness.impact_s);
    likeness.expected_period_s = periods(likeness.expected_impact_s);
}

}  // namespace topple::hil::compare
