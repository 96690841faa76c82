#include "solver/outcome.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

TEST_CASE("outcomes carry the names of the files") {
    CHECK(name(Outcome::rocking) == "rocking");
    CHECK(name(Outcome::partial_overturning) == "partial_overturning");
    CHECK(is_overturning(Outcome::total_overturning));
    CHECK_FALSE(is_overturning(Outcome::sliding));
}
