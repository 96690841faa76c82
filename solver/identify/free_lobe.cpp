#include "solver/identify/free_lobe.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kNodes = 32;  // per half-duration; quintic Hermite between them is good to (p h)^6/46080 of the apex

struct Node {
    double rotation = 0.0, rate = 0.0, acceleration = 0.0;
};

/// Quintic through both ends with their first two derivatives, in u from 0 to 1 over the step.
struct Quintic {
    double c[6];

    Quintic() = default;
    Quintic(const Node& a, const Node& b, double h) noexcept {
        const double rise = b.rotation - a.rotation, va = a.rate * h, vb = b.rate * h;
        const double aa = 0.5 * a.acceleration * h * h, ab = 0.5 * b.acceleration * h * h;
        c[0] = a.rotation;
        c[1] = va;
        c[2] = aa;
        c[3] = 10.0 * rise - 6.0 * va - 4.0 * vb - 3.0 * aa + ab;
        c[4] = -15.0 * rise + 8.0 * va + 7.0 * vb + 3.0 * aa - 2.0 * ab;
        c[5] = 6.0 * rise - 3.0 * (va + vb) - aa + ab;
    }
    double at(double u) const noexcept { return c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * (c[4] + u * c[5])))); }
};

}  // namespace

RockingShape rocking_shape(const Block& block, double gravity_m_s2) {
    return {block.slenderness_rad(), block.frequency_parameter_rad_s(gravity_m_s2)};
}

RockingShape shape_on_seat(const RockingShape& shape, double tilt_rad, int side) noexcept {
    return {shape.slenderness_rad - side * tilt_rad, shape.frequency_parameter_rad_s};
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

/// Derivative of rotation_rad: negative after the apex. From energy: psi'^2 = 2 p^2 (cos psi0 - cos psi).
double FreeLobe::rate_rad_s(double time_from_apex_s, double rotation_rad) const noexcept {
    const double half_fall = 0.5 * std::max(0.0, apex_rad_ - rotation_rad);
    const double psi0 = shape_.slenderness_rad - apex_rad_;
    const double speed =
        2.0 * shape_.frequency_parameter_rad_s * std::sqrt(std::sin(psi0 + half_fall) * std::sin(half_fall));
    return time_from_apex_s > 0.0 ? -speed : speed;
}

void FreeLobe::rotations(std::span<const double> time_s, double apex_s, std::span<double> rotation) const noexcept {
    const bool is_dense = time_s.size() > 2 * static_cast<std::size_t>(kNodes);
    if (!is_dense) {
        for (std::size_t i = 0; i < time_s.size(); ++i) rotation[i] = rotation_rad(time_s[i] - apex_s);
        return;
    }
    const double h = half_duration_s_ / kNodes,
                 p2 = shape_.frequency_parameter_rad_s * shape_.frequency_parameter_rad_s;
    Node nodes[kNodes + 1];
    for (int k = 0; k <= kNodes; ++k) {
        const double angle = k == kNodes ? 0.0 : rotation_rad(k * h);
        nodes[k] = {angle, k == 0 ? 0.0 : rate_rad_s(1.0, angle), -p2 * std::sin(shape_.slenderness_rad - angle)};
    }
    Quintic between[kNodes + 1];
    for (int k = 0; k < kNodes; ++k) between[k] = Quintic(nodes[k], nodes[k + 1], h);
    between[kNodes] = Quintic(Node{}, Node{}, h);  // at rest beyond the impacts
    const double per_step = 1.0 / h;
    for (std::size_t i = 0; i < time_s.size(); ++i) {
        const double x =
            std::min(std::abs(time_s[i] - apex_s) * per_step, double{kNodes});  // symmetrical about the apex
        const int k = static_cast<int>(x);
        rotation[i] = between[k].at(x - k);
    }
}

}  // namespace topple::solver
