#include "hil/compare/spectrum_match.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hil/signal/response_spectrum.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kMargin_s = 0.1;  // before and after: the filter smears the ends of the motion

std::vector<double> cut(const signal::EvenGrid& grid, const std::vector<double>& values, double end_s) {
    std::vector<double> kept;
    for (std::size_t i = 0; i < grid.count; ++i)
        if (grid.time_s(i) >= -kMargin_s && grid.time_s(i) <= end_s + kMargin_s) kept.push_back(values[i]);
    return kept;
}

}  // namespace

SpectrumMatch match_spectra(const AchievedMotion& motion, const solver::BaseMotion& planned) {
    SpectrumMatch match;
    if (motion.empty()) return match;
    if (planned.empty()) {
        match.why_not = "no motion was planned";
        return match;
    }
    if (motion.grid.end_s() < planned.end_s()) {
        match.why_not = "the recording ends before the planned motion does";
        return match;
    }
    const MotionTrace wanted = trace_of_motion(planned, motion.grid, motion.bandwidth_hz);
    const double end_s = planned.end_s(), step_s = motion.grid.step_s;
    match.frequency_hz = signal::frequencies_in_equal_ratios(kSpectrumLow_hz, kSpectrumHigh_hz, kSpectrumFrequencies);
    match.planned_m_s2 = signal::response_spectrum(cut(motion.grid, wanted.acceleration_m_s2, end_s), step_s,
                                                   match.frequency_hz, kSpectrumDamping_ratio);
    match.achieved_m_s2 = signal::response_spectrum(cut(motion.grid, motion.achieved.acceleration_m_s2, end_s), step_s,
                                                    match.frequency_hz, kSpectrumDamping_ratio);
    const double floor_m_s2 = kSpectrumFloor_ratio * signal::largest_magnitude(match.planned_m_s2);
    std::vector<double> errors;
    for (std::size_t i = 0; i < match.frequency_hz.size(); ++i) {
        if (!(match.planned_m_s2[i] > floor_m_s2)) continue;
        errors.push_back(match.achieved_m_s2[i] / match.planned_m_s2[i] - 1.0);
        if (errors.size() > 1 && std::abs(errors.back()) <= std::abs(match.worst_error_ratio)) continue;
        match.worst_error_ratio = errors.back();
        match.worst_frequency_hz = match.frequency_hz[i];
    }
    match.compared = errors.size();
    match.evaluated = !errors.empty();
    if (match.evaluated) match.rms_error_ratio = signal::root_mean_square(errors);
    match.why_not = match.evaluated ? "" : "the planned motion shakes nothing between 0.3 and 20 Hz";
    return match;
}

}  // namespace topple::hil::compare
