#include "hil/experiment/high_pass.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::hil {
namespace {

/// Second-order section by the bilinear transform with the corner pre-warped.
struct Biquad {
    double b0, b1, b2, a1, a2;

    static Biquad high_pass(double step_s, double corner_hz) {
        const double k = std::tan(std::numbers::pi * corner_hz * step_s);
        const double norm = 1 / (1 + std::numbers::sqrt2 * k + k * k);
        return {norm, -2 * norm, norm, 2 * (k * k - 1) * norm, (1 - std::numbers::sqrt2 * k + k * k) * norm};
    }

    /// Starts in the steady state of the first sample: a constant gives 0 from the beginning.
    void run(std::vector<double>& samples) const {
        double s2 = b2 * samples.front(), s1 = (b1 + b2) * samples.front();  // transposed direct form II
        for (double& sample : samples) {
            const double out = b0 * sample + s1;
            s1 = b1 * sample - a1 * out + s2;
            s2 = b2 * sample - a2 * out;
            sample = out;
        }
    }
};

/// Samples continued to both sides by their mirror image, again and again: what is constant stays constant.
std::vector<double> mirrored(const std::vector<double>& samples, std::size_t pad) {
    const std::size_t count = samples.size(), period = 2 * count;
    std::vector<double> longer(count + 2 * pad);
    for (std::size_t i = 0; i < longer.size(); ++i) {
        const std::size_t place = (i + period * (pad / period + 1) - pad) % period;
        longer[i] = samples[place < count ? place : period - 1 - place];
    }
    return longer;
}

}  // namespace

std::vector<double> zero_phase_high_pass(const std::vector<double>& samples, double step_s, double corner_hz) {
    constexpr double kPadPeriods = 3.0;  // the filter's memory has died out to below 1e-5
    const auto pad = static_cast<std::size_t>(std::min(kPadPeriods / (corner_hz * step_s), 1e6));
    std::vector<double> padded = mirrored(samples, pad);
    const Biquad filter = Biquad::high_pass(step_s, corner_hz);
    filter.run(padded);
    std::reverse(padded.begin(), padded.end());
    filter.run(padded);
    std::reverse(padded.begin(), padded.end());
    const auto first = padded.begin() + static_cast<std::ptrdiff_t>(pad);
    return {first, first + static_cast<std::ptrdiff_t>(samples.size())};
}

}  // namespace topple::hil
