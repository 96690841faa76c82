#include "hil/sim_table/simulated_table.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "hil/check/recorded_motion.hpp"
#include "hil/drive/open_table.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"

using namespace topple;
using namespace topple::firmware_iface;
using test::HostBench;

namespace {
std::uint64_t hash() { return configuration_hash(quanser_st_iii()); }

bool same(const Feedback& a, const Feedback& b) {
    return a.device_time_us == b.device_time_us && a.axes[0].encoder_count == b.axes[0].encoder_count &&
           a.acceleration_x_m_s2 == b.acceleration_x_m_s2 && a.acceleration_y_m_s2 == b.acceleration_y_m_s2 &&
           a.rotation_rad == b.rotation_rad && a.state == b.state;
}

hil::sim_table::SimulatedTableOptions options(std::uint64_t seed, double clock_skew_ppm = 40.0) {
    hil::sim_table::SimulatedTableOptions o;
    o.seed = seed;
    o.clock_skew_ppm = clock_skew_ppm;
    return o;
}

std::vector<Feedback> rocking_run(std::uint64_t seed) {
    HostBench host({test::b6l()}, options(seed));
    host.link->connect();
    host.link->arm(hash());
    host.feedback.clear();
    const auto start = host.soon_us();
    host.drive(host.sine(start, 3.0, 4.0, 0.0), 1.0);
    return host.feedback;
}
}  // namespace

TEST_CASE("A whole session over the pipe: hello, arm, stream, final, done, disarm") {
    HostBench host({test::b6l()});
    const auto& info = host.link->connect();
    CHECK(info.simulated);
    CHECK(info.rotation_sensor_count == 1);
    CHECK(info.configuration_hash == hash());
    CHECK(host.link->wait_feedback().state == DeviceState::ready);
    CHECK(host.link->arm(hash() + 1).refusal == RefusalCode::configuration_mismatch);
    REQUIRE(host.link->arm(hash()).accepted);
    const auto start = host.soon_us();
    REQUIRE(host.drive(host.sine(start, 3.0, 4.0, 0.0), 1.0));
    const auto& last = host.feedback.back();
    CHECK(last.state == DeviceState::armed);
    CHECK(last.motion_done);
    CHECK(last.fault_code == 0);
    CHECK(1e-6 * static_cast<double>(last.axes[0].encoder_count) ==
          Approx(2 * std::numbers::pi * 3.0 / std::pow(8 * std::numbers::pi, 2)).margin(5e-5));
    double worst = 0.0, rocked = 0.0;
    for (const Feedback& f : host.feedback) {
        worst = std::max(worst, std::abs(1e-6 * double(f.axes[0].encoder_count) - f.axes[0].setpoint_position_m));
        rocked = std::max(rocked, std::abs(f.rotation_rad[0]));
    }
    CHECK(worst < 1e-3);
    CHECK(rocked > 0.05);
    CHECK(host.link->disarm().accepted);
    CHECK(host.link->wait_feedback().state == DeviceState::ready);
}

TEST_CASE("Feedback comes at 500 Hz of a device clock that is offset and fast, none missing") {
    HostBench host({}, options(1, 500.0));
    host.link->connect();
    host.cycles(5);
    host.feedback.clear();
    const auto from = host.clock.now();
    host.cycles(5000);
    REQUIRE(host.feedback.size() > 5000);
    for (std::size_t i = 1; i < host.feedback.size(); ++i)
        REQUIRE(host.feedback[i].device_time_us - host.feedback[i - 1].device_time_us == 2000);
    const double device_s = 1e-6 * double(host.feedback.back().device_time_us - host.feedback.front().device_time_us);
    const double host_s = 1e-9 * double((host.clock.now() - from).count());
    CHECK(device_s / host_s == Approx(1.0005).epsilon(3e-4));
    CHECK(host.feedback.front().device_time_us % 2000 == 0);
    CHECK(host.link->statistics().sequence_gaps == 0);
}

TEST_CASE("One seed gives the same bits every time, another seed other noise") {
    const auto one = rocking_run(5), again = rocking_run(5), other = rocking_run(6);
    REQUIRE(one.size() == again.size());
    for (std::size_t i = 0; i < one.size(); ++i) REQUIRE(same(one[i], again[i]));
    CHECK(one[100].acceleration_x_m_s2 != other[100].acceleration_x_m_s2);
    for (std::size_t i = 0; i < one.size(); ++i)
        REQUIRE(one[i].axes[0].encoder_count == other[i].axes[0].encoder_count);  // sensors move nothing
}

TEST_CASE("A stop frame in the middle of a motion ends it in the device's own time") {
    HostBench host;
    host.link->connect();
    host.link->arm(hash());
    const auto start = host.soon_us();
    const auto setpoints = host.sine(start, 20.0, 6.0, -0.044);
    // Go there first.
    std::vector<Setpoint> there;
    for (int i = 0; i <= 500; ++i) {
        const double s = i / 500.0;
        Setpoint p;
        p.device_time_us = start + 2000u * i;
        p.axes[0] = {-0.044 * s * s * s * (10 - 15 * s + 6 * s * s), -0.044 * 30 * s * s * (1 - s) * (1 - s),
                     -0.044 * 60 * s * (1 - s) * (1 - 2 * s)};
        p.final = i == 500;
        there.push_back(p);
    }
    REQUIRE(host.drive(there, 0.2));
    const auto second = host.soon_us();
    const auto motion = host.sine(second, 20.0, 6.0, -0.044);
    for (std::size_t i = 0; i < motion.size(); i += 16)
        host.link->send_setpoints(std::span(motion).subspan(i, std::min<std::size_t>(16, motion.size() - i)));
    REQUIRE(host.link->start(second, false).accepted);
    while (host.feedback.back().device_time_us < second + 83000) host.cycle();
    const double v = host.feedback.back().axes[0].setpoint_velocity_m_s;
    REQUIRE(v > 1.0);
    const auto asked = host.feedback.back().device_time_us;
    host.link->stop();
    host.cycles(200);
    const auto stopped = std::find_if(host.feedback.begin(), host.feedback.end(),
                                      [](const Feedback& f) { return f.state == DeviceState::faulted; });
    REQUIRE(stopped != host.feedback.end());
    CHECK(1e-6 * double(stopped->device_time_us - asked) <= v / host.machine.stop_deceleration_m_s2 + 6e-3);
    CHECK(stopped->fault_code == std::uint32_t(FaultCode::operator_stop));
    CHECK(std::abs(1e-6 * double(host.feedback.back().axes[0].encoder_count)) < host.machine.stroke_m);
    CHECK(host.feedback.back().axes[0].setpoint_velocity_m_s == 0.0);
    CHECK(host.feedback.back().queue_level == 0);
    CHECK(host.link->arm(hash()).refusal == RefusalCode::fault_latched);
    CHECK(host.link->clear_fault().accepted);
    CHECK(host.link->wait_feedback().state == DeviceState::ready);
}

TEST_CASE("An unhomed table refuses to arm, finds its middle, and then arms") {
    auto unhomed = options(1);
    unhomed.start_homed = false;
    unhomed.start_position_m = -0.06;
    HostBench host({}, unhomed);
    host.link->connect();
    CHECK(host.link->wait_feedback().state == DeviceState::idle);
    CHECK(host.link->arm(hash()).refusal == RefusalCode::not_homed);
    const std::atomic<bool> stop{false};
    hil::check::record_homing({*host.link, host.clock, host.machine, stop});
    host.cycles(200);
    CHECK(host.feedback.back().state == DeviceState::ready);
    CHECK(1e-6 * double(host.feedback.back().axes[0].encoder_count) ==
          Approx(host.table->plant().position_m()).margin(1e-4));
    CHECK(host.link->arm(hash()).accepted);
}

TEST_CASE("A host that closes the stream during a motion leaves a stopped table, and the next one has to clear it") {
    HostBench host({test::b6l()});
    host.link->connect();
    host.link->arm(hash());
    const auto start = host.soon_us();
    const auto motion = host.sine(start, 3.0, 4.0, 0.0);
    for (std::size_t i = 0; i < motion.size(); i += 16)
        host.link->send_setpoints(std::span(motion).subspan(i, std::min<std::size_t>(16, motion.size() - i)));
    REQUIRE(host.link->start(start, false).accepted);
    host.cycles(70);
    REQUIRE(host.table->core().state() == DeviceState::running);
    const auto closed_at = host.table->device_time_us();
    host.link->close();
    host.clock.sleep_for(std::chrono::milliseconds(6));
    CHECK(host.table->core().state() != DeviceState::running);
    host.clock.sleep_for(std::chrono::milliseconds(200));
    CHECK(host.table->core().state() == DeviceState::faulted);
    CHECK(host.table->core().fault() == FaultCode::host_lost);
    CHECK(closed_at < host.table->device_time_us());

    auto [next_host, next_device] = make_pipe();
    host.table->connect(std::move(next_device));
    TableLink next(std::move(next_host), host.clock, 2);
    next.connect();
    CHECK(next.wait_feedback().fault_code == std::uint32_t(FaultCode::host_lost));
    CHECK(next.arm(hash()).refusal == RefusalCode::fault_latched);
    CHECK(next.clear_fault().accepted);
    CHECK(next.arm(hash()).accepted);
}

TEST_CASE("A start past the held position reaches the host as a latched fault, and nothing moves") {
    HostBench host;
    host.link->connect();
    host.link->arm(hash());
    const auto start = host.soon_us();
    CHECK_FALSE(host.drive(host.sine(start, 3.0, 4.0, 0.01), 0.1));
    host.cycles(20);
    CHECK(host.feedback.back().fault_code == std::uint32_t(FaultCode::setpoint_jump));
    CHECK(std::abs(host.feedback.back().axes[0].encoder_count) < 5);
}

TEST_CASE("Opening sim: gives a table in lockstep whose hidden truth is known to the caller only") {
    hil::experiment::Experiment experiment;
    experiment.specimens = {test::b6l()};
    experiment.table.description = quanser_st_iii();
    experiment.simulation.seed = 3;
    auto opened = hil::drive::open_table("sim:", experiment, {9});
    REQUIRE(opened.truth);
    CHECK(opened.truth->specimens.size() == 1);
    CHECK(opened.clock->is_virtual());
    CHECK(opened.link->connect().simulated);
    CHECK(opened.link->wait_feedback().rotation_count == 1);
}

TEST_CASE("A sine above the clean limit and below the refused one is carried through, clipped to a double constant") {
    auto ideal = options(1);  // its drive reaches acceleration_clean with any payload
    ideal.mechanics.reset();
    HostBench host({}, ideal);
    host.link->connect();
    host.link->arm(hash());
    const auto start = host.soon_us();
    REQUIRE(host.drive(host.sine(start, 30.0, 10.0, 0.0), 0.5));  // ends 48 mm from the middle
    CHECK(host.feedback.back().fault_code == 0);
    double peak = 0.0;
    for (const Feedback& f : host.feedback) peak = std::max(peak, std::abs(*f.acceleration_x_m_s2));
    CHECK(peak < 26.0);
    CHECK(peak > 23.0);
}

TEST_CASE("On the stage a heavy payload lowers what the drive can do: a sine becomes a double constant") {
    solver::Specimen heavy;
    heavy.blocks = {{1.0, 0.1, 60.0}};
    HostBench host({heavy}, options(1));
    host.link->connect();
    host.link->arm(hash());
    const auto start = host.soon_us();
    REQUIRE(host.drive(host.sine(start, 13.0, 5.0, 0.0), 0.5));
    CHECK(host.feedback.back().fault_code == 0);
    double peak = 0.0;
    for (const Feedback& f : host.feedback) peak = std::max(peak, std::abs(*f.acceleration_x_m_s2));
    const double able = host.machine.force_max_n / (host.machine.moving_mass_kg + 60.0);
    CHECK(peak < 0.97 * 13.0);  // the platen rings on its screw
    CHECK(peak > able);
}

TEST_CASE("An encoder that sticks beside the held place is found out before the platen has gone far") {
    for (const std::int64_t beside : {5, 100, -40}) {
        bool sticks = false;
        auto table = options(1);
        table.disturb = [&](std::uint64_t, Measurement& m) {
            if (sticks) m.encoder_count = beside;
        };
        HostBench host({}, table);
        host.link->connect();
        host.cycles(50);
        sticks = true;
        double farthest_m = 0.0;
        for (int i = 0; i < 5000; ++i) {
            host.cycles(1);
            farthest_m = std::max(farthest_m, std::abs(host.table->plant().position_m()));
        }
        INFO("stuck " << beside << " counts beside the held place");
        CHECK(host.link->wait_feedback().fault_code == static_cast<std::uint32_t>(FaultCode::encoder_implausible));
        CHECK(farthest_m < 0.035);
    }
}
