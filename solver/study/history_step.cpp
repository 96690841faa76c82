#include "solver/study/history_step.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {
namespace {

constexpr double kStepOfScale = 0.015;       // of 1/p: a swing of 2 ms at p = 7.3 1/s
constexpr double kFeedbackPeriod_s = 0.002;  // of a table: the motion alone never needs finer steps
constexpr double kStepsPerPeriod = 40.0;
constexpr double kStepsMax = 1e6;
constexpr double kTwoPi = 6.283185307179586;

double largest_p_rad_s(const Specimen& specimen, double gravity_m_s2) {
    double largest = 0.0;
    if (const auto pivots = pivots_of(specimen)) {
        const double mass_kg = specimen.blocks.front().mass_kg;
        const auto consider = [&](double radius_m) {
            largest = std::max(largest, std::sqrt(mass_kg * gravity_m_s2 * radius_m /
                                                  (pivots->inertia_kg_m2 + mass_kg * radius_m * radius_m)));
        };
        consider(pivots->radius_left_m);
        consider(pivots->radius_right_m);
        if (specimen.foot)
            for (const ProfilePoint& corner : specimen.foot->corners_m) consider(std::hypot(corner[0], corner[1]));
        return largest;
    }
    for (const Block& block : specimen.blocks)
        largest = std::max(largest, block.frequency_parameter_rad_s(gravity_m_s2));
    return largest;
}

double step_of_motion_s(const BaseMotion& motion, double otherwise_s) {
    if (motion.empty()) return otherwise_s;
    double step_s = (motion.end_s() - motion.start_s()) / static_cast<double>(motion.pieces().size());
    for (const MotionPiece& piece : motion.pieces())
        for (const HarmonicTerm& term : piece.harmonics)
            step_s = std::min(step_s, kTwoPi / term.angular_frequency_rad_s / kStepsPerPeriod);
    return step_s;
}

/// Largest of 1, 2, 5 times a power of ten that is not above; rounding of the logarithm does not matter.
double round_down(double value) {
    const double decade = std::pow(10.0, std::floor(std::log10(value)));
    for (const double digit : {10.0, 5.0, 2.0, 1.0})
        if (digit * decade <= value * (1.0 + 1e-12)) return digit * decade;
    return 0.5 * decade;
}

}  // namespace

double history_step_s(const Specimen& specimen, const BaseMotion& motion, double gravity_m_s2) {
    const double p = largest_p_rad_s(specimen, gravity_m_s2);
    double step_s = p > 0.0 ? kStepOfScale / p : kFeedbackPeriod_s;
    if (step_s > kFeedbackPeriod_s)
        step_s = std::min(step_s, std::max(kFeedbackPeriod_s, step_of_motion_s(motion, step_s)));
    return round_down(std::max(step_s, (motion.end_s() - motion.start_s()) / kStepsMax));
}

}  // namespace topple::solver
