// Impacts of two blocks of equal width against the closed forms and tables of the literature, as corrected.
#include "solver/stack/impact.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/stack_states.hpp"

using namespace topple::solver;

namespace {

/// Coefficients of Z w+ = lam w- (row 1: whole stack about the active base corner, row 2: top block about the
/// active corner of the interface), from thesis 6.134-6.199 as corrected in docs/physics.md.
struct ClosedForm {
    double z[2][2], lam[2][2];
};

struct Pair {
    double b, h1, h2, m1, m2;
    double r1s() const { return 0.25 * (b * b + h1 * h1); }
    double r2s() const { return 0.25 * (b * b + h2 * h2); }
    double i1() const { return m1 * (b * b + h1 * h1) / 12.0; }
    double i2() const { return m2 * (b * b + h2 * h2) / 12.0; }
};

/// An inter-block impact; `first` = bottom and top leaned on the same side before.
ClosedForm interface_impact(const Pair& s, bool first) {
    const double p = 0.5 * (s.h1 * s.h2 - s.b * s.b), hh = 0.5 * s.h1 * s.h2, top = s.i2() + s.m2 * s.r2s();
    const double same[4] = {s.i1() + s.m1 * s.r1s() + 4.0 * s.m2 * s.r1s() + s.m2 * p, top + s.m2 * p, s.m2 * p, top};
    const double opposite[4] = {s.i1() + s.m1 * s.r1s() + s.m2 * s.h1 * s.h1 + s.m2 * hh, top + s.m2 * hh, s.m2 * hh,
                                top};
    const double* z = first ? same : opposite;
    const double* l = first ? opposite : same;
    const double l21 = first ? s.m2 * hh : s.m2 * (p + s.b * s.b);
    return {{{z[0], z[1]}, {z[2], z[3]}}, {{l[0], l[1]}, {l21, top - 0.5 * s.m2 * s.b * s.b}}};
}

/// A base impact with the top open; x = alpha2 + |theta2| where pivots were on the same side before the
/// impact.
ClosedForm base_impact(const Pair& s, bool first, double x) {
    const double a1 = std::atan(s.b / s.h1), r1 = std::sqrt(s.r1s()), r2 = std::sqrt(s.r2s());
    const double q = 2.0 * r1 * r2 * std::cos(a1 + x), r = s.h1 * r2 * std::cos(x), top = s.i2() + s.m2 * s.r2s();
    const double far = s.i1() + s.m1 * s.r1s() + 4.0 * s.m2 * s.r1s() + s.m2 * q,
                 near = s.i1() + s.m1 * s.r1s() + s.m2 * s.h1 * s.h1 + s.m2 * r;
    const double zc = first ? q : r, lc = first ? r : q, half = 0.5 * s.m1 * s.b * s.b;
    // Pre-impact momentum about the post corner: the lower block's own share lacks m1 b^2/2.
    const double own = s.i1() + s.m1 * s.r1s() - half + s.m2 * s.h1 * s.h1 + s.m2 * lc;
    return {{{first ? far : near, top + s.m2 * zc}, {s.m2 * zc, top}}, {{own, top + s.m2 * zc}, {s.m2 * lc, top}}};
}

}  // namespace

TEST_CASE("the closed forms of two equal-width blocks agree with the projection") {
    // Thesis 6.134-6.163 as corrected in docs/physics.md#errata: whole stack about the active base corner,
    // top block about the active interface corner.
    const topple::tests::RandomRuns runs(51, 500);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> unit(0.1, 1.0);
    for (int trial = 0; trial < runs.count(); ++trial) {
        const double b = unit(random), h1 = b * (1.5 + 2.0 * unit(random)), h2 = b * (1.5 + 2.0 * unit(random));
        const double m1 = unit(random), m2 = unit(random);
        Specimen specimen;
        specimen.blocks = {{b, h1, m1}, {b, h2, m2}};
        auto state = make_stack_state<2>(specimen, 9.81);
        state.set_supports({-1, -1});
        state.motion.q = {-0.1 * unit(random), 0.0};
        const double w1 = 2.0 * unit(random) - 1.0, w2 = w1 + unit(random);
        state.motion.q_rate = {w1, w2 - w1};
        const double i1 = m1 * (b * b + h1 * h1) / 12.0, i2 = m2 * (b * b + h2 * h2) / 12.0;
        const double r1s = 0.25 * (b * b + h1 * h1), r2s = 0.25 * (b * b + h2 * h2), p = 0.5 * (h1 * h2 - b * b);
        const double z1 = i1 + m1 * r1s + 4.0 * m2 * r1s + m2 * p, z2 = i2 + m2 * r2s + m2 * p, z3 = m2 * p,
                     z4 = i2 + m2 * r2s;
        const double l1 =
            (i1 + m1 * r1s + m2 * h1 * h1 + 0.5 * m2 * h1 * h2) * w1 + (i2 + m2 * r2s + 0.5 * m2 * h1 * h2) * w2;
        const double l2 = 0.5 * m2 * h1 * h2 * w1 + (i2 + m2 * r2s - 0.5 * m2 * b * b) * w2;
        const double det = z1 * z4 - z2 * z3;
        const double w1_after = (l1 * z4 - z2 * l2) / det, w2_after = (z1 * l2 - z3 * l1) / det;
        InterfaceSet<2> closing;
        closing.add(1);
        const auto result = project(state.stack, state.table.s, state.motion, closing);
        if (w2_after - w1_after <= 0.0) {
            CHECK(result.supports[1] == 0);
            continue;
        }
        CHECK(result.supports[1] == 1);
        CHECK(result.q_rate[0] == Approx(w1_after).margin(1e-12).epsilon(0));
        CHECK(result.q_rate[0] + result.q_rate[1] == Approx(w2_after).margin(1e-12).epsilon(0));
    }
}

TEST_CASE("interface ratios of the laboratory's stacks are those of the corrected tables") {
    struct Case {
        Block lower, upper;
        double first_to_second, second_to_first, whole, top;
    };
    const Block b3m{.045, .10125, .5444}, b6m{.045, .2025, 1.0896};
    const Case cases[] = {{b3m, b3m, .2539, .3920, .9294, .7526},
                          {b6m, b6m, .6697, .7944, .9817, .9294},
                          {b3m, b6m, .4035, .6797, .9678, .9294},
                          {b6m, b3m, .4766, .5507, .9678, .7526}};
    for (const Case& stack : cases) {
        Specimen specimen;
        specimen.blocks = {stack.lower, stack.upper};
        const auto ratios = restitution_ratios(specimen);
        CHECK(ratios.at(0) == Approx(stack.whole).margin(1e-4).epsilon(0));
        CHECK(ratios.at(1) == Approx(stack.top).margin(1e-4).epsilon(0));
        const auto ratio = [&](int top) {
            auto state = make_stack_state<2>(specimen, 9.81);
            state.set_supports({-1, top});
            state.motion.q[0] = -0.05;
            state.motion.q_rate = {0.3, -0.7 * top};
            InterfaceSet<2> closing;
            closing.add(1);
            return project(state.stack, state.table.s, state.motion, closing).q_rate[1] / state.motion.q_rate[1];
        };
        CHECK(ratio(-1) == Approx(stack.first_to_second).margin(1e-4).epsilon(0));
        CHECK(ratio(1) == Approx(stack.second_to_first).margin(1e-4).epsilon(0));
    }
}

TEST_CASE("all impacts of two equal-width blocks follow the corrected closed forms, on both sides") {
    const topple::tests::RandomRuns runs(61, 2000);
    std::mt19937_64 random(runs.seed());
    std::uniform_real_distribution<double> unit(0.1, 1.0);
    int flips = 0;
    for (int trial = 0; trial < runs.count(); ++trial) {
        const double b = unit(random);
        const Pair sizes{b, b * (1.5 + 2.0 * unit(random)), b * (1.5 + 2.0 * unit(random)), unit(random), unit(random)};
        Specimen specimen;
        specimen.blocks = {{b, sizes.h1, sizes.m1}, {b, sizes.h2, sizes.m2}};
        auto state = make_stack_state<2>(specimen, 9.81);
        const bool at_base = trial % 4 < 2, first = trial % 2 == 0;
        const int lower = trial % 8 < 4 ? -1 : 1;
        // Interface: 1 -> 2 (same sides before) or 2 -> 1. Base: 1 -> 2 with the same sides before, or 2
        // -> 1.
        const int upper = first ? lower : -lower;
        state.set_supports({lower, upper});
        const double swing = unit(random), spin = 2.0 * unit(random) - 1.0;
        InterfaceSet<2> closing;
        if (at_base) {
            state.motion.q = {0.0, 0.2 * upper * unit(random)};
            state.motion.q_rate = {-lower * swing, spin};
            closing.add(0);
        } else {
            state.motion.q = {0.1 * lower * unit(random), 0.0};
            state.motion.q_rate = {spin, -upper * swing};
            closing.add(1);
        }
        const double x = std::atan(b / sizes.h2) - std::abs(state.motion.q[1]);
        const ClosedForm form = at_base ? base_impact(sizes, first, x) : interface_impact(sizes, first);
        const double w1 = state.motion.q_rate[0], w2 = w1 + state.motion.q_rate[1];
        const double l1 = form.lam[0][0] * w1 + form.lam[0][1] * w2, l2 = form.lam[1][0] * w1 + form.lam[1][1] * w2;
        const double det = form.z[0][0] * form.z[1][1] - form.z[0][1] * form.z[1][0];
        const double after1 = (l1 * form.z[1][1] - form.z[0][1] * l2) / det,
                     after2 = (form.z[0][0] * l2 - form.z[1][0] * l1) / det;
        const auto result = project(state.stack, state.table.s, state.motion, closing);
        const int closed = at_base ? 0 : 1;
        if (result.supports[closed] != -state.table.s[closed]) continue;  // lock or seat
        ++flips;
        CHECK(result.q_rate[0] == Approx(after1).margin(1e-12).epsilon(0));
        CHECK(result.q_rate[0] + result.q_rate[1] == Approx(after2).margin(1e-12).epsilon(0));
    }
    CHECK(flips > runs.scaled(1500));
}
