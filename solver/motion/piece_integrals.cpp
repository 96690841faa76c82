#include "solver/motion/piece_integrals.hpp"

#include <cmath>

namespace topple::solver {
namespace {

/// A function of z = w tau in its cosine-like and sine-like form: the real and imaginary part of one on e^{iz}.
struct Pair {
    double cosine = 0.0;
    double sine = 0.0;
};

/// Integrals of e^{i w s} and s e^{i w s} over s from 0 to tau, made dimensionless with powers of tau.
struct HarmonicIntegrals {
    Pair once;          ///< int e                        / tau
    Pair twice;         ///< int int e                    / tau^2
    Pair linear_once;   ///< int s e                      / tau^2
    Pair linear_twice;  ///< int int s e                  / tau^3
};

/// Power series in iz: terms (iz)^k / k! over (k+1), (k+1)(k+2), (k+2) and (k+2)(k+3). For |z| <= 1 twenty terms
/// are below 1e-18 of the first.
HarmonicIntegrals integrals_by_series(double z) noexcept {
    HarmonicIntegrals sum;
    double power = 1.0;  // z^k / k!, the sign of i^k follows k mod 4
    for (int k = 0; k < 20; ++k) {
        const double term = (k % 4 < 2) ? power : -power;
        double Pair::*part = (k % 2 == 0) ? &Pair::cosine : &Pair::sine;
        sum.once.*part += term / (k + 1);
        sum.twice.*part += term / ((k + 1) * (k + 2));
        sum.linear_once.*part += term / (k + 2);
        sum.linear_twice.*part += term / ((k + 2) * (k + 3));
        power *= z / (k + 1);
    }
    return sum;
}

HarmonicIntegrals integrals_in_closed_form(double z) noexcept {
    const double s = std::sin(z), c = std::cos(z);
    const double z2 = z * z, z3 = z2 * z;
    HarmonicIntegrals value;
    value.once = {s / z, (1.0 - c) / z};
    value.twice = {(1.0 - c) / z2, (z - s) / z2};
    value.linear_once = {(z * s + c - 1.0) / z2, (s - z * c) / z2};
    value.linear_twice = {(2.0 * s - z * c - z) / z3, (2.0 - 2.0 * c - z * s) / z3};
    return value;
}

void add_polynomial(const std::array<double, 4>& p, double tau, PieceMotion& sum) noexcept {
    sum.acceleration_m_s2 += p[0] + tau * (p[1] + tau * (p[2] + tau * p[3]));
    sum.jerk_m_s3 += p[1] + tau * (2.0 * p[2] + tau * 3.0 * p[3]);
    sum.snap_m_s4 += 2.0 * p[2] + tau * 6.0 * p[3];
    sum.velocity_m_s += tau * (p[0] + tau * (p[1] / 2.0 + tau * (p[2] / 3.0 + tau * p[3] / 4.0)));
    sum.displacement_m += tau * tau * (p[0] / 2.0 + tau * (p[1] / 6.0 + tau * (p[2] / 12.0 + tau * p[3] / 20.0)));
}

void add_harmonic(const HarmonicTerm& term, double tau, PieceMotion& sum) noexcept {
    const double w = term.angular_frequency_rad_s;
    const double z = w * tau;
    const double sin_z = std::sin(z), cos_z = std::cos(z);
    const auto [s0, s1] = term.sine_m_s2;
    const auto [c0, c1] = term.cosine_m_s2;
    const double s = s0 + s1 * tau, c = c0 + c1 * tau;
    sum.acceleration_m_s2 += s * sin_z + c * cos_z;
    sum.jerk_m_s3 += (s1 - c * w) * sin_z + (c1 + s * w) * cos_z;
    sum.snap_m_s4 += (-s * w - 2.0 * c1) * w * sin_z + (-c * w + 2.0 * s1) * w * cos_z;

    const HarmonicIntegrals i = std::abs(z) <= 1.0 ? integrals_by_series(z) : integrals_in_closed_form(z);
    sum.velocity_m_s +=
        tau * (s0 * i.once.sine + c0 * i.once.cosine + tau * (s1 * i.linear_once.sine + c1 * i.linear_once.cosine));
    sum.displacement_m +=
        tau * tau *
        (s0 * i.twice.sine + c0 * i.twice.cosine + tau * (s1 * i.linear_twice.sine + c1 * i.linear_twice.cosine));
}

}  // namespace

PieceMotion evaluate(const MotionPiece& piece, double tau_s) noexcept {
    PieceMotion sum;
    add_polynomial(piece.polynomial, tau_s, sum);
    for (const HarmonicTerm& term : piece.harmonics) add_harmonic(term, tau_s, sum);
    return sum;
}

MotionPiece moved_origin(const MotionPiece& piece, double offset_s, double new_start_s, double new_end_s) {
    MotionPiece moved;
    moved.start_s = new_start_s;
    moved.end_s = new_end_s;
    const double d = offset_s;
    const auto& p = piece.polynomial;
    moved.polynomial = {p[0] + d * (p[1] + d * (p[2] + d * p[3])), p[1] + d * (2.0 * p[2] + d * 3.0 * p[3]),
                        p[2] + 3.0 * d * p[3], p[3]};
    moved.harmonics.reserve(piece.harmonics.size());
    for (const HarmonicTerm& term : piece.harmonics) {
        // sin(w (tau + d)) and cos(w (tau + d)) by the addition theorems; the envelope moves along its line.
        const double s = std::sin(term.angular_frequency_rad_s * d), c = std::cos(term.angular_frequency_rad_s * d);
        const std::array<double, 2> sine{term.sine_m_s2[0] + d * term.sine_m_s2[1], term.sine_m_s2[1]};
        const std::array<double, 2> cosine{term.cosine_m_s2[0] + d * term.cosine_m_s2[1], term.cosine_m_s2[1]};
        HarmonicTerm turned{term.angular_frequency_rad_s, {}, {}};
        for (std::size_t k = 0; k < 2; ++k) {
            turned.sine_m_s2[k] = sine[k] * c - cosine[k] * s;
            turned.cosine_m_s2[k] = sine[k] * s + cosine[k] * c;
        }
        moved.harmonics.push_back(turned);
    }
    return moved;
}

}  // namespace topple::solver
