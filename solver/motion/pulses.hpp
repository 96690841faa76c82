// The pulses of the literature on near-fault ground motions. All begin and end at rest.
#pragma once

#include "solver/motion/base_motion.hpp"

namespace topple::solver {

/// Symmetric Ricker wavelet a0 (1 - 2 u^2) exp(-u^2), u = pi f (t - tc) (Ricker 1943); f is where its spectrum is
/// highest. Cut at |u| = 5.5, where it is below 5e-12 a0, and from rest to rest where it began. Throws
/// std::invalid_argument for a frequency that is not above 0.
BaseMotion symmetric_ricker(double amplitude_m_s2, double frequency_hz);
/// Antisymmetric one: a0/1.38 (s^2 - 3) s exp(-s^2/2), s = 2 pi f (t - tc)/sqrt(3) (Vassiliou & Makris 2011), with the
/// constant 1.38... such that the peak is |a0|. Cut at |s| = 7.8, below 2e-11 a0.
BaseMotion antisymmetric_ricker(double amplitude_m_s2, double frequency_hz);

/// Velocity A/2 (1 + cos(2 pi f (t - tc)/gamma)) cos(2 pi f (t - tc) + nu) over gamma periods about tc (Mavroeidis &
/// Papageorgiou 2003).
struct MavroeidisPapageorgiou {
    double velocity_m_s = 0.0;  ///< A; the peak velocity where nu = 0
    double frequency_hz = 0.0;  ///< f, > 0
    double gamma = 0.0;         ///< > 1: duration in periods
    double phase_rad = 0.0;     ///< nu
};
/// Without a step of acceleration; ends displaced. Throws std::invalid_argument for values out of range.
BaseMotion mavroeidis_papageorgiou(const MavroeidisPapageorgiou& pulse);

/// The cycloidal pulses of Makris & Roussos (2000), vp the velocity_m_s and w = 2 pi f.
/// A: v = vp/2 (1 - cos(w t)), one period, ends displaced by vp/(2 f).
BaseMotion cycloidal_a(double velocity_m_s, double frequency_hz);
/// B: v = vp sin(w t), one period; steps of acceleration at both ends.
BaseMotion cycloidal_b(double velocity_m_s, double frequency_hz);
/// C_n: v = vp (sin(w t + phi) - sin(phi)) over n + 1/2 - phi/pi periods, tan(phi) = 2/((2 n + 1) pi - 2 phi), so that
/// it comes back to where it began; steps of acceleration at both ends. Throws std::invalid_argument for cycles < 1.
BaseMotion cycloidal_c(double velocity_m_s, double frequency_hz, int cycles);

}  // namespace topple::solver
