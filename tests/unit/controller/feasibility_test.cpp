#include "controller/feasibility.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "firmware_iface/served/device_session.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using controller::check_feasibility;
using controller::FeasibilityCheck;
using controller::FeasibilityReport;
using controller::place;

namespace {

constexpr double kTwoPi = 6.283185307179586;

firmware_iface::MachineDescription machine() { return firmware_iface::quanser_st_iii(); }

FeasibilityReport of(const solver::BaseMotion& motion, bool centre = true, double payload_kg = 2.5) {
    return check_feasibility(place(motion, centre), machine(), payload_kg);
}

firmware_iface::DeviceInfo told_by(const firmware_iface::MachineDescription& device) {
    return firmware_iface::describe(device, {});
}

const FeasibilityCheck& named(const FeasibilityReport& report, const std::string& name) {
    for (const FeasibilityCheck& check : report.checks)
        if (check.name == name) return check;
    throw std::runtime_error("no check named " + name);
}

}  // namespace

TEST_CASE("a gentle sine is feasible and there is nothing to say") {
    const FeasibilityReport report = of(solver::sine_acceleration(3.0, kTwoPi * 4.0));
    CHECK(report.feasible());
    CHECK(report.text().empty());
}

TEST_CASE("too long a motion is refused, with where and by how much") {
    // From 0 on: net displacement 2 pi 13.3 / (8 pi)^2 = 0.1323 m at the end.
    const FeasibilityReport report = of(solver::sine_acceleration(13.3, kTwoPi * 4.0), false);
    CHECK_FALSE(report.feasible());
    CHECK(named(report, "stroke").value == Approx(kTwoPi * 13.3 / std::pow(kTwoPi * 4.0, 2)));
    CHECK(named(report, "stroke").time_s == Approx(0.25).margin(1e-3));
    CHECK(report.text().find("stroke: needs 0.132 m at t = 0.25 s, 0.106 m available; lower the amplitude") !=
          std::string::npos);
}

TEST_CASE("a motion within the stroke is refused if it could not stop at some instant") {
    const FeasibilityReport report = of(solver::sine_acceleration(20.0, kTwoPi * 4.0));
    const FeasibilityCheck& stroke = named(report, "stroke");
    const FeasibilityCheck& stop = named(report, "stroke with room to stop");
    CHECK(stroke.passed);
    CHECK_FALSE(stop.passed);
    CHECK_FALSE(report.feasible());
    // Worst by brute force over the second half of the wave, where the platen moves outward.
    const auto profile = place(solver::sine_acceleration(20.0, kTwoPi * 4.0), true);
    double worst = 0.0;
    for (int i = 0; i <= 250000; ++i) {
        const auto state = profile.at(i * 1e-6);
        const double v = state.velocity_m_s;
        if (state.displacement_m * v > 0.0)
            worst = std::max(worst, std::abs(state.displacement_m) + std::abs(v) * 0.006 + v * v / (2 * 15.0));
    }
    CHECK(stop.value == Approx(worst).epsilon(1e-9));
}

TEST_CASE("an inward stop that would cross to the other side counts as well") {
    controller::Profile profile{solver::constant_acceleration_and_stop(30.0, 0.06, 30.0), -0.06};
    const auto report = check_feasibility(profile, machine(), 0.0);
    CHECK(named(report, "stroke").passed);
    CHECK_FALSE(named(report, "stroke with room to stop").passed);
}

TEST_CASE("a stop with a drive that fails is warned of where the brake would come too late") {
    // Outward at v with the rest of the way that a stop needs: the platen keeps v for sqrt(2 e / stop) until e = half
    // the following error shows, then brakes; or, slower, is e beyond the end of the stop.
    const auto reach_m = [](double velocity_m_s) {
        const double stop_m = velocity_m_s * velocity_m_s / (2 * 15.0);
        controller::Profile profile{solver::constant_acceleration_and_stop(20.0, velocity_m_s / 20.0, 20.0), 0.0};
        const double ends_m = 0.106 - stop_m - 0.006 * velocity_m_s;  // here the stop begins, at full speed
        profile.start_position_m = ends_m - velocity_m_s * velocity_m_s / (2 * 20.0);
        return named(check_feasibility(profile, machine(), 0.0), "stop with a drive that fails");
    };
    const double stroke_m = machine().stroke_m, error_m = 0.5 * machine().following_error_max_m;
    const FeasibilityCheck slow = reach_m(0.3), fast = reach_m(0.8);
    CHECK(slow.passed);
    CHECK(slow.value == Approx(0.106 + error_m + 0.3 * 0.3 / (2 * 8.0) - stroke_m).epsilon(1e-6));
    const double runs_m = 0.8 * std::sqrt(2 * error_m / 15.0);
    CHECK(fast.value ==
          Approx(0.106 - 0.8 * 0.8 / (2 * 15.0) + runs_m + 0.8 * 0.8 / (2 * 8.0) - stroke_m).epsilon(1e-6));
    CHECK_FALSE(fast.passed);
    CHECK(fast.warning_only);
    CHECK(named(of(solver::sine_acceleration(3.0, kTwoPi * 4.0)), "stop with a drive that fails").passed);
}

TEST_CASE("velocity and acceleration limits refuse, the clean acceleration only warns") {
    CHECK_FALSE(named(of(solver::sine_acceleration(31.0, 2.0)), "velocity").passed);
    CHECK_FALSE(named(of(solver::sine_acceleration(32.0, kTwoPi * 12.0)), "acceleration").passed);
    const FeasibilityReport strong = of(solver::sine_acceleration(28.0, kTwoPi * 12.0));
    CHECK(strong.feasible());
    CHECK(strong.text().find("warning: clean acceleration") != std::string::npos);
    CHECK(strong.text().find("double constant") != std::string::npos);
}

TEST_CASE("a payload that the drive is too weak for only warns, and says what becomes of the sine") {
    const auto sine = solver::sine_acceleration(9.0, kTwoPi * 4.0);
    CHECK(named(of(sine, true, 60.0), "force").passed);
    auto gentle_stop = machine();
    gentle_stop.stop_deceleration_m_s2 = 8.0;  // what 1000 N give 125 kg
    const FeasibilityReport heavy = check_feasibility(place(sine, true), gentle_stop, 95.0);
    CHECK(named(heavy, "force").value == Approx(125.0 * 9.0));
    CHECK(named(heavy, "force").limit == 1000.0);
    CHECK(heavy.feasible());
    CHECK(heavy.text().find("warning: force") != std::string::npos);
}

TEST_CASE("a payload that the drive cannot stop as fast as the device plans it is refused") {
    const auto sine = solver::sine_acceleration(9.0, kTwoPi * 4.0);  // 2 x 9 / (8 pi) = 0.716 m/s
    const double v = 2.0 * 9.0 / (kTwoPi * 4.0);
    CHECK(named(of(sine, true, 36.0), "stop with this payload").value == 0.0);
    const FeasibilityReport heavy = of(sine, true, 95.0);  // 8 m/s2 instead of 15
    CHECK(named(heavy, "stop with this payload").value == Approx(0.5 * v * v * (1.0 / 8.0 - 1.0 / 15.0)));
    CHECK(named(heavy, "stop with this payload").limit == Approx(0.005));
    CHECK_FALSE(heavy.feasible());
    CHECK(heavy.text().find("brakes this payload by only 8 m/s2") != std::string::npos);
    CHECK(of(solver::sine_acceleration(3.0, kTwoPi * 4.0), true, 95.0).feasible());  // slow enough to be caught
}

TEST_CASE("a drive weaker than the friction is refused") {
    auto weak = machine();
    weak.force_max_n = 20.0, weak.servo.coulomb_n = 22.0;
    const auto report = check_feasibility(place(solver::sine_acceleration(3.0, kTwoPi * 4.0), true), weak, 2.5);
    CHECK_FALSE(named(report, "friction").passed);
    CHECK_FALSE(report.feasible());
    CHECK(report.text().find("cannot move the platen at all") != std::string::npos);
}

TEST_CASE("too heavy a specimen is refused and its line names no time") {
    const FeasibilityReport report = of(solver::sine_acceleration(3.0, kTwoPi * 4.0), true, 150.0);
    CHECK_FALSE(report.feasible());
    CHECK(report.text() == "payload: needs 150 kg, 100 kg available; remove mass from the platen\n");
}

TEST_CASE("a limit that is not a number refuses everything it limits") {
    auto broken = machine();
    broken.velocity_max_m_s = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(check_feasibility(place(solver::sine_acceleration(3.0, 25.0), true), broken, 0.0).feasible());
}

TEST_CASE("neither machine file nor device widens the other's limits") {
    firmware_iface::DeviceInfo::Axis device;
    device.stroke_m = 0.05, device.velocity_max_m_s = 9.0, device.acceleration_max_m_s2 = 20.0;
    device.stop_deceleration_m_s2 = 12.0;
    const auto effective = controller::tightened(machine(), device);
    CHECK(effective.stroke_m == 0.05);
    CHECK(effective.velocity_max_m_s == machine().velocity_max_m_s);
    CHECK(effective.acceleration_max_m_s2 == 20.0);
    CHECK(effective.acceleration_clean_m_s2 == 20.0);
    CHECK(effective.stop_deceleration_m_s2 == 12.0);
}

TEST_CASE("counts, signs and senseless limits of a device are named") {
    CHECK(controller::mismatch(machine(), told_by(machine())).empty());
    auto theirs = machine();
    theirs.stroke_m = 0.1, theirs.velocity_max_m_s = 1.0, theirs.acceleration_max_m_s2 = 20.0;
    theirs.stop_deceleration_m_s2 = 12.0;
    CHECK(controller::mismatch(machine(), told_by(theirs)).empty());  // limits are tightened, see above
    theirs.encoder_sign = -1;
    CHECK(controller::mismatch(machine(), told_by(theirs)) ==
          "encoder sign is 1 in the machine file and -1 in the device.");
    theirs.counts_per_m = 2e6;
    CHECK(controller::mismatch(machine(), told_by(theirs)).find("counts per metre") == 0);
    theirs.stroke_m = 0.0;
    CHECK(controller::mismatch(machine(), told_by(theirs)).find("not a positive number") != std::string::npos);
    CHECK_FALSE(controller::mismatch(machine(), {}).empty());
}

TEST_CASE(
    "a device that feeds back at another rate, or drives another axis first, is not the one of the machine file") {
    using Catch::Matchers::ContainsSubstring;
    for (const std::uint32_t period_us : {0u, 1000u, 2300u, 60'000'000u, 4'294'967'295u}) {
        auto info = told_by(machine());
        info.feedback_period_us = period_us;
        INFO(period_us << " us");
        CHECK_THAT(controller::mismatch(machine(), info),
                   ContainsSubstring("feedback rate (Hz) is 500 in the machine file"));
    }
    auto rounded = told_by(machine());
    rounded.feedback_period_us = 2100;  // whole cycles of a slower loop
    CHECK(controller::mismatch(machine(), rounded).empty());
    for (const char* name : {"y", "", "X", "xy"}) {
        auto info = told_by(machine());
        info.axes.front().name = name;
        CHECK_THAT(controller::mismatch(machine(), info),
                   ContainsSubstring("first axis") && ContainsSubstring("\"x\""));
    }
    auto two_axes = machine();
    two_axes.y = machine();
    two_axes.y->stroke_m = 0.05;
    auto both = firmware_iface::describe(two_axes, {});
    CHECK(controller::mismatch(two_axes, both).empty());
    CHECK_THAT(controller::mismatch(machine(), both), ContainsSubstring("has an axis y") && ContainsSubstring("[y]"));
    CHECK_THAT(controller::mismatch(two_axes, told_by(machine())), ContainsSubstring("only axis x"));
    both.axes[1].counts_per_m = 5e5;
    CHECK_THAT(controller::mismatch(two_axes, both), ContainsSubstring("counts per metre of axis y is 1e+06"));
    auto shorter = two_axes;
    shorter.y->stroke_m = 0.04;
    both = firmware_iface::describe(shorter, {});
    CHECK(controller::mismatch(two_axes, both).empty());
    CHECK(controller::tightened(two_axes, both).y->stroke_m == 0.04);
    std::swap(both.axes.front(), both.axes.back());
    CHECK_FALSE(controller::mismatch(two_axes, both).empty());
}

TEST_CASE("a number that the device does not report must be the same in the machine file") {
    using M = firmware_iface::MachineDescription;
    for (double M::*number : std::initializer_list<double M::*>{
             &M::acceleration_clean_m_s2, &M::brake_deceleration_m_s2, &M::buffer_travel_m, &M::following_error_max_m,
             &M::moving_mass_kg, &M::payload_max_kg, &M::accelerometer_scale, &M::accelerometer_offset_max_m_s2,
             &M::feedback_rate_hz, &M::settling_time_s}) {
        auto theirs = machine();
        theirs.*number *= 1.01;
        CHECK(controller::mismatch(machine(), told_by(theirs)).find("does not report") != std::string::npos);
    }
}

TEST_CASE("a sine too fast for the setpoints is warned of, one at a tenth of their rate is not") {
    CHECK(of(solver::sine_acceleration(3.0, kTwoPi * 50.0)).text().empty());
    const FeasibilityReport report = of(solver::sine_acceleration(3.0, kTwoPi * 80.0));
    CHECK(report.feasible());
    CHECK(report.text().find("warning: frequency: needs 80 Hz") != std::string::npos);
}
