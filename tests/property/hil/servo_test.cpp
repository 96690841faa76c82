// What holds of the position servo on every stage of the kind that it was tuned for.
#include "firmware_iface/device/servo.hpp"

#include <cmath>
#include <numbers>

#include "hil/sim_table/noise.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"
#include "tests/support/servo_bench.hpp"

using namespace topple;
using test::ServoBench;

namespace {

const firmware_iface::MachineDescription kMachine = firmware_iface::quanser_st_iii();

/// A stage or a worn one, drawn, with any payload; the ends of the range first.
ServoBench drawn(const tests::RandomRuns& random, int run, bool worn, double position_m = 0.0) {
    hil::sim_table::Noise noise(random.seed(run), 9);
    const double payload_kg = run == 0   ? 0.0
                              : run == 1 ? kMachine.payload_max_kg
                                         : kMachine.payload_max_kg * noise.uniform();
    const auto preset = worn ? hil::sim_table::worn_preset() : hil::sim_table::stage_preset();
    return {kMachine, drawn_around(preset, random.seed(run)), payload_kg, position_m};
}

void set_sine(ServoBench& bench, double amplitude_m_s2, double frequency_hz, double time_s) {
    const double w = 2.0 * std::numbers::pi * frequency_hz, v = amplitude_m_s2 / w;
    bench.setpoint = {v * time_s - v / w * std::sin(w * time_s), v * (1.0 - std::cos(w * time_s)),
                      amplitude_m_s2 * std::sin(w * time_s)};
}

}  // namespace

TEST_CASE("A knocked platen comes back to rest with every payload and on every table within 20 % of the presets") {
    const tests::RandomRuns random(1, 60);
    for (int run = 0; run < random.count(); ++run) {
        ServoBench bench = drawn(random, run, run % 2 == 1);
        INFO("run " << run << ", " << bench.payload_kg << " kg");
        bench.run(0.1);
        bench.carriage.push(0.1);
        bench.watch();
        bench.run(0.8);
        CHECK(bench.error_max_m > 1e-4);  // otherwise it was no knock
        bench.watch();
        bench.run(0.6);
        CHECK(bench.error_max_m < 1e-4);
        CHECK(bench.velocity_max_m_s < 2e-3);
    }
}

TEST_CASE("Switching the drive on anywhere moves nothing") {
    const tests::RandomRuns random(2, 30);
    for (int run = 0; run < random.count(); ++run) {
        hil::sim_table::Noise noise(random.seed(run), 10);
        ServoBench bench = drawn(random, run, false, kMachine.stroke_m * (2.0 * noise.uniform() - 1.0));
        bench.enabled = false;
        bench.run(0.05);
        const double at_m = bench.platen_m();
        bench.setpoint = {bench.measured_m(), 0.0, 0.0};  // what the core sets
        bench.enabled = true;
        bench.cycle();
        CHECK(bench.servo.status().force_n == 0.0);
        double moved_m = 0.0;
        for (int i = 0; i < 5000; ++i) {
            bench.cycle();
            moved_m = std::max(moved_m, std::abs(bench.platen_m() - at_m));
        }
        CHECK(moved_m < 5e-6);  // five counts
    }
}

TEST_CASE("A sine that is too strong leaves no wind-up behind: the platen goes straight to the held place") {
    const tests::RandomRuns random(3, 20);
    constexpr int kCycles = 2000;  // one period of 5 Hz
    for (int run = 0; run < random.count(); ++run) {
        hil::sim_table::Noise noise(random.seed(run), 11);
        const double payload_kg = kMachine.payload_max_kg * noise.uniform();
        const double strongest = drive_force_max_n(kMachine) / (kMachine.moving_mass_kg + payload_kg);
        const double amplitude = 1.3 * strongest, w = 10.0 * std::numbers::pi;
        const double start_m = -std::numbers::pi * amplitude / (w * w);
        ServoBench bench(kMachine, drawn_around(hil::sim_table::stage_preset(), random.seed(run)), payload_kg, start_m);
        bool saturated = false;
        for (int i = 0; i < kCycles; ++i) {
            set_sine(bench, amplitude, 5.0, 1e-4 * i);
            bench.setpoint.position_m += start_m;
            bench.cycle();
            saturated = saturated || bench.servo.status().saturated;
        }
        const double error_m = bench.error_max_m;
        INFO("run " << run << ", " << payload_kg << " kg, error " << error_m);
        CHECK(saturated);
        CHECK(error_m > 1e-3);
        bench.setpoint = {-start_m, 0.0, 0.0};
        bench.watch();
        bench.run(0.5);
        CHECK(bench.error_max_m < 1.5 * error_m);
        bench.run(0.3);
        bench.watch();
        bench.run(0.2);
        CHECK(bench.error_max_m < 1e-4);
    }
}

TEST_CASE("A drive that had lost its force does not throw the platen past its place when the force comes back") {
    const tests::RandomRuns random(4, 20);
    for (int run = 0; run < random.count(); ++run) {
        ServoBench bench = drawn(random, run, false);
        bench.carriage.set_force_ratio(0.0);
        bench.carriage.push(0.2);
        bench.run(1.0);  // the platen lies where it came to rest
        const double away_m = bench.platen_m();
        REQUIRE(away_m > 5e-4);
        bench.carriage.set_force_ratio(1.0);
        double past_m = 0.0;
        for (int i = 0; i < 5000; ++i) {
            bench.cycle();
            past_m = std::max(past_m, -bench.platen_m());
        }
        INFO("run " << run << ", " << bench.payload_kg << " kg, away " << away_m << ", past " << past_m);
        CHECK(past_m < away_m);
        bench.watch();
        bench.run(0.2);
        CHECK(bench.error_max_m < 1e-4);
    }
}
