// How widely an ensemble spreads: quantiles of the members' peaks and of the times of their first impacts.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "solver/outcome.hpp"

namespace topple::hil::plan {

/// Impacts at the base whose times are stated, from the first one.
inline constexpr std::size_t kImpactsSpread = 5;

struct Quantiles {
    double p05 = 0.0, p25 = 0.0, p50 = 0.0, p75 = 0.0, p95 = 0.0;
};

/// A quantity of those members that have it.
struct Spread {
    std::size_t members = 0;  ///< so many
    Quantiles quantiles;      ///< without meaning where members = 0
};

struct EnsembleSpread {
    std::size_t followed = 0;            ///< members that were followed step by step, the first ones
    std::vector<Spread> peak_rad;        ///< per block: |rotation| of the members that do not overturn
    std::vector<Spread> impact_times_s;  ///< of the first, second... impact at the base; as many as some member has
};

/// Of complete predictions of the members, and what each counts (empty: all alike); those without an outcome count in
/// `followed` only.
EnsembleSpread spread_of(const std::vector<solver::Prediction>& members, const std::vector<double>& weights = {});

/// Linear between the values in order, the least at probability 0 and the largest at 1. `values` must not be empty.
Quantiles quantiles_of(std::vector<double> values);

/// The same of values in order that do not count alike: each stands at the middle of its share of the whole weight, and
/// straight lines join them. Of equal weights the same numbers but for rounding.
double weighted_quantile(std::span<const double> in_order, std::span<const double> weights, double probability);

/// Both in the order of the values.
void sort_together(std::vector<double>& values, std::vector<double>& weights);

}  // namespace topple::hil::plan
