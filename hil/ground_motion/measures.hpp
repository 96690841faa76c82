// What a ground motion is known by: peaks, intensity, duration, response spectrum.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace topple::hil::ground_motion {

inline constexpr double kSpectrumDamping_ratio = 0.05;
inline constexpr std::size_t kSpectrumPeriods = 100;
inline constexpr double kSpectrumShortest_s = 0.05, kSpectrumLongest_s = 10.0;

/// Of an acceleration that is a straight line between its samples, integrated from rest.
struct Measures {
    double pga_m_s2 = 0.0, pga_time_s = 0.0;        ///< largest magnitude, with the sign it has there
    double pgv_m_s = 0.0, pgd_m = 0.0;              ///< the same; exact also between the samples
    double arias_m_s = 0.0;                         ///< pi/(2 g) times the integral of a^2, g = 9.80665 m/s2
    double duration_5_95_s = 0.0, start_5_s = 0.0;  ///< in which 5 % to 95 % of this integral grow
    double end_velocity_m_s = 0.0, end_displacement_m = 0.0;
};

/// Even samples, step_s > 0; all zero for fewer than 2.
Measures measures_of(std::span<const double> acceleration_m_s2, double step_s);

/// Pseudo-acceleration of oscillators with 5 % of critical damping, m/s2, at kSpectrumPeriods periods in equal ratios.
struct Spectrum {
    std::vector<double> period_s, pseudo_acceleration_m_s2;
};
Spectrum spectrum_of(std::span<const double> acceleration_m_s2, double step_s);
/// At one period, s > 0.
double pseudo_acceleration_m_s2(std::span<const double> acceleration_m_s2, double step_s, double period_s);

}  // namespace topple::hil::ground_motion
