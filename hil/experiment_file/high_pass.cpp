#include "hil/experiment_file/high_pass.hpp"

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

    void run(std::vector<double>& samples) const {
        double s1 = 0.0, s2 = 0.0;  // transposed direct form II, starting from rest
        for (double& sample : samples) {
            const double out = b0 * sample + s1;
            s1 = b1 * sample - a1 * out + s2;
            s2 = b2 * sample - a2 * out;
            sample = out;
        }
    }
};

}  // namespace

std::vector<double> zero_phase_high_pass(const std::vector<double>& samples, double step_s, double corner_hz) {
    constexpr double kPadPeriods = 3.0;  // the filter's memory has died out to below 1e-5
    const auto pad = static_cast<std::size_t>(std::min(kPadPeriods / (corner_hz * step_s), 1e6));
    std::vector<double> padded(samples.size() + 2 * pad, 0.0);
    std::copy(samples.begin(), samples.end(), padded.begin() + static_cast<std::ptrdiff_t>(pad));
    const Biquad filter = Biquad::high_pass(step_s, corner_hz);
    filter.run(padded);
    std::reverse(padded.begin(), padded.end());
    filter.run(padded);
    std::reverse(padded.begin(), padded.end());
    const auto first = padded.begin() + static_cast<std::ptrdiff_t>(pad);
    return {first, first + static_cast<std::ptrdiff_t>(samples.size())};
}

}  // namespace topple::hil
