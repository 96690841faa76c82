// Discrete Fourier transform of real histories.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace topple::controller {

using Spectrum = std::vector<std::complex<double>>;

/// Spectrum of `values` with zeros behind them, X_k = sum x_n exp(-2 pi i k n / length), k = 0 .. length/2.
/// `length`: a power of 2, at least values.size().
Spectrum spectrum_of(std::span<const double> values, std::size_t length);
/// The real history of such a spectrum: `length` values.
std::vector<double> history_of(const Spectrum& spectrum, std::size_t length);
/// Smallest power of 2 that is at least `count`.
std::size_t transform_length(std::size_t count) noexcept;

}  // namespace topple::controller
