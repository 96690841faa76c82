// The person at the table, or what stands for one.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hil/campaign/protocol.hpp"
#include "hil/campaign/test_record.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::campaign {

/// What comes next, for whoever prepares it.
struct Preparation {
    std::uint64_t number = 0;
    std::string setting;  ///< in words
    std::string why;
    std::size_t made = 0, expected_left = 0;
    double left_s = 0.0;       ///< expected, with placing; 0: not known yet
    bool blocks_fell = false;  ///< in the test before this one
    bool by_hand = false;      ///< the operator also moves the base
};

/// What the operator says of one specimen after a test.
struct Seen {
    std::optional<solver::Outcome> outcome;  ///< empty: as the sensor has it
    std::optional<solver::Side> side;
    std::vector<std::size_t> blocks_overturned;
    std::optional<std::string> discard;  ///< reason; then the test is made again
};

struct Operator {
    std::string name;  ///< for the marks
    /// Returns once everything stands and is aligned; false: the operator ends the campaign here.
    std::function<bool(const Preparation&)> prepare;
    /// Asked after every test, with its setting in words and what the sensors say; one answer per specimen.
    std::function<std::vector<Seen>(const TestRecord&, const std::string& setting)> look;
    bool is_person = false;
};

}  // namespace topple::hil::campaign
