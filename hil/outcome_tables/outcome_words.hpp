// What people write down of a test.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hil/scores/scored_test.hpp"

namespace topple::hil::outcome_tables {

/// What a cell of an outcome says.
struct SaidOutcome {
    std::optional<scores::Observation> seen;  ///< empty: nobody knows, or the word means nothing
    bool is_unknown_word = false;
};

/// "T", "rocked", "Fell", "partial", "stood", "?", "" ... in any case (docs/outcome_tables.md lists them). "y" and "n"
/// say nothing in a column named outcome.
SaidOutcome read_outcome_word(std::string_view cell);
/// "y", "no", "1", "FALSE", or any word of above: in a column named after a fall.
SaidOutcome read_fall_word(std::string_view cell);
/// The same in a column named after standing: "y" is that it stood.
SaidOutcome read_stand_word(std::string_view cell);

/// Words that are taken, for messages.
std::string outcome_words_allowed();

}  // namespace topple::hil::outcome_tables
