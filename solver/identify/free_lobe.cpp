#include "solver/identify/free_lobe.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {
namespace {

constexpr double kPi = 3.14159265358979323846;

}  // namespace

RockingShape rocking_shape(const Block& block, double gravity_m_s2) {
    return {block.slenderness_rad(), block.frequency_parameter_rad_s(gravity_m_s2)};
}

double lobe_energy(const RockingShape& shape, double apex_rad) noexcept {
    return 2.0 * std::sin(0.5 * apex_rad) * std::sin(shape.slenderness_rad - 0.5 * apex_rad);
}

double apex_of_energy(const RockingShape& shape, double energy) noexcept {
    const double half = std::sin(0.5 * shape.slenderness_rad);
    return shape.slenderness_rad - 2.0 * std::asin(std::sqrt(std::max(0.0, half * half - 0.5 * energy)));
}

// Symbols as in Abramowitz & Stegun, chapters 16.4 and 17.6: means a_n, b_n, differences c_n.
FreeLobe::FreeLobe(const RockingShape& shape, double apex_rad) noexcept
    : shape_(shape), apex_rad_(apex_rad), complement_(std::sin(0.5 * (shape.slenderness_rad - apex_rad))) {
    const double alpha = shape.slenderness_rad, modulus = std::cos(0.5 * (alpha - apex_rad));
    double a = 1.0, b = complement_;
    // Phase of the impact: incomplete integral F(phi, k), by Landen's transformation along with the means.
    const double opposite =
        std::sqrt(std::sin(0.5 * apex_rad) * std::sin(alpha - 0.5 * apex_rad)) / std::sin(0.5 * alpha);
    double phase = std::atan2(opposite, complement_ / std::tan(0.5 * alpha));
    mean_[0] = a;
    ratio_[0] = modulus;
    for (int n = 1; n <= kLevels; ++n) {
        phase += std::atan(b / a * std::tan(phase)) + kPi * std::floor(phase / kPi + 0.5);
        const double c = 0.5 * (a - b), mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
        mean_[n] = a;
        ratio_[n] = c / a;
    }
    half_duration_s_ = std::ldexp(phase, -kLevels) / a / shape.frequency_parameter_rad_s;
}

/// Amplitude phi_0 of the Jacobi functions at this argument.
double FreeLobe::descended_phase(double argument) const noexcept {
    double phase = std::ldexp(mean_[kLevels] * argument, kLevels);
    for (int n = kLevels; n > 0; --n) phase = 0.5 * (phase + std::asin(ratio_[n] * std::sin(phase)));
    return phase;
}

double FreeLobe::rotation_rad(double time_from_apex_s) const noexcept {
    const double time = std::abs(time_from_apex_s);
    if (!(time < half_duration_s_)) return 0.0;
    const double cn = std::cos(descended_phase(shape_.frequency_parameter_rad_s * time));
    const double k2 = (1.0 - complement_) * (1.0 + complement_);
    const double dn = std::sqrt(complement_ * complement_ + k2 * cn * cn);
    return shape_.slenderness_rad - 2.0 * std::asin(std::min(1.0, complement_ / dn));
}

}  // namespace topple::solver
