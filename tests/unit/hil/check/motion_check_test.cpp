#include "hil/check/motion_check.hpp"

#include <cmath>

#include "firmware_iface/fault.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"

using namespace topple;
using namespace topple::hil::check;
using namespace topple::firmware_iface;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Bench {
    test::HostBench host;
    std::atomic<bool> stop{false};
    CheckedTable table;
    Bench() : table{*host.link, host.clock, host.machine, stop} { host.link->connect(); }
};

// A motion at 0.05 m/s that begins to stop after 50 ms, constantly decelerated; the platen follows exactly.
RecordedMotion stopped_at(double deceleration_m_s2, FaultCode fault, std::uint64_t last_sent_us = 0) {
    RecordedMotion motion;
    motion.start_us = 1'000'000;
    motion.last_sent_us = last_sent_us;
    motion.fault_code = static_cast<std::uint32_t>(fault);
    double x = 0.0, v = 0.05;
    for (int i = 0; i < 300; ++i) {
        Feedback f;
        f.device_time_us = motion.start_us + 2000u * static_cast<unsigned>(i);
        const bool stopping = i > 25;
        if (stopping) v = std::max(0.0, v - deceleration_m_s2 * 0.002);
        x += v * 0.002;
        f.state = !stopping ? DeviceState::running : v > 0.0 ? DeviceState::stopping : DeviceState::faulted;
        f.fault_code = stopping ? motion.fault_code : 0;
        f.axes[0] = {std::llround(x * 1e6), x, v, 0.0};
        motion.feedback.push_back(f);
    }
    return motion;
}

// Homing that ends with the frame moved by `shift_m`, while the last millimetre per second is still braked.
std::vector<Feedback> homing(double shift_m) {
    Feedback before, after;
    before.state = DeviceState::homing;
    before.axes[0] = {0, 0.0004, -0.001, 0.5};  // goes on by -1 um
    after.state = DeviceState::ready;
    after.axes[0] = {0, 0.000399 - shift_m, 0.0, 0.0};
    return {before, after};
}

}  // namespace

TEST_CASE("A stop as promised passes, a weaker one fails in time and in distance") {
    Bench bench;
    for (const CheckResult& result : judge_stop(stopped_at(15.0, FaultCode::operator_stop), bench.table))
        CHECK(result.verdict == Verdict::pass);
    const auto weak = judge_stop(stopped_at(1.0, FaultCode::operator_stop), bench.table);
    CHECK(weak[0].verdict == Verdict::fail);
    CHECK(*weak[0].number == Approx(50.0).margin(2.0));  // v/a, one period of reading
    CHECK(weak[1].verdict == Verdict::fail);
    CHECK(*weak[1].number == Approx(1.25).margin(0.06));  // v^2/2a, one step of the sum above
}

TEST_CASE("A stop that is not carried out fails in every respect") {
    Bench bench;
    RecordedMotion through = stopped_at(15.0, FaultCode::none);
    for (Feedback& f : through.feedback) f.state = DeviceState::running;
    for (const CheckResult& result : judge_stop(through, bench.table)) CHECK(result.verdict == Verdict::fail);
}

TEST_CASE("A platen that swings on after the stop fails") {
    Bench bench;
    RecordedMotion swinging = stopped_at(15.0, FaultCode::operator_stop);
    for (Feedback& f : swinging.feedback) {
        const double t = 1e-6 * static_cast<double>(f.device_time_us - swinging.start_us);
        f.axes[0].encoder_count += std::llround(1000.0 * std::sin(40.0 * t));  // 1 mm, 40 mm/s
    }
    CHECK(judge_stop(swinging, bench.table)[2].verdict == Verdict::fail);
}

TEST_CASE(
    "The watchdog is given the look-ahead, three periods and what reading it costs, and no other fault "
    "counts") {
    Bench bench;
    const std::uint64_t stop_us = 1'052'000;  // first stopping feedback of stopped_at()
    const auto after_ms = [&](double ms, FaultCode fault) {
        return judge_watchdog(stopped_at(15.0, fault, stop_us - static_cast<std::uint64_t>(ms * 1e3)), bench.table,
                              1.0);
    };
    CHECK(after_ms(50.0, FaultCode::host_lost).verdict == Verdict::pass);
    CHECK(after_ms(51.1, FaultCode::host_lost).verdict == Verdict::fail);
    const CheckResult dry = after_ms(40.0, FaultCode::queue_underrun);
    CHECK(dry.verdict == Verdict::fail);
    CHECK_THAT(dry.found, ContainsSubstring("queue_underrun"));
    RecordedMotion through = stopped_at(15.0, FaultCode::none, stop_us);
    for (Feedback& f : through.feedback) f.state = DeviceState::running;
    CHECK(judge_watchdog(through, bench.table, 1.0).verdict == Verdict::fail);
}

TEST_CASE("The shift of the reference is what the frame jumps by, the braking that was still under way taken out") {
    CHECK(reference_shift_m(homing(0.0)) == Approx(0.0).margin(1e-12));
    CHECK(reference_shift_m(homing(37e-6)) == Approx(37e-6).margin(1e-12));
    CHECK(std::isnan(reference_shift_m({})));
}

TEST_CASE("Repeatability is the scatter of the references, the first shift is against the homing before") {
    const std::vector<double> shifts{3e-3, 10e-6, -30e-6};  // references 0, 10, -20 um
    const auto known = judge_homings(shifts, true);
    REQUIRE(known.size() == 3);
    CHECK(*known[0].number == Approx(3000.0));
    CHECK(known[0].verdict == Verdict::warn);
    CHECK(*known[1].number == Approx(std::sqrt(700.0 / 3.0)));  // of 0, 10, -20 about their mean -10/3
    CHECK(*known[2].number == Approx(30.0));
    CHECK(known[2].verdict == Verdict::pass);
    const auto unknown = judge_homings(shifts, false);
    CHECK(unknown[0].verdict == Verdict::skipped);
    CHECK(*unknown[2].number == Approx(30.0));
    CHECK(judge_homings(std::vector<double>{0.0, 2e-3}, false)[2].verdict == Verdict::fail);
    CHECK(judge_homings(std::vector<double>{0.0}, false)[1].verdict == Verdict::skipped);
    CHECK(judge_homings(std::vector<double>{0.0, std::nan("")}, false)[1].verdict == Verdict::fail);
}

TEST_CASE("The moves of the check are gentle, lead towards the middle and come no further than a centimetre") {
    Bench bench;
    for (const double from_m : {-0.1, -0.001, 0.0, 0.1}) {
        for (const MotionOrder& order :
             {shuttle(bench.table, from_m), move_and_stop(from_m), move_and_fall_silent(from_m)}) {
            const auto extremes = order.motion.extremes();
            CHECK(extremes.velocity_peak_m_s <= kGentleVelocity_m_s * (1 + 1e-9));
            CHECK(extremes.acceleration_peak_m_s2 <= kGentleAcceleration_m_s2 * (1 + 1e-9));
            CHECK(std::max(extremes.displacement_max_m, -extremes.displacement_min_m) <= kMoveMax_m + 1e-9);
            CHECK((from_m > 0.0 ? extremes.displacement_max_m : -extremes.displacement_min_m) < 1e-9);
            CHECK(std::abs(order.motion.at(order.motion.end_s()).velocity_m_s) < 1e-9);
        }
    }
}
