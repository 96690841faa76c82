// Peaks, impact times and rest time of a test: as predicted, with their spread, and as measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/compare/rotation_statistics.hpp"

namespace topple::hil::compare {

inline constexpr std::size_t kImpactsNumbered = 3;

/// The numbers of one history, in a fixed order; empty where this history has none.
struct HistoryNumbers {
    std::optional<solver::Outcome> outcome;
    std::vector<std::optional<double>> value{};
    double weight = 1.0;  ///< of a member: counts as so many of equal weight
};

struct NumberName {
    std::string name;  ///< "peak rotation of block 0", "time of impact 1", "last motion seen", "time of overturning"
    std::string unit;  ///< "rad" or "s"
    bool is_impact = false;
};
std::vector<NumberName> names_of_numbers(const solver::Specimen& specimen);

HistoryNumbers numbers_of(const PredictedRotation& predicted, const ComparisonContext& context);
HistoryNumbers numbers_of(const SpecimenMeasurement& measured, const ComparisonContext& context);

/// One number over the members of an ensemble that have a given outcome.
struct NumberSpread {
    std::optional<double> median, low, high;  ///< 50, 5 and 95 %; empty if worth less than kNumbersLeast members
    std::size_t members = 0;
};
inline constexpr std::size_t kNumbersLeast = 10;

struct NumbersTable {
    std::vector<NumberName> names;
    std::optional<solver::Outcome> outcome;  ///< whose members are meant: the measured one, else the likeliest
    std::vector<NumberSpread> planned, achieved;
    std::vector<std::optional<double>> measured;
};

/// Over the members of `members` with this outcome.
std::vector<NumberSpread> spread_of(const std::vector<HistoryNumbers>& members, solver::Outcome outcome);

}  // namespace topple::hil::compare
