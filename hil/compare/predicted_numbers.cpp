#include "hil/compare/predicted_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/compare/surprise.hpp"

namespace topple::hil::compare {
namespace {

bool has_fallen(const std::vector<std::size_t>& fallen, std::size_t block) {
    return std::find(fallen.begin(), fallen.end(), block) != fallen.end();
}

/// Last time at which a block is further from upright than its sensor can tell from rest; empty: never, or still at the
/// end of the record.
std::optional<double> last_motion_s(const std::vector<std::vector<double>>& rotation_rad,
                                    const ComparisonContext& context) {
    const signal::EvenGrid& grid = context.measured.grid;
    std::optional<double> last_s;
    for (std::size_t block = 0; block < rotation_rad.size(); ++block) {
        const auto& sensors = context.measured.blocks;
        const double threshold_rad = block < sensors.size() ? sensors[block].threshold_rad : kRotationFloor_rad;
        for (std::size_t i = std::min(grid.count, rotation_rad[block].size()); i > 0; --i) {
            if (grid.time_s(i - 1) < 0.0) break;
            if (!(std::abs(rotation_rad[block][i - 1]) > threshold_rad)) continue;
            last_s = std::max(last_s.value_or(0.0), grid.time_s(i - 1));
            break;
        }
    }
    if (last_s && *last_s > grid.end_s() - kRestSeen_s) return std::nullopt;
    return last_s;
}

std::vector<std::optional<double>> values(const RotationStatistics& statistics,
                                          const std::vector<std::vector<double>>& rotation_rad,
                                          const std::vector<std::size_t>& fallen, const ComparisonContext& context) {
    std::vector<std::optional<double>> value;
    const std::size_t blocks = context.specimen.blocks.size();
    for (std::size_t block = 0; block < blocks; ++block)
        value.push_back(block < statistics.peak_rad.size() && !has_fallen(fallen, block)
                            ? std::optional(statistics.peak_rad[block])
                            : std::nullopt);
    for (std::size_t i = 0; blocks == 1 && i < kImpactsNumbered; ++i)
        value.push_back(i < statistics.impact_s.size() ? std::optional(statistics.impact_s[i]) : std::nullopt);
    value.push_back(fallen.empty() ? last_motion_s(rotation_rad, context) : std::nullopt);
    value.push_back(statistics.overturn_s);
    return value;
}

}  // namespace

std::vector<NumberName> names_of_numbers(const solver::Specimen& specimen) {
    std::vector<NumberName> names;
    const std::size_t blocks = specimen.blocks.size();
    for (std::size_t block = 0; block < blocks; ++block)
        names.push_back(
            {blocks == 1 ? "peak rotation" : fmt::format("peak rotation of block {}", block), "rad", false});
    for (std::size_t i = 0; blocks == 1 && i < kImpactsNumbered; ++i)
        names.push_back({fmt::format("time of impact {}", i + 1), "s", true});
    names.push_back({"last motion seen", "s", false});
    names.push_back({"time of overturning", "s", false});
    return names;
}

HistoryNumbers numbers_of(const PredictedRotation& predicted, const ComparisonContext& context) {
    return {predicted.prediction.outcome, values(statistics_of(predicted, context), predicted.filtered_rad,
                                                 predicted.prediction.blocks_overturned, context)};
}

HistoryNumbers numbers_of(const SpecimenMeasurement& measured, const ComparisonContext& context) {
    std::vector<std::vector<double>> rotation_rad;
    for (const BlockMeasurement& block : measured.blocks) rotation_rad.push_back(block.filtered_rad);
    return {measured.outcome,
            values(statistics_of(measured, context), rotation_rad, measured.blocks_overturned, context)};
}

std::vector<NumberSpread> spread_of(const std::vector<HistoryNumbers>& members, solver::Outcome outcome) {
    std::vector<NumberSpread> spread;
    const bool is_weighted =
        std::any_of(members.begin(), members.end(), [](const HistoryNumbers& member) { return member.weight != 1.0; });
    for (std::size_t q = 0; !members.empty(); ++q) {
        std::vector<double> value, weight;
        bool known = false;
        for (const HistoryNumbers& member : members) {
            known = known || q < member.value.size();
            if (member.outcome != outcome || q >= member.value.size() || !member.value[q]) continue;
            value.push_back(*member.value[q]);
            if (is_weighted) weight.push_back(member.weight);
        }
        if (!known) break;
        NumberSpread one{.median = {}, .low = {}, .high = {}, .members = value.size()};
        const PredictiveSample sample(std::move(value), std::move(weight));
        if (sample.effective_count() >= static_cast<double>(kNumbersLeast)) {
            one.median = sample.quantile(0.5);
            one.low = sample.quantile(0.05);
            one.high = sample.quantile(0.95);
        }
        spread.push_back(one);
    }
    return spread;
}

}  // namespace topple::hil::compare
