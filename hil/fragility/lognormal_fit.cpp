#include "hil/fragility/lognormal_fit.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "hil/fragility/normal_tail.hpp"

namespace topple::hil::fragility {
namespace {

/// z = a + b (ln x - centre).
struct Line {
    double a = 0.0, b = 0.0;
};

struct Step {
    double a = 0.0, b = 0.0;
    double gain = 0.0;  ///< of the likelihood, to second order
};

struct Probit {
    std::span<const IntensityCount> counts;
    double centre = 0.0;

    double log_likelihood(const Line& line) const {
        double sum = 0.0;
        for (const IntensityCount& one : counts) {
            const double z = line.a + line.b * (std::log(one.intensity) - centre);
            const auto fallen = static_cast<double>(one.overturned);
            const auto stood = static_cast<double>(one.runs - one.overturned);
            if (fallen > 0.0) sum += fallen * log_phi(z);
            if (stood > 0.0) sum += stood * log_phi(-z);
        }
        return sum;
    }

    /// One step of Fisher's scoring; nothing if the information is singular.
    std::optional<Step> step(const Line& line) const {
        double g0 = 0.0, g1 = 0.0, h00 = 0.0, h01 = 0.0, h11 = 0.0;
        for (const IntensityCount& one : counts) {
            const double x = std::log(one.intensity) - centre, z = line.a + line.b * x;
            const double up = hazard_below(z), down = hazard_below(-z);
            const double score =
                static_cast<double>(one.overturned) * up - static_cast<double>(one.runs - one.overturned) * down;
            const double weight = static_cast<double>(one.runs) * up * down;
            g0 += score;
            g1 += score * x;
            h00 += weight;
            h01 += weight * x;
            h11 += weight * x * x;
        }
        const double determinant = h00 * h11 - h01 * h01;
        if (!(determinant > 1e-14 * h00 * h11)) return std::nullopt;
        const double a = (h11 * g0 - h01 * g1) / determinant, b = (h00 * g1 - h01 * g0) / determinant;
        return Step{a, b, 0.5 * (a * g0 + b * g1)};
    }
};

/// Halves the step until the likelihood does not fall. Nothing if that does not lead to a maximum.
std::optional<Line> maximise(const Probit& probit) {
    constexpr int kIterations = 200, kHalvings = 40;
    constexpr double kDone = 1e-13, kNear = 1e-8;  // gain of the likelihood: far below what could be told apart
    Line line;
    double best = probit.log_likelihood(line), gain = 0.0;
    for (int i = 0; i < kIterations; ++i) {
        const auto step = probit.step(line);
        if (!step) return std::nullopt;
        gain = step->gain;
        if (gain < kDone) return line;
        double share = 1.0;
        Line next = line;
        double likelihood = best;
        const int tries = gain < kNear ? 1 : kHalvings;  // so near, a likelihood that falls is rounding
        for (int k = 0; k < tries; ++k, share *= 0.5) {
            next = {line.a + share * step->a, line.b + share * step->b};
            likelihood = probit.log_likelihood(next);
            if (likelihood >= best) break;
        }
        if (!(likelihood >= best)) break;
        line = next;
        best = likelihood;
    }
    return gain < kNear ? std::optional(line) : std::nullopt;
}

/// Counts that a step explains: none fall below it, all above it, and at most at one intensity a part of them.
std::optional<LognormalFit> as_step(std::span<const IntensityCount> counts) {
    const auto stands = [](const IntensityCount& one) { return one.overturned == 0; };
    const auto falls = [](const IntensityCount& one) { return one.overturned == one.runs; };
    const auto first = std::find_if_not(counts.begin(), counts.end(), stands);
    const auto above = falls(*first) ? first : first + 1;
    if (!std::all_of(above, counts.end(), falls)) return std::nullopt;
    if (above == counts.end() || first == counts.begin()) return LognormalFit{FitState::too_few};
    LognormalFit fit{FitState::step};
    fit.bracket_low = std::prev(first)->intensity;
    fit.bracket_high = above->intensity;
    fit.median = above == first ? std::sqrt(fit.bracket_low * fit.bracket_high) : first->intensity;
    return fit;
}

void judge(std::span<const IntensityCount> counts, double runs_per_motion, LognormalFit& fit) {
    const auto term = [](double seen, double expected) { return seen > 0.0 ? seen * std::log(seen / expected) : 0.0; };
    std::size_t telling = 0;
    for (const IntensityCount& one : counts) {
        const double p = fit.at(one.intensity), n = static_cast<double>(one.runs) / runs_per_motion;
        if (!(n * p * (1 - p) >= 1.0)) continue;
        ++telling;
        const double fallen = static_cast<double>(one.overturned) / runs_per_motion;
        fit.deviance += 2 * (term(fallen, n * p) + term(n - fallen, n * (1 - p)));
    }
    fit.degrees = telling > 2 ? telling - 2 : 0;
    if (fit.degrees > 0)
        fit.probability = boost::math::cdf(boost::math::complement(
            boost::math::chi_squared(static_cast<double>(fit.degrees)), std::max(0.0, fit.deviance)));
}

}  // namespace

std::string_view name(FitState state) noexcept {
    switch (state) {
        case FitState::fitted: return "fitted";
        case FitState::extrapolated: return "extrapolated";
        case FitState::step: return "step";
        case FitState::none_falls: return "uninformative: no run overturned";
        case FitState::all_fall: return "uninformative: every run overturned";
        case FitState::too_few: return "uninformative: a part of the runs overturned at the first or last value only";
        case FitState::no_runs: return "uninformative: no run is done";
        case FitState::unconverged: return "uninformative: no curve of greatest likelihood was found";
        case FitState::not_rising: return "uninformative: overturning does not grow with intensity";
    }
    return "";
}

double LognormalFit::at(double intensity) const noexcept {
    if (state == FitState::step) return intensity < median ? 0.0 : intensity > median ? 1.0 : 0.5;
    return phi(std::log(intensity / median) / dispersion);
}

LognormalFit fit_lognormal(std::span<const IntensityCount> counts, double runs_per_motion) {
    std::vector<IntensityCount> seen;
    std::uint64_t runs = 0, overturned = 0;
    for (const IntensityCount& one : counts) {
        if (one.runs > 0) seen.push_back(one);
        runs += one.runs;
        overturned += one.overturned;
    }
    if (runs == 0) return {FitState::no_runs};
    if (overturned == 0) return {FitState::none_falls};
    if (overturned == runs) return {FitState::all_fall};
    if (const auto step = as_step(seen)) return *step;
    Probit probit{seen, 0.0};
    for (const IntensityCount& one : seen) probit.centre += std::log(one.intensity) / static_cast<double>(seen.size());
    const std::optional<Line> line = maximise(probit);
    if (!line) return {FitState::unconverged};
    LognormalFit fit{FitState::fitted, std::exp(probit.centre - line->a / line->b), 1.0 / line->b};
    if (!(line->b > 1e-6) || !std::isfinite(fit.median) || !(fit.median > 0.0)) return {FitState::not_rising};
    if (fit.median < seen.front().intensity || fit.median > seen.back().intensity) fit.state = FitState::extrapolated;
    judge(seen, runs_per_motion, fit);
    return fit;
}

}  // namespace topple::hil::fragility
