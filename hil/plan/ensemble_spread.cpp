#include "hil/plan/ensemble_spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace topple::hil::plan {
namespace {

/// A quantity of some members, and what they count; no weights: all alike.
struct Values {
    std::vector<double> value, weight;
};

Spread spread_of_values(Values of) {
    if (of.value.empty()) return {};
    if (of.weight.empty()) return {of.value.size(), quantiles_of(std::move(of.value))};
    sort_together(of.value, of.weight);
    const auto at = [&](double probability) { return weighted_quantile(of.value, of.weight, probability); };
    return {of.value.size(), {at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)}};
}

std::vector<double> base_impact_times_s(const solver::Prediction& prediction) {
    std::vector<double> times_s;
    for (const solver::Impact& impact : prediction.impacts) {
        if (times_s.size() == kImpactsSpread) break;
        if (impact.interface_index == 0) times_s.push_back(impact.time_s);
    }
    return times_s;
}

}  // namespace

Quantiles quantiles_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double probability) {
        const double place = probability * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        return std::lerp(values[below], values[above], place - static_cast<double>(below));
    };
    return {at(0.05), at(0.25), at(0.5), at(0.75), at(0.95)};
}

double weighted_quantile(std::span<const double> in_order, std::span<const double> weights, double probability) {
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double first = 0.5 * weights.front(), last = all - 0.5 * weights.back();
    const double wanted = first + probability * (last - first);
    double here = first;
    for (std::size_t i = 0; i + 1 < in_order.size(); ++i) {
        const double next = here + 0.5 * (weights[i] + weights[i + 1]);
        if (wanted < next) return std::lerp(in_order[i], in_order[i + 1], (wanted - here) / (next - here));
        here = next;
    }
    return in_order.back();
}

void sort_together(std::vector<double>& values, std::vector<double>& weights) {
    std::vector<std::pair<double, double>> pairs;
    for (std::size_t i = 0; i < values.size(); ++i) pairs.emplace_back(values[i], weights[i]);
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t i = 0; i < values.size(); ++i) std::tie(values[i], weights[i]) = pairs[i];
}

EnsembleSpread spread_of(const std::vector<solver::Prediction>& members, const std::vector<double>& weights) {
    EnsembleSpread spread;
    spread.followed = members.size();
    std::vector<Values> peaks_rad, times_s(kImpactsSpread);
    for (std::size_t index = 0; index < members.size(); ++index) {
        const solver::Prediction& member = members[index];
        if (!member.outcome) continue;
        const auto add = [&](Values& to, double value) {
            to.value.push_back(value);
            if (!weights.empty()) to.weight.push_back(weights[index]);
        };
        const std::vector<double> impacts_s = base_impact_times_s(member);
        for (std::size_t i = 0; i < impacts_s.size(); ++i) add(times_s[i], impacts_s[i]);
        peaks_rad.resize(std::max(peaks_rad.size(), member.peak_rotation_rad.size()));
        if (solver::is_overturning(member.outcome)) continue;
        for (std::size_t block = 0; block < member.peak_rotation_rad.size(); ++block)
            add(peaks_rad[block], std::abs(member.peak_rotation_rad[block]));
    }
    for (Values& peaks : peaks_rad) spread.peak_rad.push_back(spread_of_values(std::move(peaks)));
    for (Values& times : times_s)
        if (!times.value.empty()) spread.impact_times_s.push_back(spread_of_values(std::move(times)));
    return spread;
}

}  // namespace topple::hil::plan
