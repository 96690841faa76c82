#include "controller/iteration/drive_iteration.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <stdexcept>

#include "tests/support/catch.hpp"
#include "tests/support/linear_table.hpp"

using namespace topple;
using namespace topple::controller;
using Catch::Matchers::ContainsSubstring;

namespace {

using test::LinearTable;
constexpr std::uint64_t kStart_us = LinearTable::kStart_us;

firmware_iface::MachineDescription machine() { return firmware_iface::quanser_st_iii(); }

Profile sine(double amplitude_m_s2 = 6.0, double hz = 2.5) {
    return place(solver::sine_acceleration(amplitude_m_s2, 2.0 * std::numbers::pi * hz), true);
}
/// From rest to rest at the same place.
Profile shaking() { return place(solver::harmonic_displacement(0.02, 2.0 * std::numbers::pi * 2.0, 1.0, 6.0), true); }

IterationSettings strict(int passes) {
    IterationSettings settings;
    settings.passes_max = passes;
    settings.goal_peak_m = 1e-6;
    settings.goal_nrmse = 1e-4;
    return settings;
}

}  // namespace

TEST_CASE("the fit of the sensors finds gain and delay of the accelerometer and the give of the screw") {
    const LinearTable table;
    for (const Profile& target : {sine(), shaking()}) {
        const PassError error = pass_error(target, machine(), table.pass(target), kStart_us);
        CHECK(error.sensors.accelerometer_used);
        CHECK(error.sensors.gain == Approx(1.004).margin(2e-4));
        CHECK(error.sensors.delay_s == Approx(2e-3).margin(5e-5));
        CHECK(error.sensors.compliance_s2 == Approx(2e-5).margin(2e-6));
    }
}

TEST_CASE("the error that the sensors show is the platen's, not the encoder's") {
    const LinearTable table;
    const Profile target = shaking();
    const PassError error = pass_error(target, machine(), table.pass(target), kStart_us);
    CHECK(error.peak_m == Approx(table.error_m(target, target)).epsilon(0.01));
    // gain 0.97, 1.5 ms late: of a sine of w the error is |1 - 0.97 exp(-j w T)| of it.
    const double w = 2.0 * std::numbers::pi * 2.0;
    CHECK(error.nrmse == Approx(std::abs(1.0 - std::polar(0.97, -w * 1.5e-3))).epsilon(0.05));
}

TEST_CASE("a platen that falls short and is late makes its target after a few passes") {
    for (const Profile& target : {sine(), shaking()}) {
        LinearTable table;
        if (target.motion.at(target.duration_s()).displacement_m > 1e-6) table.gain = 1.0;  // it comes to rest in place
        const double before_m = table.error_m(target, target);
        DriveIteration learning(target, machine(), 5.0, strict(3));
        double last_m = before_m;
        while (learning.end() == IterationEnd::none) {
            learning.learn(table.pass(learning.drive()), kStart_us);
            last_m = table.error_m(target, learning.drive());
        }
        CHECK(learning.passes().size() == 3);
        CHECK(last_m < 0.02 * before_m);
        CHECK(last_m < 20e-6);
    }
}

TEST_CASE("without an accelerometer the encoder's side is learned, and it is told") {
    LinearTable table;
    table.accelerometer = false;
    table.compliance_s2 = 0.0;
    const Profile target = shaking();
    DriveIteration learning(target, machine(), 5.0, strict(2));
    while (learning.end() == IterationEnd::none) learning.learn(table.pass(learning.drive()), kStart_us);
    CHECK_THAT(learning.passes().front().sensors.remark, ContainsSubstring("encoder alone"));
    CHECK(table.error_m(target, learning.drive()) < 0.1 * table.error_m(target, target));
}

TEST_CASE("noise of the accelerometer does not grow from pass to pass") {
    LinearTable table;
    table.noise_m_s2 = 0.03;
    const Profile target = shaking();
    DriveIteration learning(target, machine(), 5.0, strict(8));
    while (learning.end() == IterationEnd::none) learning.learn(table.pass(learning.drive()), kStart_us);
    CHECK(learning.end() == IterationEnd::not_improving);
    CHECK(learning.drive_was_passed());
    CHECK(table.error_m(target, learning.drive()) < 50e-6);
    CHECK_THAT(learning.text(), ContainsSubstring("came no nearer"));
}

TEST_CASE("the first pass is of the target, and a good enough one is not corrected") {
    LinearTable table;
    table.gain = 1.0, table.delay_s = 0.0;
    const Profile target = shaking();
    DriveIteration learning(target, machine(), 5.0, {});
    CHECK(learning.correction().empty());
    CHECK(learning.learn(table.pass(learning.drive()), kStart_us) == IterationEnd::goal_reached);
    CHECK(learning.correction().empty());
    CHECK(learning.drive_was_passed());
    CHECK_THAT(learning.text(), ContainsSubstring("pass 1 reached the goal of 0.05 mm and 1 %"));
    CHECK_THROWS_AS(learning.learn(table.pass(target), kStart_us), std::logic_error);
    table.gain = 0.9;  // whatever further passes show, nothing is learned from them
    learning.watch(table.pass(target), kStart_us);
    CHECK(learning.passes().size() == 2);
    CHECK(learning.passes().back().peak_error_m > 1e-3);
    CHECK(learning.end() == IterationEnd::goal_reached);
    CHECK(learning.correction().empty());
    CHECK_THROWS_AS(DriveIteration(target, machine(), 5.0, {}).watch(table.pass(target), kStart_us), std::logic_error);
}

TEST_CASE("a table that answers a correction the wrong way round ends with the best drive, not the last") {
    LinearTable wrong;
    const Profile target = shaking();
    DriveIteration learning(target, machine(), 5.0, strict(10));
    while (learning.end() == IterationEnd::none) {
        Profile mirrored = target;  // whatever is added, the table does its opposite three times over
        if (!learning.correction().empty()) {
            Correction opposite = sum({}, learning.correction(), -3.0);
            mirrored.motion = corrected(target.motion, opposite);
        }
        wrong.gain = 0.97;
        learning.learn(wrong.pass(mirrored), kStart_us);
    }
    double best = 1e9;
    for (const PassResult& pass : learning.passes()) best = std::min(best, pass.nrmse);
    const PassResult& first = learning.passes().front();
    CHECK(best <= first.nrmse);
    CHECK(learning.passes().size() <= 10);
}

TEST_CASE("a correction beyond its limit, or beyond a limit of the machine, is scaled back or refused") {
    LinearTable table;
    table.gain = 0.5;  // a correction as large as the motion would be needed
    IterationSettings settings = strict(3);
    settings.correction_max_ratio = 0.3;
    const Profile target = shaking();
    DriveIteration learning(target, machine(), 5.0, settings);
    while (learning.end() == IterationEnd::none) {
        learning.learn(table.pass(learning.drive()), kStart_us);
        CHECK(learning.correction().empty() == false);
        CHECK(learning.correction().acceleration_peak_m_s2() <=
              0.3 * target.motion.extremes().acceleration_peak_m_s2 * (1.0 + 1e-9));
        CHECK(check_feasibility(learning.drive(), machine(), 5.0).feasible());
    }
    CHECK_THAT(learning.text(), ContainsSubstring("the goal of 0.001 mm and 0.01 % is not reached"));

    auto narrow = machine();  // the target just fits
    const auto extremes = target.motion.extremes();
    narrow.velocity_max_m_s = 1.0001 * extremes.velocity_peak_m_s;
    table.gain = 0.97;
    DriveIteration tight(target, narrow, 5.0, strict(3));
    CHECK(tight.learn(table.pass(tight.drive()), kStart_us) == IterationEnd::infeasible);
    CHECK(tight.correction().empty());
    CHECK_THAT(tight.text(), ContainsSubstring("velocity"));
    narrow.velocity_max_m_s = 0.5 * extremes.velocity_peak_m_s;
    CHECK_THROWS_WITH(DriveIteration(target, narrow, 5.0, strict(3)), ContainsSubstring("not feasible"));
}

TEST_CASE("where the drive's force does not reach, it says cannot, with numbers") {
    LinearTable table;
    const Profile target = sine(9.5, 5.0);  // (30 + 100) kg x 9.5 m/s2 = 1235 N of 1000 N
    auto gentle_stop = machine();
    gentle_stop.stop_deceleration_m_s2 = 7.5;  // what 1000 N give 130 kg
    DriveIteration learning(target, gentle_stop, 100.0, strict(3));
    CHECK(learning.learn(table.pass(target), kStart_us) == IterationEnd::cannot);
    CHECK(learning.correction().empty());
    CHECK_THAT(learning.text(), ContainsSubstring("1.24e+03 N") || ContainsSubstring("1.23e+03 N"));
    CHECK_THAT(learning.text(), ContainsSubstring("1e+03 N"));
}

TEST_CASE("a record that is torn or full of gaps is not learned from") {
    const LinearTable table;
    const Profile target = shaking();
    auto feedback = table.pass(target);
    auto cut = feedback;
    cut.resize(cut.size() - 450);
    CHECK_THROWS_WITH(pass_error(target, machine(), cut, kStart_us), ContainsSubstring("does not reach"));
    auto holed = feedback;
    holed.erase(holed.begin() + 600, holed.begin() + 700);
    CHECK_THROWS_WITH(pass_error(target, machine(), holed, kStart_us), ContainsSubstring("2 %"));
    auto lost = feedback;  // a frame here and there is made good
    for (std::size_t i = 300; i < lost.size(); i += 150) lost.erase(lost.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(pass_error(target, machine(), lost, kStart_us).peak_m ==
          Approx(pass_error(target, machine(), feedback, kStart_us).peak_m).epsilon(0.01));
}
