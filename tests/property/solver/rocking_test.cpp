// Properties that every run must have: mirror, similarity, independence of pieces, convergence, energy.
#include <cmath>

#include "solver/engine/engine.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "solver/stack/stack_law.hpp"
#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/stack_states.hpp"

using namespace topple::solver;
using namespace topple::test;

namespace {

constexpr double kGravity = 9.81;

BaseMotion negative(const BaseMotion& motion) { return motion.scaled(-1.0); }

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
                        same = same && one.history[i].rotation_rad[block] == -other.history[i].rotation_rad[block] &&
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
        for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i].time_s == Approx(b[i].time_s).margin(1e-9).epsilon(0));
        CHECK(whole.rotation_rad(0) == Approx(cut.rotation_rad(0)).margin(1e-9).epsilon(0));
        CHECK(whole.result().peak_rotation_rad[0] ==
              Approx(cut.result().peak_rotation_rad[0]).margin(1e-10).epsilon(0));
    }
}

TEST_CASE("geometrically similar blocks and stacks rock alike in scaled time") {
    const double scale = 4.0;  // lengths; times scale by 2
    for (const Specimen& small : {stack({kB6l}), stack({kB3m, kB3m})}) {
        Specimen large = small;
        for (Block& block : large.blocks) block = {scale * block.width_m, scale * block.height_m, block.mass_kg};
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

TEST_CASE("Newmark's first events of a stack converge with the square of the step to those of the default method") {
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
    auto f = [&](double t, const State<1>& motion) {
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
                return stepper.interpolate(f, sigma).q[0];
            }
            now = end;
        }
        return now.state.q[0];
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

namespace {

template <int N>
Engine<StackLaw<N>> unwatched(const StackState<N>& start) {
    const StackLaw<N> law(start, ContactWatch<N>(false, std::numeric_limits<double>::infinity()));
    return Engine<StackLaw<N>>(law, {}, 0.0);
}

}  // namespace

TEST_CASE("energy between impacts is kept to 1e-10 of its value") {
    const topple::tests::RandomRuns runs(5, 10);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        auto specimen = topple::tests::random_stack(random, 3);
        specimen.initial_rotation_rad = {0.02, 0.05, 0.01};
        const auto start = make_stack_state<3>(specimen, kGravity);
        const Drive still{0.0, kGravity};
        auto loop = unwatched(start);
        const double before = potential_energy_j(start.table, start.motion, still, 3);
        double t = 0.0;
        while (loop.trace().impacts().empty() && t < 0.5) loop.run({}, t += 0.001, false);
        if (loop.law().stack().all_full()) continue;
        auto fresh = unwatched(start);
        fresh.run({}, t - 0.001, false);
        const StackState<3>& now = fresh.law().stack();
        CHECK(kinetic_energy_j(now.table, now.motion, 3) + potential_energy_j(now.table, now.motion, still, 3) ==
              Approx(before).margin(1e-10 * std::abs(before)).epsilon(0));
    }
}

TEST_CASE("energy never rises over a whole free run of a stack") {
    const topple::tests::RandomRuns runs(6, 20);
    std::mt19937_64 random(runs.seed());
    for (int trial = 0; trial < runs.count(); ++trial) {
        auto specimen = topple::tests::random_stack(random, 1 + trial % 4);
        specimen.initial_rotation_rad.assign(specimen.blocks.size(), 0.03);
        if (trial % 2 == 0) specimen.initial_rotation_rad.back() = -0.02;
        auto loop = unwatched(make_stack_state<4>(specimen, kGravity));
        const Drive still{0.0, kGravity};
        const auto energy = [&] {
            const StackState<4>& now = loop.law().stack();
            return kinetic_energy_j(now.table, now.motion, now.size()) +
                   potential_energy_j(now.table, now.motion, still, now.size());
        };
        double before = energy();
        const double start = std::abs(before) + 1e-12;
        for (double t = 0.002; t < 1.0 && loop.law().stack().standing == static_cast<int>(specimen.blocks.size());
             t += 0.002) {
            loop.run({}, t, false);
            const double now = energy();
            if (loop.law().stack().standing < static_cast<int>(specimen.blocks.size())) break;
            CHECK(now <= before + 1e-9 * start);
            before = now;
        }
        CHECK(loop.status() == SolverStatus::ok);
    }
}
