#include "firmware_iface/machine.hpp"

#include <functional>
#include <set>

#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;

TEST_CASE("the built-in machine keeps the rules of a machine file") {
    const MachineDescription machine = quanser_st_iii();
    CHECK(machine.name == "quanser-st-iii");
    CHECK(machine.stroke_m == 0.108);
    CHECK(machine.velocity_max_m_s == 2.58);
    CHECK(machine.acceleration_max_m_s2 == 31.5);
    CHECK(machine.acceleration_clean_m_s2 == 25.0);
    CHECK(machine.counts_per_m == 1.0e6);
    CHECK(machine.feedback_rate_hz == 500.0);
    CHECK(machine.stop_deceleration_m_s2 <= 0.8 * machine.acceleration_max_m_s2);
    CHECK(machine.brake_deceleration_m_s2 > 0.0);
}

TEST_CASE("the configuration hash changes with every number and not with the name") {
    using Change = std::function<void(MachineDescription&)>;
    const std::vector<Change> changes{[](auto& m) { m.stroke_m *= 1.0 + 1e-15; },
                                      [](auto& m) { m.velocity_max_m_s = 1; },
                                      [](auto& m) { m.acceleration_max_m_s2 = 1; },
                                      [](auto& m) { m.acceleration_clean_m_s2 = 1; },
                                      [](auto& m) { m.stop_deceleration_m_s2 = 1; },
                                      [](auto& m) { m.brake_deceleration_m_s2 = 1; },
                                      [](auto& m) { m.buffer_travel_m = 1; },
                                      [](auto& m) { m.following_error_max_m = 1; },
                                      [](auto& m) { m.moving_mass_kg = 1; },
                                      [](auto& m) { m.payload_max_kg = 1; },
                                      [](auto& m) { m.counts_per_m = 1; },
                                      [](auto& m) { m.encoder_sign = -1; },
                                      [](auto& m) { m.accelerometer_scale = 2; },
                                      [](auto& m) { m.accelerometer_sign = -1; },
                                      [](auto& m) { m.accelerometer_offset_max_m_s2 = 1; },
                                      [](auto& m) { m.feedback_rate_hz = 1; },
                                      [](auto& m) { m.settling_time_s = 1; }};
    std::set<std::uint64_t> hashes{configuration_hash(quanser_st_iii())};
    for (const Change& change : changes) {
        MachineDescription machine = quanser_st_iii();
        change(machine);
        hashes.insert(configuration_hash(machine));
    }
    CHECK(hashes.size() == changes.size() + 1);
    MachineDescription renamed = quanser_st_iii();
    renamed.name = "another";
    CHECK(configuration_hash(renamed) == configuration_hash(quanser_st_iii()));
}

TEST_CASE("force and servo are the device's own affair: the configuration hash does not know them") {
    MachineDescription machine = quanser_st_iii();
    machine.force_max_n = 1.0;
    machine.servo.motor_loop_rad_s = 1.0;
    CHECK(configuration_hash(machine) == configuration_hash(quanser_st_iii()));
}

TEST_CASE("a machine that does not state its force gives acceleration_clean to a tenth of the largest payload") {
    MachineDescription machine = quanser_st_iii();
    CHECK(drive_force_max_n(machine) == machine.force_max_n);
    machine.force_max_n = 0.0;
    CHECK(drive_force_max_n(machine) == Approx(25.0 * 40.0));
}

TEST_CASE("the hash of the built-in machine is the same on every computer and in every version") {
    CHECK(configuration_hash(quanser_st_iii()) == 0xF09722B88A741F34ULL);
}
