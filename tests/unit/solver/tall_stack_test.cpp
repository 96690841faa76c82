// Six blocks and more: their chatter ends, also when blocks have fallen off.
#include "solver/predict.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;
using topple::test::stack;

TEST_CASE("five blocks left of six come to rest after as few impacts as six do") {
    Specimen six = stack({{0.0567, 0.120, 8.95},
                          {0.0438, 0.155, 14.86},
                          {0.0424, 0.202, 14.29},
                          {0.0335, 0.091, 5.17},
                          {0.0288, 0.082, 9.37},
                          {0.0234, 0.091, 3.11}});
    six.initial_rotation_rad.assign(6, -0.0266);
    SolverOptions options;
    options.impacts_max = 100000;
    const Prediction answer = predict(six, {}, options);
    CHECK(answer.outcome == Outcome::partial_overturning);
    CHECK(answer.blocks_overturned == std::vector<std::size_t>{5});
    CHECK(answer.overturn_time_s.value() == Approx(0.6053).margin(1e-4).epsilon(0));
    CHECK(answer.impacts.size() < 3000);  // 42,575 with hops followed down to 1e-6 p
    CHECK(answer.settled_time_s.value() == Approx(20.949).margin(0.03).epsilon(0));  // of those
}
