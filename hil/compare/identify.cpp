#include "hil/compare/identify.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "hil/compare/motion_match.hpp"
#include "hil/signal/differences.hpp"
#include "hil/signal/statistics.hpp"
#include "hil/signal/zero_phase.hpp"

namespace topple::hil::compare {
namespace {

using experiment::Excitation;

constexpr double kWaveCorrelation = 0.5;  // below it what moved is no such wave, and its fitted numbers mean nothing

struct Parameters {
    double scale = 1.0, frequency_ratio = 1.0, delay_s = 0.0;
};

// The part of the achieved motion that the fit sees.
struct FitWindow {
    signal::EvenGrid grid;
    Eigen::VectorXd measured_m_s2;
    double bandwidth_hz = 0.0;
};

FitWindow cut_window(const AchievedMotion& motion, double end_s) {
    FitWindow window{.grid = {0.0, motion.grid.step_s, 0}, .measured_m_s2 = {}, .bandwidth_hz = motion.bandwidth_hz};
    std::vector<double> kept;
    for (std::size_t i = 0; i < motion.grid.count; ++i) {
        const double t = motion.grid.time_s(i);
        if (t < -0.05 || t > end_s) continue;
        if (kept.empty()) window.grid.start_s = t;
        kept.push_back(motion.achieved.acceleration_m_s2[i]);
    }
    window.grid.count = kept.size();
    window.measured_m_s2 = Eigen::Map<const Eigen::VectorXd>(kept.data(), static_cast<Eigen::Index>(kept.size()));
    return window;
}

// Planned displacement, stretched in time and scaled, through the second difference and filter of the
// measurement.
std::vector<double> wave(const signal::EvenGrid& grid, double bandwidth_hz, const solver::BaseMotion& planned,
                         const Parameters& p) {
    std::vector<double> displacement(grid.count);
    const double factor = p.scale / (p.frequency_ratio * p.frequency_ratio);
    for (std::size_t i = 0; i < displacement.size(); ++i)
        displacement[i] = factor * planned.at(p.frequency_ratio * (grid.time_s(i) - p.delay_s)).displacement_m;
    return signal::zero_phase_low_pass(signal::second_difference(displacement, grid.step_s), 1.0 / grid.step_s,
                                       bandwidth_hz);
}

Eigen::VectorXd model(const FitWindow& window, const solver::BaseMotion& planned, const Parameters& p) {
    const std::vector<double> acceleration = wave(window.grid, window.bandwidth_hz, planned, p);
    return Eigen::Map<const Eigen::VectorXd>(acceleration.data(), static_cast<Eigen::Index>(acceleration.size()));
}

Parameters moved(Parameters p, const Eigen::VectorXd& step) {
    p.scale += step[0];
    p.delay_s += step[1];
    p.frequency_ratio = std::clamp(p.frequency_ratio + step[2], 0.3, 3.0);
    return p;
}

constexpr int kUnknowns = 3;  // scale, delay, frequency

// Of the model by its unknowns: difference quotients, one column each.
Eigen::MatrixXd jacobian_of(const FitWindow& window, const solver::BaseMotion& planned, const Parameters& p) {
    const Eigen::Vector3d probe(1e-5, 1e-6, 1e-5);
    Eigen::MatrixXd jacobian(window.measured_m_s2.size(), kUnknowns);
    for (int k = 0; k < kUnknowns; ++k) {
        Eigen::VectorXd step = Eigen::VectorXd::Zero(kUnknowns);
        step[k] = probe[k];
        jacobian.col(k) =
            (model(window, planned, moved(p, step)) - model(window, planned, moved(p, -step))) / (2.0 * probe[k]);
    }
    return jacobian;
}

// Levenberg-Marquardt.
Parameters fit(const FitWindow& window, const solver::BaseMotion& planned, Parameters p) {
    double damping = 1e-3;
    Eigen::VectorXd residual = window.measured_m_s2 - model(window, planned, p);
    for (int iteration = 0; iteration < 40; ++iteration) {
        const Eigen::MatrixXd jacobian = jacobian_of(window, planned, p);
        Eigen::MatrixXd normal = jacobian.transpose() * jacobian;
        normal.diagonal() *= 1.0 + damping;
        const Eigen::VectorXd step = normal.ldlt().solve(jacobian.transpose() * residual);
        if (!step.allFinite()) break;
        const Parameters trial = moved(p, step);
        const Eigen::VectorXd trial_residual = window.measured_m_s2 - model(window, planned, trial);
        if (trial_residual.squaredNorm() < residual.squaredNorm()) {
            const double gain = 1.0 - trial_residual.squaredNorm() / residual.squaredNorm();
            p = trial;
            residual = trial_residual;
            damping = std::max(1e-9, 0.1 * damping);
            if (gain < 1e-10) break;
        } else if ((damping *= 10.0) > 1e6) {
            break;
        }
    }
    return p;
}

// Standard errors of the unknowns. Low-passed samples repeat each other: 2 B of them a second are independent.
Eigen::VectorXd standard_errors(const FitWindow& window, const solver::BaseMotion& planned, const Parameters& p,
                                double misfit_norm) {
    const Eigen::MatrixXd jacobian = jacobian_of(window, planned, p);
    const double repeats = std::max(1.0, 0.5 / (window.bandwidth_hz * window.grid.step_s));
    const double independent = static_cast<double>(window.grid.count) / repeats - kUnknowns;
    if (!(independent > 0.0)) return Eigen::VectorXd::Zero(kUnknowns);
    const Eigen::MatrixXd covariance =
        (jacobian.transpose() * jacobian).inverse() * (misfit_norm * misfit_norm / independent);
    return covariance.diagonal().cwiseSqrt();
}

// The wave itself begins start_s after the planned motion does: a lead-in is before it.
struct WaveSpan {
    double start_s = 0.0, duration_s = 0.0;
};

// Amount of the third harmonic that flattens a sine (or cosine), per fundamental, over the fitted cycles.
double flattening_ratio(const FitWindow& window, const Parameters& p, double w_rad_s, const WaveSpan& span,
                        bool cosine) {
    double fundamental = 0.0, third = 0.0;
    for (std::size_t i = 0; i < window.grid.count; ++i) {
        const double tau = window.grid.time_s(i) - p.delay_s - span.start_s;
        if (tau < 0.0 || tau > span.duration_s) continue;
        const double a = window.measured_m_s2[static_cast<Eigen::Index>(i)];
        fundamental += a * (cosine ? std::cos(w_rad_s * tau) : std::sin(w_rad_s * tau));
        third += a * (cosine ? -std::cos(3.0 * w_rad_s * tau) : std::sin(3.0 * w_rad_s * tau));
    }
    return fundamental != 0.0 ? third / fundamental : 0.0;
}

bool is_periodic(const Excitation& excitation) {
    return excitation.angular_frequency_rad_s > 0.0 &&
           (excitation.type == "sine" || excitation.type == "cosine" || excitation.type == "harmonic");
}

void describe_wave(IdentifiedExcitation& result, const FitWindow& window, const Excitation& excitation,
                   const Parameters& p) {
    const double w_rad_s = excitation.angular_frequency_rad_s * p.frequency_ratio;
    const bool pulse = excitation.type == "sine" || excitation.type == "cosine";
    const double planned_m_s2 =
        pulse ? std::abs(excitation.amplitude_m_s2) : excitation.planned_motion().extremes().acceleration_peak_m_s2;
    const double frequency_hz = w_rad_s / (2.0 * std::numbers::pi);
    if (frequency_hz > window.bandwidth_hz || std::abs(result.correlation) < kWaveCorrelation) return;
    result.frequency_hz = frequency_hz;
    result.amplitude_m_s2 = result.amplitude_ratio * planned_m_s2;
    if (!pulse || 3.0 * *result.frequency_hz > window.bandwidth_hz) return;
    const double wave_s = excitation.planned_motion().end_s() - excitation.lead_in_s - excitation.lead_out_s;
    const WaveSpan span{excitation.lead_in_s / p.frequency_ratio, wave_s / p.frequency_ratio};
    result.third_harmonic_ratio = flattening_ratio(window, p, w_rad_s, span, excitation.type == "cosine");
    result.double_constant =
        *result.third_harmonic_ratio > kDoubleConstantHarmonic_ratio &&
        window.measured_m_s2.cwiseAbs().maxCoeff() < kDoubleConstantPeak_ratio * *result.amplitude_m_s2;
}

IdentifiedExcitation not_identified(IdentifiedExcitation result, std::string why) {
    result.why_not = std::move(why);
    return result;
}

// Of the planned acceleration's mean square, above the bandwidth. Sampled finely enough not to fold what is above into
// it.
double unseen_ratio(const solver::BaseMotion& planned, double bandwidth_hz) {
    constexpr double kSamplesPerBandwidth = 100.0;
    const double step_s = 1.0 / (kSamplesPerBandwidth * bandwidth_hz), margin_s = 3.0 / bandwidth_hz;
    std::vector<double> acceleration_m_s2(static_cast<std::size_t>((planned.end_s() + 2.0 * margin_s) / step_s) + 1);
    for (std::size_t i = 0; i < acceleration_m_s2.size(); ++i)
        acceleration_m_s2[i] = planned.at(static_cast<double>(i) * step_s - margin_s).acceleration_m_s2;
    const double whole = signal::root_mean_square(acceleration_m_s2);
    const double seen =
        signal::root_mean_square(signal::zero_phase_low_pass(acceleration_m_s2, 1.0 / step_s, bandwidth_hz));
    return whole > 0.0 ? std::clamp(1.0 - seen * seen / (whole * whole), 0.0, 1.0) : 0.0;
}

}  // namespace

IdentifiedExcitation identify_excitation(const AchievedMotion& motion, const Excitation& excitation) {
    IdentifiedExcitation result;
    const solver::BaseMotion& planned = excitation.planned_motion();
    if (planned.empty()) return not_identified(result, "no motion was planned");
    if (motion.empty()) return result;
    result.unseen_ratio = unseen_ratio(planned, motion.bandwidth_hz);
    const bool is_quick = excitation.angular_frequency_rad_s > 2.0 * std::numbers::pi * motion.bandwidth_hz;
    result.above_bandwidth = result.unseen_ratio > 0.5 || (is_periodic(excitation) && is_quick);
    if (result.above_bandwidth)
        return not_identified(
            result, fmt::format("the planned motion is above the {:.0f} Hz that the measurement of the platen shows",
                                motion.bandwidth_hz));
    const double end_s = 1.1 * planned.end_s() + 0.15;
    std::vector<double> reference(motion.grid.count);
    for (std::size_t i = 0; i < reference.size(); ++i) reference[i] = planned.at(motion.grid.time_s(i)).displacement_m;
    const MotionMatch match = match_motions(motion.grid, reference, motion.achieved.displacement_m, 0.0, end_s);
    const FitWindow window = cut_window(motion, end_s);
    if (!match.evaluated || window.grid.count < 16) return not_identified(result, "the platen hardly moved");
    result.evaluated = true;
    result.correlation = match.correlation;
    result.sign_reversed = match.sign_reversed;
    const Parameters start{.scale = match.sign_reversed ? -1.0 : 1.0, .frequency_ratio = 1.0, .delay_s = match.lag_s};
    const Parameters fitted = fit(window, planned, start);
    result.amplitude_ratio = std::abs(fitted.scale);
    result.frequency_ratio = fitted.frequency_ratio;
    result.delay_s = fitted.delay_s;
    const double level = window.measured_m_s2.norm();
    const double misfit = (window.measured_m_s2 - model(window, planned, fitted)).norm();
    result.residual_ratio = level > 0.0 ? misfit / level : 0.0;
    const Eigen::VectorXd errors = standard_errors(window, planned, fitted, misfit);
    result.amplitude_ratio_error = errors[0];
    result.delay_error_s = errors[1];
    result.frequency_ratio_error = errors[2];
    if (is_periodic(excitation)) describe_wave(result, window, excitation, fitted);
    return result;
}

std::vector<double> fitted_acceleration_m_s2(const AchievedMotion& motion, const solver::BaseMotion& planned,
                                             const IdentifiedExcitation& fitted) {
    const double sign = fitted.sign_reversed ? -1.0 : 1.0;
    return wave(motion.grid, motion.bandwidth_hz, planned,
                {sign * fitted.amplitude_ratio, fitted.frequency_ratio, fitted.delay_s});
}

}  // namespace topple::hil::compare
