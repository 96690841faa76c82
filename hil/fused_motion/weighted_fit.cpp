#include "hil/fused_motion/weighted_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace topple::hil::fused_motion {
namespace {

using Complex = std::complex<double>;

double real_product(Complex a, Complex b) { return a.real() * b.real() + a.imag() * b.imag(); }

Complex shifted(const WeakForm& form, double shift_s, std::size_t k) {
    return form.reading[k] * std::polar(1.0, form.omega_rad_s[k] * shift_s);
}

/// The mean is real: half as much information as a complex number of the same variance.
double share_of(std::size_t k) { return k == 0 ? 0.5 : 1.0; }

/// Symmetric 2 x 2 system.
struct System {
    double m11 = 0.0, m12 = 0.0, m22 = 0.0, r1 = 0.0, r2 = 0.0;

    double determinant() const noexcept { return m11 * m22 - m12 * m12; }
    bool is_regular() const noexcept { return m11 > 0.0 && m22 > 0.0 && determinant() > 1e-12 * m11 * m22; }
    std::array<double, 2> solution() const noexcept {
        return {(m22 * r1 - m12 * r2) / determinant(), (m11 * r2 - m12 * r1) / determinant()};
    }
};

System system_of(const WeakForm& form, const Noise& noise, double shift_s, double previous_gain) {
    constexpr double kReliable_ratio = 0.2;  // of the reading's square that may be taken for noise at most: 1 - this
    System sum;
    double attenuating = 0.0;  // noise in m11
    for (std::size_t k = 0; k < form.omega_rad_s.size(); ++k) {
        const double weight = share_of(k) / variance_at(form, noise, k);
        const Complex reading = shifted(form, shift_s, k);
        sum.m11 += weight * std::norm(reading);
        attenuating += weight * noise.acceleration * form.reading_gain_s[k];
        sum.m12 -= weight * real_product(reading, form.one[k]);
        sum.m22 += weight * std::norm(form.one[k]);
        sum.r1 += weight * real_product(reading, form.displacement[k]);
        sum.r2 -= weight * real_product(form.one[k], form.displacement[k]);
    }
    if (previous_gain == 0.0) return sum;
    const double bias_square = sum.m12 * sum.m12 / sum.m22;  // what the constant explains of the reading's square
    sum.m11 -= std::min(attenuating / (previous_gain * previous_gain),
                        (1.0 - kReliable_ratio) * std::max(0.0, sum.m11 - bias_square));
    return sum;
}

/// Larger of what the noise's model gives and of what the scores themselves scatter.
void set_variances(const WeakForm& form, const Noise& noise, double shift_s, const System& sum, GainFit& fit) {
    double s11 = 0.0, s12 = 0.0, s22 = 0.0;  // of the scores
    for (std::size_t k = 0; k < form.omega_rad_s.size(); ++k) {
        const double weight = share_of(k) / variance_at(form, noise, k);
        const Complex left = form.displacement[k] - calibrated(form, fit, shift_s, k);
        const double g1 = weight * real_product(shifted(form, shift_s, k), left);
        const double g2 = -weight * real_product(form.one[k], left);
        s11 += g1 * g1, s12 += g1 * g2, s22 += g2 * g2;
    }
    const double d = sum.determinant(), i11 = sum.m22 / d, i12 = -sum.m12 / d, i22 = sum.m11 / d;
    const double scatter11 = i11 * i11 * s11 + 2.0 * i11 * i12 * s12 + i12 * i12 * s22;
    const double scatter22 = i12 * i12 * s11 + 2.0 * i12 * i22 * s12 + i22 * i22 * s22;
    // Noise is counted as if the window were 1 where the motion is, as it nearly always is.
    fit.gain_variance = std::max(0.5 * i11, scatter11) / form.flat_ratio;
    fit.offset_variance = std::max(0.5 * i22, scatter22) / form.flat_ratio;
    fit.covariance = 0.5 * i12 / form.flat_ratio;
}

/// Weighted least squares of |left|^2 by both gains; a density below its least is that.
Noise next_noise(const WeakForm& form, const std::vector<double>& left_square, const Noise& now, const Noise& least) {
    System sum;
    for (std::size_t k = 0; k < left_square.size(); ++k) {
        const double variance = variance_at(form, now, k), weight = share_of(k) / (variance * variance);
        const double p = form.reading_gain_s[k], q = form.displacement_gain[k];
        sum.m11 += weight * p * p, sum.m12 += weight * p * q, sum.m22 += weight * q * q;
        sum.r1 += weight * p * left_square[k], sum.r2 += weight * q * left_square[k];
    }
    if (!sum.is_regular()) return now;
    Noise next{sum.solution()[0], sum.solution()[1]};
    if (next.displacement < least.displacement)
        next = {(sum.r1 - sum.m12 * least.displacement) / sum.m11, least.displacement};
    if (next.acceleration < least.acceleration)
        next = {least.acceleration, std::max(least.displacement, (sum.r2 - sum.m12 * least.acceleration) / sum.m22)};
    constexpr double kSlower_ratio = 0.25;  // of a density, per round
    return {std::max(next.acceleration, kSlower_ratio * now.acceleration),
            std::max(next.displacement, kSlower_ratio * now.displacement)};
}

}  // namespace

double variance_at(const WeakForm& form, const Noise& noise, std::size_t k) {
    return noise.acceleration * form.reading_gain_s[k] + noise.displacement * form.displacement_gain[k];
}

Complex calibrated(const WeakForm& form, const GainFit& fit, double shift_s, std::size_t k) {
    return fit.gain * shifted(form, shift_s, k) - fit.offset_m_s2 * form.one[k];
}

GainFit fit_gain(const WeakForm& form, const Noise& noise, double shift_s, double previous_gain) {
    const System sum = system_of(form, noise, shift_s, previous_gain);
    GainFit fit;
    if (!sum.is_regular()) return fit;
    fit.is_found = true;
    fit.gain = sum.solution()[0];
    fit.offset_m_s2 = sum.solution()[1];
    fit.explained = fit.gain * sum.r1 + fit.offset_m_s2 * sum.r2;
    set_variances(form, noise, shift_s, sum, fit);
    return fit;
}

double explained_at(const WeakForm& form, const Noise& noise, double shift_s) {
    const System sum = system_of(form, noise, shift_s, 0.0);
    if (!sum.is_regular()) return 0.0;
    const auto [gain, offset] = sum.solution();
    return std::copysign(gain * sum.r1 + offset * sum.r2, gain);
}

Noise fit_noise(const WeakForm& form, const GainFit& fit, double shift_s, const Noise& start, const Noise& least) {
    constexpr int kRounds = 16;
    std::vector<double> left_square(form.omega_rad_s.size());
    for (std::size_t k = 0; k < left_square.size(); ++k)
        left_square[k] = std::norm(form.displacement[k] - calibrated(form, fit, shift_s, k));
    Noise noise = start;
    for (int round = 0; round < kRounds; ++round) noise = next_noise(form, left_square, noise, least);
    return noise;
}

}  // namespace topple::hil::fused_motion
