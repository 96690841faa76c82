#include "hil/signal/zero_phase.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace topple::hil {
namespace {

// |H|^2 of one pass is the gain of both: 1/(1 + (w/wc)^4) = 1/sqrt(2) at w = wc (sqrt(2) - 1)^(1/4).
const double kTwoPassCutoffRatio = std::pow(std::numbers::sqrt2 - 1.0, 0.25);

struct Biquad {
    double b0, b1, b2, a1, a2;
};

// Bilinear transform of H(s) = 1/(s^2 + sqrt(2) s + 1), prewarped so that both passes together have their -3
// dB at `relative_frequency` (per sampling rate).
Biquad butterworth(double relative_frequency) {
    const double k = std::tan(std::numbers::pi * relative_frequency) / kTwoPassCutoffRatio;
    const double norm = 1.0 / (1.0 + std::numbers::sqrt2 * k + k * k);
    return {k * k * norm, 2.0 * k * k * norm, k * k * norm, 2.0 * (k * k - 1.0) * norm,
            (1.0 - std::numbers::sqrt2 * k + k * k) * norm};
}

// Transposed direct form II, started in the steady state of the first sample.
void run_forward(const Biquad& f, std::vector<double>& samples) {
    double z1 = (f.b1 - f.a1 + f.b2 - f.a2) * samples.front();
    double z2 = (f.b2 - f.a2) * samples.front();
    for (double& sample : samples) {
        const double in = sample;
        const double out = f.b0 * in + z1;
        z1 = f.b1 * in - f.a1 * out + z2;
        z2 = f.b2 * in - f.a2 * out;
        sample = out;
    }
}

}  // namespace

std::vector<double> zero_phase_low_pass(std::span<const double> samples, double sampling_rate_hz, double cutoff_hz) {
    const std::size_t count = samples.size();
    if (count < 3 || cutoff_hz >= 0.4 * sampling_rate_hz || !(cutoff_hz > 0.0)) return {samples.begin(), samples.end()};
    const double relative = cutoff_hz / sampling_rate_hz;
    // Six time constants of the slowest pole leave 0.2 % of a start-up error.
    const auto wanted = static_cast<std::size_t>(std::ceil(2.0 / relative));
    const std::size_t pad = std::min(count - 1, wanted);
    std::vector<double> padded;
    padded.reserve(count + 2 * pad);
    for (std::size_t i = pad; i > 0; --i) padded.push_back(2.0 * samples[0] - samples[i]);
    padded.insert(padded.end(), samples.begin(), samples.end());
    for (std::size_t i = 1; i <= pad; ++i) padded.push_back(2.0 * samples[count - 1] - samples[count - 1 - i]);
    const Biquad filter = butterworth(relative);
    run_forward(filter, padded);
    std::reverse(padded.begin(), padded.end());
    run_forward(filter, padded);
    std::reverse(padded.begin(), padded.end());
    return {padded.begin() + static_cast<std::ptrdiff_t>(pad),
            padded.begin() + static_cast<std::ptrdiff_t>(pad + count)};
}

std::vector<double> first_difference(std::span<const double> samples, double step_s) {
    const std::size_t count = samples.size();
    std::vector<double> result(count, 0.0);
    if (count < 2) return result;
    for (std::size_t i = 1; i + 1 < count; ++i) result[i] = (samples[i + 1] - samples[i - 1]) / (2.0 * step_s);
    result.front() = (samples[1] - samples[0]) / step_s;
    result.back() = (samples[count - 1] - samples[count - 2]) / step_s;
    return result;
}

std::vector<double> second_difference(std::span<const double> samples, double step_s) {
    const std::size_t count = samples.size();
    std::vector<double> result(count, 0.0);
    if (count < 3) return result;
    for (std::size_t i = 1; i + 1 < count; ++i)
        result[i] = (samples[i + 1] - 2.0 * samples[i] + samples[i - 1]) / (step_s * step_s);
    result.front() = result[1];
    result.back() = result[count - 2];
    return result;
}

double mean(std::span<const double> samples) {
    double sum = 0.0;
    for (double sample : samples) sum += sample;
    return samples.empty() ? 0.0 : sum / static_cast<double>(samples.size());
}

double standard_deviation(std::span<const double> samples) {
    if (samples.size() < 2) return 0.0;
    const double centre = mean(samples);
    double sum = 0.0;
    for (double sample : samples) sum += (sample - centre) * (sample - centre);
    return std::sqrt(sum / static_cast<double>(samples.size() - 1));
}

double root_mean_square(std::span<const double> samples) {
    double sum = 0.0;
    for (double sample : samples) sum += sample * sample;
    return samples.empty() ? 0.0 : std::sqrt(sum / static_cast<double>(samples.size()));
}

double largest_magnitude(std::span<const double> samples) {
    double largest = 0.0;
    for (double sample : samples)
        if (std::abs(sample) > largest) largest = std::abs(sample);
    return largest;
}

}  // namespace topple::hil
