#include "hil/fused_motion/weak_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <unsupported/Eigen/FFT>

#include "hil/signal/statistics.hpp"

namespace topple::hil::fused_motion {
namespace {

using Spectrum = std::vector<std::complex<double>>;

constexpr double kTaper_s = 0.5;        // each end: short, so that it takes little of a motion that begins soon
constexpr double kTaperSteps = 20.0;    // of the coarser channel, at least: its sums must be integrals
constexpr double kTaper_ratio = 0.125;  // of the whole, at most
constexpr double kBand_ratio = 0.25;    // of the slower rate: below, neither its samples nor their spline are at fault
constexpr std::size_t kFewest = 64;

/// Even sampling of one channel over the whole, `times` times as fine as the coarser one.
struct Sampling {
    double start_s = 0.0, step_s = 0.0;
    std::size_t count = 0;
};

/// Largest count that the transform takes quickly: only factors 2, 3 and 5.
std::size_t quick_count(std::size_t most) {
    std::size_t best = 1;
    for (std::size_t two = 1; two <= most; two *= 2)
        for (std::size_t three = two; three <= most; three *= 3)
            for (std::size_t five = three; five <= most; five *= 5) best = std::max(best, five);
    return best;
}

std::size_t quick_multiple(double ratio) {
    auto multiple = static_cast<std::size_t>(std::max(1.0, std::round(ratio)));
    while (quick_count(multiple) != multiple) ++multiple;
    return multiple;
}

/// Quintic smooth step and its two derivatives: all but the value are zero at both ends, so sums are integrals.
std::array<double, 3> smooth_step(double s) {
    return {s * s * s * (10.0 + s * (-15.0 + 6.0 * s)), 30.0 * s * s * (1.0 - s) * (1.0 - s),
            60.0 * s * (1.0 - s) * (1.0 - 2.0 * s)};
}

/// 1 but for a smooth step at either end.
struct Window {
    double duration_s, taper_s;

    Window(double whole_s, double coarse_s)
        : duration_s(whole_s), taper_s(std::min(std::max(kTaper_s, kTaperSteps * coarse_s), kTaper_ratio * whole_s)) {}

    /// w, w' and w''.
    std::array<double, 3> at(double time_s) const {
        const bool is_late = time_s > 0.5 * duration_s;
        const double s = (is_late ? duration_s - time_s : time_s) / taper_s;
        if (s >= 1.0) return {1.0, 0.0, 0.0};
        const auto [value, slope, bend] = smooth_step(std::max(s, 0.0));
        return {value, (is_late ? -slope : slope) / taper_s, bend / (taper_s * taper_s)};
    }
};

/// step Sum value(t) exp(-i omega t), t from the start of the whole.
Spectrum integrals(const std::vector<double>& values, double step_s, std::size_t bins) {
    Eigen::FFT<double> transform;
    transform.SetFlag(Eigen::FFT<double>::HalfSpectrum);
    Spectrum spectrum;
    transform.fwd(spectrum, values);
    spectrum.resize(bins);
    for (auto& value : spectrum) value *= step_s;
    return spectrum;
}

std::vector<double> weighed(const std::vector<double>& values, double step_s, const Window& window, int derivative) {
    std::vector<double> product(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        product[i] = values[i] * window.at(step_s * static_cast<double>(i))[static_cast<std::size_t>(derivative)];
    return product;
}

std::vector<double> sampled(const signal::Samples& samples, const Sampling& sampling) {
    return signal::resample_smooth(samples, {sampling.start_s, sampling.step_s, sampling.count});
}

/// A straight line through both ends changes nothing of the integrals and keeps their sums small.
void remove_line(std::vector<double>& values) {
    const double first = values.front(), slope = (values.back() - first) / static_cast<double>(values.size() - 1);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] -= first + slope * static_cast<double>(i);
}

double smallest_step(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    double least = 0.0;
    const double travel = values.back() - values.front();
    for (std::size_t i = 1; i < values.size(); ++i) {
        const double step = values[i] - values[i - 1];
        if (step > 1e-9 * travel && (least == 0.0 || step < least)) least = step;
    }
    return least;
}

/// By the third difference, of which a motion leaves little; the median of its size, so that impacts do not count.
double scatter_density(const signal::Samples& samples) {
    constexpr double kGain = 20.0;            // of a third difference, 1 + 9 + 9 + 1
    constexpr double kNormal_ratio = 0.6745;  // median of the size, per standard deviation
    std::vector<double> size;
    const std::vector<double>& v = samples.value;
    for (std::size_t i = 3; i < v.size(); ++i)
        size.push_back(std::abs(v[i] - 3.0 * v[i - 1] + 3.0 * v[i - 2] - v[i - 3]));
    const double deviation = signal::median(std::move(size)) / kNormal_ratio;
    return deviation * deviation / kGain * signal::typical_step_s(samples.time_s);
}

/// Of both channels: the coarser one keeps its own sample times.
std::array<Sampling, 2> common_samplings(const MeasuredMotion& measured, double spare_s) {
    const signal::Samples& d = measured.displacement;
    const signal::Samples& a = measured.acceleration;
    if (d.time_s.size() < kFewest || a.time_s.size() < kFewest)
        throw std::invalid_argument(fmt::format("{} displacements and {} accelerations: at least {} of each are needed",
                                                d.time_s.size(), a.time_s.size(), kFewest));
    const double interpolated_s = measured.displacement_rate_hz > 0.0 ? 1.0 / measured.displacement_rate_hz : 0.0;
    const double d_step_s = std::max(signal::typical_step_s(d.time_s), interpolated_s);
    const double a_step_s = signal::typical_step_s(a.time_s);
    const double from_s = std::max(d.time_s.front(), a.time_s.front() + spare_s);
    const double to_s = std::min(d.time_s.back(), a.time_s.back() - spare_s);
    const double coarse_s = std::max(d_step_s, a_step_s), fine_s = std::min(d_step_s, a_step_s);
    const std::vector<double>& times_s = d_step_s >= a_step_s ? d.time_s : a.time_s;
    const auto first = std::lower_bound(times_s.begin(), times_s.end(), from_s);
    const double start_s = first == times_s.end() ? to_s : *first;
    const double steps = (to_s - start_s) / coarse_s;
    if (!(steps >= static_cast<double>(kFewest)))
        throw std::invalid_argument(
            fmt::format("displacement and acceleration were measured together for {:.3g} s only, {:.0f} samples of the "
                        "slower one; at least {} are needed",
                        std::max(0.0, to_s - from_s), std::max(0.0, std::floor(steps)), kFewest));
    const std::size_t count = quick_count(static_cast<std::size_t>(steps));
    const std::size_t multiple = quick_multiple(coarse_s / fine_s);
    const Sampling coarse{start_s, coarse_s, count};
    const Sampling fine{start_s, coarse_s / static_cast<double>(multiple), count * multiple};
    return d_step_s >= a_step_s ? std::array{coarse, fine} : std::array{fine, coarse};
}

/// By Parseval's theorem, of the windowed reading about its mean.
double seen_ratio(const WeakForm& form, std::vector<double> reading, double step_s, const Window& window) {
    const double mean = std::accumulate(reading.begin(), reading.end(), 0.0) / static_cast<double>(reading.size());
    for (double& value : reading) value -= mean;
    double all = 0.0, seen = 0.0;
    for (const double value : weighed(reading, step_s, window, 0)) all += step_s * value * value;
    for (std::size_t k = 0; k < form.reading.size(); ++k)
        seen += (k == 0 ? 1.0 : 2.0) * std::norm(form.reading[k] - mean * form.one[k]) / form.duration_s;
    return all > 0.0 ? seen / all : 1.0;
}

}  // namespace

WeakForm weak_form(const MeasuredMotion& measured, double shift_s, double spare_s) {
    const auto [d, a] = common_samplings(measured, spare_s);
    std::vector<double> displacement_m = sampled(measured.displacement, d);
    const std::vector<double> reading = sampled(measured.acceleration, {a.start_s + shift_s, a.step_s, a.count});
    WeakForm form;
    form.duration_s = d.step_s * static_cast<double>(d.count);
    form.displacement_step_s = d.step_s;
    const Window window(form.duration_s, std::max(d.step_s, a.step_s));
    form.resolution_m = smallest_step(measured.displacement.value);
    form.reading_density = scatter_density(measured.acceleration);
    const auto [low, high] = std::minmax_element(displacement_m.begin(), displacement_m.end());
    form.travel_m = *high - *low;
    remove_line(displacement_m);
    const auto bins = static_cast<std::size_t>(kBand_ratio * form.duration_s / std::max(d.step_s, a.step_s));
    form.reading = integrals(weighed(reading, a.step_s, window, 0), a.step_s, bins);
    form.one = integrals(weighed(std::vector<double>(a.count, 1.0), a.step_s, window, 0), a.step_s, bins);
    form.seen_ratio = seen_ratio(form, reading, a.step_s, window);
    const Spectrum value = integrals(weighed(displacement_m, d.step_s, window, 0), d.step_s, bins);
    const Spectrum slope = integrals(weighed(displacement_m, d.step_s, window, 1), d.step_s, bins);
    const Spectrum bend = integrals(weighed(displacement_m, d.step_s, window, 2), d.step_s, bins);
    std::array<double, 3> square{};  // integrals of w^2, w'^2 and w''^2
    for (std::size_t i = 0; i < d.count; ++i) {
        const auto w = window.at(d.step_s * static_cast<double>(i));
        for (std::size_t j = 0; j < square.size(); ++j) square[j] += d.step_s * w[j] * w[j];
    }
    form.flat_ratio = square[0] / form.duration_s;
    for (std::size_t k = 0; k < bins; ++k) {
        const double omega = 2.0 * std::numbers::pi * static_cast<double>(k) / form.duration_s;
        form.omega_rad_s.push_back(omega);
        // The second derivative of w exp(-i omega t) is (w'' - 2 i omega w' - omega^2 w) exp(-i omega t).
        form.displacement.push_back(bend[k] - std::complex(0.0, 2.0 * omega) * slope[k] - omega * omega * value[k]);
        form.reading_gain_s.push_back(square[0]);
        form.displacement_gain.push_back(std::pow(omega, 4) * square[0] + 4.0 * omega * omega * square[1] + square[2]);
    }
    return form;
}

}  // namespace topple::hil::fused_motion
