#include "firmware_iface/table_link.hpp"

#include <array>
#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a command's answer is recognised by its sequence number") {
    Bench bench;
    bench.link.connect();
    bench.device.on_command = [&](const CommandMessage&) {
        bench.device.refusal = RefusalCode::fault_latched;
        bench.device.send_reply(99999);  // of nobody
        bench.device.refusal = RefusalCode::none;
    };
    CHECK(bench.link.arm(0x55).accepted);
    REQUIRE(bench.device.commands.size() == 1);
    CHECK(bench.device.commands[0].configuration_hash == 0x55);
}

TEST_CASE("a refusal carries the device's reason") {
    Bench bench;
    bench.link.connect();
    bench.device.refusal = RefusalCode::not_homed;
    const CommandResult result = bench.link.arm(1);
    CHECK_FALSE(result.accepted);
    CHECK(result.refusal == RefusalCode::not_homed);
}

TEST_CASE("an unanswered start sends a stop, because it may have started") {
    Bench bench;
    bench.link.connect();
    bench.device.mute = true;
    CHECK_THAT(error_of([&] { bench.link.start(5000, true); }), ContainsSubstring("no answer to \"start\""));
    bench.clock.sleep_for(1ms);
    REQUIRE(bench.kinds() == std::vector{CommandKind::start, CommandKind::stop});
    CHECK(bench.device.commands[0].release_specimen);
    CHECK(bench.device.commands[0].start_time_us == 5000);
}

TEST_CASE("an unanswered homing sends a stop, because it may have begun") {
    Bench bench;
    bench.link.connect();
    bench.device.mute = true;
    CHECK_THAT(error_of([&] { bench.link.start_homing(); }), ContainsSubstring("no answer to \"home\""));
    bench.clock.sleep_for(1ms);
    CHECK(bench.kinds() == std::vector{CommandKind::home, CommandKind::stop});
    CHECK_FALSE(bench.link.stop_answered());
}

TEST_CASE("feedback that came while a command waited is given to the next poll") {
    Bench bench;
    bench.link.connect();
    bench.run(20ms);
    bench.poll();
    bench.device.on_command = [&](const CommandMessage&) {
        for (std::uint64_t t = 1; t <= 3; ++t) bench.device.send_feedback(t);
    };
    bench.feeds = false;
    bench.link.arm(1);
    const auto all = bench.poll();
    REQUIRE(all.size() == 3);
    CHECK(all[0].device_time_us == 1);
    CHECK(bench.poll().empty());
}

TEST_CASE("wait_feedback gives what arrives after the call") {
    Bench bench;
    bench.link.connect();
    bench.run(10ms);
    CHECK(bench.link.wait_feedback().device_time_us >= 10000);
    bench.feeds = false;
    bench.poll();
    CHECK_THAT(error_of([&] { bench.link.wait_feedback(200ms); }),
               ContainsSubstring("no feedback from pipe within 200 ms"));
}

TEST_CASE("what is damaged so that its length or stuffing is wrong is counted too") {
    Bench bench;
    bench.link.connect();
    const std::array<std::byte, 6> noise{std::byte{0}, std::byte{9}, std::byte{1},
                                         std::byte{2}, std::byte{3}, std::byte{0}};
    bench.device.stream->write_some(noise);
    bench.poll();
    CHECK(bench.link.statistics().malformed == 1);
    CHECK(bench.link.statistics().crc_errors == 0);
    CHECK(bench.link.statistics().bytes_damaged == 4);
}

TEST_CASE("setpoints arrive complete and in order, and at most two periods of bytes wait in the system") {
    Bench bench;
    bench.link.connect();
    std::vector<Setpoint> batch;
    for (std::uint64_t t = 0; t < TableLink::kBatchMax; ++t) batch.push_back(setpoint_at(2000 * t));
    for (int i = 0; i < 4; ++i) REQUIRE(bench.link.send_setpoints(batch));
    const auto before = bench.link.statistics().bytes_sent;
    bench.link.flush();
    bench.link.flush();
    CHECK(bench.link.statistics().bytes_sent - before <= 369);  // 921600 baud, 2 x 2 ms
    bench.run(100ms);
    REQUIRE(bench.device.setpoints.size() == 64);
    CHECK(bench.device.setpoints[17].device_time_us == 2000);
    CHECK(bench.device.decoder.counters().bytes_damaged == 0);
}

TEST_CASE("a full outgoing buffer is said, not waited for") {
    Bench bench;
    bench.link.connect();
    std::vector<Setpoint> batch(TableLink::kBatchMax, setpoint_at(1));
    int accepted = 0;
    while (accepted < 1000 && bench.link.send_setpoints(batch)) ++accepted;
    CHECK(accepted > 30);
    CHECK(accepted < 1000);
    bench.run(50ms);
    CHECK(bench.link.send_setpoints(batch));
}

TEST_CASE("numbers that are not finite never leave the host") {
    Bench bench;
    bench.link.connect();
    auto bad = setpoint_at(1);
    bad.axes[0].velocity_m_s = std::numeric_limits<double>::quiet_NaN();
    CHECK_FALSE(bench.link.send_setpoints({&bad, 1}));
    bench.run(10ms);
    CHECK(bench.device.setpoints.empty());
}

TEST_CASE("a stop overtakes everything that was queued") {
    Bench bench;
    bench.link.connect();
    std::vector<Setpoint> batch(TableLink::kBatchMax, setpoint_at(1));
    for (int i = 0; i < 8; ++i) REQUIRE(bench.link.send_setpoints(batch));
    bench.link.flush();  // part of a frame is in the system already
    bench.link.stop();
    bench.clock.sleep_for(1ms);
    CHECK(bench.kinds() == std::vector{CommandKind::stop});
    bench.run(100ms);
    CHECK(bench.device.setpoints.empty());
}

TEST_CASE("a stop is repeated until it is answered, and no setpoint is taken meanwhile") {
    Bench bench;
    bench.link.connect();
    bench.device.answers_stop = false;
    bench.link.stop();
    bench.run(100ms);
    const auto tries = bench.kinds().size();
    CHECK(tries >= 4);
    const auto one = setpoint_at(1);
    CHECK_FALSE(bench.link.send_setpoints({&one, 1}));
    bench.device.answers_stop = true;
    bench.run(30ms);
    bench.poll();
    const auto answered = bench.kinds().size();
    bench.run(100ms);
    CHECK(bench.kinds().size() == answered);
    CHECK(bench.link.send_setpoints({&one, 1}));
}

TEST_CASE("the repeats of a stop do not overtake a command that came after it") {
    Bench bench;
    bench.link.connect();
    bench.device.answers_stop = false;
    bench.link.stop();
    const auto reads_again = bench.clock.now() + 100ms;  // five repeats
    bench.clock.set_on_advance([&](Nanoseconds now) {
        if (now >= reads_again) bench.device.serve();
    });
    CHECK(bench.link.clear_fault().accepted);
    CHECK(bench.kinds().front() == CommandKind::stop);
}

TEST_CASE("a stop is answered by the reply to any of its repeats, however long the way, and by no other reply") {
    Bench bench;
    bench.link.connect();
    bench.device.answers_stop = false;
    bench.link.stop();
    bench.clock.sleep_for(1ms);
    const std::uint32_t first = bench.device.received.back().sequence;
    bench.run(400ms);
    REQUIRE(bench.kinds().size() > 16);
    SECTION("late, to the first") {
        bench.device.send_reply(first);
        bench.poll();
        const auto answered = bench.kinds().size();
        bench.run(100ms);
        CHECK(bench.kinds().size() == answered);
    }
    SECTION("to a command from before, or to another one") {
        bench.link.stop();
        bench.link.clear_fault();
        bench.device.send_reply(first - 1);
        bench.poll();
        const auto unanswered = bench.kinds().size();
        bench.run(100ms);
        CHECK(bench.kinds().size() >= unanswered + 4);
    }
}

TEST_CASE("an idle host gives a sign of life") {
    Bench bench;
    bench.link.connect();
    bench.device.received.clear();
    bench.run(1s);
    CHECK(bench.device.received.size() >= 40);
    CHECK(bench.device.received.front().type == FrameType::alive);
    CHECK(bench.device.received.front().session == kSession);
}

TEST_CASE("a line that brings the host's own frames back is not a table, and their numbers are not the table's") {
    Bench bench;
    bench.link.connect();
    bench.run(20ms);
    bench.poll();
    const std::uint32_t of_the_table = bench.device.next_sequence;
    for (const FrameType type : {FrameType::hello, FrameType::command, FrameType::setpoints, FrameType::alive}) {
        bench.device.next_sequence += 1000;
        bench.device.send(type, [](auto) { return std::optional<std::size_t>(0); });
    }
    CHECK(bench.poll().empty());
    CHECK(bench.link.statistics().frames_unknown == 4);
    bench.device.next_sequence = of_the_table;
    bench.device.send_feedback(77);
    CHECK(bench.poll().size() == 1);
    bench.feeds = false;
    bench.clock.set_on_advance(
        [&](Nanoseconds) { bench.device.send(FrameType::alive, [](auto) { return std::optional<std::size_t>(0); }); });
    CHECK_THAT(error_of([&] { bench.link.wait_feedback(200ms); }), ContainsSubstring("no feedback"));
    CHECK_THAT(error_of([&] { bench.link.arm(1); }), ContainsSubstring("no answer"));
}

TEST_CASE("a device that goes away ends every wait at once") {
    Bench bench;
    bench.link.connect();
    bench.device.stream->close();
    const auto before = bench.clock.now();
    CHECK_THAT(error_of([&] { bench.link.arm(1); }), ContainsSubstring("lost"));
    CHECK(bench.clock.now() == before);
    CHECK(bench.link.status() == StreamStatus::closed);
}

TEST_CASE("a busy table refuses the session in words") {
    Bench bench;
    bench.device.mute = true;
    bench.clock.set_on_advance([&](Nanoseconds) {
        bench.device.serve();
        bench.device.refusal = RefusalCode::session_busy;
        if (!bench.device.received.empty()) bench.device.send_reply(bench.device.received.back().sequence);
    });
    CHECK_THAT(error_of([&] { bench.link.connect(); }), ContainsSubstring("Another session controls the table"));
}
