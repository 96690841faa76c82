#include "controller/iteration/axes_iteration.hpp"

#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"
#include "tests/support/linear_table.hpp"

using namespace topple;
using namespace topple::controller;
using Catch::Matchers::ContainsSubstring;
using test::LinearTable;
using test::LinearTables;

namespace {

constexpr std::uint64_t kStart_us = LinearTable::kStart_us;

/// Axis y is shorter and weaker.
firmware_iface::MachineDescription machine() {
    auto machine = firmware_iface::quanser_st_iii();
    machine.y = machine;
    machine.y->stroke_m = 0.075;
    machine.y->moving_mass_kg = 25.0;
    machine.y->force_max_n = 800.0;
    return machine;
}

Profile shaking(double amplitude_m, double hz) {
    return place(solver::harmonic_displacement(amplitude_m, 2.0 * std::numbers::pi * hz, 1.0, 6.0), true);
}
std::vector<Profile> two_motions() { return {shaking(0.02, 2.0), shaking(0.012, 3.1)}; }

IterationSettings strict(int passes) {
    IterationSettings settings;
    settings.passes_max = passes;
    settings.goal_peak_m = 1e-6;
    settings.goal_nrmse = 1e-4;
    return settings;
}

/// The axes differ: y falls shorter and is later.
LinearTables table() {
    LinearTables table;
    table.axes[1].gain = 0.95;
    table.axes[1].delay_s = 2.5e-3;
    return table;
}

void learn(AxesIteration& learning, const LinearTables& table) {
    while (!learning.ended()) learning.learn(table.pass(learning.drives()), kStart_us);
}

}  // namespace

TEST_CASE("both axes of a platen make their own motions after a few passes, each learned from its own sensors") {
    const auto targets = two_motions();
    const LinearTables platen = table();
    AxesIteration learning(targets, machine(), 5.0, strict(4));
    learn(learning, platen);
    CHECK(learning.pass_count() == 4);
    const auto drives = learning.drives();
    for (std::size_t i = 0; i < 2; ++i) {
        INFO("axis " << i);
        const LinearTable& axis = platen.axes[i];
        REQUIRE(learning.axis(i) != nullptr);
        CHECK(learning.axis(i)->passes().size() == 4);
        // Of the platen, with accelerometers that feel 2 % of the other axis.
        CHECK(axis.error_m(targets[i], drives[i]) < 0.03 * axis.error_m(targets[i], targets[i]));
        CHECK(learning.axis(i)->passes().front().peak_error_m ==
              Approx(axis.error_m(targets[i], targets[i])).epsilon(0.02));
    }
}

TEST_CASE("what an accelerometer feels of the other axis is not taken for an error of its own") {
    LinearTables perfect;
    for (LinearTable& axis : perfect.axes) axis.gain = 1.0, axis.delay_s = 0.0;
    const auto targets = two_motions();
    AxesIteration learning(targets, machine(), 5.0, strict(1));
    learning.learn(perfect.pass(targets), kStart_us);
    for (std::size_t i = 0; i < 2; ++i) {
        const PassResult& seen = learning.axis(i)->passes().front();
        INFO("axis " << i);
        CHECK(seen.sensors.accelerometer_used);
        CHECK(seen.sensors.cross_ratio == Approx(-0.02).margin(1e-3));
        CHECK(seen.nrmse < 2e-3);
    }
    // Where both move alike nothing tells the two apart, and the gain takes it.
    const std::vector<Profile> alike{shaking(0.02, 2.0), shaking(0.01, 2.0)};
    AxesIteration in_one_direction(alike, machine(), 5.0, strict(1));
    in_one_direction.learn(perfect.pass(alike), kStart_us);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(in_one_direction.axis(i)->passes().front().sensors.accelerometer_used);
        CHECK(in_one_direction.axis(i)->passes().front().nrmse < 2e-3);
    }
}

TEST_CASE("an axis that rests is not learned") {
    for (const std::size_t resting : {std::size_t{0}, std::size_t{1}}) {
        auto targets = two_motions();
        targets[resting] = Profile{};
        CHECK(rests(targets[resting]));
        AxesIteration learning(targets, machine(), 5.0, strict(2));
        learn(learning, table());
        CHECK(learning.axis(resting) == nullptr);
        CHECK(learning.drives()[resting].motion.empty());
        CHECK(learning.axis(1 - resting)->passes().size() == 2);
        CHECK_FALSE(learning.axis(1 - resting)->correction().empty());
    }
    const std::vector<Profile> both(2);
    CHECK(AxesIteration(both, machine(), 5.0, strict(2)).ended());
}

TEST_CASE("an axis that has reached its goal keeps its drive while the other one goes on") {
    LinearTables platen = table();
    platen.axes[0].gain = 1.0, platen.axes[0].delay_s = 0.0, platen.cross_ratio = 0.0;
    IterationSettings settings = strict(3);
    settings.goal_peak_m = 5e-6;  // axis y does not get there
    settings.goal_nrmse = 3e-3;
    AxesIteration learning(two_motions(), machine(), 5.0, settings);
    learn(learning, platen);
    CHECK(learning.axis(0)->end() == IterationEnd::goal_reached);
    CHECK(learning.axis(0)->correction().empty());
    CHECK(learning.axis(0)->passes().size() == learning.pass_count());  // measured all the same
    CHECK(learning.pass_count() > 1);
    CHECK_FALSE(learning.axis(1)->correction().empty());
}

TEST_CASE("each axis is held against its own limits, mass and force") {
    auto narrow = machine();
    const auto targets = two_motions();
    narrow.y->velocity_max_m_s = 1.0001 * targets[1].motion.extremes().velocity_peak_m_s;
    AxesIteration tight(targets, narrow, 5.0, strict(2));
    learn(tight, table());
    CHECK(tight.axis(1)->end() == IterationEnd::infeasible);
    CHECK(tight.axis(1)->correction().empty());
    CHECK_THAT(tight.axis(1)->text(), ContainsSubstring("velocity"));
    CHECK(tight.axis(0)->end() == IterationEnd::passes_done);
    CHECK_FALSE(tight.axis(0)->correction().empty());

    auto weak = machine();  // 30 kg x 4.6 m/s2 = 137 N
    weak.y->force_max_n = 100.0;
    weak.y->stop_deceleration_m_s2 = 3.0;
    AxesIteration cannot(targets, weak, 5.0, strict(2));
    learn(cannot, table());
    CHECK(cannot.axis(1)->end() == IterationEnd::cannot);
    CHECK_THAT(cannot.axis(1)->text(), ContainsSubstring("30 kg") && ContainsSubstring("100 N"));
    CHECK(cannot.axis(0)->end() == IterationEnd::passes_done);

    narrow.y->velocity_max_m_s = 0.1;
    CHECK_THROWS_WITH(AxesIteration(targets, narrow, 5.0, strict(2)), ContainsSubstring("not feasible"));
    CHECK_THROWS_AS(AxesIteration(std::vector<Profile>(1), narrow, 5.0, strict(2)), std::invalid_argument);
}
