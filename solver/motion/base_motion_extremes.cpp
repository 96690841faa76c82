// Extremes of a base motion: every stationary point of x, v and a, found piece by piece.
#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/motion/base_motion.hpp"
#include "solver/motion/piece_integrals.hpp"

namespace topple::solver {
namespace {

constexpr double kTwoPi = 6.283185307179586;
constexpr double kPointsPerPeriod = 32.0;

/// Times from 0 to the piece's length, fine enough that the snap changes sign at most once between two of them.
/// A cubic needs its ends only: the snap is a straight line.
std::vector<double> search_times(const MotionPiece& piece) {
    const double length_s = piece.end_s - piece.start_s;
    std::size_t intervals = 1;
    for (const HarmonicTerm& term : piece.harmonics) {
        const double periods = term.angular_frequency_rad_s * length_s / kTwoPi;
        intervals = std::max(intervals, static_cast<std::size_t>(std::ceil(kPointsPerPeriod * (periods + 0.5))));
    }
    std::vector<double> times(intervals + 1);
    for (std::size_t i = 0; i <= intervals; ++i)
        times[i] = length_s * static_cast<double>(i) / static_cast<double>(intervals);
    return times;
}

/// Zero of a function with a sign change over [low, high], by bisection to the last bit.
template <class Function>
double bisect(const Function& value, double low, double high) {
    const bool low_is_negative = value(low) < 0.0;
    for (int step = 0; step < 80; ++step) {
        const double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        ((value(middle) < 0.0) == low_is_negative ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

/// Adds the zeros of `value` between neighbouring times. Where the zeros of its derivative are among the times it
/// is monotone between them, so none is missed.
template <class Function>
void add_zeros(const Function& value, std::vector<double>& times) {
    const std::size_t count = times.size();
    double left = value(times.front());
    for (std::size_t i = 1; i < count; ++i) {
        const double right = value(times[i]);
        if (left * right < 0.0) times.push_back(bisect(value, times[i - 1], times[i]));
        left = right;
    }
    if (times.size() > count) std::sort(times.begin(), times.end());
}

void widen(BaseMotion::Extremes& extremes, const BaseState& state, double time_s) {
    extremes.displacement_min_m = std::min(extremes.displacement_min_m, state.displacement_m);
    extremes.displacement_max_m = std::max(extremes.displacement_max_m, state.displacement_m);
    if (std::abs(state.velocity_m_s) > extremes.velocity_peak_m_s) {
        extremes.velocity_peak_m_s = std::abs(state.velocity_m_s);
        extremes.velocity_peak_time_s = time_s;
    }
    if (std::abs(state.acceleration_m_s2) > extremes.acceleration_peak_m_s2) {
        extremes.acceleration_peak_m_s2 = std::abs(state.acceleration_m_s2);
        extremes.acceleration_peak_time_s = time_s;
    }
}

}  // namespace

BaseMotion::Extremes BaseMotion::extremes() const {
    Extremes extremes;
    const BaseState first = before(start_s());
    extremes.displacement_min_m = extremes.displacement_max_m = first.displacement_m;
    widen(extremes, first, start_s());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const MotionPiece& piece = pieces_[i];
        const double x0 = displacement_m_[i], v0 = velocity_m_s_[i];
        const auto state = [&](double tau) {
            const PieceMotion m = evaluate(piece, tau);
            return BaseState{x0 + v0 * tau + m.displacement_m, v0 + m.velocity_m_s, m.acceleration_m_s2, m.jerk_m_s3};
        };
        std::vector<double> times = search_times(piece);
        add_zeros([&](double tau) { return evaluate(piece, tau).snap_m_s4; }, times);
        add_zeros([&](double tau) { return state(tau).jerk_m_s3; }, times);
        add_zeros([&](double tau) { return state(tau).acceleration_m_s2; }, times);
        add_zeros([&](double tau) { return state(tau).velocity_m_s; }, times);
        for (const double tau : times) widen(extremes, state(tau), piece.start_s + tau);
    }
    return extremes;
}

}  // namespace topple::solver
