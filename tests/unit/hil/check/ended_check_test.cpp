// Checks that a fault or the operator ends before their time, or that a fault does not let begin.
#include "tests/support/catch.hpp"
#include "tests/support/checked_table.hpp"

using namespace topple;
using namespace topple::hil::check;
using namespace topple::firmware_iface;
using Catch::Matchers::ContainsSubstring;
using topple::test::Checked;

using Names = std::set<std::string>;

TEST_CASE("A latched fault fails, is not cleared, and nothing moves") {
    Checked checked;
    checked.host.link->stop();
    checked.host.cycles(20);
    REQUIRE(checked.host.table->core().fault() == FaultCode::operator_stop);
    checked.run();
    CHECK(checked.failed() == Names{"table.state", "table.fault"});
    CHECK(checked.asked == 0);
    CHECK(checked.host.table->core().fault() == FaultCode::operator_stop);
}

TEST_CASE("A fault that the check did not cause ends it and stays latched") {
    Checked* running = nullptr;
    bool once = false;
    const auto disturb = [&](std::uint64_t, Measurement& m) {
        if (running != nullptr && running->host.table->core().state() == DeviceState::running &&
            running->has("motion.stop_time"))
            once = true;
        if (once) m.drive_ok = false;
    };
    Checked checked(disturb);
    running = &checked;
    checked.run();
    CHECK(checked["table.session"].verdict == Verdict::fail);
    CHECK(checked.host.table->core().fault() == FaultCode::drive_fault);
    CHECK_FALSE(checked.has("motion.homing_range"));
}

TEST_CASE("The operator's stop in the middle of a move is one controlled stop that stays latched") {
    Checked* running = nullptr;
    const auto disturb = [&](std::uint64_t, Measurement&) {
        if (running != nullptr && running->host.table->core().setpoint().velocity_m_s > 0.03) running->stop.store(true);
    };
    Checked checked(disturb);
    running = &checked;
    checked.run();
    CHECK(checked.failed() == Names{"table.session"});
    CHECK_THAT(checked["table.session"].advice, ContainsSubstring("stopped by the operator"));
    CHECK(checked.host.table->core().state() == DeviceState::faulted);
    CHECK(checked.host.table->core().fault() == FaultCode::operator_stop);
}

TEST_CASE("The operator's stop between two motions leaves nothing latched and says so") {
    const bool before_the_first = GENERATE(true, false);
    Checked* running = nullptr;
    std::uint64_t ran_us = 0;
    const auto disturb = [&](std::uint64_t now_us, Measurement&) {
        if (running == nullptr) return;
        const DeviceState state = running->host.table->core().state();
        if (state == DeviceState::running) ran_us = now_us;
        const bool over = ran_us != 0 && now_us > ran_us + 50'000;  // the host has seen that the motion is done
        if (state == DeviceState::armed && (before_the_first || over)) running->stop.store(true);
    };
    Checked checked(disturb);
    running = &checked;
    checked.run();
    CHECK(checked.failed() == Names{"table.session"});
    CHECK_THAT(checked["table.session"].advice,
               ContainsSubstring("stopped by the operator") && !ContainsSubstring("latched"));
    CHECK(checked.host.table->core().state() == DeviceState::ready);
    CHECK(checked.host.table->core().fault() == FaultCode::none);
}

TEST_CASE("The operator's stop while homing stops the search") {
    Checked* running = nullptr;
    const auto disturb = [&](std::uint64_t, Measurement&) {
        if (running != nullptr && running->host.table->core().state() == DeviceState::homing) running->stop.store(true);
    };
    Checked checked(disturb, false);
    running = &checked;
    checked.run();
    CHECK(checked.failed() == Names{"table.session"});
    CHECK(checked.host.table->core().fault() == FaultCode::operator_stop);
}
