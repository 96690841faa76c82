// Whether an outcome stands within what is known of a measured motion.
#include "hil/plan/outcome_sensitivity.hpp"

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"

using namespace topple;
using hil::plan::OutcomeSensitivity;
using solver::Outcome;

TEST_CASE("An outcome stands if gain and bias change nothing, whatever the acceleration as given would have done") {
    const OutcomeSensitivity stands{{{"fused", Outcome::rocking, 0.1},
                                     {"gain_low", Outcome::rocking, 0.1},
                                     {"bias_high", Outcome::rocking, 0.1},
                                     {"as_given", Outcome::overturning, 1.6}}};
    CHECK(stands.stands());
    CHECK_FALSE(stands.holds_as_given());
    CHECK(hil::plan::describe(stands) ==
          "the outcome stands ONLY with the calibration: rocking also with gain, bias and time shift at ±2 standard "
          "errors, "
          "and with half and double the crossover; the acceleration as it was given: overturning");
    CHECK(hil::plan::sensitivity_json(stands).at("motions").at(3).at("outcome") == "overturning");
}

TEST_CASE("An outcome that depends on the calibration names where it changes") {
    const OutcomeSensitivity depends{{{"fused", Outcome::rocking, 0.2},
                                      {"gain_low", Outcome::rocking, 0.1},
                                      {"gain_high", Outcome::overturning, 1.6},
                                      {"as_given", Outcome::rocking, 0.2}}};
    CHECK_FALSE(depends.stands());
    CHECK(depends.holds_as_given());
    CHECK(hil::plan::describe(depends) ==
          "the outcome DEPENDS on the calibration: rocking with the fused motion, overturning with gain high at 2 "
          "standard errors; the acceleration as it was given: rocking");
}
