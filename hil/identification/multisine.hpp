// A sum of sines with one period: what a table is excited with at many frequencies at once.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/motion/base_motion.hpp"

namespace topple::hil::identification {

/// x(t) = sum_k A_k sin(2 pi f_k t + phase_k), all f_k whole multiples of 1 / period_s.
struct Multisine {
    double period_s = 0.0;
    std::vector<double> frequency_hz;       ///< increasing
    std::vector<double> acceleration_m_s2;  ///< amplitude of the line's acceleration; A_k = it / (2 pi f_k)^2
    std::vector<double> phase_rad;

    struct Peaks {
        double displacement_m = 0.0, velocity_m_s = 0.0, acceleration_m_s2 = 0.0;
    };
    Peaks peaks() const;  ///< over one period, looked at 16 times a period of the highest line
    Multisine scaled(double factor) const;
};

/// Every multiple of 1/period_s up to kDense_hz, then every second one. Below kFlat_hz all lines have the same
/// velocity, above it the same acceleration, 1 m/s2: then neither speed nor encoder noise takes all the room. Phases
/// are drawn from the seed.
Multisine drawn_multisine(double period_s, double low_hz, double high_hz, std::uint64_t seed);
inline constexpr double kDense_hz = 20.0, kFlat_hz = 30.0;

/// r(t) x(t - phase_zero_s) with r = (1 - cos(pi t / ramp_s)) / 2 over the first ramp_s, 1 over hold_s, and back over
/// the last ramp_s: from rest to rest; acceleration begins and ends with a step of (pi / ramp_s)^2 x / 2. Starts at 0
/// s. Needs 1 / (2 ramp_s) below the lowest line.
solver::BaseMotion ramped(const Multisine& multisine, double ramp_s, double hold_s, double phase_zero_s = 0.0);

}  // namespace topple::hil::identification
