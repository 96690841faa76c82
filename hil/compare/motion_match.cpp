#include "hil/compare/motion_match.hpp"

#include <algorithm>
#include <cmath>

#include "hil/signal/differences.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

struct Window {
    const signal::EvenGrid& grid;
    double start_s, end_s;
};

// Normalised product about zero of reference(t) and achieved(t + lag).
double correlation_at(double lag_s, const Window& window, std::span<const double> reference,
                      std::span<const double> achieved) {
    double product = 0.0, reference_square = 0.0, achieved_square = 0.0;
    for (std::size_t i = 0; i < window.grid.count; ++i) {
        const double t = window.grid.time_s(i);
        if (t < window.start_s || t > window.end_s) continue;
        const double later = signal::interpolate(window.grid, achieved, t + lag_s);
        product += reference[i] * later;
        reference_square += reference[i] * reference[i];
        achieved_square += later * later;
    }
    const double scale = std::sqrt(reference_square * achieved_square);
    return scale > 0.0 ? product / scale : 0.0;
}

double best_lag(const Window& window, std::span<const double> reference, std::span<const double> achieved) {
    const double step_s = std::min(window.grid.step_s, 0.002);
    const int reach = static_cast<int>(kLagMax_s / step_s);
    int best = 0;
    double best_correlation = 0.0;
    for (int i = -reach; i <= reach; ++i) {
        const double correlation = std::abs(correlation_at(i * step_s, window, reference, achieved));
        if (correlation > best_correlation) best = i, best_correlation = correlation;
    }
    const double before = std::abs(correlation_at((best - 1) * step_s, window, reference, achieved));
    const double after = std::abs(correlation_at((best + 1) * step_s, window, reference, achieved));
    const double bend = before - 2.0 * best_correlation + after;
    const double fraction = bend < 0.0 ? std::clamp(0.5 * (before - after) / bend, -1.0, 1.0) : 0.0;
    return (best + fraction) * step_s;
}

}  // namespace

MotionMatch match_motions(const signal::EvenGrid& grid, std::span<const double> reference_m,
                          std::span<const double> achieved_m, double start_s, double end_s) {
    constexpr double kHardly_m = 2e-5;  // 20 counts of the finest encoder considered
    MotionMatch match;
    if (signal::largest_magnitude(reference_m) < kHardly_m || signal::largest_magnitude(achieved_m) < kHardly_m)
        return match;
    match.evaluated = true;
    const Window window{grid, start_s, end_s};
    match.correlation = correlation_at(0.0, window, reference_m, achieved_m);
    match.sign_reversed = match.correlation < kSignReversedCorrelation;
    match.lag_s = best_lag(window, signal::first_difference(reference_m, grid.step_s),
                           signal::first_difference(achieved_m, grid.step_s));
    match.correlation = correlation_at(match.lag_s, window, reference_m, achieved_m);
    return match;
}

}  // namespace topple::hil::compare
