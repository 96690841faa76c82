#include "hil/identification/loop_margins.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "hil/identification/servo_proposal.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::identification;
using Complex = std::complex<double>;
using firmware_iface::AxisSetpoint;
using firmware_iface::Servo;
using firmware_iface::ServoParameters;

namespace {

constexpr double kTwoPi = 2.0 * std::numbers::pi;
const firmware_iface::MachineDescription kMachine = firmware_iface::quanser_st_iii();

TableEstimate stage() {
    TableEstimate table;
    table.model = {30.0, 0.65, 2.2e6, 300.0, 45.0};
    table.mass_kg = {30.0, 0.1};
    return table;
}
DriveEstimate prompt_drive() {
    DriveEstimate drive;
    drive.model = {1.0, 1.5e-4, 3.2e-4};
    drive.gain = {1.0, 0.01};
    drive.total_s = {4.7e-4, 1e-5};
    return drive;
}
const FrictionEstimate kFriction{{25.0, 0.2}, {45.0, 2.0}, {0.0, 0.1}, 0.1};

/// Servo, drive (a whole cycle late, held, one lag) and table step by step after a knock; how much more the platen
/// moves in the last quarter of the time than in the first.
double growth(const ServoParameters& parameters, double gain, double lag_s, const TableModel& table) {
    ServoParameters linear = parameters;
    linear.gains.coulomb_n = 0.0;
    linear.force_max_n = 1e12;
    Servo servo(linear);
    servo.reset(0.0);
    const double motor_kg = table.motor_mass_ratio * table.mass_kg;
    const double platen_kg = table.mass_kg - motor_kg + parameters.payload_kg;
    double x1 = 0.0, v1 = 0.01, x2 = 0.0, v2 = 0.0, force_n = 0.0, wanted_n = 0.0;
    constexpr int kCycles = 20000, kSubsteps = 20;
    const double dt = parameters.sample_s / kSubsteps;
    double first = 0.0, last = 0.0;
    for (int i = 0; i < kCycles; ++i) {
        const double next_n = gain * servo.step({}, x1);
        for (int k = 0; k < kSubsteps; ++k) {
            force_n += (wanted_n - force_n) * (1.0 - std::exp(-dt / lag_s));
            const double screw_n = table.stiffness_n_m * (x1 - x2) + table.damping_n_s_m * (v1 - v2);
            v1 += dt * (force_n - screw_n - table.viscous_n_s_m * v1) / motor_kg;
            v2 += dt * screw_n / platen_kg;
            x1 += dt * v1;
            x2 += dt * v2;
        }
        wanted_n = next_n;
        if (i < kCycles / 4) first = std::max(first, std::abs(x1));
        if (i >= 3 * kCycles / 4) last = std::max(last, std::abs(x1));
    }
    return last / first;
}

}  // namespace

TEST_CASE("The servo's response is what the servo does with a sine") {
    ServoParameters parameters = servo_of(kMachine, 10.0);
    parameters.gains.coulomb_n = 0.0;
    parameters.gains.notch_hz = 60.0;
    const ServoResponse response(parameters);
    for (const double f : {3.0, 40.0, 130.0}) {
        const double w = kTwoPi * f, dt = parameters.sample_s;
        const Complex expected = 1e-5 * (response.setpoint_n_m(w) - 0.7 * response.position_n_m(w));
        Servo servo(parameters);
        servo.reset(0.0);
        // Whole periods of both, after the transient; the mean is what the integrator has kept of it.
        Complex sum = 0.0, mean = 0.0;
        const int settle = 20000, count = 10000;
        std::vector<double> force;
        for (int i = 0; i < settle + count; ++i) {
            const double t = i * dt, x = 1e-5 * std::cos(w * t);
            const double f_n = servo.step({x, -1e-5 * w * std::sin(w * t), -w * w * x}, 0.7 * x);
            if (i >= settle) force.push_back(f_n);
        }
        for (const double f_n : force) mean += f_n / static_cast<double>(count);
        for (int i = 0; i < count; ++i)
            sum += 2.0 / count * (force[static_cast<std::size_t>(i)] - mean) * std::polar(1.0, -w * (settle + i) * dt);
        INFO(f << " Hz");
        CHECK(std::abs(sum - expected) < 1e-3 * std::abs(expected));
    }
}

TEST_CASE("The gain margin is the factor at which servo, drive and table ring") {
    for (const double payload_kg : {0.0, 60.0}) {
        const ServoParameters servo = servo_of(kMachine, payload_kg);
        const TableModel table = stage().model;
        const LoopMargins margins = loop_margins(servo, prompt_drive().model, table);
        INFO(payload_kg << " kg, factor " << margins.gain_margin);
        REQUIRE(margins.stable);
        CHECK(growth(servo, 0.93 * margins.gain_margin, 3.2e-4, table) < 0.5);
        CHECK(growth(servo, 1.07 * margins.gain_margin, 3.2e-4, table) > 2.0);
        DriveModel strong = prompt_drive().model;
        strong.gain = 1.02 * margins.gain_margin;
        CHECK_FALSE(loop_margins(servo, strong, table).stable);
        strong.gain = 0.98 * margins.gain_margin;
        CHECK(loop_margins(servo, strong, table).stable);
    }
}

TEST_CASE("The phase margin is the delay that makes the loop ring, at its crossover") {
    const ServoParameters servo = servo_of(kMachine, 0.0);
    const TableModel table = stage().model;
    const LoopMargins margins = loop_margins(servo, prompt_drive().model, table);
    REQUIRE(margins.stable);
    DriveModel late = prompt_drive().model;
    const double spare_s = margins.phase_margin_deg / 360.0 / margins.crossover_hz;
    late.delay_s += 1.05 * spare_s;
    CHECK_FALSE(loop_margins(servo, late, table).stable);
    late.delay_s -= 0.1 * spare_s;
    CHECK(loop_margins(servo, late, table).stable);
}

TEST_CASE("Proposed gains keep their margins with every payload, and carry what was identified") {
    const ServoProposal proposal = propose_servo(kMachine, stage(), kFriction, prompt_drive());
    REQUIRE(proposal.why_not.empty());
    CHECK(proposal.machine.moving_mass_kg == Approx(30.0));
    CHECK(proposal.machine.servo.coulomb_n == Approx(22.5));
    CHECK(proposal.machine.servo.viscous_n_s_m == Approx(40.5));
    CHECK(proposal.machine.servo.drive_lag_s == Approx(4.7e-4));
    CHECK(proposal.machine.servo.screw_stiffness_n_m == Approx(2.2e6));
    CHECK(proposal.machine.stroke_m == kMachine.stroke_m);
    REQUIRE(proposal.margins.size() == 2);
    for (const PayloadMargins& margins : proposal.margins) {
        CHECK(margins.proposed.stable);
        CHECK(margins.proposed.phase_margin_deg >= kPhaseMarginMin_deg);
        CHECK(margins.proposed.gain_margin >= kGainMarginMin);
    }
    // A drive that is later leaves less.
    DriveEstimate late = prompt_drive();
    late.model.delay_s += 1e-3;
    late.total_s.value += 1e-3;
    const ServoProposal slower = propose_servo(kMachine, stage(), kFriction, late);
    REQUIRE(slower.why_not.empty());
    CHECK(slower.machine.servo.motor_loop_rad_s < proposal.machine.servo.motor_loop_rad_s);
}

TEST_CASE("Nothing is proposed where the model does not explain the measurement") {
    const auto why = [](const std::optional<TableEstimate>& table, const std::optional<FrictionEstimate>& friction,
                        const std::optional<DriveEstimate>& drive) {
        return propose_servo(kMachine, table, friction, drive).why_not;
    };
    using Catch::Matchers::ContainsSubstring;
    CHECK_THAT(why({}, kFriction, prompt_drive()), ContainsSubstring("moving mass"));
    CHECK_THAT(why(stage(), {}, prompt_drive()), ContainsSubstring("friction"));
    CHECK_THAT(why(stage(), kFriction, {}), ContainsSubstring("drive's lag"));
    TableEstimate strange = stage();
    strange.residual_ratio = 0.2;
    CHECK_THAT(why(strange, kFriction, prompt_drive()), ContainsSubstring("20 % rms"));
    TableEstimate with_play = stage();
    with_play.whole = false;
    CHECK_THAT(why(with_play, kFriction, prompt_drive()), ContainsSubstring("play"));
    DriveEstimate other = prompt_drive();
    other.gain.value = 1.3;
    CHECK_THAT(why(stage(), kFriction, other), ContainsSubstring("1.30 times"));
    other = prompt_drive();
    other.closed_loop_ratio = 0.2;
    CHECK_THAT(why(stage(), kFriction, other), ContainsSubstring("closed loop to 20 %"));
    other = prompt_drive();
    other.model.delay_s = 0.5;
    CHECK_THAT(why(stage(), kFriction, other), ContainsSubstring("no motor_loop_rad_s"));
}
