// What the operator saw.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "solver/outcome.hpp"

namespace topple::hil::compare {

struct OperatorMark {
    std::size_t specimen = 0;
    std::optional<solver::Outcome> outcome;  ///< translation, rocking, overturning; of a stack also partial or total
    std::optional<solver::Side> side;
    std::optional<std::string> discard_reason;
    /// When, by whom, of a test on which table, at which computer; empty: not noted.
    std::string time{}, marked_by{}, machine{}, computer{};
    std::vector<std::size_t> blocks_overturned{};  ///< with an outcome of overturning, from 0 at the bottom
};

/// What all marks together say, one per specimen: the last outcome with its side counts, and a discard stays a discard
/// whatever comes after it (the last reason counts).
std::vector<OperatorMark> effective_marks(const std::vector<OperatorMark>& marks);

}  // namespace topple::hil::compare
