#include "hil/scores/repeats.hpp"

#include <algorithm>
#include <map>

#include "hil/scores/losses.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::scores {
namespace {

std::size_t pairs_of(std::size_t tests) noexcept { return tests < 2 ? 0 : tests * (tests - 1) / 2; }

/// Pairs of the same class; where not every class is known, pairs that both fell or both stood.
std::size_t alike_in(const RepeatGroup& group) noexcept {
    if (group.class_unknown > 0)
        return pairs_of(group.overturned.count) + pairs_of(group.tests - group.overturned.count);
    std::size_t alike = 0;
    for (const std::size_t count : group.outcomes) alike += pairs_of(count);
    return alike;
}

PeakSpread spread_of(std::vector<double> peaks_rad) {
    PeakSpread spread;
    spread.tests = peaks_rad.size();
    if (peaks_rad.empty()) return spread;
    std::sort(peaks_rad.begin(), peaks_rad.end());
    spread.least_rad = peaks_rad.front();
    spread.most_rad = peaks_rad.back();
    const std::size_t middle = peaks_rad.size() / 2;
    spread.median_rad =
        peaks_rad.size() % 2 == 1 ? peaks_rad[middle] : 0.5 * (peaks_rad[middle - 1] + peaks_rad[middle]);
    spread.standard_deviation_rad = signal::standard_deviation(peaks_rad);
    return spread;
}

RepeatGroup group_of(const std::string& name, const std::vector<const ScoredTest*>& tests) {
    RepeatGroup group;
    group.group = name;
    group.tests = tests.size();
    std::vector<double> peaks_rad, probabilities;
    std::size_t overturned = 0;
    for (const ScoredTest* test : tests) {
        const auto seen = test->observed.outcome;
        seen ? ++group.outcomes[solver::outcome_code(seen)] : ++group.class_unknown;
        overturned += test->observed.overturned;
        if (test->peak_rotation_rad) peaks_rad.push_back(*test->peak_rotation_rad);
        if (const auto p = overturning_probability(*test)) probabilities.push_back(*p);
    }
    const std::size_t known = group.tests - group.class_unknown;
    group.overturned = share_of(overturned, group.tests);
    group.most_common = share_of(*std::max_element(group.outcomes.begin(), group.outcomes.end()), known);
    group.pairs_alike = static_cast<double>(alike_in(group)) / static_cast<double>(pairs_of(group.tests));
    std::sort(probabilities.begin(), probabilities.end());  // whatever the order of the tests, the same sum
    if (!probabilities.empty()) group.predicted_overturning = signal::mean(probabilities);
    group.peak = spread_of(std::move(peaks_rad));
    return group;
}

}  // namespace

std::vector<RepeatGroup> repeat_groups(std::span<const ScoredTest> tests) {
    std::map<std::string, std::vector<const ScoredTest*>> by_name;
    for (const ScoredTest& test : tests)
        if (!test.group.empty()) by_name[test.group].push_back(&test);
    std::vector<RepeatGroup> groups;
    for (const auto& [name, members] : by_name)
        if (members.size() >= 2) groups.push_back(group_of(name, members));
    return groups;
}

PairCount pairs_alike(std::span<const RepeatGroup> groups) noexcept {
    PairCount count;
    for (const RepeatGroup& group : groups) {
        count.pairs += pairs_of(group.tests);
        count.alike += alike_in(group);
    }
    return count;
}

}  // namespace topple::hil::scores
