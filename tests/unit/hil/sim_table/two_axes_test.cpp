// The simulated table of two axes: both move, both stop, and a specimen ties them.
#include <cmath>

#include "hil/sim_table/plant.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"

using namespace topple;
using firmware_iface::DeviceState;
using firmware_iface::FaultCode;
using firmware_iface::Setpoint;
using hil::sim_table::CarriedSpecimen;
using hil::sim_table::IdealCarriage;
using hil::sim_table::Plant;
using test::HostBench;

namespace {

firmware_iface::MachineDescription two_axes() {
    auto machine = firmware_iface::quanser_st_iii();
    machine.y = machine;
    machine.y->encoder_sign = -1;
    return machine;
}

/// The sine of the bench along x, and `share` of it along y.
std::vector<Setpoint> both(const HostBench& bench, std::uint64_t start_us, double share) {
    auto setpoints = bench.sine(start_us, 3.0, 4.0, 0.0);
    for (Setpoint& setpoint : setpoints) {
        setpoint.axis_count = 2;
        setpoint.axes[1] = {share * setpoint.axes[0].position_m, share * setpoint.axes[0].velocity_m_s,
                            share * setpoint.axes[0].acceleration_m_s2};
    }
    return setpoints;
}

void arm(HostBench& bench) {
    bench.link->connect();
    REQUIRE(bench.link->arm(firmware_iface::configuration_hash(two_axes())).accepted);
}

/// Free platens of two masses, and a block that has been set rocking in its plane.
Plant free_plant(double plane_rad) {
    auto x = hil::sim_table::plant_of(firmware_iface::quanser_st_iii(), 0.0), y = x;
    x.moving_mass_kg = 5.0;
    y.moving_mass_kg = 3.0;
    x.viscous_n_s_m = x.coulomb_n = y.viscous_n_s_m = y.coulomb_n = 0.0;
    std::vector<CarriedSpecimen> specimens;
    specimens.emplace_back(test::b6l(0.1), 9.81, plane_rad);
    return Plant(IdealCarriage(x, 0.0), std::move(specimens), IdealCarriage(y, 0.0));
}

}  // namespace

TEST_CASE("Both platens follow their setpoints, each feedback has both, and the accelerometers feel their own axis") {
    HostBench bench({test::b6l()}, {}, two_axes());
    arm(bench);
    CHECK(bench.link->device().axes.size() == 2);
    REQUIRE(bench.drive(both(bench, bench.soon_us(), -0.5), 0.3));
    double peak_x = 0.0, peak_y = 0.0, error_m = 0.0;
    for (const auto& feedback : bench.feedback) {
        REQUIRE(feedback.axis_count == 2);
        const double x = 1e-6 * static_cast<double>(feedback.axes[0].encoder_count),
                     y = -1e-6 * static_cast<double>(feedback.axes[1].encoder_count);
        error_m = std::max({error_m, std::abs(x - feedback.axes[0].setpoint_position_m),
                            std::abs(y - feedback.axes[1].setpoint_position_m)});
        peak_x = std::max(peak_x, std::abs(*feedback.acceleration_x_m_s2));
        peak_y = std::max(peak_y, std::abs(*feedback.acceleration_y_m_s2));
    }
    CHECK(error_m < 5e-4);
    CHECK(peak_x == Approx(3.0).margin(0.7));
    CHECK(peak_y == Approx(1.5).margin(0.6));
    CHECK(bench.feedback.back().motion_done);
}

TEST_CASE("A stop in motion brings both platens to rest within their strokes") {
    HostBench bench({test::b6l()}, {}, two_axes());
    arm(bench);
    auto setpoints = both(bench, bench.soon_us(), 0.7);
    setpoints.resize(70);  // 0.14 s: then nothing more is sent
    bench.drive(setpoints, 0.6);
    CHECK(bench.table->core().fault() == FaultCode::queue_underrun);
    CHECK(bench.table->core().state() == DeviceState::faulted);
    CHECK(bench.table->core().drive_enabled());
    for (std::size_t axis = 0; axis < 2; ++axis) {
        CHECK(std::abs(bench.table->plant().velocity_m_s(axis)) < 1e-3);
        CHECK(std::abs(bench.table->plant().position_m(axis)) < 0.108);
    }
}

TEST_CASE("An encoder of axis y that jumps takes the power from axis x too") {
    hil::sim_table::SimulatedTableOptions options;
    std::uint64_t jump_us = UINT64_MAX;
    options.disturb = [&](std::uint64_t time_us, firmware_iface::Measurement& m) {
        if (time_us > jump_us) m.y.encoder_count += 20'000;
    };
    HostBench bench({}, options, two_axes());
    arm(bench);
    const auto start_us = bench.soon_us();
    jump_us = start_us + 100'000;
    bench.drive(both(bench, start_us, 0.7), 0.6);
    CHECK(bench.table->core().fault() == FaultCode::encoder_implausible);
    CHECK_FALSE(bench.table->core().drive_enabled());
    CHECK(std::abs(bench.table->plant().velocity_m_s(0)) < 0.01);
    CHECK(std::abs(bench.table->plant().velocity_m_s(1)) < 0.01);
}

TEST_CASE("Nothing of the horizontal momentum is lost along either axis, whatever the specimen's plane") {
    for (const double plane_rad : {0.0, 0.6, 1.5707963267948966, 2.5}) {
        Plant plant = free_plant(plane_rad);
        firmware_iface::DriveCommand off{false, false, {}, true, 0};
        double largest = 0.0, lost = 0.0;
        for (std::uint64_t step = 0; step < 20'000; ++step) {
            plant.step(100 * step, 100, off, 0.0);
            for (std::size_t axis = 0; axis < 2; ++axis) {
                lost = std::max(lost, std::abs(plant.horizontal_momentum_kg_m_s(axis)));
                largest = std::max(largest, std::abs(plant.velocity_m_s(axis)));
            }
        }
        INFO("plane " << plane_rad);
        CHECK(largest > 0.05);  // the block moved the platen
        CHECK(lost < 1e-3 * largest);
    }
}

TEST_CASE("A block in the plane of y on axis y does what it does in the plane of x on axis x") {
    const auto rotations = [](std::size_t axis, double plane_rad) {
        hil::sim_table::SimulatedTableOptions options;
        options.mechanics.reset();
        options.plane_angle_rad = {plane_rad};
        HostBench bench({test::b6l()}, options, two_axes());
        arm(bench);
        auto setpoints = both(bench, bench.soon_us(), 0.0);
        if (axis == 1)
            for (Setpoint& setpoint : setpoints) std::swap(setpoint.axes[0], setpoint.axes[1]);
        REQUIRE(bench.drive(setpoints, 1.0));
        double peak = 0.0;
        for (const auto& feedback : bench.feedback) peak = std::max(peak, std::abs(feedback.rotation_rad[0]));
        return peak;
    };
    const double along_x = rotations(0, 0.0);
    CHECK(along_x > 0.02);
    CHECK(rotations(1, 1.5707963267948966) == Approx(along_x).margin(2e-3));  // the sensor's noise
    CHECK(rotations(1, 0.0) < 2e-3);                                          // across its plane it is rigid
}
