// Properties that every run must have: mirror, similarity, independence of pieces, convergence, limits.
#include <cmath>

#include "solver/event/event_loop.hpp"
#include "solver/rocking_run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/stack_states.hpp"

using namespace topple::solver;

namespace {

constexpr double kGravity = 9.81;

Specimen stack(std::vector<Block> blocks) {
    Specimen specimen;
    specimen.blocks = std::move(blocks);
    return specimen;
}

const Block kB3m{.045, .10125, .5444}, kB6m{.045, .2025, 1.0896}, kB6l{.06, .27, 2.5692};

BaseMotion negative(const BaseMotion& motion) {
    return motion.scaled(-1.0);
}

/// The two-block stack of the literature: R = 1.606 m, alpha = 0.25.
Specimen kounadis() {
    const Block block{2 * 1.606 * std::sin(.25), 2 * 1.606 * std::cos(.25), 1000.0};
    return stack({block, block});
}

}  // namespace

TEST_CASE("the mirrored excitation gives the mirrored history to the last bit") {
    SolverOptions options;
    options.history_step_s = 0.02;
    options.settle_limit_s = 3.0;
    const std::vector<Specimen> specimens = {stack({kB6l}), stack({kB3m, kB6m}), stack({kB6m, kB3m, kB3m}),
                                             stack({kB6m, kB6m, kB3m, kB3m})};
    for (const Integrator integrator : {Integrator::high_order, Integrator::newmark}) {
        options.integrator = integrator;
        for (const Specimen& specimen : specimens) {
            for (const double amplitude : {3.0, 6.0}) {
                const BaseMotion motion = sine_acceleration(amplitude, 25.0, 1.5);
                const Prediction one = predict(specimen, motion, options);
                const Prediction other = predict(specimen, negative(motion), options);
                CHECK(one.outcome == other.outcome);
                CHECK(one.overturn_time_s == other.overturn_time_s);
                CHECK(one.settled_time_s == other.settled_time_s);
                CHECK(one.peak_rotation_rad == other.peak_rotation_rad);
                REQUIRE(one.impacts.size() == other.impacts.size());
                REQUIRE(one.history.size() == other.history.size());
                bool same = true;
                for (std::size_t i = 0; i < one.history.size(); ++i)
                    for (std::size_t block = 0; block < specimen.blocks.size(); ++block)
                        same = same &&
                               one.history[i].rotation_rad[block] == -other.history[i].rotation_rad[block] &&
                               one.history[i].time_s == other.history[i].time_s;
                CHECK(same);
            }
        }
    }
}

TEST_CASE("how a motion is cut into pieces does not matter") {
    const BaseMotion motion = sine_acceleration(3.5, 25.0, 2.0);
    for (const Specimen& specimen : {stack({kB6l}), stack({kB6m, kB6m})}) {
        RockingRun whole(specimen, {}), cut(specimen, {});
        for (const MotionPiece& piece : motion.pieces()) whole.advance(piece, piece.end_s);
        double until = 0.0;
        for (const MotionPiece& piece : motion.pieces())
            while (until < piece.end_s) cut.advance(piece, until = std::min(piece.end_s, until + 0.00173));
        const auto a = whole.result().impacts, b = cut.result().impacts;
        REQUIRE(a.size() == b.size());
        REQUIRE(!a.empty());
        for (std::size_t i = 0; i < a.size(); ++i)
            CHECK(a[i].time_s == Approx(b[i].time_s).margin(1e-9).epsilon(0));
        CHECK(whole.rotation_rad(0) == Approx(cut.rotation_rad(0)).margin(1e-9).epsilon(0));
        CHECK(whole.result().peak_rotation_rad[0] ==
              Approx(cut.result().peak_rotation_rad[0]).margin(1e-10).epsilon(0));
    }
}

TEST_CASE("geometrically similar blocks and stacks rock alike in scaled time") {
    const double scale = 4.0;  // lengths; times scale by 2
    for (const Specimen& small : {stack({kB6l}), stack({kB3m, kB3m})}) {
        Specimen large = small;
        for (Block& block : large.blocks)
            block = {scale * block.width_m, scale * block.height_m, block.mass_kg};
        SolverOptions options;
        options.settle_limit_s = 0.8;
        const Prediction a = predict(small, sine_acceleration(3.4, 24.0), options);
        options.settle_limit_s = 1.6;
        const Prediction b = predict(large, sine_acceleration(3.4, 12.0), options);
        REQUIRE(!a.impacts.empty());
        CHECK(a.outcome == b.outcome);
        for (std::size_t i = 0; i < std::min<std::size_t>(3, a.impacts.size()); ++i)
            CHECK(2.0 * a.impacts[i].time_s == Approx(b.impacts.at(i).time_s).margin(1e-9).epsilon(0));
        CHECK(a.peak_rotation_rad[0] == Approx(b.peak_rotation_rad[0]).margin(1e-9).epsilon(0));
    }
}

TEST_CASE("Newmark's impact times converge with the square of the step to those of the default method") {
    Specimen specimen = stack({kB6l});
    specimen.initial_rotation_rad = {0.15};
    const double exact = predict(specimen, {}).impacts.at(1).time_s;
    SolverOptions options;
    options.integrator = Integrator::newmark;
    std::vector<double> error;
    for (const double step_s : {4e-3, 2e-3, 1e-3}) {
        options.newmark_step_s = step_s;
        error.push_back(std::abs(predict(specimen, {}, options).impacts.at(1).time_s - exact));
    }
    CHECK(error[2] < 6e-6);
    CHECK(error[0] / error[1] == Approx(4.0).margin(0.3).epsilon(0));
    CHECK(error[1] / error[2] == Approx(4.0).margin(0.3).epsilon(0));
}

TEST_CASE(
    "Newmark's first events of a stack converge with the square of the step to those of the default method") {
    Specimen specimen = stack({kB6m, kB3m});
    specimen.initial_rotation_rad = {0.04, 0.09};
    const auto impacts = [&](const SolverOptions& options) { return predict(specimen, {}, options).impacts; };
    const auto exact = impacts({});
    SolverOptions options;
    options.integrator = Integrator::newmark;
    std::vector<double> error;
    for (const double step_s : {2e-3, 1e-3, 5e-4}) {
        options.newmark_step_s = step_s;
        const auto found = impacts(options);
        REQUIRE(found.at(1).interface_index == exact.at(1).interface_index);
        error.push_back(std::abs(found.at(1).time_s - exact.at(1).time_s));
    }
    CHECK(error[2] < 2e-5);
    CHECK(error[0] / error[1] == Approx(4.0).margin(0.6).epsilon(0));
    CHECK(error[1] / error[2] == Approx(4.0).margin(0.6).epsilon(0));
}

TEST_CASE("one step of the default method is of order 8 and its interior of order 7") {
    auto state = make_stack_state<1>(stack({kB6l}), kGravity);
    state.set_supports({1});
    state.motion = {{0.1}, {0.3}};
    auto f = [&](double t, const Motion<1>& motion) {
        return relative_accelerations(state.table, motion, Drive{std::sin(20.0 * t), kGravity}, 1);
    };
    const StepEnd<1> from{0.0, state.motion, f(0.0, state.motion)};
    const auto at = [&](double total_s, int steps, double sigma) {
        Dop853<1> stepper;
        StepEnd<1> now = from, end;
        const double h = total_s / steps;
        for (int i = 0; i < steps; ++i) {
            stepper.attempt(f, now, h, 1, {1.0, 1.0, 1.0}, end);
            if (i == steps - 1 && sigma < 1.0) {
                stepper.prepare_dense(f);
                return stepper.interpolate(f, sigma).phi_rad[0];
            }
            now = end;
        }
        return now.motion.phi_rad[0];
    };
    const double exact = at(0.4, 64, 1.0);
    const double order = std::log2(std::abs(at(0.4, 2, 1.0) - exact) / std::abs(at(0.4, 4, 1.0) - exact));
    CHECK(order > 7.3);
    CHECK(order < 10.5);
    // Interior of one step against the same instant reached by many small steps: local order 8.
    const double coarse = std::abs(at(0.2, 1, 0.4) - at(0.08, 32, 1.0)),
                 fine = std::abs(at(0.1, 1, 0.4) - at(0.04, 32, 1.0));
    CHECK(std::log2(coarse / fine) > 6.8);
}

TEST_CASE("energy between impacts is kept to 1e-10 of its value") {
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 10; ++trial) {
        auto specimen = topple::tests::random_stack(random, 3);
        specimen.initial_rotation_rad = {0.02, 0.05, 0.01};
        const auto start = make_stack_state<3>(specimen, kGravity);
        const Drive still{0.0, kGravity};
        EventLoop<3> loop(start, {}, 0.0);
        const double before = potential_energy_j(start.table, start.motion, still, 3);
        double t = 0.0;
        while (loop.trace().impacts().empty() && t < 0.5) loop.run({}, t += 0.001, false);
        if (loop.state().all_full()) continue;
        EventLoop<3> fresh(start, {}, 0.0);
        fresh.run({}, t - 0.001, false);
        const StackState<3>& now = fresh.state();
        CHECK(kinetic_energy_j(now.table, now.motion, 3) +
                  potential_energy_j(now.table, now.motion, still, 3) ==
              Approx(before).margin(1e-10 * std::abs(before)).epsilon(0));
    }
}

TEST_CASE("energy never rises over a whole free run of a stack") {
    std::mt19937_64 random(6);
    for (int trial = 0; trial < 20; ++trial) {
        auto specimen = topple::tests::random_stack(random, 1 + trial % 4);
        specimen.initial_rotation_rad.assign(specimen.blocks.size(), 0.03);
        if (trial % 2 == 0) specimen.initial_rotation_rad.back() = -0.02;
        EventLoop<4> loop(make_stack_state<4>(specimen, kGravity), {}, 0.0);
        const Drive still{0.0, kGravity};
        const auto energy = [&] {
            const StackState<4>& now = loop.state();
            return kinetic_energy_j(now.table, now.motion, now.size()) +
                   potential_energy_j(now.table, now.motion, still, now.size());
        };
        double before = energy();
        const double start = std::abs(before) + 1e-12;
        for (double t = 0.002; t < 1.0 && loop.state().standing == static_cast<int>(specimen.blocks.size());
             t += 0.002) {
            loop.run({}, t, false);
            const double now = energy();
            if (loop.state().standing < static_cast<int>(specimen.blocks.size())) break;
            CHECK(now <= before + 1e-9 * start);
            before = now;
        }
        CHECK(loop.status() == SolverStatus::ok);
    }
}

TEST_CASE("a stack that never opens inside is one block of the summed height") {
    SolverOptions options;
    options.settle_limit_s = 1.0;
    const Specimen two = stack({{0.06, 0.1, 1.0}, {0.06, 0.15, 1.5}}), one = stack({{0.06, 0.25, 2.5}});
    Specimen released_two = two, released_one = one;
    released_two.initial_rotation_rad = {0.1, 0.1};
    released_one.initial_rotation_rad = {0.1};
    const Prediction a = predict(released_two, {}, options), b = predict(released_one, {}, options);
    REQUIRE(!b.impacts.empty());
    REQUIRE(!a.impacts.empty());
    CHECK(a.impacts[0].time_s == Approx(b.impacts[0].time_s).margin(1e-10).epsilon(0));
    CHECK(a.impacts[0].rotation_rate_after_rad_s[1] ==
          Approx(b.impacts[0].rotation_rate_after_rad_s[0]).margin(1e-10).epsilon(0));
    CHECK(uplift_acceleration_m_s2(two) == Approx(uplift_acceleration_m_s2(one)).epsilon(1e-14));
}

TEST_CASE("a tiny block on top leaves the lower block alone") {
    Specimen single = stack({kB6l}), loaded = stack({kB6l, {0.04, 0.005, 1e-9}});
    SolverOptions options;
    options.settle_limit_s = 0.5;
    const BaseMotion motion = sine_acceleration(3.0, 25.0);
    const Prediction a = predict(single, motion, options), b = predict(loaded, motion, options);
    std::vector<double> base;
    for (const Impact& impact : b.impacts)
        if (impact.interface_index == 0) base.push_back(impact.time_s);
    REQUIRE(a.impacts.size() >= 2);
    REQUIRE(base.size() >= 2);
    for (std::size_t i = 0; i < 2; ++i) CHECK(base[i] == Approx(a.impacts[i].time_s).margin(1e-7).epsilon(0));
}

TEST_CASE(
    "a short top block barely moves on a wide one: the wide block stays, the top rocks as on the floor") {
    Specimen stacked = stack({{0.5, 0.05, 1000.0}, kB6l}), alone = stack({kB6l});
    stacked.initial_rotation_rad = {0.0, 0.15};
    alone.initial_rotation_rad = {0.15};
    const Prediction a = predict(stacked, {}), b = predict(alone, {});
    REQUIRE(a.impacts.size() > 3);
    CHECK(a.peak_rotation_rad[0] == 0.0);
    for (std::size_t i = 0; i < 3; ++i)
        CHECK(a.impacts[i].time_s == Approx(b.impacts[i].time_s).margin(1e-9).epsilon(0));
}

TEST_CASE("two blocks under a single sine follow the known list of events") {
    // Kounadis's stack, material 0.95 at the interface on all velocities; first events only, the rest is
    // chaotic.
    Specimen specimen = kounadis();
    specimen.restitution.material = {1.0, 0.95};
    specimen.restitution.rule = RestitutionRule::literal;
    SolverOptions options;
    options.history_step_s = 1000.0;
    options.settle_limit_s = 1.5;
    const Prediction answer = predict(specimen, sine_acceleration(10.7808 * kGravity * 0.125, 12.0), options);
    struct Event {
        double time_s;
        Support lower, upper;
    };
    const auto L = Support::left, R = Support::right, F = Support::full;
    const Event expected[] = {{.00791, L, F},  {.28551, L, L},  {.81163, R, L},
                              {1.14794, L, L}, {1.39287, L, R}, {1.57466, L, L}};
    std::size_t i = 1;
    for (const Event& event : expected) {
        while (i + 1 < answer.history.size() && answer.history[i + 1].time_s == answer.history[i].time_s) ++i;
        CHECK(answer.history.at(i).time_s == Approx(event.time_s).margin(6e-6).epsilon(0));
        CHECK(answer.history[i].support[0] == event.lower);
        CHECK(answer.history[i].support[1] == event.upper);
        ++i;
    }
    CHECK(answer.peak_rotation_rad[1] == Approx(.2613).margin(5e-5).epsilon(0));
}

TEST_CASE("free releases of the two-block stack open and impact when they should") {
    Specimen top = kounadis();
    top.initial_rotation_rad = {0.0, 0.125};
    SolverOptions options;
    options.history_step_s = 1000.0;
    options.settle_limit_s = 0.5;
    const auto history = predict(top, {}, options).history;
    CHECK(history.at(1).time_s == Approx(.41174).margin(6e-6).epsilon(0));
    CHECK(history[1].rotation_rad[1] == Approx(.0734).margin(6e-5).epsilon(0));
    Specimen both = kounadis();
    const double alpha = std::atan(0.5 * both.blocks[0].width_m / both.blocks[0].height_m);
    both.initial_rotation_rad = {alpha / 2, alpha / 2};
    options.settle_limit_s = 6.0;
    const auto impacts = predict(both, {}, options).impacts;
    const double expected[] = {.86039, 2.47958, 4.01103, 5.46531};
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(impacts.at(i).time_s == Approx(expected[i]).margin(6e-6).epsilon(0));
}
