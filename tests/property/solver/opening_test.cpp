// Openings of full interfaces: closed forms of two blocks, equivalence of forces and accelerations, jumps
// from rest.
#include "solver/stack/opening.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/stack_states.hpp"

using namespace topple::solver;

namespace {

constexpr double kGravity = 9.81;

struct TwoBlocks {
    double b, h1, h2, m1, m2;
    StackState<2> state;
    double r1() const { return 0.5 * std::hypot(b, h1); }
    double r2() const { return 0.5 * std::hypot(b, h2); }
    double a2() const { return std::atan(b / h2); }
    double i2() const { return m2 * (b * b + h2 * h2) / 12.0; }
};

TwoBlocks random_two(std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    TwoBlocks two{0.05 + 0.05 * unit(random), 0.0, 0.0, 0.3 + unit(random), 0.3 + unit(random), {}};
    two.h1 = two.b * (1.0 + 4.0 * unit(random));
    two.h2 = two.b * (1.0 + 4.0 * unit(random));
    Specimen specimen;
    specimen.blocks = {{two.b, two.h1, two.m1}, {two.b, two.h2, two.m2}};
    two.state = make_stack_state<2>(specimen, kGravity);
    return two;
}

}  // namespace

TEST_CASE("a locked pair opens where the corrected closed forms say, in 24000 random states") {
    // Thesis (6.108)-(6.111) with the errata of docs/physics.md: 3 -> 1 and 3 -> 2, both directions.
    const topple::tests::RandomRuns runs(7, 24000);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    int opened = 0, mismatches = 0;
    for (int trial = 0; trial < runs.count(); ++trial) {
        TwoBlocks two = random_two(random);
        const int s = trial % 2 == 0 ? -1 : 1;
        const double theta = s * 0.3 * std::abs(unit(random)), w = 6.0 * unit(random), u = 15.0 * unit(random);
        two.state.set_supports({s, 0});
        two.state.motion.q = {theta, 0.0};
        two.state.motion.q_rate = {w, 0.0};
        const Drive drive{u, kGravity};
        const double a = relative_accelerations(two.state.table, two.state.motion, drive, 2)[0];
        const double r2 = two.r2(), a2 = two.a2(), rp = std::hypot(0.5 * two.b, two.h1 + 0.5 * two.h2),
                     ap = std::atan(0.5 * two.b / (two.h1 + 0.5 * two.h2)), m2 = two.m2, g = kGravity;
        const double k_minus = two.i2() + m2 * r2 * rp * std::cos(a2 - ap),
                     k_plus = two.i2() + m2 * r2 * rp * std::cos(a2 + ap);
        // In the frame of s = -1 (pivot left): mirror the state if s = +1.
        const double t = -s * theta, un = -s * u, an = -s * a;
        const bool same = m2 * un * r2 * std::cos(a2 + t) >
                          m2 * g * r2 * std::sin(a2 + t) - m2 * rp * r2 * w * w * std::sin(a2 - ap) - k_minus * an;
        const bool other = m2 * un * r2 * std::cos(a2 - t) <
                           -m2 * g * r2 * std::sin(a2 - t) + m2 * rp * r2 * w * w * std::sin(a2 + ap) - k_plus * an;
        const int expected = same ? s : other ? -s : 0;
        const auto contact = contact_forces(two.state.stack, two.state.table, two.state.motion, drive);
        const int by_force = contact.edge_right_n[1] < 0.0 ? -1 : contact.edge_left_n[1] < 0.0 ? 1 : 0;
        if (contact.normal_n[1] < 0.0) continue;  // would jump
        mismatches += by_force != expected ? 1 : 0;
        opened += expected != 0 ? 1 : 0;
        InterfaceSet<2> top;
        top.add(1);
        const int decided =
            decide_supports(two.state.stack, two.state.table.s, two.state.motion, drive, top, 7.0).support[1];
        mismatches += decided != expected ? 1 : 0;
    }
    CHECK(mismatches == 0);
    CHECK(opened > runs.scaled(1000));
}

TEST_CASE("a lower block opens under a rocking top where the corrected closed forms say") {
    // Thesis (6.112)-(6.115) with the errata of docs/physics.md; a top block about its right corner is the
    // mirror image.
    const topple::tests::RandomRuns runs(8, 24000);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> unit(-1.0, 1.0);
    int opened = 0, mismatches = 0;
    for (int trial = 0; trial < runs.count(); ++trial) {
        TwoBlocks two = random_two(random);
        const int s = trial % 2 == 0 ? -1 : 1;
        const double theta = s * 0.3 * std::abs(unit(random)), w = 6.0 * unit(random), u = 15.0 * unit(random),
                     g = kGravity;
        two.state.set_supports({0, s});
        two.state.motion.q = {0.0, theta};
        two.state.motion.q_rate = {0.0, w};
        const Drive drive{u, g};
        const double a = relative_accelerations(two.state.table, two.state.motion, drive, 2)[1];
        // In the frame of s = -1.
        const double an = -s * a, un = -s * u, r2 = two.r2(), x = two.a2() - s * theta, m1 = two.m1, m2 = two.m2,
                     b = two.b, h1 = two.h1;
        const double left = un * (0.5 * m1 * h1 + m2 * (h1 + r2 * std::cos(x)));
        const bool about_left = left > g * (0.5 * m1 * b + m2 * r2 * std::sin(x)) + m2 * h1 * r2 * std::sin(x) * w * w -
                                           (two.i2() + m2 * r2 * r2 + m2 * h1 * r2 * std::cos(x)) * an;
        const bool about_right = left < -g * (0.5 * m1 * b + m2 * (b - r2 * std::sin(x))) +
                                            m2 * r2 * w * w * (h1 * std::sin(x) + b * std::cos(x)) -
                                            (two.i2() + m2 * r2 * (r2 - b * std::sin(x) + h1 * std::cos(x))) * an;
        const int expected = about_left ? s : about_right ? -s : 0;
        const auto contact = contact_forces(two.state.stack, two.state.table, two.state.motion, drive);
        const int by_force = contact.edge_right_n[0] < 0.0 ? -1 : contact.edge_left_n[0] < 0.0 ? 1 : 0;
        if (contact.normal_n[0] < 0.0) continue;
        mismatches += by_force != expected ? 1 : 0;
        opened += expected != 0 ? 1 : 0;
    }
    CHECK(mismatches == 0);
    CHECK(opened > runs.scaled(500));
}

TEST_CASE("an open interface carries no moment at its pivot, and the base carries the rate of momentum") {
    const topple::tests::RandomRuns runs(9, 500);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        InterfaceSet<4> closing;
        const auto state = topple::tests::random_impact<4>(random, topple::tests::random_stack(random, 4), closing);
        const Drive drive{2.0, kGravity};
        const auto contact = contact_forces(state.stack, state.table, state.motion, drive);
        const double scale = weight_n(state.stack, drive) * 0.1;
        for (int k = 0; k < 4; ++k)
            if (state.table.s[k] != 0) CHECK(std::abs(contact.moment_n_m[k]) < 1e-10 * scale * 100.0);
    }
}

TEST_CASE("a jump of the base acceleration from rest picks one consistent state, left for a positive jump") {
    const topple::tests::RandomRuns runs(10, 300);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int trial = 0; trial < runs.count(); ++trial) {
        const auto specimen = topple::tests::random_stack(random, 3);
        const auto state = make_stack_state<3>(specimen, kGravity);
        const RestBand band = state.rest_band(kGravity);
        for (const double factor : {0.999, 1.001, 1.5, 5.0}) {
            const Drive drive{factor * band.high_m_s2, kGravity};
            const auto supports = decide_supports(state.stack, state.table.s, state.motion, drive,
                                                  full_interfaces<3>(state.table.s, 3), state.p_rad_s)
                                      .support;
            const bool rests = supports == Supports<3>{};
            CHECK(rests == (factor < 1.0));
            auto moved = state;
            moved.set_supports(supports);
            const auto acceleration = relative_accelerations(moved.table, moved.motion, drive, 3);
            for (int k = 0; k < 3; ++k) CHECK(supports[k] * acceleration[k] >= 0.0);
        }
    }
}

TEST_CASE("a strong jump whips the two-block stack: lower block back, upper forward, above about 15 thresholds") {
    const Block block{2 * 1.606 * std::sin(.25), 2 * 1.606 * std::cos(.25), 1000.0};
    Specimen specimen;
    specimen.blocks = {block, block};
    const auto state = make_stack_state<2>(specimen, kGravity);
    const double threshold = kGravity * block.width_m / (2.0 * block.height_m);
    const auto at = [&](double factor) {
        return decide_supports(state.stack, state.table.s, state.motion, Drive{factor * threshold, kGravity},
                               full_interfaces<2>(state.table.s, 2), state.p_rad_s)
            .support;
    };
    CHECK(at(14.8) == Supports<2>{-1, 0});
    CHECK(at(15.2) == Supports<2>{-1, 1});
}
