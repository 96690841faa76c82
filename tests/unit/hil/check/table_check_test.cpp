// The whole list of checks on a simulated table, sound and with one thing wrong at a time.
#include <cmath>

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/checked_table.hpp"

using namespace topple;
using namespace topple::hil::check;
using namespace topple::hil::files;
using namespace topple::hil::sim_table;
using namespace topple::firmware_iface;
using Catch::Matchers::ContainsSubstring;
using topple::test::Checked;

using Names = std::set<std::string>;

namespace {

/// A table whose drive has a position loop of its own with the right encoder: only what is reported is wrong. Where the
/// device's servo moves the platen, it would believe the wrong encoder too.
SimulatedTableOptions with_own_loop(const topple::test::Disturb& disturb) {
    SimulatedTableOptions options = Checked::table_options(disturb, true);
    options.mechanics.reset();
    return options;
}

}  // namespace

TEST_CASE("A sound simulated table passes every check and is left ready, without a fault") {
    Checked checked;
    const CheckReport& report = checked.run();
    for (const CheckResult& result : report.results) {
        INFO(result.name << ": " << (result.number ? *result.number : 0.0) << " " << result.found << " "
                         << result.advice);
        const bool may_be_skipped = result.name == "link.latency_timer" || result.name == "link.clock_skew";  // short
        CHECK((result.verdict == Verdict::pass || (result.verdict == Verdict::skipped && may_be_skipped)));
    }
    CHECK(checked.asked == 1);
    CHECK(report.moved);
    CHECK(*checked["motion.counts_per_m"].number == Approx(1e6).epsilon(1e-3));
    CHECK(*checked["motion.accelerometer_scale"].number ==
          Approx(1.0).margin(0.02));  // gain 0.5 % and noise 0.3 %, 1 sigma
    CHECK(*checked["motion.stop_distance"].number ==
          Approx(1e3 * 0.05 * 0.05 / 30.0).margin(0.1));  // one period at 0.05 m/s
    CHECK(*checked["motion.watchdog"].number == Approx(46.0).margin(4.0));
    CHECK(*checked["motion.homing_range"].number < 5.0);  // um; one control cycle at the slow speed is 0.5 um
    const Feedback now = checked.host.link->wait_feedback();
    CHECK(now.state == DeviceState::ready);
    CHECK(now.fault_code == 0);
}

TEST_CASE("Without --move nothing moves, nobody is asked and no motion is judged") {
    Checked checked;
    checked.options.move = false;
    const double before_m = checked.host.table->plant().position_m();
    CHECK_FALSE(checked.run().moved);
    CHECK(checked.asked == 0);
    CHECK(std::abs(checked.host.table->plant().position_m() - before_m) < 1e-6);
    for (const CheckResult& result : checked.report.results) CHECK_FALSE(result.name.starts_with("motion."));
    CHECK(count(checked.report.results).fail == 0);
}

TEST_CASE("Consent refused: nothing has moved") {
    Checked checked;
    checked.options.consent = [](const std::string&) { throw InputError("no"); };
    CHECK_THROWS_AS(checked.run(), InputError);
    CHECK_FALSE(checked.report.moved);
    CHECK(std::abs(checked.host.table->plant().position_m()) < 1e-6);
}

TEST_CASE("An accelerometer mounted in the opposite direction is reported as such") {
    Checked checked([](std::uint64_t, Measurement& m) { m.acceleration_x_m_s2 = -m.acceleration_x_m_s2; });
    checked.run();
    CHECK(checked.failed() == Names{"motion.accelerometer_sign"});
    CHECK_THAT(checked["motion.accelerometer_sign"].advice, ContainsSubstring("in the opposite direction"));
    CHECK(checked["motion.accelerometer_scale"].verdict == Verdict::skipped);
    CHECK_FALSE(checked.has("motion.stop_time"));  // nothing moves after a failure
}

TEST_CASE("The scale of the accelerometer is measured against the encoder") {
    Checked checked([](std::uint64_t, Measurement& m) { m.acceleration_x_m_s2 *= 0.9; });
    checked.run();
    CHECK(checked["motion.accelerometer_scale"].verdict == Verdict::warn);
    CHECK(*checked["motion.accelerometer_scale"].number == Approx(1.0 / 0.9).margin(0.02));
    CHECK(checked.has("motion.homing_range"));  // a warning stops nothing
    Checked half([](std::uint64_t, Measurement& m) { m.acceleration_x_m_s2 *= 0.5; });
    half.run();
    CHECK(half.failed() == Names{"motion.accelerometer_scale"});
}

TEST_CASE("Counts per metre that are not the table's show in the first small move, before a fault does") {
    Checked checked(with_own_loop([](std::uint64_t, Measurement& m) { m.encoder_count = m.encoder_count * 6 / 5; }));
    checked.run();
    CHECK(checked.failed() == Names{"motion.counts_per_m"});
    CHECK(*checked["motion.counts_per_m"].number == Approx(1.2e6).epsilon(0.01));
    CHECK(checked.host.link->wait_feedback().fault_code == 0);
}

TEST_CASE("An encoder that counts backwards shows in the first small move, before a fault does") {
    Checked checked(with_own_loop([](std::uint64_t, Measurement& m) { m.encoder_count = -m.encoder_count; }));
    checked.run();
    CHECK(checked["motion.encoder_sign"].verdict == Verdict::fail);
    CHECK(*checked["motion.encoder_sign"].number == -1.0);
    CHECK(checked["motion.counts_per_m"].verdict == Verdict::pass);
    CHECK_FALSE(checked.has("motion.stop_time"));
    CHECK(checked.host.link->wait_feedback().fault_code == 0);
}

TEST_CASE("A stuck or offset accelerometer fails at rest, and nothing moves") {
    Checked stuck([](std::uint64_t, Measurement& m) { m.acceleration_x_m_s2 = 0.01; });
    stuck.run();
    CHECK(stuck.failed() == Names{"table.accelerometer_noise"});
    CHECK_FALSE(stuck.report.moved);
    CHECK(stuck.asked == 0);
    Checked offset([](std::uint64_t, Measurement& m) { m.acceleration_x_m_s2 += 1.0; });
    offset.run();
    CHECK(offset.failed() == Names{"table.accelerometer_bias"});
}

TEST_CASE("A table without an accelerometer is checked without one") {
    Checked checked([](std::uint64_t, Measurement& m) { m.has_acceleration = false; });
    checked.run();
    CHECK(checked.failed().empty());
    CHECK(checked["table.accelerometer_bias"].verdict == Verdict::skipped);
    CHECK(checked["motion.accelerometer_sign"].verdict == Verdict::skipped);
    CHECK(checked["motion.watchdog"].verdict == Verdict::pass);
}

TEST_CASE("Counts or signs that differ between device and machine file fail, a limit that differs only warns") {
    Checked sign;
    sign.machine_file.encoder_sign = -1;
    sign.run();
    CHECK(sign.failed() == Names{"table.encoder_sign"});
    CHECK_FALSE(sign.report.moved);
    Checked counts;
    counts.machine_file.counts_per_m = 2e6;
    counts.run();
    CHECK(counts.failed() == Names{"table.counts_per_m"});
    Checked stroke;
    stroke.machine_file.stroke_m = 0.05;
    stroke.run();
    CHECK(stroke.failed().empty());
    CHECK(stroke["table.stroke"].verdict == Verdict::warn);
    CHECK(stroke["table.configuration"].verdict == Verdict::warn);
    CHECK(stroke.report.moved);
    Checked untold;
    untold.machine_file.brake_deceleration_m_s2 = 12.0;
    untold.run();
    CHECK(untold.failed() == Names{"table.configuration"});
    CHECK_FALSE(untold.report.moved);
}

TEST_CASE("A table that is not homed warns, only --move homes it") {
    Checked looked({}, false);
    looked.options.move = false;
    looked.run();
    CHECK(looked["table.homed"].verdict == Verdict::warn);
    CHECK(looked.host.table->core().state() == DeviceState::idle);
    Checked homed({}, false);
    homed.run();
    CHECK(homed.failed().empty());
    CHECK(homed["motion.reference_shift"].verdict == Verdict::skipped);
    CHECK(homed["motion.homing_deviation"].verdict == Verdict::pass);
    CHECK(homed.host.table->core().homed());
}

TEST_CASE("A wire that damages some frames is measured to the end, whatever answer it costs") {
    SimulatedTableOptions options;
    options.faults = parse_fault_script("[[fault]]\nkind = \"wire_corrupt\"\nshare = 0.01\n", "damage.toml");
    Checked checked(options);
    checked.options.move = false;
    checked.run();
    CHECK_FALSE(checked.has("table.session"));
    CHECK(*checked["link.answers_lost"].number >= 1.0);
    CHECK(*checked["link.crc_errors"].number >= 1.0);
    CHECK(checked["link.crc_errors"].verdict != Verdict::pass);
}

TEST_CASE("A reference switch that wanders shows in the repeatability") {
    Checked* running = nullptr;
    double edge_m = 0.0;
    bool was_homing = false;
    const auto disturb = [&](std::uint64_t, Measurement& m) {
        const bool homing = running != nullptr && running->host.table->core().state() == DeviceState::homing;
        if (homing && !was_homing) edge_m = edge_m == 0.0 ? 300e-6 : 0.0;  // every other time
        was_homing = homing;
        m.reference_pressed = 1e-6 * static_cast<double>(m.encoder_count) < edge_m;
    };
    Checked checked(disturb);
    running = &checked;
    checked.options.homings = 4;
    checked.run();
    CHECK(checked.failed().empty());
    CHECK(checked["motion.homing_range"].verdict == Verdict::warn);
    CHECK(*checked["motion.homing_range"].number == Approx(300.0).margin(5.0));
    CHECK(*checked["motion.reference_shift"].number == Approx(300.0).margin(5.0));
}

TEST_CASE("A sound table passes at every feedback rate that a machine file may give") {
    MachineDescription machine = quanser_st_iii();
    machine.feedback_rate_hz = GENERATE(100.0, 300.0, 2000.0);
    INFO(machine.feedback_rate_hz << " Hz");
    Checked checked({}, machine);
    checked.options.homings = 0;
    checked.run();
    for (const CheckResult& result : checked.report.results) {
        INFO(result.name << ": " << (result.number ? *result.number : 0.0) << " " << result.found << " "
                         << result.advice);
        CHECK(result.verdict != Verdict::fail);
    }
    CHECK(checked["motion.watchdog"].verdict == Verdict::pass);
}
