#include "hil/fragility/results.hpp"

#include <algorithm>
#include <cmath>

#include "solver/numerics/random_sequence.hpp"

namespace topple::hil::fragility {
namespace {

constexpr std::uint64_t kBootstrapSeed = 20'240'229;
constexpr double kLow = 0.05, kHigh = 0.95;

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double at = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

Interval interval_of(const std::vector<double>& values) { return {quantile(values, kLow), quantile(values, kHigh)}; }

/// Counts of motions, each as often as `weight` says.
std::vector<IntensityCount> weighted_counts(const Study& study, const Tally& tally,
                                            const std::vector<std::uint32_t>& weight) {
    std::vector<IntensityCount> counts;
    for (std::size_t v = 0; v < study.value_count(); ++v) {
        IntensityCount count{study.section.values[v]};
        for (std::size_t m = 0; m < study.motions.size(); ++m) {
            count.runs += std::uint64_t{weight[m]} * tally.at(m, v).runs;
            count.overturned += std::uint64_t{weight[m]} * tally.at(m, v).overturned;
        }
        counts.push_back(count);
    }
    return counts;
}

std::vector<ValueResult> values_of(const Study& study, const Tally& tally) {
    std::vector<ValueResult> values;
    for (std::size_t v = 0; v < study.value_count(); ++v) {
        ValueResult value{study.section.values[v]};
        for (std::size_t m = 0; m < study.motions.size(); ++m) {
            const RunCount& count = tally.at(m, v);
            value.runs += count.runs;
            value.overturned += count.overturned;
            value.uplifted += count.uplifted;
            value.failed += count.failed;
        }
        value.peak_16 = tally.peaks(v).fractile(0.16);
        value.peak_50 = tally.peaks(v).fractile(0.50);
        value.peak_84 = tally.peaks(v).fractile(0.84);
        values.push_back(value);
    }
    return values;
}

/// Motions drawn with replacement: their runs hang together, so that whole motions are drawn.
void resample(const Study& study, const Tally& tally, SpecimenResult& result) {
    const std::size_t motions = study.motions.size();
    if (motions < 2 || !is_informative(result.fit.state)) return;
    solver::SplitMix64 random(kBootstrapSeed);
    std::vector<double> median, dispersion;
    std::vector<std::vector<double>> probability(study.value_count());
    for (std::size_t i = 0; i < study.section.bootstrap; ++i) {
        std::vector<std::uint32_t> weight(motions, 0);
        for (std::size_t k = 0; k < motions; ++k)
            ++weight[std::min(motions - 1, static_cast<std::size_t>(random.uniform() * static_cast<double>(motions)))];
        const LognormalFit fit = fit_lognormal(weighted_counts(study, tally, weight));
        ++result.resamplings;
        if (!is_informative(fit.state)) {
            ++result.uninformative;
            continue;
        }
        median.push_back(fit.median);
        dispersion.push_back(fit.dispersion);
        for (std::size_t v = 0; v < study.value_count(); ++v) probability[v].push_back(fit.at(study.section.values[v]));
    }
    if (median.size() < 2) return;
    result.median_band = interval_of(median);
    result.dispersion_band = interval_of(dispersion);
    for (std::size_t v = 0; v < study.value_count(); ++v) result.values[v].band = interval_of(probability[v]);
}

/// Where the share of overturned members first reaches one half, between two values, straight over ln of the factor.
std::optional<double> overturning_scale(const Study& study, const Tally& tally, std::size_t motion) {
    constexpr double kHalf = 0.5;
    double before = 0.0;
    for (std::size_t v = 0; v < study.value_count(); ++v) {
        const RunCount& count = tally.at(motion, v);
        if (count.runs == 0) continue;
        const double share = static_cast<double>(count.overturned) / count.runs;
        if (share >= kHalf) {
            if (v == 0) return std::nullopt;
            const double low = std::log(study.scale(motion, v - 1)), high = std::log(study.scale(motion, v));
            return std::exp(low + (high - low) * (kHalf - before) / (share - before));
        }
        before = share;
    }
    return std::nullopt;
}

void judge_motions(const Study& study, const Tally& tally, SpecimenResult& result) {
    std::uint64_t overturned = 0;
    for (const ValueResult& value : result.values) overturned += value.overturned;
    std::vector<std::uint32_t> weight(study.motions.size(), 1);
    for (std::size_t m = 0; m < study.motions.size(); ++m) {
        MotionResult one;
        for (std::size_t v = 0; v < study.value_count(); ++v) {
            one.runs += tally.at(m, v).runs;
            one.overturned += tally.at(m, v).overturned;
            one.failed += tally.at(m, v).failed;
        }
        if (overturned > 0) one.share = static_cast<double>(one.overturned) / static_cast<double>(overturned);
        one.overturning_scale = overturning_scale(study, tally, m);
        if (one.overturning_scale) ++result.crossed;
        if (study.motions.size() > 1) {
            weight[m] = 0;
            one.without = fit_lognormal(weighted_counts(study, tally, weight));
            weight[m] = 1;
        }
        result.motions.push_back(one);
    }
}

void compare_measures(const Study& study, SpecimenResult& result) {
    if (result.crossed < kEfficiencyLeast) return;
    const std::vector<Measure> measures = compared_measures(study.section);
    for (std::size_t k = 0; k < measures.size(); ++k) {
        double sum = 0.0, squares = 0.0;
        for (std::size_t m = 0; m < study.motions.size(); ++m)
            if (const auto scale = result.motions[m].overturning_scale)
                sum += std::log(*scale * study.motions[m].measures[k]);
        const double mean = sum / static_cast<double>(result.crossed);
        for (std::size_t m = 0; m < study.motions.size(); ++m)
            if (const auto scale = result.motions[m].overturning_scale)
                squares += std::pow(std::log(*scale * study.motions[m].measures[k]) - mean, 2);
        result.efficiency.push_back(
            {measures[k], std::exp(mean), std::sqrt(squares / static_cast<double>(result.crossed - 1))});
    }
    std::stable_sort(result.efficiency.begin(), result.efficiency.end(),
                     [](const Efficiency& a, const Efficiency& b) { return a.dispersion < b.dispersion; });
}

}  // namespace

SpecimenResult evaluate(const Study& study, const Tally& tally) {
    SpecimenResult result;
    result.values = values_of(study, tally);
    result.fit = fit_lognormal(weighted_counts(study, tally, std::vector<std::uint32_t>(study.motions.size(), 1)));
    resample(study, tally, result);
    judge_motions(study, tally, result);
    compare_measures(study, result);
    return result;
}

}  // namespace topple::hil::fragility
