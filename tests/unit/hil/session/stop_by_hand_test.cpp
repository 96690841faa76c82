// `topple table stop`: only the table's answer says that it has stopped.
#include "hil/session/by_hand.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple;
using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a stop that is not answered is no success, whatever state the feedback tells") {
    Bench bench;
    bench.link.connect();
    bench.device.answers_stop = false;
    bench.device.feedback.state = DeviceState::ready;
    CHECK_THAT(error_of([&] { hil::stop_table(bench.link, bench.clock); }), ContainsSubstring("has not answered the stop"));
}

TEST_CASE("feedback from before the answer does not end the wait for rest") {
    Bench bench;
    bench.link.connect();
    bench.device.answers_stop = false;
    bench.device.feedback.state = DeviceState::ready;  // of a moment before the motion
    bench.clock.set_on_advance([&](Nanoseconds now) {
        bench.device.answers_stop = now > 300ms;
        bench.device.serve();
        if (bench.device.answers_stop) bench.device.feedback.state = now > 500ms ? DeviceState::faulted : DeviceState::stopping;
        bench.device.send_feedback(static_cast<std::uint64_t>(now / 1us));
    });
    hil::stop_table(bench.link, bench.clock);
    CHECK(bench.clock.now() > 500ms);
    CHECK(bench.clock.now() < 600ms);
}

TEST_CASE("a table that answers and moves on is said to, with what is left to do") {
    Bench bench;
    bench.link.connect();
    bench.device.feedback.state = DeviceState::running;
    CHECK_THAT(error_of([&] { hil::stop_table(bench.link, bench.clock); }), ContainsSubstring("still moves") && ContainsSubstring("emergency stop"));
}
