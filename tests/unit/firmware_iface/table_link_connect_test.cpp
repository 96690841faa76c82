// How a session begins, and what keeps it alive.
#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("connect learns what the device is and how long an answer takes") {
    Bench bench;
    const DeviceInfo& info = bench.link.connect();
    CHECK(info.device == "scripted");
    CHECK(info.simulated);
    CHECK(info.configuration_hash == 0x0123456789ABCDEFULL);
    REQUIRE(info.axes.size() == 1);
    CHECK(info.axes[0].accelerometer_sign == -1);
    CHECK(bench.link.statistics().round_trip == 250us);  // the step in which it looks
}

TEST_CASE("the round trip is the middle one of several, whatever one of them took") {
    Bench bench;
    int served = 0;
    bench.clock.set_on_advance([&](Nanoseconds now) {
        if (++served >= 3 && now < 9ms) return;  // the device is busy at the third look
        bench.device.serve();
    });
    bench.link.connect();
    CHECK(bench.link.statistics().round_trip == 250us);
    CHECK(bench.clock.now() > 9ms);
}

TEST_CASE("a table that answers a hello only once is connected all the same") {
    Bench bench;
    bench.clock.set_on_advance([&](Nanoseconds) {
        if (bench.device.session == 0) bench.device.serve();
    });
    bench.link.connect();
    CHECK(bench.link.device().device == "scripted");
    CHECK(bench.link.statistics().round_trip == 1ms);  // of the hello that was answered
}

TEST_CASE("while the table runs the host gives a sign of life in every period, else every 20 ms") {
    Bench bench;
    bench.link.connect();
    const auto alive_in_100_ms = [&](DeviceState state) {
        bench.device.feedback.state = state;
        for (int i = 0; i < 10; ++i, bench.clock.sleep_for(2ms)) bench.poll(), bench.link.flush();
        bench.device.received.clear();
        for (int i = 0; i < 50; ++i, bench.clock.sleep_for(2ms)) bench.poll(), bench.link.flush();
        return bench.device.received.size();
    };
    CHECK(alive_in_100_ms(DeviceState::armed) <= 6);
    CHECK(alive_in_100_ms(DeviceState::running) >= 49);
}

TEST_CASE("after a stall the first thing a table hears is that its host is back") {
    Bench bench;
    bench.link.connect();
    bench.run(10ms);
    bench.clock.sleep_for(40ms);
    bench.device.received.clear();
    std::vector<Setpoint> batch(TableLink::kBatchMax, setpoint_at(1000));
    REQUIRE(bench.link.send_setpoints(batch));
    bench.run(10ms);
    REQUIRE(bench.device.received.size() >= 2);
    CHECK(bench.device.received[0].type == FrameType::alive);
    CHECK(bench.device.received[1].type == FrameType::setpoints);
}

TEST_CASE("a board that restarts when its port is opened is waited for, and its start-up text is no data") {
    Bench bench;
    bench.clock.set_on_advance([&](Nanoseconds now) {
        if (now < 1200ms) {  // boot loader: what comes in is lost, text goes out
            std::array<std::byte, 512> lost;
            while (bench.device.stream->read_some(lost) > 0) {
            }
            bench.device.stream->write_some(std::as_bytes(std::span("boot v1.0\r\n")));
        } else {
            bench.device.serve();
        }
    });
    CHECK(bench.link.connect().device == "scripted");
    CHECK(bench.clock.now() > 1250ms);  // the hello of 1.25 s
    CHECK(bench.clock.now() < 1270ms);
    CHECK(bench.link.statistics().round_trip == 250us);
    CHECK(bench.poll().empty());
}

TEST_CASE("a silent device is named with what to do") {
    Bench bench;
    bench.device.mute = true;
    CHECK_THAT(error_of([&] { bench.link.connect(); }),
               ContainsSubstring("no answer from pipe within 5 s") && ContainsSubstring("is the table on"));
    CHECK(bench.clock.now() == 5s);
    CHECK(bench.device.received.size() == 20);  // hello is repeated
}

TEST_CASE("a board that starts when its port is opened is waited for") {
    for (const Nanoseconds boots : {900ms, 2600ms, 3100ms, 4600ms}) {
        Bench bench;
        std::array<std::byte, 4096> lost;
        bench.clock.set_on_advance([&](Nanoseconds now) {
            if (now < boots)
                bench.device.stream->read_some(lost);
            else
                bench.device.serve();
        });
        CHECK(bench.link.connect().device == "scripted");
        CHECK(bench.clock.now() < boots + 300ms);
    }
}

TEST_CASE("a device of another protocol version is refused with both versions") {
    Bench bench;
    bench.device.info.protocol_version = 9;
    CHECK_THAT(error_of([&] { bench.link.connect(); }),
               ContainsSubstring("version 9") && ContainsSubstring("version 1"));
}

TEST_CASE("bytes and frames of an earlier session are never taken for this one's") {
    Bench bench;
    bench.device.session = 30;
    bench.device.send_feedback(111);
    bench.link.connect();
    bench.poll();
    bench.device.session = 30;
    bench.device.send_feedback(222);
    CHECK(bench.poll().empty());
    CHECK(bench.link.statistics().frames_stale == 1);
    bench.device.session = kSession;
    bench.device.send_feedback(333);
    const auto all = bench.poll();
    REQUIRE(all.size() == 1);
    CHECK(all[0].device_time_us == 333);
}
