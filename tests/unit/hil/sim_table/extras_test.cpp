// The simulated table's trigger output and auxiliary inputs, as the host receives them.
#include <cmath>

#include "hil/sim_table/aux_voltages.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"

using namespace topple;
using hil::sim_table::AuxVoltages;

TEST_CASE("input 0 of the simulated table shows the force of its drive, the others rest at a voltage with noise") {
    hil::sim_table::SimulatedTableOptions options;
    options.aux_channel_count = 3;
    options.mechanics.reset();  // the ideal table: mass and hardly any friction
    test::HostBench host({}, options);
    CHECK(host.link->connect().aux_channel_count == 3);
    CHECK(host.link->device().has_trigger);
    REQUIRE(host.link->arm(host.link->device().configuration_hash).accepted);
    const std::uint64_t start_us = host.soon_us();
    REQUIRE(host.drive(host.sine(start_us, 5.0, 4.0, 0.0), 0.1));
    double peak_v = 0.0;
    for (const auto& feedback : host.feedback) {
        REQUIRE(feedback.aux_count == 3);
        peak_v = std::max(peak_v, std::abs(feedback.aux_v[0]));
        CHECK(std::abs(feedback.aux_v[1] - AuxVoltages::kRest_v) <= 6.0 * AuxVoltages::kNoise_v);
        CHECK(feedback.trigger == false);  // nobody asked
    }
    // 30 kg at 5 m/s2, and friction below 10 N.
    CHECK(peak_v * AuxVoltages::kForce_n_per_v == Approx(30.0 * 5.0).margin(12.0));
}

TEST_CASE("a table without auxiliary inputs sends none, and the inputs leave the other sensors as they are") {
    hil::sim_table::SimulatedTableOptions with;
    with.aux_channel_count = 8;
    test::HostBench plain, wired({}, with);
    plain.link->connect();
    wired.link->connect();
    for (int i = 0; i < 20; ++i) {
        plain.cycle();
        wired.cycle();
    }
    REQUIRE(plain.feedback.size() == wired.feedback.size());
    CHECK(plain.feedback.back().aux_count == 0);
    CHECK(wired.feedback.back().aux_count == 8);
    CHECK(plain.feedback.back().acceleration_x_m_s2 == wired.feedback.back().acceleration_x_m_s2);
}
