// Which test comes next: a pure function of the tests that were made, so that a campaign goes on where it was
// interrupted.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hil/campaign/settings.hpp"
#include "hil/campaign/test_record.hpp"
#include "hil/experiment/campaign.hpp"

namespace topple::hil::campaign {

struct NextTest {
    Setting setting;
    std::string why;  ///< for the operator and tests.csv
};

/// Where overturning begins in one row, for one specimen.
struct RowBoundary {
    double row = 0.0;
    std::size_t specimen = 0;
    std::optional<double> stands;     ///< last value of the search, counted from its start, at which it stood
    std::optional<double> overturns;  ///< first value beyond it at which it overturned
    std::optional<double> estimate;   ///< of the boundary; descending: geometric mean of the two
    std::optional<double> low, high;  ///< adaptive: 90 % interval of it
    bool is_done = false;
    bool from_start = false;  ///< it overturns at the start of the search already: where that begins is not known
};

class Protocol {
  public:
    virtual ~Protocol() = default;
    /// Empty: the campaign is complete. Tests that do not count are made again, refused ones are not.
    virtual std::optional<NextTest> next(std::span<const TestRecord> tests) = 0;
    /// Tests still to come, as far as can be foreseen; 0 if the campaign is complete.
    virtual std::size_t expected_left(std::span<const TestRecord> tests) = 0;
    /// Row by row and specimen by specimen; empty of a list and of repeats.
    virtual std::vector<RowBoundary> boundaries(std::span<const TestRecord> tests) = 0;
};

/// Of list and repeats: every setting so many times, all of one before the next.
std::unique_ptr<Protocol> listed_protocol(std::vector<Setting> settings, std::size_t repeats);

/// `specimens`: their number.
std::unique_ptr<Protocol> descending_protocol(const experiment::CampaignSection& campaign, std::size_t specimens);

/// Of this campaign. Throws InputError.
std::unique_ptr<Protocol> make_protocol(const experiment::Experiment& experiment, const Settings& settings);

/// To 5 significant digits, as a person sets it; > 0.
double readable(double value);
/// Values of the search: from, then each one step nearer to `to`, none beyond it, all readable().
std::vector<double> search_values(const experiment::CampaignSearch& search, double step_ratio);

}  // namespace topple::hil::campaign
