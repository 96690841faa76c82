#include "hil/fragility/results.hpp"

#include <algorithm>
#include <cmath>

#include "hil/fragility/censored_normal.hpp"
#include "hil/host/for_each_index.hpp"
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
    if (values[below] == values[above] || at == static_cast<double>(below)) return values[below];  // also of infinities
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

double runs_per_motion(const Study& study) { return static_cast<double>(study.member_count()); }

/// Those that a partial study knows something of.
std::vector<std::size_t> motions_with_runs(const Study& study, const Tally& tally) {
    std::vector<std::size_t> motions;
    for (std::size_t m = 0; m < study.motions.size(); ++m)
        for (std::size_t v = 0; v < study.value_count(); ++v)
            if (tally.at(m, v).runs > 0) {
                motions.push_back(m);
                break;
            }
    return motions;
}

/// The fit to the motions that draw number `index` takes.
LognormalFit resampled(const Study& study, const Tally& tally, const std::vector<std::size_t>& motions,
                       std::size_t index) {
    solver::SplitMix64 random(kBootstrapSeed + index);
    std::vector<std::uint32_t> weight(study.motions.size(), 0);
    const auto count = static_cast<double>(motions.size());
    for (std::size_t k = 0; k < motions.size(); ++k)
        ++weight[motions[std::min(motions.size() - 1, static_cast<std::size_t>(random.uniform() * count))]];
    return fit_lognormal(weighted_counts(study, tally, weight), runs_per_motion(study));
}

/// The bands from the fits: where nothing fell P is 0 and the median beyond every value, where all fell 1 and 0. To
/// leave these out would make the bands narrower than they are.
void make_bands(const Study& study, const std::vector<LognormalFit>& fits, SpecimenResult& result) {
    std::vector<double> median, dispersion;
    std::vector<std::vector<double>> probability(study.value_count());
    for (const LognormalFit& fit : fits) {
        const bool none = fit.state == FitState::none_falls, all = fit.state == FitState::all_fall;
        if (none) ++result.none_fell;
        if (all) ++result.all_fell;
        if (is_informative(fit.state)) dispersion.push_back(fit.dispersion);
        if (!none && !all && !is_informative(fit.state)) {
            ++result.uninformative;
            continue;
        }
        median.push_back(none ? kOverturned : all ? 0.0 : fit.median);
        for (std::size_t v = 0; v < study.value_count(); ++v)
            probability[v].push_back(none ? 0.0 : all ? 1.0 : fit.at(study.section.values[v]));
    }
    if (dispersion.size() < 2) return;
    result.median_band = interval_of(median);
    result.dispersion_band = interval_of(dispersion);
    for (std::size_t v = 0; v < study.value_count(); ++v) result.values[v].band = interval_of(probability[v]);
}

/// Motions drawn with replacement: their runs hang together, so that whole motions are drawn.
void resample(const Study& study, const Tally& tally, unsigned threads, SpecimenResult& result) {
    const std::vector<std::size_t> motions = motions_with_runs(study, tally);
    if (motions.size() < 2 || !is_informative(result.fit.state)) return;
    std::vector<LognormalFit> fits(study.section.bootstrap);
    host::for_each_index(fits.size(), threads, [&](std::size_t i) { fits[i] = resampled(study, tally, motions, i); });
    result.resamplings = fits.size();
    make_bands(study, fits, result);
}

/// Between two values straight over ln of the factor.
Crossing crossing_of(const Study& study, const Tally& tally, std::size_t motion) {
    constexpr double kHalf = 0.5;
    Crossing last;  // with runs
    double before = 0.0;
    for (std::size_t v = 0; v < study.value_count(); ++v) {
        const RunCount& count = tally.at(motion, v);
        if (count.runs == 0) continue;
        const double share = static_cast<double>(count.overturned) / count.runs, scale = study.scale(motion, v);
        if (share >= kHalf) {
            if (last.kind == Crossing::Kind::no_runs) return {Crossing::Kind::below, scale};
            const double low = std::log(last.scale), high = std::log(scale);
            return {Crossing::Kind::between, std::exp(low + (high - low) * (kHalf - before) / (share - before))};
        }
        last = {Crossing::Kind::above, scale};
        before = share;
    }
    return last;
}

void count_crossing(const Crossing& crossing, SpecimenResult& result) {
    if (crossing.kind == Crossing::Kind::between) ++result.crossed;
    if (crossing.kind == Crossing::Kind::above) ++result.above;
    if (crossing.kind == Crossing::Kind::below) ++result.below;
}

void judge_motions(const Study& study, const Tally& tally, unsigned threads, SpecimenResult& result) {
    std::uint64_t overturned = 0;
    std::vector<IntensityCount> all;
    for (const ValueResult& value : result.values) {
        overturned += value.overturned;
        all.push_back({value.intensity, value.runs, value.overturned});
    }
    result.motions.resize(study.motions.size());
    host::for_each_index(study.motions.size(), threads, [&](std::size_t m) {
        MotionResult& one = result.motions[m];
        std::vector<IntensityCount> others = all;
        for (std::size_t v = 0; v < study.value_count(); ++v) {
            const RunCount& count = tally.at(m, v);
            one.runs += count.runs;
            one.overturned += count.overturned;
            one.failed += count.failed;
            others[v].runs -= count.runs;
            others[v].overturned -= count.overturned;
        }
        if (overturned > 0) one.share = static_cast<double>(one.overturned) / static_cast<double>(overturned);
        one.crossing = crossing_of(study, tally, m);
        if (study.motions.size() > 1) one.without = fit_lognormal(others, runs_per_motion(study));
    });
    for (const MotionResult& one : result.motions) count_crossing(one.crossing, result);
}

/// The measure of each motion at its crossing, or how far it is known.
std::vector<CensoredValue> at_crossing(const Study& study, const SpecimenResult& result, std::size_t measure) {
    std::vector<CensoredValue> values;
    for (std::size_t m = 0; m < study.motions.size(); ++m) {
        const Crossing& crossing = result.motions[m].crossing;
        if (crossing.kind == Crossing::Kind::no_runs) continue;
        const auto known = crossing.kind == Crossing::Kind::between ? CensoredValue::Known::exactly
                           : crossing.kind == Crossing::Kind::above ? CensoredValue::Known::is_above
                                                                    : CensoredValue::Known::is_below;
        values.push_back({std::log(crossing.scale * study.motions[m].measures[measure]), known});
    }
    return values;
}

void compare_measures(const Study& study, SpecimenResult& result) {
    if (result.crossed < kEfficiencyLeast) return;
    const std::vector<Measure> measures = compared_measures(study.section);
    for (std::size_t k = 0; k < measures.size(); ++k)
        if (const auto normal = fit_censored_normal(at_crossing(study, result, k)))
            result.efficiency.push_back({measures[k], std::exp(normal->mean), normal->deviation});
    std::stable_sort(result.efficiency.begin(), result.efficiency.end(),
                     [](const Efficiency& a, const Efficiency& b) { return a.dispersion < b.dispersion; });
}

}  // namespace

SpecimenResult evaluate(const Study& study, const Tally& tally, unsigned threads) {
    SpecimenResult result;
    result.values = values_of(study, tally);
    const std::vector<std::uint32_t> once(study.motions.size(), 1);
    result.fit = fit_lognormal(weighted_counts(study, tally, once), runs_per_motion(study));
    resample(study, tally, threads, result);
    judge_motions(study, tally, threads, result);
    compare_measures(study, result);
    return result;
}

}  // namespace topple::hil::fragility
