// What a ground motion does to oscillators: the response spectrum of structural dynamics.
#pragma once

#include <span>
#include <vector>

namespace topple::hil::signal {

/// Pseudo-acceleration (2 pi f)^2 max|x| of x'' + 2 zeta (2 pi f) x' + (2 pi f)^2 x = -a(t), from rest, per frequency;
/// in the unit of `acceleration`. Between the samples a is a straight line and the response exact (Nigam & Jennings
/// 1969); so is its largest value, also between the samples and in the free vibration after the last one, where a = 0.
/// Frequencies above 0, 0 <= zeta < 1, step_s > 0.
std::vector<double> response_spectrum(std::span<const double> acceleration, double step_s,
                                      std::span<const double> frequency_hz, double damping_ratio);

/// `count` frequencies from `low_hz` to `high_hz`, ends included, in equal ratios.
std::vector<double> frequencies_in_equal_ratios(double low_hz, double high_hz, std::size_t count);

}  // namespace topple::hil::signal
