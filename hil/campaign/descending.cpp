#include <algorithm>
#include <cmath>

#include "hil/campaign/protocol.hpp"

namespace topple::hil::campaign {
namespace {

/// What was seen at one value of a row.
struct Seen {
    std::size_t tests = 0;  ///< that count and have an outcome for every specimen
    bool refused = false;
    std::vector<std::size_t> overturned;  ///< per specimen
};

class Descending : public Protocol {
  public:
    Descending(const experiment::CampaignSection& campaign, std::size_t specimens)
        : rows_(campaign.rows->values),
          values_(search_values(*campaign.search, campaign.search->step_ratio)),
          repeats_(campaign.repeats),
          specimens_(specimens) {}

    std::optional<NextTest> next(std::span<const TestRecord> tests) override {
        for (const double row : rows_) {
            const std::vector<Seen> seen = look(row, tests);
            if (auto next = next_in_row(row, seen)) return next;
        }
        return std::nullopt;
    }

    std::size_t expected_left(std::span<const TestRecord> tests) override {
        std::size_t left = 0, made = 0, done_rows = 0;
        for (const double row : rows_) {
            const std::vector<Seen> seen = look(row, tests);
            std::size_t of_row = 0;
            for (const Seen& at : seen) of_row += at.tests;
            if (next_down(seen)) {
                if (of_row > 0 || done_rows == 0) left += 1;
                left += 2 * (repeats_ - 1);
                // As many steps as the rows before took, at least one; half of the search where there is none.
                const std::size_t steps = done_rows > 0 ? made / done_rows : values_.size() / 2;
                left += steps > of_row ? steps - of_row : 0;
                continue;
            }
            made += of_row;
            ++done_rows;
            for (const std::size_t index : near_boundaries(seen))
                left += seen[index].tests < repeats_ ? repeats_ - seen[index].tests : 0;
        }
        return left;
    }

    std::vector<RowBoundary> boundaries(std::span<const TestRecord> tests) override {
        std::vector<RowBoundary> all;
        for (const double row : rows_) {
            const std::vector<Seen> seen = look(row, tests);
            for (std::size_t specimen = 0; specimen < specimens_; ++specimen) {
                RowBoundary boundary;
                boundary.row = row;
                boundary.specimen = specimen;
                const auto first = first_overturning(seen, specimen);
                if (first) {
                    boundary.overturns = values_[*first];
                    boundary.from_start = *first == 0;
                    if (*first > 0) boundary.stands = values_[*first - 1];
                } else {
                    for (std::size_t i = 0; i < seen.size(); ++i)
                        if (seen[i].tests > 0) boundary.stands = values_[i];
                }
                if (boundary.stands && boundary.overturns)
                    boundary.estimate = std::sqrt(*boundary.stands * *boundary.overturns);
                boundary.is_done = !next_in_row(row, seen);
                all.push_back(boundary);
            }
        }
        return all;
    }

  private:
    std::optional<NextTest> next_in_row(double row, const std::vector<Seen>& seen) const {
        if (const auto index = next_down(seen)) return NextTest{{row, values_[*index]}, step_text(*index)};
        for (const std::size_t index : near_boundaries(seen))
            if (seen[index].tests < repeats_)
                return NextTest{{row, values_[index]},
                                "near the boundary, repeat " + std::to_string(seen[index].tests + 1) + " of " +
                                    std::to_string(repeats_)};
        return std::nullopt;
    }

    std::vector<Seen> look(double row, std::span<const TestRecord> tests) const {
        std::vector<Seen> seen(values_.size(), {0, false, std::vector<std::size_t>(specimens_)});
        for (const TestRecord& test : tests) {
            if (test.setting.at(0) != row) continue;
            const auto at = std::find(values_.begin(), values_.end(), test.setting.at(1));
            if (at == values_.end()) continue;
            Seen& here = seen[static_cast<std::size_t>(at - values_.begin())];
            here.refused = here.refused || test.status == TestStatus::refused;
            bool is_seen = test.counts();
            for (std::size_t s = 0; s < specimens_; ++s) is_seen = is_seen && overturned(test, s).has_value();
            if (!is_seen) continue;
            ++here.tests;
            for (std::size_t s = 0; s < specimens_; ++s) here.overturned[s] += *overturned(test, s) ? 1 : 0;
        }
        return seen;
    }

    static std::optional<std::size_t> first_overturning(const std::vector<Seen>& seen, std::size_t specimen) {
        for (std::size_t i = 0; i < seen.size(); ++i)
            if (seen[i].overturned[specimen] > 0) return i;
        return std::nullopt;
    }

    // The next value that is not tested yet, while a specimen has not overturned.
    std::optional<std::size_t> next_down(const std::vector<Seen>& seen) const {
        bool all_overturned = true;
        for (std::size_t s = 0; s < specimens_; ++s)
            all_overturned = all_overturned && first_overturning(seen, s).has_value();
        if (all_overturned) return std::nullopt;
        for (std::size_t i = 0; i < seen.size(); ++i) {
            if (seen[i].refused) return std::nullopt;  // nor can the table make what is beyond it
            if (seen[i].tests == 0) return i;
        }
        return std::nullopt;
    }

    std::vector<std::size_t> near_boundaries(const std::vector<Seen>& seen) const {
        std::vector<std::size_t> near;
        for (std::size_t s = 0; s < specimens_; ++s)
            if (const auto first = first_overturning(seen, s)) {
                if (*first > 0) near.push_back(*first - 1);
                near.push_back(*first);
            }
        return near;
    }

    std::string step_text(std::size_t index) const {
        return index == 0       ? "first test of this row"
               : specimens_ > 1 ? "one step further: not all have overturned"
                                : "one step further: nothing overturned before it";
    }

    std::vector<double> rows_, values_;
    std::size_t repeats_, specimens_;
};

}  // namespace

double readable(double value) {
    constexpr double kDigits = 5;
    const double unit = std::pow(10.0, kDigits - 1 - std::floor(std::log10(value)));
    return std::round(value * unit) / unit;
}

std::vector<double> search_values(const experiment::CampaignSearch& search, double step_ratio) {
    std::vector<double> values;
    const double factor = search.to > search.from ? 1.0 + step_ratio : 1.0 / (1.0 + step_ratio);
    const double way = std::log(search.to / search.from) / std::log(factor);
    const auto steps = static_cast<std::size_t>(std::floor(way * (1.0 + 1e-12) + 1e-9));
    for (std::size_t i = 0; i <= steps; ++i) {
        const double value = readable(search.from * std::pow(factor, static_cast<double>(i)));
        if (values.empty() || value != values.back()) values.push_back(value);
    }
    return values;
}

std::unique_ptr<Protocol> descending_protocol(const experiment::CampaignSection& campaign, std::size_t specimens) {
    return std::make_unique<Descending>(campaign, specimens);
}

}  // namespace topple::hil::campaign
