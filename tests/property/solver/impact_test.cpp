// Impacts of random stacks: energy, admissibility, mirror symmetry, balances written out with r x m v.
#include "solver/stack/impact.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/stack_states.hpp"

using namespace topple::solver;
using topple::tests::mirrored;
using topple::tests::random_impact;
using topple::tests::random_stack;

namespace {

template <int N>
double energy_after(const StackState<N>& before, const ImpactResult<N>& result) {
    State<N> after = before.motion;
    after.q_rate = result.q_rate;
    return kinetic_energy_j(make_support_table(before.stack, result.supports), after, before.size());
}

template <int N>
void check_random_impacts(unsigned seed, double material, bool literal) {
    const topple::tests::RandomRuns runs(seed, 400);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        InterfaceSet<N> closing;
        auto state = random_impact<N>(random, random_stack(random, N), closing);
        state.law.material.fill(material);
        state.law.literal = literal;
        const double before = kinetic_energy_j(state.table, state.motion, N);
        const auto result = resolve_impact(state.stack, state.law, state.table.s, state.motion, closing);
        CHECK(energy_after(state, result) <= before * (1.0 + 1e-12));
        for (int k = 0; k < N; ++k) {
            const bool closed = closing.contains(k) || state.table.s[k] == 0;
            if (closed)
                CHECK(result.supports[k] * result.q_rate[k] >= 0.0);
            else
                CHECK(result.supports[k] == state.table.s[k]);
        }
        const auto back = mirrored(state);
        const auto seen = resolve_impact(back.stack, back.law, back.table.s, back.motion, closing);
        for (int k = 0; k < N; ++k) {
            CHECK(seen.supports[k] == -result.supports[k]);
            CHECK(seen.q_rate[k] == -result.q_rate[k]);
        }
    }
}

/// Angular momentum of the blocks `from` upwards about the given point, by summing r x m v block by block.
template <int N>
double momentum_about(const StackState<N>& state, const Supports<N>& supports, const Row<N>& psi, int from,
                      Vec2 point) {
    const auto table = make_support_table(state.stack, supports);
    Vec2 pivot{}, velocity{};
    double theta = 0.0, rate = 0.0, sum = 0.0;
    for (int i = 0; i < state.size(); ++i) {
        // The base's origin is the middle of the lowest face when at rest.
        if (i == 0) pivot = {state.stack.block[0].pivot_m(supports[0]), 0.0};
        theta += state.motion.q[i];
        rate += psi[i];
        const Vec2 c = turned(table.c[i], std::sin(theta), std::cos(theta)),
                   d = turned(table.d[i], std::sin(theta), std::cos(theta));
        if (i >= from) {
            const Vec2 arm = pivot + c - point, v = velocity + rate * perpendicular(c);
            sum += state.stack.block[i].inertia_kg_m2 * rate + state.stack.block[i].mass_kg * moment(arm, v);
        }
        velocity = velocity + rate * perpendicular(d);
        pivot = pivot + d;
    }
    return sum;
}

/// Where interface k's active corner is.
template <int N>
Vec2 pivot_of(const StackState<N>& state, const Supports<N>& supports, int k) {
    const auto table = make_support_table(state.stack, supports);
    Vec2 pivot{state.stack.block[0].pivot_m(supports[0]), 0.0};
    double theta = 0.0;
    for (int i = 0; i < k; ++i) {
        theta += state.motion.q[i];
        pivot = pivot + turned(table.d[i], std::sin(theta), std::cos(theta));
    }
    return pivot;
}

}  // namespace

TEST_CASE("no impact of one to four blocks raises the energy, and its mirror image is the same to the last bit") {
    check_random_impacts<1>(11, 1.0, false);
    check_random_impacts<2>(12, 1.0, false);
    check_random_impacts<3>(13, 1.0, false);
    check_random_impacts<4>(14, 1.0, false);
}

TEST_CASE("material losses, relative or literal, never raise the energy of an impact") {
    for (const double material : {0.0, 0.5, 0.95}) {
        check_random_impacts<1>(21, material, false);
        check_random_impacts<2>(22, material, false);
        check_random_impacts<3>(23, material, false);
        check_random_impacts<2>(24, material, true);
        check_random_impacts<3>(25, material, true);
    }
}

TEST_CASE("a plain impact loses exactly the energy of the velocity change") {
    const topple::tests::RandomRuns runs(31, 300);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        InterfaceSet<3> closing;
        const auto state = random_impact<3>(random, random_stack(random, 3), closing);
        const auto result = resolve_impact(
            state.stack,
            [] {
                ImpactLaw<3> law;
                law.material.fill(1.0);
                return law;
            }(),
            state.table.s, state.motion, closing);
        const double before = kinetic_energy_j(state.table, state.motion, 3);
        const double change = change_j(state.stack, state.table, make_support_table(state.stack, result.supports),
                                       attitude(state.motion, 3), result.q_rate);
        CHECK(before - energy_after(state, result) == Approx(change).margin(1e-12 * before).epsilon(0));
    }
}

TEST_CASE("impact impulses only push: at both corners of what stays full and at the pivots of what opens") {
    const topple::tests::RandomRuns runs(41, 2000);
    std::mt19937_64 random(runs.seed());
    int tried = 0;
    for (int trial = 0; trial < runs.count(); ++trial) {
        InterfaceSet<2> closing;
        auto state = random_impact<2>(random, random_stack(random, 2), closing);
        state.law.material.fill(1.0);
        const auto result = resolve_impact(state.stack, state.law, state.table.s, state.motion, closing);
        const auto table = make_support_table(state.stack, result.supports);
        const auto a = attitude(state.motion, 2);
        // Impulses are what the momentum changes need: inertia loads of the velocity changes.
        InertiaLoads<2> loads;
        Vec2 pivot_jump{};
        double rate_after = 0.0;
        for (int i = 0; i < 2; ++i) {
            rate_after += result.q_rate[i];
            const double rate = a.rate_rad_s[i];
            const auto jump = [&](Vec2 pre, Vec2 post) {
                return turned(rate_after * perpendicular(post) - rate * perpendicular(pre), a.sine[i], a.cosine[i]);
            };
            loads.force_n[i] = state.stack.block[i].mass_kg * (pivot_jump + jump(state.table.c[i], table.c[i]));
            loads.moment_n_m[i] = state.stack.block[i].inertia_kg_m2 * (rate_after - rate);
            pivot_jump = pivot_jump + jump(state.table.d[i], table.d[i]);
        }
        const auto impulse = contact_forces(state.stack, table, a, loads);
        const double scale = std::abs(impulse.normal_n[0]) + std::abs(impulse.normal_n[1]);
        for (int k = 0; k < 2; ++k) {
            if (result.supports[k] != 0) {
                CHECK(std::abs(impulse.moment_n_m[k]) <= 1e-9 * (scale + 1.0));
                continue;
            }
            ++tried;
            if (!closing.contains(k) && state.table.s[k] != 0) continue;
            // A jump (both corners lifting) has no support state of its own: the nearest one may pull.
            if (impulse.normal_n[k] < 0.0) continue;
            CHECK(impulse.edge_left_n[k] >= -1e-9 * scale);
            CHECK(impulse.edge_right_n[k] >= -1e-9 * scale);
        }
    }
    CHECK(tried > runs.scaled(100));
}

TEST_CASE("an impact keeps the angular momentum, r x m v, of all above each open pivot") {
    const topple::tests::RandomRuns runs(62, 600);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        InterfaceSet<4> closing;
        const auto state = random_impact<4>(random, random_stack(random, 4), closing);
        const auto result = project(state.stack, state.table.s, state.motion, [&] {
            InterfaceSet<4> closed;
            for (int k = 0; k < 4; ++k)
                if (state.table.s[k] == 0 || closing.contains(k)) closed.add(k);
            return closed;
        }());
        for (int k = 0; k < 4; ++k) {
            if (result.supports[k] == 0) continue;
            const Vec2 pivot = pivot_of(state, result.supports, k);
            const double before = momentum_about(state, state.table.s, state.motion.q_rate, k, pivot),
                         after = momentum_about(state, result.supports, result.q_rate, k, pivot);
            CHECK(after == Approx(before).margin(1e-11).epsilon(0));
        }
    }
}

TEST_CASE("the order in which interfaces that close together are listed does not matter") {
    const topple::tests::RandomRuns runs(63, 1000);
    std::mt19937_64 random(runs.seed());
    int several = 0;
    for (int trial = 0; trial < runs.count(); ++trial) {
        InterfaceSet<4> closing, reversed;
        auto state = random_impact<4>(random, random_stack(random, 4), closing);
        for (int i = closing.size; i-- > 0;) reversed.add(closing.index[i]);
        several += closing.size > 1 ? 1 : 0;
        state.law.material = {0.9, 0.8, 1.0, 0.95};
        const auto one = resolve_impact(state.stack, state.law, state.table.s, state.motion, closing),
                   other = resolve_impact(state.stack, state.law, state.table.s, state.motion, reversed);
        CHECK(one.supports == other.supports);
        CHECK(one.q_rate == other.q_rate);
    }
    CHECK(several > runs.scaled(300));
}
