#include "hil/campaign/adaptive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace topple::hil::campaign {
namespace {

/// 90 % of the belief lies between.
constexpr double kLowShare = 0.05, kHighShare = 0.95;
constexpr double kRounding = 1e-4;  // of readable(), relative
constexpr double kIsSure = 0.95;    // that it overturns never, or from the start on

/// Outcome of one specimen in one counted test.
struct Observation {
    std::size_t row = 0;
    double way = 0.0;
    bool overturned = false;
};

class Adaptive : public Protocol {
  public:
    Adaptive(const experiment::CampaignSection& campaign, std::size_t specimens, MemberBoundaries members)
        : rows_(campaign.rows->values), way_(*campaign.search), specimens_(specimens), members_(std::move(members)) {
        settings_.resolution_ratio = campaign.search->resolution_ratio;
        settings_.scatter = std::min(settings_.scatter, 0.25 * settings_.resolution_ratio);
    }

    std::optional<NextTest> next(std::span<const TestRecord> tests) override {
        std::optional<NextTest> best;
        double most_bit = 0.0;
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            const double limit = refused_from(row, tests);
            std::vector<BoundaryBelief> open;
            for (std::size_t s = 0; s < specimens_; ++s) {
                BoundaryBelief belief = believe(row, s, tests);
                if (!is_settled(belief, row, s, tests, limit)) open.push_back(std::move(belief));
            }
            if (open.empty()) continue;
            const double reach = tested_up_to(row, tests, limit);
            for (const double way : open.front().ways()) {
                if (way >= limit || way > reach) break;
                double bit = 0.0;
                for (const BoundaryBelief& belief : open) bit += belief.information_bit(way);
                if (bit <= most_bit) continue;
                most_bit = bit;
                best = NextTest{{rows_[row], readable(way_.value_at(way))}, {}};
            }
        }
        if (best) best->why = fmt::format("expected information {:.2f} bit", most_bit);
        return best;
    }

    // Every test halves the belief at best.
    std::size_t expected_left(std::span<const TestRecord> tests) override {
        double left = 0.0;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            for (std::size_t s = 0; s < specimens_; ++s) {
                const BoundaryBelief belief = believe(row, s, tests);
                if (is_settled(belief, row, s, tests, refused_from(row, tests))) continue;
                const double high = std::min(belief.quantile(kHighShare), way_.end());
                const double wanted = 2.0 * settings_.resolution_ratio;
                left += std::max(1.0, std::log2((high - belief.quantile(kLowShare)) / wanted));
            }
        return left > 0.0 ? static_cast<std::size_t>(std::ceil(left)) : 0;
    }

    std::vector<RowBoundary> boundaries(std::span<const TestRecord> tests) override {
        std::vector<RowBoundary> all;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            for (std::size_t s = 0; s < specimens_; ++s) {
                RowBoundary boundary = bracket(row, s, tests);
                const BoundaryBelief belief = believe(row, s, tests);
                const auto value = [&](double way) {
                    return way == kNeverOverturns ? std::optional<double>() : way_.value_at(way);
                };
                boundary.estimate = value(belief.quantile(0.5));
                boundary.low = value(belief.quantile(kLowShare));
                boundary.high = value(belief.quantile(kHighShare));
                if (boundary.low && boundary.high && *boundary.low > *boundary.high)  // searched downwards
                    std::swap(boundary.low, boundary.high);
                boundary.from_start = belief.probability_always() >= 0.5 && boundary.overturns && !boundary.stands;
                if (boundary.from_start) boundary.estimate = boundary.low = boundary.high = std::nullopt;
                boundary.is_done = is_settled(belief, row, s, tests, refused_from(row, tests));
                all.push_back(boundary);
            }
        return all;
    }

  private:
    std::vector<Observation> observations(std::size_t specimen, std::span<const TestRecord> tests) const {
        std::vector<Observation> seen;
        for (const TestRecord& test : tests) {
            const auto outcome = overturned(test, specimen);
            const auto row = std::find(rows_.begin(), rows_.end(), test.setting.at(0));
            if (outcome && row != rows_.end())
                seen.push_back(
                    {static_cast<std::size_t>(row - rows_.begin()), way_.way_of(test.setting.at(1)), *outcome});
        }
        return seen;
    }

    // The prior of a row takes the members as the other rows weigh them; its own outcomes come on top of it.
    BoundaryBelief believe(std::size_t row, std::size_t specimen, std::span<const TestRecord> tests) const {
        const std::vector<Observation> seen = observations(specimen, tests);
        std::vector<double> boundaries, weights;
        if (!members_.empty()) {
            boundaries = members_[row][specimen];
            weights.assign(boundaries.size(), 1.0);
            for (std::size_t other = 0; other < rows_.size(); ++other) {
                if (other == row) continue;
                const RowOutcomes outcomes = outcomes_of(other, seen);
                if (!outcomes.stands && !outcomes.overturns) continue;
                for (std::size_t m = 0; m < weights.size(); ++m)
                    weights[m] *= member_likelihood(settings_, members_[other][specimen][m], outcomes);
            }
        }
        BoundaryBelief belief(way_.end(), settings_, boundaries, weights);
        for (const Observation& at : seen)
            if (at.row == row) belief.observe(at.way, at.overturned);
        return belief;
    }

    /// `stands`: of the tests before the first that overturned.
    static RowOutcomes outcomes_of(std::size_t row, const std::vector<Observation>& seen) {
        RowOutcomes outcomes;
        for (const Observation& at : seen)
            if (at.row == row && at.overturned)
                outcomes.overturns = std::min(outcomes.overturns.value_or(at.way), at.way);
        for (const Observation& at : seen) {
            if (at.row != row || at.overturned) continue;
            if (outcomes.overturns && at.way > *outcomes.overturns)
                ++outcomes.contradictions;
            else
                outcomes.stands = std::max(outcomes.stands.value_or(at.way), at.way);
        }
        return outcomes;
    }

    RowBoundary bracket(std::size_t row, std::size_t specimen, std::span<const TestRecord> tests) const {
        RowBoundary boundary;
        boundary.row = rows_[row];
        boundary.specimen = specimen;
        const RowOutcomes outcomes = outcomes_of(row, observations(specimen, tests));
        if (outcomes.stands) boundary.stands = way_.value_at(*outcomes.stands);
        if (outcomes.overturns) boundary.overturns = way_.value_at(*outcomes.overturns);
        return boundary;
    }

    // The interval is narrow enough and tests show both sides of it, or it is sure that there is no boundary.
    bool is_settled(const BoundaryBelief& belief, std::size_t row, std::size_t specimen,
                    std::span<const TestRecord> tests, double limit) const {
        const RowBoundary seen = bracket(row, specimen, tests);
        const double low = belief.quantile(kLowShare), high = belief.quantile(kHighShare);
        if (belief.probability_never() >= kIsSure || low >= limit) return seen.stands || limit <= 0.0;
        if (belief.probability_always() >= kIsSure && seen.overturns) return true;
        return seen.stands && seen.overturns && high - low <= 2.0 * settings_.resolution_ratio;
    }

    // From here on the table cannot make the motion.
    double refused_from(std::size_t row, std::span<const TestRecord> tests) const {
        double from = kNeverOverturns;
        for (const TestRecord& test : tests)
            if (test.status == TestStatus::refused && test.setting.at(0) == rows_[row])
                from = std::min(from, way_.way_of(test.setting.at(1)) - kRounding);
        return from;
    }

    // Where the table's limit lies is not known beforehand: once something was refused, it is halved towards from what
    // was made, instead of being asked for step by step.
    double tested_up_to(std::size_t row, std::span<const TestRecord> tests, double limit) const {
        if (limit == kNeverOverturns) return way_.end();
        double made_to = 0.0;
        for (const TestRecord& test : tests)
            if (test.status != TestStatus::refused && test.setting.at(0) == rows_[row])
                made_to = std::max(made_to, way_.way_of(test.setting.at(1)));
        return limit - made_to <= settings_.resolution_ratio ? limit : 0.5 * (made_to + limit);
    }

    std::vector<double> rows_;
    SearchWay way_;
    std::size_t specimens_;
    MemberBoundaries members_;
    BeliefSettings settings_;
};

}  // namespace

std::unique_ptr<Protocol> adaptive_protocol(const experiment::CampaignSection& campaign, std::size_t specimens,
                                            MemberBoundaries members) {
    return std::make_unique<Adaptive>(campaign, specimens, std::move(members));
}

}  // namespace topple::hil::campaign
