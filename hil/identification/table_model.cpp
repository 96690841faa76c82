#include "hil/identification/table_model.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "hil/identification/least_squares.hpp"

namespace topple::hil::identification {
namespace {

using Complex = std::complex<double>;
using Eigen::VectorXd;
constexpr double kTwoPi = 2.0 * std::numbers::pi;
constexpr double kDelayUnit_s = 1e-3;

// Unknowns of order 1: logarithms of what is positive, the ratio through its logit.
enum Unknown : Eigen::Index { log_mass, viscous, delay, logit_ratio, log_resonance, log_damping };
constexpr Eigen::Index kRigidUnknowns = 3, kScrewUnknowns = 6;

double logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// The scale that makes the unknowns of order 1.
struct Scale {
    double mass_kg, viscous_n_s_m;
};

TableModel model_of(const VectorXd& u, const Scale& scale) {
    TableModel model;
    model.mass_kg = scale.mass_kg * std::exp(u(log_mass));
    model.viscous_n_s_m = scale.viscous_n_s_m * u(viscous);
    if (u.size() == kRigidUnknowns) return model;
    model.motor_mass_ratio = logistic(u(logit_ratio));
    const double platen_kg = (1.0 - model.motor_mass_ratio) * model.mass_kg, w = std::exp(u(log_resonance));
    model.stiffness_n_m = platen_kg * w * w;
    model.damping_n_s_m = 2.0 * std::exp(u(log_damping)) * platen_kg * w;
    return model;
}

VectorXd residuals(std::span<const LineResponse> lines, const VectorXd& u, const Scale& scale) {
    const TableModel model = model_of(u, scale);
    VectorXd result(2 * static_cast<Eigen::Index>(lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const LineResponse& line = lines[i];
        const double w = kTwoPi * line.frequency_hz;
        const Complex expected = model.dynamic_stiffness_n_m(w) * std::polar(1.0, -w * kDelayUnit_s * u(delay));
        // Relative to the model's magnitude or the line's: the ratio's logarithm treats both alike.
        const Complex difference = std::log(line.response / expected) / fit_error_ratio(line);
        result(2 * static_cast<Eigen::Index>(i)) = difference.real();
        result(2 * static_cast<Eigen::Index>(i) + 1) = difference.imag();
    }
    return result;
}

LeastSquares fit(std::span<const LineResponse> lines, const VectorXd& start, const Scale& scale) {
    return least_squares([&](const VectorXd& u) { return residuals(lines, u, scale); }, start);
}

std::optional<LeastSquares> fit_with_screw(std::span<const LineResponse> lines, const LeastSquares& rigid,
                                           const Scale& scale) {
    std::optional<LeastSquares> best;
    for (const double share : {0.15, 0.25, 0.4, 0.55, 0.75})
        for (const double ratio : {0.4, 0.65, 0.85}) {
            VectorXd start(kScrewUnknowns);
            start << 0.0, rigid.unknowns(viscous), 0.0, std::log(ratio / (1.0 - ratio)),
                std::log(kTwoPi * share * lines.back().frequency_hz), std::log(0.05);
            const LeastSquares found = fit(lines, start, scale);
            if (found.converged && (!best || found.squares < best->squares)) best = found;
        }
    return best;
}

// The screw is seen if its resonance lies in the band and the fit knows it.
bool is_seen(const LeastSquares& screw, const LeastSquares& rigid, std::span<const LineResponse> lines) {
    constexpr double kBandShare = 0.8, kErrorMax = 0.1, kGain = 2.0;
    const double resonance_hz = std::exp(screw.unknowns(log_resonance)) / kTwoPi;
    const auto error = [&](Eigen::Index i) { return std::sqrt(screw.covariance(i, i)); };
    return resonance_hz < kBandShare * lines.back().frequency_hz && error(log_resonance) < kErrorMax &&
           error(logit_ratio) < 0.5 && kGain * screw.squares < rigid.squares;
}

double residual_ratio(std::span<const LineResponse> lines, const TableModel& model, double delay_s) {
    Spectrum expected;
    for (const LineResponse& line : lines) {
        const double w = kTwoPi * line.frequency_hz;
        expected.push_back(model.dynamic_stiffness_n_m(w) * std::polar(1.0, -w * delay_s));
    }
    return misfit_ratio(lines, expected);
}

TableEstimate estimate_of(const LeastSquares& found, const Scale& scale) {
    TableEstimate estimate;
    estimate.model = model_of(found.unknowns, scale);
    const TableModel& m = estimate.model;
    const auto covariance = [&](Eigen::Index i, Eigen::Index k) { return found.covariance(i, k); };
    const auto error = [&](Eigen::Index i) { return std::sqrt(covariance(i, i)); };
    estimate.mass_kg = {m.mass_kg, m.mass_kg * error(log_mass)};
    estimate.force_delay_s = {kDelayUnit_s * found.unknowns(delay), kDelayUnit_s * error(delay)};
    if (found.unknowns.size() == kRigidUnknowns) return estimate;
    const double ratio = m.motor_mass_ratio;
    estimate.motor_mass_ratio = {ratio, ratio * (1.0 - ratio) * error(logit_ratio)};
    estimate.platen_resonance_hz = {m.platen_resonance_hz(), m.platen_resonance_hz() * error(log_resonance)};
    // log k = log M + log(1 - ratio) + 2 log w; d log(1 - ratio) = -ratio d logit.
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(kScrewUnknowns);
    gradient(log_mass) = 1.0;
    gradient(logit_ratio) = -ratio;
    gradient(log_resonance) = 2.0;
    estimate.stiffness_n_m = {m.stiffness_n_m, m.stiffness_n_m * std::sqrt(gradient.dot(found.covariance * gradient))};
    gradient(log_resonance) = 1.0;
    gradient(log_damping) = 1.0;
    estimate.damping_n_s_m = {m.damping_n_s_m, m.damping_n_s_m * std::sqrt(gradient.dot(found.covariance * gradient))};
    return estimate;
}

}  // namespace

// m1 s^2 + c s + m2 s^2 (d s + k) / (m2 s^2 + d s + k): docs/identification.md#the-table.
Complex TableModel::dynamic_stiffness_n_m(double angular_frequency_rad_s, double payload_kg) const {
    const Complex s(0.0, angular_frequency_rad_s);
    const double motor_kg = motor_mass_ratio * mass_kg, platen_kg = mass_kg - motor_kg + payload_kg;
    const Complex motor = motor_kg * s * s + viscous_n_s_m * s;
    if (stiffness_n_m <= 0.0) return motor + platen_kg * s * s;
    const Complex screw = damping_n_s_m * s + stiffness_n_m;
    return motor + platen_kg * s * s * screw / (platen_kg * s * s + screw);
}

double TableModel::platen_resonance_hz() const noexcept {
    const double platen_kg = (1.0 - motor_mass_ratio) * mass_kg;
    return stiffness_n_m > 0.0 ? std::sqrt(stiffness_n_m / platen_kg) / kTwoPi : 0.0;
}

double TableModel::resonance_hz() const noexcept {
    return stiffness_n_m > 0.0 ? platen_resonance_hz() / std::sqrt(motor_mass_ratio) : 0.0;
}

std::optional<TableEstimate> fit_table(std::span<const LineResponse> lines, std::size_t lines_in_all) {
    constexpr std::size_t kFewest = 8, kLowest = 5;
    if (lines.size() < kFewest) return std::nullopt;
    std::vector<double> masses_kg;
    for (const LineResponse& line : lines.first(kLowest)) {
        const double w = kTwoPi * line.frequency_hz;
        masses_kg.push_back(std::abs(line.response) / (w * w));
    }
    std::nth_element(masses_kg.begin(), masses_kg.begin() + kLowest / 2, masses_kg.end());
    const double mass_kg = masses_kg[kLowest / 2];
    if (!(mass_kg > 0.0)) return std::nullopt;
    const Scale scale{mass_kg, mass_kg * kTwoPi * lines.front().frequency_hz};
    const LeastSquares rigid = fit(lines, VectorXd::Zero(kRigidUnknowns), scale);
    const auto screw = fit_with_screw(lines, rigid, scale);
    const bool with_screw = screw && is_seen(*screw, rigid, lines);
    if (!with_screw && !rigid.converged) return std::nullopt;
    TableEstimate estimate = estimate_of(with_screw ? *screw : rigid, scale);
    estimate.residual_ratio = residual_ratio(lines, estimate.model, estimate.force_delay_s.value);
    estimate.line_count = lines.size();
    estimate.whole = static_cast<double>(lines.size()) >= kLinesMinShare * static_cast<double>(lines_in_all);
    return estimate;
}

}  // namespace topple::hil::identification
