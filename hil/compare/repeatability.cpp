#include "hil/compare/repeatability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/compare/reading.hpp"
#include "hil/compare/rocking_lobes.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

/// Impacts of a single block with the side from which it came; none where the record has holes.
void read_impacts(const SpecimenMeasurement& measured, RepeatedSpecimen& one) {
    if (measured.blocks.size() != 1 || !rotation_is_complete(measured)) return;
    const BlockMeasurement& block = measured.blocks.front();
    for (const RockingLobe& lobe : find_lobes(measured.grid, block.filtered_rad, 2.0 * block.threshold_rad, 0.0)) {
        if (!lobe.complete || one.impact_s.size() == kRepeatedImpacts) continue;
        one.impact_s.push_back(lobe.end_s);
        one.impact_from.push_back(lobe.peak_rad > 0.0 ? 1 : -1);
    }
}

RepeatedSpecimen specimen_of(const SpecimenConclusion& specimen, const Conclusion& c) {
    RepeatedSpecimen one;
    const SpecimenMeasurement& measured = specimen.measured;
    one.outcome = measured.outcome;
    one.side = measured.side;
    one.source = measured.source;
    one.grid = measured.grid;
    one.until_s = measured.grid.end_s();
    if (c.camera) {
        one.reading_s = std::max(one.reading_s, c.camera->filmed.frame_s / std::sqrt(12.0));
        one.until_s = std::min(one.until_s, c.camera->filmed.time_s.back());
    }
    for (const BlockMeasurement& block : measured.blocks) {
        one.peak_rad.push_back(block.peak_rotation_rad);
        one.rotation_rad.push_back(block.filtered_rad);
    }
    read_impacts(measured, one);
    return one;
}

using Runs = std::vector<RepeatedSpecimen>;  // of one specimen

Runs of_specimen(const std::vector<RepeatedRun>& runs, std::size_t index) {
    Runs list;
    for (const RepeatedRun& run : runs) list.push_back(run.specimens[index]);
    return list;
}

std::string outcome_word(const RepeatedSpecimen& run) {
    if (!run.outcome) return "not measured";
    const bool has_side = is_overturning(*run.outcome) && run.side;
    return std::string(name(*run.outcome)) + (has_side ? fmt::format(" to the {}", name(*run.side)) : "");
}

void find_spreads(const Runs& runs, SpecimenRepeatability& result) {
    for (const RepeatedSpecimen& run : runs) ++result.outcomes[outcome_word(run)];
    std::size_t blocks = 0, impacts = 0;
    for (const RepeatedSpecimen& run : runs) {
        blocks = std::max(blocks, run.peak_rad.size());
        impacts = std::max(impacts, run.impact_s.size());
        result.early_s = std::max(result.early_s, run.reading_s);
    }
    for (std::size_t b = 0; b < blocks; ++b) {
        std::vector<double> values;
        for (const RepeatedSpecimen& run : runs)
            if (b < run.peak_rad.size()) values.push_back(run.peak_rad[b]);
        result.peak.push_back(spread_over(values));
    }
    for (std::size_t i = 0; i < impacts; ++i) {
        std::vector<double> values;
        for (const RepeatedSpecimen& run : runs)
            if (i < run.impact_s.size()) values.push_back(run.impact_s[i]);
        result.impact.push_back(spread_over(values));
    }
    if (!result.impact.empty()) result.early_s = std::max(result.early_s, result.impact.front().standard_deviation);
}

/// Why the runs are no more alike at impact `i`; empty if they are.
std::string parting(const Runs& runs, const SpecimenRepeatability& r, std::size_t i) {
    for (const RepeatedSpecimen& run : runs)
        if (i < run.impact_from.size() && i < runs.front().impact_from.size() &&
            run.impact_from[i] != runs.front().impact_from[i])
            return "the blocks come to it from different sides";
    if (r.impact[i].standard_deviation > kPartsAbove * r.early_s)
        return fmt::format("its times spread by {:.1f} ms (sd), more than {:g} times the {:.1f} ms of before",
                           1e3 * r.impact[i].standard_deviation, kPartsAbove, 1e3 * r.early_s);
    if (r.impact[i].count < runs.size())
        return fmt::format("only {} of {} runs have it", r.impact[i].count, runs.size());
    return {};
}

void find_parting(const Runs& runs, SpecimenRepeatability& result) {
    const auto measured =
        std::count_if(runs.begin(), runs.end(), [](const auto& run) { return !run.impact_s.empty(); });
    if (measured < 2) {
        result.why = "impacts were seen in fewer than two runs";
        if (result.outcomes.size() > 1) result.why += "; the outcomes differ";
        return;
    }
    const bool first_differs =
        std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return run.side != runs.front().side; });
    for (std::size_t i = 0; i < result.impact.size(); ++i) {
        const std::string why = parting(runs, result, i);
        if (why.empty()) continue;
        result.parts_at = i;
        result.why = why;
        return;
    }
    result.why = first_differs ? "the times of all impacts agree, the sides differ"
                               : fmt::format("alike to the last of {} impacts", result.impact.size());
}

}  // namespace

Spread spread_over(const std::vector<double>& values) {
    Spread spread;
    spread.count = values.size();
    if (values.empty()) return spread;
    spread.mean = signal::mean(values);
    spread.standard_deviation = signal::standard_deviation(values);
    spread.low = *std::min_element(values.begin(), values.end());
    spread.high = *std::max_element(values.begin(), values.end());
    return spread;
}

RepeatedRun repeated_run(const std::string& name, const Conclusion& conclusion) {
    RepeatedRun run{name, {}};
    for (const SpecimenConclusion& specimen : conclusion.specimens)
        run.specimens.push_back(specimen_of(specimen, conclusion));
    return run;
}

Repeatability repeatability(std::vector<RepeatedRun> runs) {
    Repeatability result;
    result.runs = std::move(runs);
    for (std::size_t s = 0; s < result.runs.front().specimens.size(); ++s) {
        SpecimenRepeatability one;
        const Runs list = of_specimen(result.runs, s);
        find_spreads(list, one);
        find_parting(list, one);
        result.specimens.push_back(std::move(one));
    }
    return result;
}

}  // namespace topple::hil::compare
