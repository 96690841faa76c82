#include "hil/sim_table/plant.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"

using namespace topple;
using hil::sim_table::CarriedSpecimen;
using hil::sim_table::Plant;

namespace {

const firmware_iface::MachineDescription kMachine = firmware_iface::quanser_st_iii();

struct Tracking {
    double position_error_m = 0.0, peak_acceleration_m_s2 = 0.0, fitted_amplitude_m_s2 = 0.0, rms_to_peak = 0.0;
};

/// One acceleration sine, commanded directly; the fit is the projection on the sine.
Tracking track(Plant& plant, double amplitude_m_s2, double frequency_hz) {
    const double w = 2 * std::numbers::pi * frequency_hz, v = amplitude_m_s2 / w, x0 = -std::numbers::pi * v / w;
    Tracking result;
    double sum = 0.0, weight = 0.0, squares = 0.0;
    const int steps = static_cast<int>(std::lround(1e4 / frequency_hz));
    for (int i = 0; i < steps; ++i) {
        const double t = 1e-4 * i;
        const firmware_iface::AxisSetpoint setpoint{x0 + v * t - v / w * std::sin(w * t), v * (1 - std::cos(w * t)),
                                                    amplitude_m_s2 * std::sin(w * t)};
        result.position_error_m = std::max(result.position_error_m, std::abs(plant.position_m() - setpoint.position_m));
        plant.step(100u * i, 100, {true, false, setpoint, false, 0}, 0.0);
        const double a = plant.acceleration_m_s2(), s = std::sin(w * (t + 5e-5));
        sum += a * s, weight += s * s, squares += a * a;
        result.peak_acceleration_m_s2 = std::max(result.peak_acceleration_m_s2, std::abs(a));
    }
    result.fitted_amplitude_m_s2 = sum / weight;
    result.rms_to_peak = std::sqrt(squares / steps) / result.peak_acceleration_m_s2;
    return result;
}

double start_of(double amplitude_m_s2, double frequency_hz) {
    const double w = 2 * std::numbers::pi * frequency_hz;
    return -std::numbers::pi * amplitude_m_s2 / (w * w);
}

constexpr double kLightPlaten_kg = 5.0;  // so that a block moves it

/// A light platen that nothing holds back, and one specimen on it.
Plant free_plant(const solver::Specimen& specimen,
                 double force_lag_s = hil::sim_table::plant_of(kMachine, 0.0).force_lag_s) {
    auto parameters = hil::sim_table::plant_of(kMachine, 0.0);
    parameters.moving_mass_kg = kLightPlaten_kg;
    parameters.viscous_n_s_m = parameters.coulomb_n = 0.0;
    parameters.force_lag_s = force_lag_s;
    std::vector<CarriedSpecimen> specimens;
    specimens.emplace_back(specimen, 9.81);
    return Plant(parameters, std::move(specimens), 0.0);
}

}  // namespace

TEST_CASE("The demonstration sine is tracked far below a millimetre, its amplitude within one per cent") {
    for (bool loaded : {false, true}) {
        std::vector<CarriedSpecimen> specimens;
        if (loaded) specimens.emplace_back(test::b6l(), 9.81);
        Plant plant(hil::sim_table::plant_of(kMachine, loaded ? 2.5692 : 0.0), std::move(specimens),
                    start_of(3.0, 4.0));
        const auto tracking = track(plant, 3.0, 4.0);
        CHECK(tracking.position_error_m < 2e-4);
        CHECK(tracking.fitted_amplitude_m_s2 == Approx(3.0).epsilon(0.01));
    }
}

TEST_CASE("A sine stronger than the drive becomes a double constant") {
    Plant clean(hil::sim_table::plant_of(kMachine, 0.0), {}, start_of(20.0, 10.0));
    const auto below = track(clean, 20.0, 10.0);
    CHECK(below.peak_acceleration_m_s2 == Approx(20.0).epsilon(0.03));
    CHECK(below.rms_to_peak == Approx(std::sqrt(0.5)).epsilon(0.02));
    Plant driven(hil::sim_table::plant_of(kMachine, 0.0), {}, start_of(40.0, 10.0));
    const auto above = track(driven, 40.0, 10.0);
    CHECK(above.peak_acceleration_m_s2 < 1.02 * kMachine.acceleration_clean_m_s2);
    CHECK(above.rms_to_peak > 0.85);
}

TEST_CASE("The drive cannot go faster than the machine") {
    auto parameters = hil::sim_table::plant_of(kMachine, 0.0);
    parameters.frame_m = 100.0;
    Plant plant(parameters, {}, 0.0);
    double fastest = 0.0;
    for (int i = 0; i < 5000; ++i) {
        plant.step(100u * i, 100, {true, false, {10.0, 5.0, 0.0}, false, 0}, 0.0);
        fastest = std::max(fastest, plant.velocity_m_s());
    }
    CHECK(fastest > 0.95 * kMachine.velocity_max_m_s);
    CHECK(fastest <= kMachine.velocity_max_m_s);
}

TEST_CASE("On a free platen without friction the horizontal momentum of platen and blocks stays what it was") {
    auto tilted = test::b6l();
    tilted.initial_rotation_rad = {0.15};
    Plant plant = free_plant(tilted);
    const firmware_iface::DriveCommand off{false, false, {}, true, 0};
    double fastest = 0.0, worst = 0.0;
    for (int i = 0; i < 20000; ++i) {
        plant.step(100u * i, 100, off, 0.0);
        fastest = std::max(fastest, std::abs(plant.velocity_m_s()));
        worst = std::max(worst, std::abs(plant.horizontal_momentum_kg_m_s()));
    }
    CHECK(fastest > 0.01);
    CHECK(worst < 1e-9);
}

TEST_CASE("Blocks that fall off a stack take their own momentum with them and push the platen no more") {
    solver::Specimen stack;
    stack.blocks = {{0.2, 0.1, 5.0}, {0.05, 0.15, 0.9}, {0.05, 0.1, 0.6}};
    for (const double lean_rad : {0.25, -0.25}) {
        stack.initial_rotation_rad = {0.0, lean_rad, lean_rad};
        Plant plant = free_plant(stack);
        const firmware_iface::DriveCommand off{false, false, {}, true, 0};
        double gone_kg_m_s = 0.0, worst = 0.0, jump_m_s = 0.0, fell_with_m_s = 0.0;
        solver::StandingLoad before = plant.specimens()[0].run().standing_load();
        CHECK(before.mass_kg == Approx(6.5));
        for (int i = 0; i < 20000; ++i) {
            const double velocity_m_s = plant.velocity_m_s();
            plant.step(100u * i, 100, off, 0.0);
            const solver::StandingLoad now = plant.specimens()[0].run().standing_load();
            const double fell_kg = before.mass_kg - now.mass_kg,
                         fell_kg_m_s = now.lost_momentum_kg_m_s - before.lost_momentum_kg_m_s;
            if (fell_kg > 0.0) {
                jump_m_s = std::abs(plant.velocity_m_s() - velocity_m_s);
                fell_with_m_s = fell_kg_m_s / fell_kg;
            }
            gone_kg_m_s += fell_kg * plant.velocity_m_s() + fell_kg_m_s;
            worst = std::max(worst, std::abs(plant.horizontal_momentum_kg_m_s() + gone_kg_m_s));
            before = now;
        }
        CHECK(before.mass_kg == 5.0);
        CHECK(std::abs(fell_with_m_s) > 0.02);  // otherwise nothing is at stake
        CHECK(jump_m_s < 0.1 * 1.5 * std::abs(fell_with_m_s) / (kLightPlaten_kg + 5.0));
        CHECK(worst < 1e-9);
        // What is left is a block at rest: it follows as a mass.
        CHECK(plant.specimens()[0].load().force_n == Approx(0.0).margin(1e-9));
        CHECK(plant.specimens()[0].load().slope_kg == Approx(-5.0));
    }
}

TEST_CASE("A block that has fallen from a tilted seat leaves no share of its weight on the platen") {
    auto tilted = test::b6l();
    tilted.initial_tilt_rad = 0.01;
    tilted.initial_rotation_rad = {0.3};
    Plant plant = free_plant(tilted);
    const firmware_iface::DriveCommand off{false, false, {}, true, 0};
    for (int i = 0; i < 20000; ++i) plant.step(100u * i, 100, off, 0.0);
    CHECK(plant.specimens()[0].standing_mass_kg() == 0.0);
    CHECK(plant.specimens()[0].load().force_n == 0.0);
    CHECK(plant.specimens()[0].load().slope_kg == 0.0);
}

TEST_CASE("A block that slides and rocks on a free platen keeps the momentum of both, impacts included") {
    auto slippery = test::b6l();
    slippery.initial_rotation_rad = {0.15};
    slippery.friction = solver::Friction{0.12, 0.1};
    Plant plant = free_plant(slippery);
    const firmware_iface::DriveCommand off{false, false, {}, true, 0};
    double slip_m = 0.0, worst = 0.0;
    for (int i = 0; i < 20000; ++i) {
        plant.step(100u * i, 100, off, 0.0);
        slip_m = std::max(slip_m, std::abs(plant.specimens()[0].run().slip_m()));
        worst = std::max(worst, std::abs(plant.horizontal_momentum_kg_m_s()));
    }
    CHECK(slip_m > 1e-4);
    CHECK(worst < 1e-9);
}

TEST_CASE("A sliding block drags the platen with kinetic friction and no more") {
    auto slippery = test::b6l();
    slippery.friction = solver::Friction{0.05, 0.04};
    Plant plant = free_plant(slippery, 1e-6);
    plant.push(1.0);
    const firmware_iface::DriveCommand brake{false, true, {}, false, 0};
    for (int i = 0; i < 100; ++i) plant.step(100u * i, 100, brake, 0.0);
    const double mass_kg = slippery.blocks[0].mass_kg;
    // The platen is knocked away under the block, which stays behind and holds it back.
    CHECK(plant.specimens()[0].run().slip_m() < 0.0);
    CHECK(plant.specimens()[0].load().force_n == Approx(-0.04 * mass_kg * 9.81).epsilon(1e-9));
    CHECK(plant.specimens()[0].load().slope_kg == Approx(0.0).margin(1e-12));
}

TEST_CASE("Between impacts the platen's acceleration is the one the specimen was advanced through") {
    auto tilted = test::b6l();
    tilted.initial_rotation_rad = {0.15};
    Plant plant = free_plant(tilted);
    const firmware_iface::DriveCommand off{false, false, {}, true, 0};
    for (int i = 0; i < 1000; ++i) {  // first impact later than 0.1 s
        const auto load = plant.specimens()[0].held() ? CarriedSpecimen::Load{} : plant.specimens()[0].load();
        plant.step(100u * i, 100, off, 0.0);
        if (i > 5)
            REQUIRE(plant.acceleration_m_s2() == Approx(load.force_n / (kLightPlaten_kg - load.slope_kg)).margin(2e-3));
    }
}

TEST_CASE("At an impact the block feels the platen give way: angular momentum about the new corner is kept") {
    for (const double lean_rad : {0.15, -0.15}) {
        auto block = test::b6l();
        block.initial_rotation_rad = {lean_rad};
        const double b = block.blocks[0].width_m, h = block.blocks[0].height_m, m = block.blocks[0].mass_kg;
        Plant plant = free_plant(block);
        const firmware_iface::DriveCommand off{false, false, {}, true, 0};
        const auto rate = [&] { return plant.specimens()[0].run().rotation_rate_rad_s(0); };
        const auto leans_as_released = [&] { return plant.specimens()[0].rotation_rad(0) * lean_rad > 0.0; };
        double rate_rad_s = 0.0, platen_m_s = 0.0;
        std::uint64_t step = 0;
        const auto advance = [&] { plant.step(100u * step++, 100, off, 0.0); };
        while (step < 10000 && leans_as_released()) {
            rate_rad_s = rate();
            platen_m_s = plant.velocity_m_s();
            advance();
        }
        REQUIRE_FALSE(leans_as_released());
        for (int i = 0; i < 10; ++i)
            advance();  // what the block feels comes back to the platen, a smaller part each time
        // Unknown: rate and platen velocity after it. Moments of inertia about the centre and a corner.
        const double centre = m * (b * b + h * h) / 12.0, corner = m * (b * b + h * h) / 3.0;
        const double about_corner =
            centre * rate_rad_s + m * (0.5 * h * (platen_m_s + 0.5 * h * rate_rad_s) - 0.25 * b * b * rate_rad_s);
        const double momentum = kLightPlaten_kg * platen_m_s + m * (platen_m_s + 0.5 * h * rate_rad_s);
        const double both_kg = kLightPlaten_kg + m, lever = 0.5 * m * h;
        const double after_rad_s = (about_corner * both_kg - lever * momentum) / (corner * both_kg - lever * lever);
        CHECK(std::abs(after_rad_s / rate_rad_s - (1.0 - 1.5 * b * b / (b * b + h * h))) >
              0.02);  // not that of a rigid base
        CHECK(rate() == Approx(after_rad_s).epsilon(0.01));
    }
}

TEST_CASE("The brake stops the platen without turning it round, and the frame ends its way") {
    Plant plant(hil::sim_table::plant_of(kMachine, 0.0), {}, 0.0);
    plant.push(1.0);
    const firmware_iface::DriveCommand brake{};
    double last = plant.velocity_m_s();
    for (int i = 0; i < 2000; ++i) {
        plant.step(100u * i, 100, brake, 0.0);
        REQUIRE(plant.velocity_m_s() >= -1e-12);
        REQUIRE(plant.velocity_m_s() <= last + 1e-12);
        last = plant.velocity_m_s();
    }
    CHECK(last == Approx(0.0).margin(1e-12));
    CHECK(plant.position_m() == Approx(1.0 / (2 * 8.0)).epsilon(0.02));
    plant.push(2.5);
    for (int i = 0; i < 2000; ++i) plant.step(100u * i, 100, brake, 0.0);
    CHECK(plant.position_m() == Approx(kMachine.stroke_m + kMachine.buffer_travel_m));
    CHECK(plant.velocity_m_s() == 0.0);
}

TEST_CASE("A specimen that starts tilted is held until a motion lets it go, and stands again when put back") {
    auto tilted = test::b6l();
    tilted.initial_rotation_rad = {0.1};
    std::vector<CarriedSpecimen> specimens;
    specimens.emplace_back(tilted, 9.81);
    Plant plant(hil::sim_table::plant_of(kMachine, 2.5692), std::move(specimens), 0.0);
    firmware_iface::DriveCommand command{true, false, {}, false, 0};
    for (int i = 0; i < 1000; ++i) plant.step(100u * i, 100, command, 0.0);
    CHECK(plant.specimens()[0].rotation_rad(0) == 0.1);
    command.release_specimen = true;
    command.start_time_us = 100000;
    for (int i = 1000; i < 2000; ++i) plant.step(100u * i, 100, command, 0.0);
    CHECK(plant.specimens()[0].run().time_s() == Approx(0.1));
    CHECK(plant.specimens()[0].rotation_rad(0) < 0.1);
    plant.stand_specimens_up();
    for (int i = 2000; i < 2010; ++i) plant.step(100u * i, 100, command, 0.0);
    CHECK(plant.specimens()[0].rotation_rad(0) == 0.1);
}
