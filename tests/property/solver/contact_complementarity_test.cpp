// Impacts and openings by complementarity against the trial of all support states, which defines them.
#include "solver/stack/impact.hpp"

#include <cmath>
#include <limits>

#include "solver/stack/contact_watch.hpp"
#include "solver/stack/opening.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/stack_states.hpp"

using namespace topple::solver;
using topple::tests::mirrored;
using topple::tests::random_impact;
using topple::tests::random_stack;

namespace {

template <int N>
InterfaceSet<N> closed_of(const StackState<N>& state, const InterfaceSet<N>& closing) {
    InterfaceSet<N> closed;
    for (int k = 0; k < state.size(); ++k)
        if (state.table.s[k] == 0 || closing.contains(k)) closed.add(k);
    return closed;
}

/// Some interfaces full, some open; accelerations of the base up to twenty times g.
template <int N>
StackState<N> random_support(std::mt19937_64& random, Drive& drive) {
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    InterfaceSet<N> closing;
    StackState<N> state = random_impact<N>(random, random_stack(random, N), closing);
    Supports<N> supports = state.table.s;
    const double all_full = unit(random);
    for (int k = 0; k < N; ++k)
        if (closing.contains(k) || supports[k] == 0 || all_full < 0.3)
            supports[k] = 0, state.motion.q[k] = state.motion.q_rate[k] = 0.0;
    state.set_supports(supports);
    drive = {9.81 * std::pow(20.0, unit(random)) * (unit(random) < 0.5 ? -0.5 : 0.5), 9.81 * (0.2 + unit(random))};
    return state;
}

/// Would a contact have to pull? Then both corners of a face leave, which no support state shows.
template <int N>
bool jumps(const ContactForces<N>& contact, const Supports<N>& supports) {
    double whole = 0.0;
    for (const double normal : contact.normal_n) whole = std::max(whole, std::abs(normal));
    for (const double normal : contact.normal_n)
        if (normal < -1e-9 * whole) return true;
    return pulls(contact, supports, N, 1e-9 * whole);
}

template <int N>
ContactForces<N> impulse_of(const StackState<N>& before, const ImpactResult<N>& result) {
    const auto table = make_support_table(before.stack, result.supports);
    const auto a = attitude(before.motion, N);
    Row<N> rates = result.q_rate;
    for (int k = 1; k < N; ++k) rates[k] += rates[k - 1];
    return contact_forces(before.stack, table, a, impulse_loads(before.stack, before.table, table, a, rates));
}

template <int N>
int compare_impacts(std::uint64_t seed, int trials) {
    std::mt19937_64 random(seed);
    int differing = 0, jumping = 0;
    for (int trial = 0; trial < trials; ++trial) {
        InterfaceSet<N> closing;
        const auto state = random_impact<N>(random, random_stack(random, N), closing);
        const auto closed = closed_of(state, closing);
        const auto tried = project_by_trial(state.stack, state.table.s, state.motion, closed),
                   solved = project_by_complementarity(state.stack, state.table.s, state.motion, closed);
        REQUIRE(solved.solved);
        differing += tried.supports != solved.supports || tried.q_rate != solved.q_rate ? 1 : 0;
        const auto back = mirrored(state);
        const auto seen = project_by_complementarity(back.stack, back.table.s, back.motion, closed);
        for (int k = 0; k < N; ++k) {
            CHECK(seen.supports[k] == -solved.supports[k]);
            CHECK(seen.q_rate[k] == -solved.q_rate[k]);
        }
        jumping += jumps(impulse_of(state, solved), solved.supports) ? 1 : 0;
    }
    INFO(N << " blocks, seed " << seed);
    CHECK(differing == 0);
    return jumping;
}

template <int N>
int compare_openings(std::uint64_t seed, int trials) {
    std::mt19937_64 random(seed);
    int differing = 0, opened = 0, jumping = 0;
    for (int trial = 0; trial < trials; ++trial) {
        Drive drive;
        const auto state = random_support<N>(random, drive);
        const auto full = full_interfaces<N>(state.table.s, N);
        const auto tried = decide_by_trial(state.stack, state.table.s, state.motion, drive, full, state.p_rad_s);
        const auto solved =
            decide_by_complementarity(state.stack, state.table.s, state.motion, drive, full, state.p_rad_s);
        REQUIRE(solved.solved);
        differing += tried != solved.support ? 1 : 0;
        opened += tried != state.table.s ? 1 : 0;
        jumping +=
            jumps(contact_forces(state.stack, make_support_table(state.stack, tried), state.motion, drive), tried);
        const auto back = mirrored(state);
        const auto seen = decide_by_complementarity(back.stack, back.table.s, back.motion,
                                                    {-drive.horizontal_m_s2, drive.vertical_m_s2}, full, back.p_rad_s);
        for (int k = 0; k < N; ++k) CHECK(seen.support[k] == -solved.support[k]);
    }
    INFO(N << " blocks, seed " << seed);
    CHECK(differing == 0);
    CHECK(opened > trials / 4);
    return jumping;
}

}  // namespace

TEST_CASE("impacts by complementarity are those found by trying every support state, to the last bit") {
    const topple::tests::RandomRuns runs(101, 2000);  // of one block
    int jumping = compare_impacts<1>(runs.seed(), runs.count());
    jumping += compare_impacts<2>(runs.seed(1), runs.scaled(4000));
    jumping += compare_impacts<3>(runs.seed(2), runs.scaled(4000));
    jumping += compare_impacts<4>(runs.seed(3), runs.scaled(2000));
    jumping += compare_impacts<5>(runs.seed(4), runs.scaled(800));
    jumping += compare_impacts<6>(runs.seed(5), runs.scaled(250));
    jumping += compare_impacts<8>(runs.seed(7), runs.scaled(30));
    CHECK(jumping > runs.scaled(50));  // the branches are walked too
}

TEST_CASE("openings by complementarity are those found by trying every support state") {
    const topple::tests::RandomRuns runs(111, 2000);  // of one block
    int jumping = compare_openings<1>(runs.seed(), runs.count());
    jumping += compare_openings<2>(runs.seed(1), runs.scaled(4000));
    jumping += compare_openings<3>(runs.seed(2), runs.scaled(4000));
    jumping += compare_openings<4>(runs.seed(3), runs.scaled(2000));
    jumping += compare_openings<5>(runs.seed(4), runs.scaled(800));
    jumping += compare_openings<6>(runs.seed(5), runs.scaled(250));
    jumping += compare_openings<8>(runs.seed(7), runs.scaled(30));
    CHECK(jumping > runs.scaled(50));
}

TEST_CASE("contacts that have no solution are said to have none") {
    const topple::tests::RandomRuns runs(131);
    std::mt19937_64 random(runs.seed());
    InterfaceSet<4> closing;
    auto state = random_impact<4>(random, random_stack(random, 4), closing);
    state.set_supports({});
    const auto full = full_interfaces<4>(state.table.s, 4);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(decide_supports(state.stack, state.table.s, state.motion, {nan, 9.81}, full, 7.0).solved);
    state.motion.q_rate[1] = nan;
    CHECK_FALSE(project(state.stack, state.table.s, state.motion, full).solved);
    state.impact(full, {0.0, 9.81}, state.motion.q_rate);
    CHECK_FALSE(state.contacts_solved);
}
