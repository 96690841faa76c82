#include "controller/iteration/fourier.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace topple::controller {
namespace {

// Cooley and Tukey 1965, radix 2, in place.
void transform(Spectrum& values, double sign) {
    const std::size_t n = values.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(values[i], values[j]);
    }
    Spectrum turn(n / 2 + 1);
    for (std::size_t k = 0; k < turn.size(); ++k)
        turn[k] = std::polar(1.0, sign * 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    for (std::size_t length = 2; length <= n; length <<= 1)
        for (std::size_t first = 0; first < n; first += length)
            for (std::size_t k = 0; k < length / 2; ++k) {
                std::complex<double>&low = values[first + k], &high = values[first + k + length / 2];
                const std::complex<double> turned = high * turn[k * (n / length)];
                high = low - turned;
                low += turned;
            }
}

}  // namespace

Spectrum spectrum_of(std::span<const double> values, std::size_t length) {
    Spectrum spectrum(length);
    for (std::size_t i = 0; i < values.size() && i < length; ++i) spectrum[i] = values[i];
    transform(spectrum, -1.0);
    spectrum.resize(length / 2 + 1);
    return spectrum;
}

std::vector<double> history_of(const Spectrum& half, std::size_t length) {
    Spectrum whole(length);
    for (std::size_t k = 0; k < half.size() && k < length; ++k) {
        whole[k] = half[k];
        if (k > 0 && k < length - k) whole[length - k] = std::conj(half[k]);
    }
    transform(whole, 1.0);
    std::vector<double> history(length);
    for (std::size_t i = 0; i < length; ++i) history[i] = whole[i].real() / static_cast<double>(length);
    return history;
}

std::size_t transform_length(std::size_t count) noexcept {
    std::size_t length = 2;
    while (length < count) length <<= 1;
    return length;
}

}  // namespace topple::controller
