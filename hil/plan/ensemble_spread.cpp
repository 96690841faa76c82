#include "hil/plan/ensemble_spread.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil::plan {
namespace {

Spread spread_of_values(std::vector<double> values) {
    if (values.empty()) return {};
    return {values.size(), quantiles_of(std::move(values))};
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

EnsembleSpread spread_of(const std::vector<solver::Prediction>& members) {
    EnsembleSpread spread;
    spread.followed = members.size();
    std::vector<std::vector<double>> peaks_rad, times_s(kImpactsSpread);
    for (const solver::Prediction& member : members) {
        if (!member.outcome) continue;
        const std::vector<double> impacts_s = base_impact_times_s(member);
        for (std::size_t i = 0; i < impacts_s.size(); ++i) times_s[i].push_back(impacts_s[i]);
        peaks_rad.resize(std::max(peaks_rad.size(), member.peak_rotation_rad.size()));
        if (solver::is_overturning(member.outcome)) continue;
        for (std::size_t block = 0; block < member.peak_rotation_rad.size(); ++block)
            peaks_rad[block].push_back(std::abs(member.peak_rotation_rad[block]));
    }
    for (std::vector<double>& peaks : peaks_rad) spread.peak_rad.push_back(spread_of_values(std::move(peaks)));
    for (std::vector<double>& times : times_s)
        if (!times.empty()) spread.impact_times_s.push_back(spread_of_values(std::move(times)));
    return spread;
}

}  // namespace topple::hil::plan
