// What `topple table identify` must find on stages whose every number differs from the machine file's.
#include <cmath>

#include "hil/identification/table_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/identified_table.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/servo_bench.hpp"

using namespace topple;
using namespace topple::hil::sim_table;
using hil::identification::Estimate;

namespace {

double off_in_errors(const Estimate& found, double truth) { return std::abs(found.value - truth) / found.error; }

/// A knock of 0.1 m/s on the true table with these gains; how far from its place the platen still is two seconds later.
double left_after_knock_m(const TablePreset& preset, const firmware_iface::MachineDescription& machine,
                          const firmware_iface::MachineDescription& proposed, double payload_kg) {
    test::ServoBench bench(machine, preset, payload_kg);
    bench.servo = firmware_iface::Servo(servo_of(proposed, payload_kg));
    bench.servo.reset(bench.measured_m());
    bench.run(0.1);
    bench.carriage.push(0.1);
    bench.run(2.0);
    bench.watch();
    bench.run(0.5);
    return bench.error_max_m;
}

}  // namespace

TEST_CASE("Mass, screw and friction of drawn stages are found within what their errors say, and gains are proposed") {
    const tests::RandomRuns random(1, 8);
    for (int run = 0; run < random.count(); ++run) {
        const TablePreset preset = drawn_around(stage_preset(), random.seed(run));
        const test::IdentifiedTable table(preset, random.seed(run) + 1);
        const auto& found = table.found;
        INFO("seed " << random.seed(run) << "\n" << describe(found, table.machine));
        REQUIRE(found.table);
        REQUIRE(found.friction);
        const double mass_kg = preset.moving_mass_ratio * table.machine.moving_mass_kg;
        CHECK(found.table->mass_kg.value == Approx(mass_kg).epsilon(0.01));
        CHECK(off_in_errors(found.table->mass_kg, mass_kg) < 4.0);
        CHECK(found.table->motor_mass_ratio.value == Approx(preset.motor_mass_ratio).epsilon(0.02));
        CHECK(found.table->stiffness_n_m.value == Approx(preset.screw_stiffness_n_m).epsilon(0.03));
        // Where it was measured; over the whole stroke the force varies by some percent.
        const double half_way_m = 0.25 * table.plan.travel_m;
        const double coulomb_n =
            test::coulomb_along_n(preset.screw, half_way_m) + test::coulomb_along_n(preset.guide, half_way_m);
        CHECK(off_in_errors(found.friction->coulomb_n, coulomb_n) < 5.0);
        CHECK(found.friction->coulomb_n.value == Approx(preset.screw.coulomb_n + preset.guide.coulomb_n).epsilon(0.05));
        CHECK(found.friction->viscous_n_s_m.value ==
              Approx(preset.screw.viscous_n_s_m + preset.guide.viscous_n_s_m).epsilon(0.05));
        REQUIRE(found.platen);
        CHECK(found.platen->delay_s.value ==
              Approx(preset.accelerometer_delay_s + 2.0 / (2.0 * std::numbers::pi * preset.accelerometer_hz))
                  .margin(0.15e-3));
        CHECK(found.proposal.why_not == "");
        REQUIRE(found.drive);
        // A cycle and a half, the current loop, and what the simulation's steps of 25 us make of it.
        CHECK(found.drive->total_s.value ==
              Approx(1.25e-4 + 1.0 / (2.0 * std::numbers::pi * preset.current_loop_hz)).epsilon(0.05));
        for (const double payload_kg : {0.0, table.machine.payload_max_kg})
            CHECK(left_after_knock_m(preset, table.machine, found.proposal.machine, payload_kg) < 1e-4);
        CHECK(found.missing.empty());
        CHECK(std::abs(table.back_at_m) < 1e-4);
    }
}

TEST_CASE("Of a worn stage mass and friction are told, its screw is not, and no gains are proposed") {
    const tests::RandomRuns random(31, 4);
    for (int run = 0; run < random.count(); ++run) {
        const TablePreset preset = drawn_around(worn_preset(), random.seed(run));
        const test::IdentifiedTable table(preset, random.seed(run) + 1);
        const auto& found = table.found;
        const std::string text = describe(found, table.machine);
        INFO("seed " << random.seed(run) << "\n" << text);
        REQUIRE(found.table);
        CHECK(found.table->mass_kg.value ==
              Approx(preset.moving_mass_ratio * table.machine.moving_mass_kg).epsilon(0.02));
        REQUIRE(found.friction);
        CHECK(found.friction->coulomb_n.value == Approx(preset.screw.coulomb_n + preset.guide.coulomb_n).epsilon(0.05));
        CHECK_FALSE(found.table->whole);
        CHECK_THAT(found.proposal.why_not, Catch::Matchers::ContainsSubstring("play"));
        CHECK_THAT(text,
                   !Catch::Matchers::ContainsSubstring("N/um") && !Catch::Matchers::ContainsSubstring("resonates"));
    }
}

TEST_CASE("On the ideal table, which has no such servo, mass and friction are found and no gains are proposed") {
    const test::IdentifiedTable table({}, 3);
    INFO(describe(table.found, table.machine));
    REQUIRE(table.found.table);
    CHECK(table.found.table->model.stiffness_n_m == 0.0);
    CHECK(table.found.table->mass_kg.value == Approx(30.0).epsilon(0.01));
    REQUIRE(table.found.friction);
    CHECK(table.found.friction->coulomb_n.value == Approx(1.5).margin(0.1));
    CHECK(table.found.friction->viscous_n_s_m.value == Approx(4.0).margin(1.0));
    CHECK_FALSE(table.found.proposal.why_not.empty());
}
