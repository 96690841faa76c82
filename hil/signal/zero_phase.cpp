#include "hil/signal/zero_phase.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace topple::hil::signal {
namespace {

// |H|^2 of one pass, 1/(1 + r^4) with r = w/wc, is the gain of both: 1/sqrt(2), -3 dB, at this r.
const double kMinus3dB_ratio = std::pow(std::numbers::sqrt2 - 1.0, 0.25);

/// Second-order section.
struct Biquad {
    double b0, b1, b2, a1, a2;
    double steady_gain;  ///< of a constant
};

// Bilinear transform of H(s) = 1/(s^2 + sqrt(2) s + 1), prewarped. `angle`: pi times the frequency per
// sampling rate.
Biquad low_pass(double angle) {
    const double k = std::tan(angle) / kMinus3dB_ratio;
    const double norm = 1.0 / (1.0 + std::numbers::sqrt2 * k + k * k);
    return {k * k * norm,
            2.0 * k * k * norm,
            k * k * norm,
            2.0 * (k * k - 1.0) * norm,
            (1.0 - std::numbers::sqrt2 * k + k * k) * norm,
            1.0};
}

/// s^2/(s^2 + damping s + 1), and s/(s + 1); their corner stays where it is in both passes, -6 dB.
Biquad high_pass_pair(double angle, double damping) {
    const double k = std::tan(angle), norm = 1.0 / (1.0 + damping * k + k * k);
    return {norm, -2.0 * norm, norm, 2.0 * (k * k - 1.0) * norm, (1.0 - damping * k + k * k) * norm, 0.0};
}
Biquad high_pass_single(double angle) {
    const double k = std::tan(angle), norm = 1.0 / (1.0 + k);
    return {norm, -norm, 0.0, (k - 1.0) * norm, 0.0, 0.0};
}

/// Butterworth: the poles lie evenly on the half circle, in pairs; an odd order has one on the axis.
std::vector<Biquad> high_pass_sections(double angle, int order) {
    std::vector<Biquad> sections;
    for (int i = 0; i < order / 2; ++i)
        sections.push_back(high_pass_pair(angle, 2.0 * std::sin(std::numbers::pi * (2 * i + 1) / (2.0 * order))));
    if (order % 2 == 1) sections.push_back(high_pass_single(angle));
    return sections;
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
std::vector<double> both_passes(const std::vector<Biquad>& sections, std::vector<double> padded, std::size_t pad) {
    for (int pass = 0; pass < 2; ++pass) {
        for (const Biquad& section : sections) run_forward(section, padded);
        std::reverse(padded.begin(), padded.end());
    }
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
    return both_passes({low_pass(std::numbers::pi * relative)}, reflected(samples, pad), pad);
}

std::vector<double> zero_phase_high_pass(std::span<const double> samples, double step_s, double corner_hz) {
    return zero_phase_high_pass(samples, step_s, HighPass{.corner_hz = corner_hz}).samples;
}

double pad_samples(const HighPass& filter, double step_s) {
    // Of the mirror image, 1.5 periods per order: the filter's memory has died out to below 1e-5.
    const int order = filter.padding == Padding::zeros ? 2 * filter.order : filter.order;
    return 1.5 * order / (filter.corner_hz * step_s);
}

Filtered zero_phase_high_pass(std::span<const double> samples, double step_s, const HighPass& filter) {
    constexpr double kMost = 1e6;
    const std::vector<Biquad> sections = high_pass_sections(std::numbers::pi * filter.corner_hz * step_s, filter.order);
    const double wanted = std::min(pad_samples(filter, step_s), kMost);
    if (filter.padding == Padding::mirror) {
        const auto pad = static_cast<std::size_t>(wanted);
        return {both_passes(sections, mirrored(samples, pad), pad), 0};
    }
    const auto pad = static_cast<std::size_t>(std::ceil(wanted));
    std::vector<double> longer(samples.size() + 2 * pad, 0.0);
    std::copy(samples.begin(), samples.end(), longer.begin() + static_cast<std::ptrdiff_t>(pad));
    return {both_passes(sections, std::move(longer), 0), pad};
}

}  // namespace topple::hil::signal
