#include "hil/signal/zero_phase.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace topple::hil::signal {
namespace {

/// What both passes together leave of a wave at the frequency that is given.
enum class AtCorner { minus_3_db, minus_6_db };

// |H|^2 of one pass is the gain of both. With r = w/wc it is 1/(1 + r^4): 1/2, -6 dB, at r = 1, and 1/sqrt(2), -3 dB,
// at r = (sqrt(2) - 1)^(1/4); of the high-pass at 1/r.
double corner_ratio(AtCorner gain) {
    return gain == AtCorner::minus_6_db ? 1.0 : std::pow(std::numbers::sqrt2 - 1.0, 0.25);
}

/// Second-order section.
struct Biquad {
    double b0, b1, b2, a1, a2;
    double steady_gain;  ///< of a constant
};

// Bilinear transform of H(s) = 1/(s^2 + sqrt(2) s + 1) or s^2/(...), prewarped. `angle`: pi times the frequency per
// sampling rate.
Biquad low_pass(double angle, AtCorner gain) {
    const double k = std::tan(angle) / corner_ratio(gain);
    const double norm = 1.0 / (1.0 + std::numbers::sqrt2 * k + k * k);
    return {k * k * norm,
            2.0 * k * k * norm,
            k * k * norm,
            2.0 * (k * k - 1.0) * norm,
            (1.0 - std::numbers::sqrt2 * k + k * k) * norm,
            1.0};
}
Biquad high_pass(double angle, AtCorner gain) {
    const double k = std::tan(angle) * corner_ratio(gain);
    const double norm = 1.0 / (1.0 + std::numbers::sqrt2 * k + k * k);
    return {norm, -2.0 * norm, norm, 2.0 * (k * k - 1.0) * norm, (1.0 - std::numbers::sqrt2 * k + k * k) * norm, 0.0};
}

// Transposed direct form II, started in the steady state of the first sample.
void run_forward(const Biquad& f, std::vector<double>& samples) {
    double z1 = (f.b1 - f.steady_gain * f.a1 + f.b2 - f.steady_gain * f.a2) * samples.front();
    double z2 = (f.b2 - f.steady_gain * f.a2) * samples.front();
    for (double& sample : samples) {
        const double in = sample;
        const double out = f.b0 * in + z1;
        z1 = f.b1 * in - f.a1 * out + z2;
        z2 = f.b2 * in - f.a2 * out;
        sample = out;
    }
}

/// Forward and backward; what is left when `pad` samples at either end are taken off again.
std::vector<double> both_passes(const Biquad& filter, std::vector<double> padded, std::size_t pad) {
    run_forward(filter, padded);
    std::reverse(padded.begin(), padded.end());
    run_forward(filter, padded);
    std::reverse(padded.begin(), padded.end());
    const auto ends = static_cast<std::ptrdiff_t>(pad);
    return {padded.begin() + ends, padded.end() - ends};
}

/// Continued by odd reflection: a slope goes on. pad < samples.size().
std::vector<double> reflected(std::span<const double> samples, std::size_t pad) {
    const std::size_t count = samples.size();
    std::vector<double> longer;
    longer.reserve(count + 2 * pad);
    for (std::size_t i = pad; i > 0; --i) longer.push_back(2.0 * samples[0] - samples[i]);
    longer.insert(longer.end(), samples.begin(), samples.end());
    for (std::size_t i = 1; i <= pad; ++i) longer.push_back(2.0 * samples[count - 1] - samples[count - 1 - i]);
    return longer;
}

/// Continued to both sides by their mirror image, again and again: what is constant stays constant.
std::vector<double> mirrored(std::span<const double> samples, std::size_t pad) {
    const std::size_t count = samples.size(), period = 2 * count;
    std::vector<double> longer(count + 2 * pad);
    for (std::size_t i = 0; i < longer.size(); ++i) {
        const std::size_t place = (i + period * (pad / period + 1) - pad) % period;
        longer[i] = samples[place < count ? place : period - 1 - place];
    }
    return longer;
}

}  // namespace

std::vector<double> zero_phase_low_pass(std::span<const double> samples, double sampling_rate_hz, double cutoff_hz) {
    const std::size_t count = samples.size();
    if (count < 3 || cutoff_hz >= 0.4 * sampling_rate_hz || !(cutoff_hz > 0.0)) return {samples.begin(), samples.end()};
    const double relative = cutoff_hz / sampling_rate_hz;
    // Six time constants of the slowest pole leave 0.2 % of a start-up error.
    const auto wanted = static_cast<std::size_t>(std::ceil(2.0 / relative));
    const std::size_t pad = std::min(count - 1, wanted);
    return both_passes(low_pass(std::numbers::pi * relative, AtCorner::minus_3_db), reflected(samples, pad), pad);
}

std::vector<double> zero_phase_high_pass(std::span<const double> samples, double step_s, double corner_hz) {
    constexpr double kPadPeriods = 3.0;  // the filter's memory has died out to below 1e-5
    const auto pad = static_cast<std::size_t>(std::min(kPadPeriods / (corner_hz * step_s), 1e6));
    return both_passes(high_pass(std::numbers::pi * corner_hz * step_s, AtCorner::minus_6_db), mirrored(samples, pad),
                       pad);
}

}  // namespace topple::hil::signal
