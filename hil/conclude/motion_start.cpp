#include "hil/conclude/motion_start.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "hil/signal/differences.hpp"
#include "hil/signal/even_grid.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::conclude {
namespace {

using files::DeclaredColumns;
using signal::typical_step_s;

constexpr double kCoarsePoints = 400.0;   // of the planned motion in the first search
constexpr double kFinePoints = 20000.0;   // and at most in the second
constexpr double kLate_s = 0.1;           // a given start may be off by the delay of a table
constexpr double kRestAround_s = 0.2;     // a table rests before and after a planned motion
constexpr double kRestBeforeMax_s = 1.0;  // at most so much before it is looked at, and no more than the motion is long
constexpr int kCoarseSteps = 2;           // the second search looks so many steps of the first to either side
constexpr std::size_t kGridMax = 2'000'000;

/// Both motions as one quantity on grids of the same step.
struct Pair {
    signal::EvenGrid grid;  ///< of the recording
    std::vector<double> recorded, planned;
};

Pair pair_of(const DeclaredColumns& file, const solver::BaseMotion& planned, double step_s) {
    Pair pair;
    const double length_s = file.time_s.back() - file.time_s.front();
    pair.grid = {file.time_s.front(), step_s, std::min(kGridMax, static_cast<std::size_t>(length_s / step_s) + 1)};
    const bool by_velocity = !file.displacement_m.empty();
    pair.recorded =
        signal::resample_linear({file.time_s, by_velocity ? file.displacement_m : file.acceleration_m_s2}, pair.grid);
    if (by_velocity) {
        pair.recorded = signal::first_difference(pair.recorded, step_s);
    } else {
        const double bias_m_s2 = signal::median(pair.recorded);  // most of a recording is rest
        for (double& value : pair.recorded) value -= bias_m_s2;
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

/// Best fit on the fine grid between two times of the file.
MotionStart best_between(const DeclaredColumns& recorded, const solver::BaseMotion& planned, double from_s,
                         double to_s) {
    const double step_s = std::max(typical_step_s(recorded.time_s), planned.end_s() / kFinePoints);
    const Pair fine = pair_of(recorded, planned, step_s);
    const auto shift_at = [&](double time_s) {
        const double steps = std::round((time_s - fine.grid.start_s) / step_s);
        return static_cast<std::size_t>(std::clamp(steps, 0.0, static_cast<double>(fine.grid.count - 1)));
    };
    const std::size_t shift = best_shift(fine, shift_at(from_s), shift_at(to_s));
    const auto there = std::span(fine.recorded).subspan(shift);
    const auto steps = [&](double time_s) { return static_cast<std::size_t>(time_s / step_s); };
    // What moves before and after the planned motion counts against it: a longer wave holds a piece that looks alike.
    const std::size_t first =
        shift - std::min(shift, steps(std::clamp(planned.end_s(), kRestAround_s, kRestBeforeMax_s)));
    const std::size_t end = std::min(fine.recorded.size(), shift + fine.planned.size() + steps(kRestAround_s));
    const auto around = std::span(fine.recorded).subspan(first, end - first);
    const double scale = std::sqrt(product(fine.planned, fine.planned) * product(around, around));
    return {fine.grid.time_s(shift), scale > 0.0 ? product(fine.planned, there) / scale : 0.0};
}

bool can_be_searched(const DeclaredColumns& recorded, const solver::BaseMotion& planned) {
    return planned.end_s() > 0.0 && typical_step_s(recorded.time_s) > 0.0;
}

}  // namespace

MotionStart find_motion_start(const DeclaredColumns& recorded, const solver::BaseMotion& planned) {
    if (!can_be_searched(recorded, planned)) return {recorded.time_s.front(), 0.0};
    const double coarse_s = std::max(typical_step_s(recorded.time_s), planned.end_s() / kCoarsePoints);
    const Pair coarse = pair_of(recorded, planned, coarse_s);
    const double about_s = coarse.grid.time_s(best_shift(coarse, 0, coarse.recorded.size() - 1));
    return best_between(recorded, planned, about_s - kCoarseSteps * coarse_s, about_s + kCoarseSteps * coarse_s);
}

MotionStart motion_start_near(const DeclaredColumns& recorded, const solver::BaseMotion& planned, double told_s) {
    if (!can_be_searched(recorded, planned)) return {told_s, 0.0};
    return best_between(recorded, planned, told_s - kLate_s, told_s + kLate_s);
}

std::optional<double> alignment_residual(const DeclaredColumns& recorded, const solver::BaseMotion& planned,
                                         double start_s) {
    const bool by_displacement = !recorded.displacement_m.empty();
    std::vector<double> measured, wanted;
    for (std::size_t i = 0; i < recorded.time_s.size(); ++i) {
        const double time_s = recorded.time_s[i] - start_s;
        if (time_s < 0.0 || time_s > planned.end_s()) continue;
        const solver::BaseState state = planned.at(time_s);
        measured.push_back(by_displacement ? recorded.displacement_m[i] : recorded.acceleration_m_s2[i]);
        wanted.push_back(by_displacement ? state.displacement_m : state.acceleration_m_s2);
    }
    constexpr std::size_t kLeast = 16;
    if (wanted.size() < kLeast) return std::nullopt;
    const auto centre = [](std::vector<double>& values) {
        double mean = 0.0;
        for (const double value : values) mean += value / static_cast<double>(values.size());
        for (double& value : values) value -= mean;
    };
    centre(measured), centre(wanted);
    const double size = signal::root_mean_square(wanted);
    if (!(size > 0.0)) return std::nullopt;
    const double sign = product(measured, wanted) < 0.0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < wanted.size(); ++i) measured[i] -= sign * wanted[i];
    return signal::root_mean_square(measured) / size;
}

}  // namespace topple::hil::conclude
