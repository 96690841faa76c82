#include "hil/compare/camera_clock.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hil/signal/differences.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kSearchStepLeast_s = 0.002, kSearchStepMost_s = 0.01;
constexpr double kNear_s = 0.1;  // a given start is good to so much
constexpr int kIterations = 30;
constexpr double kConverged_s = 1e-9;
constexpr double kStepMost_s = 0.05;  // of one iteration
constexpr double kRateSigmas = 3.0;
constexpr double kMovesLeast_rad = 2e-3;  // rms: a block that hardly moves has no time

/// Reference and its rate at any time; outside of the believed part it says nothing.
class Reference {
  public:
    explicit Reference(const ClockReference& reference) : r_(reference) {
        for (const auto& block : r_.rotation_rad) rate_.push_back(signal::first_difference(block, r_.grid.step_s));
    }
    bool covers(double time_s) const {
        return time_s >= r_.grid.start_s && time_s <= std::min(r_.grid.end_s(), r_.until_s);
    }
    double rotation_rad(std::size_t block, double time_s) const {
        return signal::interpolate(r_.grid, r_.rotation_rad[block], time_s);
    }
    double rate_rad_s(std::size_t block, double time_s) const {
        return signal::interpolate(r_.grid, rate_[block], time_s);
    }

  private:
    const ClockReference& r_;
    std::vector<std::vector<double>> rate_;
};

/// One reading of the camera that the reference covers.
struct Reading {
    double time_s;  ///< camera
    double difference_rad, rate_rad_s, seen_rad, expected_rad;
};

std::vector<Reading> readings(const CameraFrames& frames, const Reference& reference, const ClockLine& line) {
    std::vector<Reading> list;
    for (std::size_t i = 0; i < frames.time_s.size(); ++i) {
        const double t = line.of(frames.time_s[i]);
        if (!reference.covers(t)) continue;
        for (std::size_t block = 0; block < frames.rotation_rad.size(); ++block) {
            const double seen = frames.rotation_rad[block][i], expected = reference.rotation_rad(block, t);
            if (!std::isfinite(seen) || !std::isfinite(expected)) continue;
            list.push_back({frames.time_s[i], seen - expected, reference.rate_rad_s(block, t), seen, expected});
        }
    }
    return list;
}

struct Part {
    double time_s = 0.0, lag_s = 0.0;  ///< camera time, weighted; positive: the line is too early there
};

/// Parts of equal energy of the rate.
std::vector<Part> parts_of(const std::vector<Reading>& list) {
    double energy = 0.0;
    for (const Reading& r : list) energy += r.rate_rad_s * r.rate_rad_s;
    std::vector<Part> parts;
    double below = 0.0, sum_time = 0.0, sum_lag = 0.0, sum = 0.0;
    for (const Reading& r : list) {
        const double weight = r.rate_rad_s * r.rate_rad_s;
        sum += weight;
        sum_time += weight * r.time_s;
        sum_lag += r.rate_rad_s * r.difference_rad;
        if (below + sum < energy * static_cast<double>(parts.size() + 1) / kLagParts * (1.0 - 1e-12)) continue;
        parts.push_back({sum_time / sum, sum_lag / sum});
        below += sum;
        sum = sum_time = sum_lag = 0.0;
    }
    return parts;
}

struct StraightLag {
    double at_mean_s = 0.0, slope = 0.0, mean_time_s = 0.0, spread_s2 = 0.0, residual_s = 0.0;
};

StraightLag straight(const std::vector<Part>& parts, bool with_slope) {
    StraightLag lag;
    const double n = static_cast<double>(parts.size());
    for (const Part& p : parts) lag.mean_time_s += p.time_s / n, lag.at_mean_s += p.lag_s / n;
    double product = 0.0;
    for (const Part& p : parts) {
        lag.spread_s2 += std::pow(p.time_s - lag.mean_time_s, 2);
        product += (p.time_s - lag.mean_time_s) * p.lag_s;
    }
    if (with_slope && lag.spread_s2 > 0.0) lag.slope = product / lag.spread_s2;
    double square = 0.0;
    for (const Part& p : parts)
        square += std::pow(p.lag_s - lag.at_mean_s - lag.slope * (p.time_s - lag.mean_time_s), 2);
    lag.residual_s = std::sqrt(square / std::max(1.0, n - (with_slope ? 2.0 : 1.0)));
    return lag;
}

void describe(const std::vector<Reading>& list, LagFit& fit) {
    double product = 0.0, seen = 0.0, expected = 0.0;
    for (const Reading& r : list) {
        product += r.seen_rad * r.expected_rad;
        seen += r.seen_rad * r.seen_rad;
        expected += r.expected_rad * r.expected_rad;
    }
    fit.correlation = seen * expected > 0.0 ? product / std::sqrt(seen * expected) : 0.0;
    fit.gain = expected > 0.0 ? product / expected : 1.0;
}

bool moves(const std::vector<Reading>& list) {
    double square = 0.0;
    for (const Reading& r : list) square += r.expected_rad * r.expected_rad;
    return list.size() > 2 * kLagParts && std::sqrt(square / static_cast<double>(list.size())) > kMovesLeast_rad;
}

/// Values on an even grid of the camera's time; zero where nothing was seen.
std::vector<double> on_even_times(const CameraFrames& frames, std::size_t block, double step_s, std::size_t count) {
    signal::SampleGaps gaps;
    const signal::Samples samples = signal::clean_samples(frames.time_s, frames.rotation_rad[block], step_s, gaps);
    if (samples.time_s.empty()) return std::vector<double>(count, 0.0);
    return signal::resample_linear(samples, {frames.time_s.front(), step_s, count});
}

struct EvenHistories {
    double step_s = 0.0;
    double reference_start_s = 0.0;
    std::vector<std::vector<double>> camera, reference;
    std::vector<double> camera_energy;  ///< of all samples before each, and of all
    double reference_energy = 0.0;
};

EvenHistories even_histories(const CameraFrames& frames, const ClockReference& reference) {
    EvenHistories even;
    even.step_s = std::clamp(signal::typical_step_s(frames.time_s), kSearchStepLeast_s, kSearchStepMost_s);
    even.reference_start_s = reference.grid.start_s;
    const double end_s = std::min(reference.grid.end_s(), reference.until_s);
    const auto steps = [&](double span_s) { return static_cast<std::size_t>(std::max(0.0, span_s) / even.step_s) + 1; };
    const std::size_t camera_count = steps(frames.time_s.back() - frames.time_s.front());
    even.camera_energy.assign(camera_count + 1, 0.0);
    for (std::size_t block = 0; block < frames.rotation_rad.size(); ++block) {
        even.camera.push_back(on_even_times(frames, block, even.step_s, camera_count));
        std::vector<double> values(steps(end_s - reference.grid.start_s));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double value = signal::interpolate(reference.grid, reference.rotation_rad[block],
                                                     reference.grid.start_s + even.step_s * static_cast<double>(i));
            values[i] = std::isfinite(value) ? value : 0.0;
            even.reference_energy += values[i] * values[i];
        }
        even.reference.push_back(std::move(values));
        for (std::size_t i = 0; i < camera_count; ++i)
            even.camera_energy[i + 1] += even.camera.back()[i] * even.camera.back()[i];
    }
    std::partial_sum(even.camera_energy.begin(), even.camera_energy.end(), even.camera_energy.begin());
    return even;
}

struct Explained {
    double same = 0.0, reversed = 0.0;
};

/// With the camera's sample 0 at the reference's sample `shift`.
Explained explained_at(const EvenHistories& even, std::ptrdiff_t shift) {
    const std::ptrdiff_t from = std::max<std::ptrdiff_t>(0, -shift);
    const std::ptrdiff_t to = std::min(std::ssize(even.camera.front()), std::ssize(even.reference.front()) - shift);
    if (to <= from || !(even.reference_energy > 0.0)) return {};
    double product = 0.0;
    for (std::size_t block = 0; block < even.camera.size(); ++block)
        product += std::inner_product(even.camera[block].begin() + from, even.camera[block].begin() + to,
                                      even.reference[block].begin() + from + shift, 0.0);
    const double energy =
        even.camera_energy[static_cast<std::size_t>(to)] - even.camera_energy[static_cast<std::size_t>(from)];
    return {(2.0 * product - energy) / even.reference_energy, (-2.0 * product - energy) / even.reference_energy};
}

}  // namespace

ClockSearch search_clock(const CameraFrames& frames, const ClockReference& reference, std::optional<double> around_s) {
    ClockSearch best;
    const EvenHistories even = even_histories(frames, reference);
    std::ptrdiff_t from = -std::ssize(even.camera.front()), to = std::ssize(even.reference.front());
    const double first_s = frames.time_s.front();
    if (around_s) {
        const double middle = (*around_s + first_s - even.reference_start_s) / even.step_s;
        from = static_cast<std::ptrdiff_t>(std::floor(middle - kNear_s / even.step_s));
        to = static_cast<std::ptrdiff_t>(std::ceil(middle + kNear_s / even.step_s));
    }
    for (std::ptrdiff_t shift = from; shift <= to; ++shift) {
        const Explained explained = explained_at(even, shift);
        const double offset_s = even.reference_start_s + even.step_s * static_cast<double>(shift) - first_s;
        if (explained.same > best.same) best.same = explained.same, best.same_offset_s = offset_s;
        if (explained.reversed > best.reversed) best.reversed = explained.reversed, best.reversed_offset_s = offset_s;
    }
    return best;
}

LagFit examine_clock(const CameraFrames& frames, const ClockReference& reference, const ClockLine& line) {
    LagFit fit;
    fit.line = line;
    const std::vector<Reading> list = readings(frames, Reference(reference), line);
    if (!moves(list)) return fit;
    const std::vector<Part> parts = parts_of(list);
    if (parts.size() < 3) return fit;
    fit.found = true;
    describe(list, fit);
    double square = 0.0;
    for (const Part& part : parts) square += part.lag_s * part.lag_s;
    fit.residual_s = std::sqrt(square / static_cast<double>(parts.size()));
    return fit;
}

LagFit fit_clock(const CameraFrames& frames, const ClockReference& reference, const ClockLine& start, bool fit_rate) {
    const Reference believed(reference);
    LagFit fit;
    fit.line = start;
    StraightLag lag;
    std::size_t count = 0;
    for (int i = 0; i < kIterations; ++i) {
        const std::vector<Reading> list = readings(frames, believed, fit.line);
        if (!moves(list)) return fit;
        const std::vector<Part> parts = parts_of(list);
        if (parts.size() < 3) return fit;
        lag = straight(parts, fit_rate);
        count = parts.size();
        const double step_s = std::clamp(lag.at_mean_s, -kStepMost_s, kStepMost_s);
        fit.line.rate += lag.slope;
        fit.line.offset_s += step_s - lag.slope * lag.mean_time_s;
        describe(list, fit);
        if (std::abs(lag.at_mean_s) < kConverged_s && std::abs(lag.slope) < kConverged_s) break;
    }
    fit.found = true;
    fit.residual_s = lag.residual_s;
    fit.offset_error_s = lag.residual_s / std::sqrt(static_cast<double>(count));
    fit.rate_error = lag.spread_s2 > 0.0 ? lag.residual_s / std::sqrt(lag.spread_s2) : 0.0;
    if (!fit_rate || std::abs(fit.line.rate - 1.0) >= kRateSigmas * fit.rate_error) return fit;
    LagFit plain = fit_clock(frames, reference, {fit.line.of(lag.mean_time_s) - lag.mean_time_s, 1.0}, false);
    plain.rate_error = fit.rate_error;
    return plain;
}

}  // namespace topple::hil::compare
