#include "controller/iteration/learning_filter.hpp"

#include <algorithm>
#include <cmath>

#include "controller/iteration/fourier.hpp"

namespace topple::controller {
namespace {

using Complex = std::complex<double>;

constexpr double kEnd_s = 0.1;            // within which what the filter wants beyond the correction's ends is given up
constexpr double kSmoothing_hz = 1.0;     // to either side, over which coherence is taken
constexpr double kSmoothingWidths = 2.0;  // and at least as many widths of a line of this record

/// Change of the drive and of the platen's error from one pass to the next.
struct Increment {
    Spectrum drive, error;
};

double low_pass(double hz) {
    const double r = hz / kLearningBandwidth_hz, r4 = r * r * r * r;
    return 1.0 / (1.0 + r4 * r4);
}

// Catmull and Rom's cubic through the four nearest samples; beyond the ends there is nothing.
double between(const std::vector<double>& v, double place) {
    const auto i = static_cast<std::ptrdiff_t>(std::floor(place));
    const auto at = [&v](std::ptrdiff_t k) {
        return k < 0 || k >= static_cast<std::ptrdiff_t>(v.size()) ? 0.0 : v[static_cast<std::size_t>(k)];
    };
    const double u = place - static_cast<double>(i), a = at(i - 1), b = at(i), c = at(i + 1), d = at(i + 2);
    return b + 0.5 * u * (c - a + u * (2.0 * a - 5.0 * b + 4.0 * c - d + u * (3.0 * (b - c) + d - a)));
}

Spectrum spectrum_on(const PassError& grid, const Correction& correction, std::size_t length) {
    std::vector<double> values(grid.displacement_m.size(), 0.0);
    if (!correction.empty())
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = between(correction.displacement_m,
                                (grid.start_s + grid.step_s * static_cast<double>(i)) / correction.step_s);
    return spectrum_of(values, length);
}

std::vector<Increment> increments_of(std::span<const LearnedPass> passes, std::size_t length) {
    std::vector<Increment> increments;
    for (std::size_t i = 1; i < passes.size(); ++i) {
        const PassError& grid = passes[i].error;
        Increment step{spectrum_on(grid, passes[i].correction, length), spectrum_of(grid.displacement_m, length)};
        const Spectrum drive = spectrum_on(grid, passes[i - 1].correction, length);
        const Spectrum error = spectrum_of(passes[i - 1].error.displacement_m, length);
        for (std::size_t k = 0; k < drive.size(); ++k) step.drive[k] -= drive[k], step.error[k] -= error[k];
        increments.push_back(std::move(step));
    }
    return increments;
}

// Transfer H = S_yu / S_uu of drive to platen about line k and its coherence, less what chance alone gives; the answer
// is w / H + (1 - w), w the coherence.
Complex inverse_at(std::size_t k, std::size_t half, const std::vector<Increment>& increments) {
    Complex yu = 0.0;
    double uu = 0.0, yy = 0.0, lines = 0.0;
    for (const Increment& step : increments) {
        const std::size_t last = std::min(step.drive.size() - 1, k + half);
        for (std::size_t j = k > half ? k - half : 0; j <= last; ++j, ++lines) {
            yu += step.error[j] * std::conj(step.drive[j]);
            uu += std::norm(step.drive[j]);
            yy += std::norm(step.error[j]);
        }
    }
    if (!(std::norm(yu) > 0.0) || !(yy > 0.0)) return 1.0;
    const double chance = 2.0 / lines;  // zeros behind the record: half as many lines are independent
    const double coherence = std::clamp((std::norm(yu) / (uu * yy) - chance) / (1.0 - chance), 0.0, 1.0);
    const Complex inverse = uu / yu;
    const double limit = std::min(1.0, kLearningGainMax / std::abs(inverse));
    return coherence * limit * inverse + (1.0 - coherence);
}

// Value and slope at an end are taken away by a cubic that fades within kEnd_s.
void settle_start(std::vector<double>& x, double step_s) {
    const auto fade = std::min(x.size() / 2, static_cast<std::size_t>(std::ceil(kEnd_s / step_s)));
    const double value = x[0], rise = 0.5 * (-3.0 * x[0] + 4.0 * x[1] - x[2]) * static_cast<double>(fade);
    for (std::size_t i = 0; i <= fade; ++i) {
        const double q = static_cast<double>(i) / static_cast<double>(fade), p = 1.0 - q;
        x[i] -= p * p * (value * (1.0 + 2.0 * q) + rise * q);
    }
    x[0] = 0.0;
}

}  // namespace

Correction learned_change(std::span<const LearnedPass> passes, std::size_t from, double duration_s, double gain) {
    const PassError& error = passes[from].error;
    const std::size_t length = transform_length(2 * error.displacement_m.size());
    const double line_hz = 1.0 / (static_cast<double>(length) * error.step_s);
    const double width_hz = 1.0 / (static_cast<double>(error.displacement_m.size()) * error.step_s);
    const auto half = static_cast<std::size_t>(std::max(kSmoothing_hz, kSmoothingWidths * width_hz) / line_hz);
    const std::vector<Increment> increments = increments_of(passes, length);
    Spectrum wanted = spectrum_of(error.displacement_m, length);
    for (std::size_t k = 0; k < wanted.size(); ++k)
        wanted[k] *= -gain * low_pass(static_cast<double>(k) * line_hz) * inverse_at(k, half, increments);
    std::vector<double> wanted_m = history_of(wanted, length);
    wanted_m.resize(error.displacement_m.size());
    Correction change = zero_correction(duration_s, error.step_s);
    std::vector<double>& x = change.displacement_m;
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = between(wanted_m, (static_cast<double>(i) * change.step_s - error.start_s) / error.step_s);
    settle_start(x, change.step_s);
    std::reverse(x.begin(), x.end());
    settle_start(x, change.step_s);
    std::reverse(x.begin(), x.end());
    return change;
}

}  // namespace topple::controller
