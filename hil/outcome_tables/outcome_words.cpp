#include "hil/outcome_tables/outcome_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace topple::hil::outcome_tables {
namespace {

using solver::Outcome;

/// Lower case, blanks for '_' and '-', single ones, without a full stop, an exclamation mark or the side of a fall.
std::string plain(std::string_view cell) {
    std::string text;
    for (const char c : cell) {
        const bool is_blank = c == ' ' || c == '\t' || c == '_' || c == '-' || c == '(' || c == ')' || c == '\n';
        if (is_blank && (text.empty() || text.back() == ' ')) continue;
        text += is_blank ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '.' || text.back() == '!')) text.pop_back();
    for (const std::string_view side : {" to the left", " to the right", " left", " right"})
        if (text.ends_with(side)) text.resize(text.size() - side.size());
    return text;
}

struct Word {
    std::string_view word;
    Outcome outcome;
};
constexpr Word kWords[] = {
    {"t", Outcome::translation},
    {"translation", Outcome::translation},
    {"translated", Outcome::translation},
    {"no rocking", Outcome::translation},
    {"no uplift", Outcome::translation},
    {"s", Outcome::sliding},
    {"sliding", Outcome::sliding},
    {"slid", Outcome::sliding},
    {"slide", Outcome::sliding},
    {"slipped", Outcome::sliding},
    {"r", Outcome::rocking},
    {"rocking", Outcome::rocking},
    {"rocked", Outcome::rocking},
    {"rock", Outcome::rocking},
    {"o", Outcome::overturning},
    {"overturning", Outcome::overturning},
    {"overturned", Outcome::overturning},
    {"overturn", Outcome::overturning},
    {"toppled", Outcome::overturning},
    {"toppling", Outcome::overturning},
    {"fell", Outcome::overturning},
    {"fell over", Outcome::overturning},
    {"fall", Outcome::overturning},
    {"fallen", Outcome::overturning},
    {"p", Outcome::partial_overturning},
    {"partial", Outcome::partial_overturning},
    {"partial overturning", Outcome::partial_overturning},
    {"partly overturned", Outcome::partial_overturning},
    {"d", Outcome::total_overturning},
    {"total", Outcome::total_overturning},
    {"total overturning", Outcome::total_overturning},
    {"all fell", Outcome::total_overturning},
};
constexpr std::string_view kStood[] = {
    "stood",   "stand",          "standing",       "stable",           "upright",        "did not fall", "not fallen",
    "no fall", "not overturned", "no overturning", "did not overturn", "did not topple", "not toppled",  "survived"};
constexpr std::string_view kNotKnown[] = {"", "?", "??", "???", "n/a", "na", "nan", "unknown", "unclear", "not known"};
constexpr std::string_view kYes[] = {"y", "yes", "1", "true", "x"};
constexpr std::string_view kNo[] = {"n", "no", "0", "false"};

template <std::size_t N>
bool is_one(const std::string& word, const std::string_view (&of)[N]) {
    return std::find(std::begin(of), std::end(of), word) != std::end(of);
}

SaidOutcome read_yes_no(std::string_view cell, bool yes_is_fall) {
    const std::string word = plain(cell);
    if (is_one(word, kYes)) return {scores::observed_fall(yes_is_fall), false};
    if (is_one(word, kNo)) return {scores::observed_fall(!yes_is_fall), false};
    return read_outcome_word(cell);
}

}  // namespace

SaidOutcome read_outcome_word(std::string_view cell) {
    const std::string word = plain(cell);
    if (is_one(word, kNotKnown)) return {};
    if (is_one(word, kStood)) return {scores::observed_fall(false), false};
    for (const Word& known : kWords)
        if (known.word == word) return {scores::observed(known.outcome), false};
    return {std::nullopt, true};
}

SaidOutcome read_fall_word(std::string_view cell) { return read_yes_no(cell, true); }
SaidOutcome read_stand_word(std::string_view cell) { return read_yes_no(cell, false); }

std::string outcome_words_allowed() {
    return "T (translation), S (sliding), R (rocked), O (overturned, fell, toppled), P (partial), D (total), stood, "
           "? or blank; y and n in a column named overturned, fell, toppled or stood";
}

}  // namespace topple::hil::outcome_tables
