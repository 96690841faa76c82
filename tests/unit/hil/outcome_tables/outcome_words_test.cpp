// What people write of a test, and what it means.
#include <string>

#include "hil/outcome_tables/outcome_words.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::outcome_tables;
using solver::Outcome;

TEST_CASE("outcomes are understood in letters and words, in any case") {
    const std::pair<const char*, Outcome> words[] = {{"T", Outcome::translation},
                                                     {"t", Outcome::translation},
                                                     {"Translation", Outcome::translation},
                                                     {"S", Outcome::sliding},
                                                     {"slid", Outcome::sliding},
                                                     {"R", Outcome::rocking},
                                                     {" rocked ", Outcome::rocking},
                                                     {"ROCKING.", Outcome::rocking},
                                                     {"O", Outcome::overturning},
                                                     {"fell", Outcome::overturning},
                                                     {"Fell (left)", Outcome::overturning},
                                                     {"toppled to the right", Outcome::overturning},
                                                     {"fell over!", Outcome::overturning},
                                                     {"P", Outcome::partial_overturning},
                                                     {"partial_overturning", Outcome::partial_overturning},
                                                     {"D", Outcome::total_overturning},
                                                     {"total overturning", Outcome::total_overturning}};
    for (const auto& [word, outcome] : words) {
        INFO(word);
        const SaidOutcome said = read_outcome_word(word);
        REQUIRE(said.seen);
        CHECK(said.seen->outcome == outcome);
        CHECK(said.seen->overturned == solver::is_overturning(outcome));
    }
}

TEST_CASE("that it stood says nothing of translation and rocking") {
    for (const char* word : {"stood", "Stable", "did not fall", "not overturned", "no-overturning"}) {
        INFO(word);
        const SaidOutcome said = read_outcome_word(word);
        REQUIRE(said.seen);
        CHECK_FALSE(said.seen->overturned);
        CHECK_FALSE(said.seen->outcome);
    }
}

TEST_CASE("y and n mean what their column is named after, and nothing in a column named outcome") {
    for (const char* yes : {"y", "Yes", "1", "TRUE", "x"}) {
        CHECK(read_fall_word(yes).seen->overturned);
        CHECK_FALSE(read_stand_word(yes).seen->overturned);
        CHECK(read_outcome_word(yes).is_unknown_word);
    }
    for (const char* no : {"n", "No", "0", "false"}) {
        CHECK_FALSE(read_fall_word(no).seen->overturned);
        CHECK(read_stand_word(no).seen->overturned);
        CHECK(read_outcome_word(no).is_unknown_word);
    }
    CHECK_FALSE(read_fall_word("n").seen->outcome);
    CHECK(read_fall_word("rocked").seen->outcome == Outcome::rocking);
}

TEST_CASE("what nobody knows is no outcome, and no unknown word") {
    for (const char* word : {"", " ", "?", "n/a", "-", "Unknown"}) {
        INFO(word);
        CHECK_FALSE(read_outcome_word(word).seen);
        CHECK_FALSE(read_outcome_word(word).is_unknown_word);
        CHECK_FALSE(read_fall_word(word).seen);
    }
    for (const char* word : {"xyz", "T R", "maybe", "left", "2"}) {
        INFO(word);
        CHECK(read_outcome_word(word).is_unknown_word);
        CHECK(read_fall_word(word).is_unknown_word);
    }
}
