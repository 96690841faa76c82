// What is kept of each test of a campaign.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hil/campaign/settings.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::campaign {

/// How a test ended.
enum class TestStatus {
    done,         ///< made, whatever was seen
    discarded,    ///< made, but the operator does not count it; made again
    interrupted,  ///< the program or the table ended it; made again
    refused,      ///< the table cannot make this motion; never made
};
std::string_view name(TestStatus status) noexcept;  ///< as in tests.csv
std::optional<TestStatus> status_named(std::string_view name) noexcept;

/// Members of an ensemble by what became of them, in the order of solver::Outcome; their sum is at most 1.
using OutcomeShares = std::array<double, 6>;

/// One specimen in one test.
struct SpecimenRecord {
    std::optional<solver::Outcome> outcome;  ///< seen; empty: nobody and no sensor saw it
    std::optional<solver::Side> side;
    std::string source = "none";               ///< of the outcome: simulated, sensor, camera, operator, none
    std::optional<double> peak_rotation_rad;   ///< measured, largest of its blocks; none if it fell
    std::optional<solver::Outcome> predicted;  ///< of the specimen as described, before the test
    OutcomeShares probability{};               ///< before the test
    std::size_t members = 0;                   ///< of the ensemble
    std::string verdict;                       ///< of the comparison; empty: none was made
};

struct TestRecord {
    std::uint64_t number = 0;  ///< from 1, in the order in which they were begun
    Setting setting;
    TestStatus status = TestStatus::done;
    std::string reason;  ///< of a test that does not count
    std::vector<SpecimenRecord> specimens;
    double peak_velocity_m_s = 0.0;  ///< of the planned motion
    std::string began_utc;           ///< by the wall clock
    double took_s = 0.0;             ///< wall time, with placing the blocks
    std::string why;                 ///< this setting came next

    bool counts() const noexcept { return status == TestStatus::done; }
};

/// Of counted tests of a specimen: did it overturn? Empty without an outcome.
std::optional<bool> overturned(const TestRecord& test, std::size_t specimen) noexcept;

/// "runs/0007"
std::string run_name(std::uint64_t number);

}  // namespace topple::hil::campaign
