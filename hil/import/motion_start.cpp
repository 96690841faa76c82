#include "hil/import/motion_start.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "hil/compare/even_grid.hpp"
#include "hil/compare/zero_phase.hpp"

namespace topple::hil {
namespace {

constexpr double kCoarsePoints = 400.0;    // of the planned motion in the first search
constexpr double kFinePoints = 20000.0;    // and at most in the second
constexpr int kCoarseSteps = 2;            // the second search looks so many steps of the first to either side
constexpr std::size_t kGridMax = 2'000'000;

/// Both motions as one quantity on grids of the same step.
struct Pair {
    EvenGrid grid;  ///< of the recording
    std::vector<double> recorded, planned;
};

Pair pair_of(const DeclaredColumns& file, const solver::BaseMotion& planned, double step_s) {
    Pair pair;
    const double length_s = file.time_s.back() - file.time_s.front();
    pair.grid = {file.time_s.front(), step_s, std::min(kGridMax, static_cast<std::size_t>(length_s / step_s) + 1)};
    const bool by_velocity = !file.displacement_m.empty();
    pair.recorded = resample_linear({file.time_s, by_velocity ? file.displacement_m : file.acceleration_m_s2}, pair.grid);
    if (by_velocity) {
        pair.recorded = first_difference(pair.recorded, step_s);
    } else {
        std::vector<double> sorted = pair.recorded;
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
        for (double& value : pair.recorded) value -= sorted[sorted.size() / 2];  // the bias: most of a recording is rest
    }
    const auto count = static_cast<std::size_t>(planned.end_s() / step_s) + 1;
    for (std::size_t i = 0; i < count; ++i) {
        const solver::BaseState state = planned.at(static_cast<double>(i) * step_s);
        pair.planned.push_back(by_velocity ? state.velocity_m_s : state.acceleration_m_s2);
    }
    return pair;
}

double product(std::span<const double> a, std::span<const double> b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
    return sum;
}

/// Shift in steps, first <= shift <= last, with the largest product of either sign.
std::size_t best_shift(const Pair& pair, std::size_t first, std::size_t last) {
    std::size_t best = first;
    double most = -1.0;
    for (std::size_t shift = first; shift <= last && shift < pair.recorded.size(); ++shift) {
        const double size = std::abs(product(pair.planned, std::span(pair.recorded).subspan(shift)));
        if (size > most) most = size, best = shift;
    }
    return best;
}

}  // namespace

MotionStart find_motion_start(const DeclaredColumns& recorded, const solver::BaseMotion& planned) {
    MotionStart start{recorded.time_s.front(), 0.0};
    const double duration_s = planned.end_s();
    const double rate_step_s = typical_step_s(recorded.time_s);
    if (!(duration_s > 0.0) || !(rate_step_s > 0.0)) return start;
    const double coarse_s = std::max(rate_step_s, duration_s / kCoarsePoints);
    const Pair coarse = pair_of(recorded, planned, coarse_s);
    const double about_s = coarse.grid.time_s(best_shift(coarse, 0, coarse.recorded.size() - 1));
    const Pair fine = pair_of(recorded, planned, std::max(rate_step_s, duration_s / kFinePoints));
    const auto shift_at = [&](double time_s) {
        return static_cast<std::size_t>(std::max(0.0, std::round((time_s - fine.grid.start_s) / fine.grid.step_s)));
    };
    const double reach_s = kCoarseSteps * coarse_s;
    const std::size_t shift = best_shift(fine, shift_at(about_s - reach_s), shift_at(about_s + reach_s));
    const auto there = std::span(fine.recorded).subspan(std::min(shift, fine.recorded.size()));
    const double scale = std::sqrt(product(fine.planned, fine.planned) *
                                   product(there.first(std::min(there.size(), fine.planned.size())), there));
    start.time_s = fine.grid.time_s(shift);
    start.correlation = scale > 0.0 ? product(fine.planned, there) / scale : 0.0;
    return start;
}

}  // namespace topple::hil
