// The short step against the step of order 8, at its end and inside.
#include <cmath>
#include <random>

#include "solver/numerics/dop853.hpp"
#include "solver/numerics/short_step.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/stack_states.hpp"

using namespace topple::solver;

namespace {

constexpr int kBlocks = 6;

/// A stack in motion whose base accelerates, and one step of it.
struct Moving {
    StackState<kBlocks> state;

    explicit Moving(std::mt19937_64& random) {
        InterfaceSet<kBlocks> closing;
        state = topple::tests::random_impact<kBlocks>(random, topple::tests::random_stack(random, kBlocks), closing);
    }
    Row<kBlocks> operator()(double time_s, const State<kBlocks>& motion) const {
        return relative_accelerations(state.table, motion, {5.0 * std::sin(40.0 * time_s), 9.81}, kBlocks);
    }
    StepEnd<kBlocks> start() const { return {0.3, state.motion, (*this)(0.3, state.motion)}; }
};

struct Difference {
    double q = 0.0, q_rate = 0.0;

    void note(const State<kBlocks>& a, const State<kBlocks>& b) {
        for (int i = 0; i < kBlocks; ++i) {
            q = std::max(q, std::abs(a.q[i] - b.q[i]));
            q_rate = std::max(q_rate, std::abs(a.q_rate[i] - b.q_rate[i]));
        }
    }
};

constexpr StepTolerance kAbsolute{1e-12, 5e-12, 0.0};

}  // namespace

TEST_CASE("a short step within its tolerance is where a step of order 8 is, at the end and inside") {
    const topple::tests::RandomRuns runs(11, 300);
    std::mt19937_64 random(runs.seed());
    int accepted = 0;
    for (int i = 0; i < runs.count(); ++i) {
        Moving moving(random);
        const StepEnd<kBlocks> from = moving.start();
        const double step_s = std::pow(10.0, -6.0 + 0.01 * (i % 300));
        ShortStep<kBlocks> short_step;
        Dop853<kBlocks> dop853;
        StepEnd<kBlocks> end, exact;
        if (!(short_step.attempt(moving, from, step_s, kBlocks, kAbsolute, end) <= 1.0)) continue;
        ++accepted;
        Difference difference;
        for (const double sigma : {0.1, 0.4, 0.7, 1.0}) {
            dop853.attempt(moving, from, sigma * step_s, kBlocks, kAbsolute, exact);
            difference.note(short_step.interpolate(moving, sigma), exact.state);
        }
        CHECK(difference.q < 1e-12);
        CHECK(difference.q_rate < 5e-12);
        CHECK(end.time_s == from.time_s + step_s);
        for (int k = 0; k < kBlocks; ++k)
            CHECK(end.acceleration[k] == Approx(exact.acceleration[k]).epsilon(1e-9).margin(1e-9));
    }
    CHECK(accepted > runs.scaled(150));
}

TEST_CASE("a step that is too long for a short step says so") {
    const topple::tests::RandomRuns runs(12);
    std::mt19937_64 random(runs.seed());
    Moving moving(random);
    ShortStep<kBlocks> short_step;
    StepEnd<kBlocks> end;
    CHECK(short_step.attempt(moving, moving.start(), 0.05, kBlocks, kAbsolute, end) > 1.0);
}
