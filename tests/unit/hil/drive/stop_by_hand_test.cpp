// `topple table stop`: only the table's answer says that it has stopped.
#include "hil/drive/by_hand.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple;
using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a stop that is not answered is no success, whatever state the feedback shows") {
    Bench bench;
    bench.link.connect();
    bench.device.answers_stop = false;
    bench.device.feedback.state = DeviceState::ready;
    CHECK_THAT(error_of([&] { hil::drive::stop_table(bench.link, bench.clock); }),
               ContainsSubstring("has not answered the stop"));
}

TEST_CASE("feedback from before the answer does not end the wait for rest") {
    Bench bench;
    bench.link.connect();
    bench.device.answers_stop = false;
    bench.device.feedback.state = DeviceState::ready;  // of a moment before the motion
    bench.clock.set_on_advance([&](Nanoseconds now) {
        bench.device.answers_stop = now > 300ms;
        bench.device.serve();
        if (bench.device.answers_stop)
            bench.device.feedback.state = now > 500ms ? DeviceState::faulted : DeviceState::stopping;
        bench.device.send_feedback(static_cast<std::uint64_t>(now / 1us));
    });
    hil::drive::stop_table(bench.link, bench.clock);
    CHECK(bench.clock.now() > 500ms);
    CHECK(bench.clock.now() < 600ms);
}

TEST_CASE("a table that answers and moves on is said to, with what is left to do") {
    Bench bench;
    bench.link.connect();
    bench.device.feedback.state = DeviceState::running;
    CHECK_THAT(error_of([&] { hil::drive::stop_table(bench.link, bench.clock); }),
               ContainsSubstring("still moves") && ContainsSubstring("emergency stop"));
}

TEST_CASE("a clear that is refused names the switch that is still pressed and says what to do") {
    HostBench bench({}, [] {
        hil::sim_table::SimulatedTableOptions options;
        options.disturb = [](std::uint64_t time_us, Measurement& m) { m.limit_pressed = time_us > 1'234'700'000; };
        return options;
    }());
    bench.link->connect();
    bench.cycles(100);
    REQUIRE(bench.link->wait_feedback().fault_code == static_cast<std::uint32_t>(FaultCode::limit_switch));
    CHECK_THAT(error_of([&] { hil::drive::clear_table(*bench.link); }),
               ContainsSubstring("limit_switch") && ContainsSubstring("move the platen off it by hand"));
}

TEST_CASE("a search for the reference that was stopped leaves no position to show") {
    hil::sim_table::SimulatedTableOptions options;
    options.start_homed = false;
    options.start_position_m = 0.05;
    HostBench bench({}, options);
    bench.link->connect();
    REQUIRE(bench.link->start_homing().accepted);
    bench.cycles(200);
    bench.link->stop();
    bench.cycles(200);
    REQUIRE(bench.link->wait_feedback().state == DeviceState::faulted);
    CHECK_THAT(hil::drive::describe_state(*bench.link, bench.machine),
               ContainsSubstring("position  not known (not homed)") && ContainsSubstring("operator_stop"));
    REQUIRE(bench.link->clear_fault().accepted);
    CHECK_THAT(hil::drive::describe_state(*bench.link, bench.machine),
               ContainsSubstring("position  not known (not homed)"));
}

TEST_CASE("an ordinary stop leaves the position known") {
    HostBench bench;
    bench.link->connect();
    bench.link->stop();
    bench.cycles(50);
    REQUIRE(bench.link->wait_feedback().state == DeviceState::faulted);
    CHECK_THAT(hil::drive::describe_state(*bench.link, bench.machine), !ContainsSubstring("not homed"));
}
