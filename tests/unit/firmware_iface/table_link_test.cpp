#include "firmware_iface/table_link.hpp"

#include <limits>

#include "tests/support/catch.hpp"
#include "tests/support/scripted_device.hpp"

using namespace topple::test;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::uint32_t kSession = 31;

/// Host and scripted device in lockstep on a virtual clock, feedback every 2 ms.
struct Bench {
    VirtualClock clock;
    ScriptedDevice device;
    TableLink link;
    bool feeds = true;
    Nanoseconds next_feedback{0};

    Bench() : Bench(make_pipe()) {}
    explicit Bench(std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> ends)
        : device(std::move(ends.second)), link(std::move(ends.first), clock, kSession) {
        clock.set_on_advance([this](Nanoseconds now) {
            device.serve();
            for (; next_feedback <= now; next_feedback += 2ms)
                if (feeds && device.session != 0)
                    device.send_feedback(static_cast<std::uint64_t>(next_feedback / 1us));
        });
    }
    std::vector<Feedback> poll() {
        std::vector<Feedback> all;
        link.poll([](void* to, const Feedback& f) { static_cast<std::vector<Feedback>*>(to)->push_back(f); },
                  &all);
        return all;
    }
    void run(Nanoseconds duration) {
        for (const auto end = clock.now() + duration; clock.now() < end; clock.sleep_for(2ms)) link.flush();
    }
    std::vector<CommandKind> kinds() const {
        std::vector<CommandKind> all;
        for (const auto& command : device.commands) all.push_back(command.kind);
        return all;
    }
};

template <class Call>
std::string error_of(Call call) {
    try {
        call();
    } catch (const DeviceError& error) {
        return error.what();
    }
    return "no error";
}

Setpoint setpoint_at(std::uint64_t time_us) {
    Setpoint setpoint;
    setpoint.device_time_us = time_us;
    setpoint.axes[0] = {0.01, 0.2, -3.0};
    return setpoint;
}

}  // namespace

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
            while (bench.device.stream->read_some(lost) > 0) {}
            bench.device.stream->write_some(std::as_bytes(std::span("boot v1.0\r\n")));
        } else {
            bench.device.serve();
        }
    });
    CHECK(bench.link.connect().device == "scripted");
    CHECK(bench.clock.now() > 1500ms);  // the hello of 1.5 s
    CHECK(bench.clock.now() < 1520ms);
    CHECK(bench.link.statistics().round_trip == 250us);
    CHECK(bench.poll().empty());
}

TEST_CASE("a silent device is named with what to do") {
    Bench bench;
    bench.device.mute = true;
    CHECK_THAT(error_of([&] { bench.link.connect(); }),
               ContainsSubstring("no answer from pipe within 3 s") && ContainsSubstring("is the table on"));
    CHECK(bench.clock.now() == 3s);
    CHECK(bench.device.received.size() == 6);  // hello is repeated
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

TEST_CASE("a command's answer is told by its sequence number") {
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

TEST_CASE("homing waits for the reference and names the fault that ended it") {
    Bench bench;
    bench.link.connect();
    bench.device.on_command = [&](const CommandMessage&) {
        bench.device.feedback.state = DeviceState::homing;
    };
    SECTION("found") {
        bench.clock.set_on_advance([&, serve = [&] { bench.device.serve(); }](Nanoseconds now) {
            serve();
            if (now > 2s) bench.device.feedback.state = DeviceState::ready;
            bench.device.send_feedback(1);
        });
        CHECK(bench.link.home().accepted);
        CHECK(bench.clock.now() > 2s);
    }
    SECTION("failed") {
        bench.device.on_command = [&](const CommandMessage&) {
            bench.device.feedback.state = DeviceState::faulted;
            bench.device.feedback.fault_code = static_cast<std::uint32_t>(FaultCode::homing_failed);
        };
        CHECK_THAT(error_of([&] { bench.link.home(); }), ContainsSubstring("homing_failed"));
    }
    SECTION("not in time: stopped") {
        CHECK_THAT(error_of([&] { bench.link.home(1500ms); }),
                   ContainsSubstring("did not end within 1500 ms"));
        bench.clock.sleep_for(1ms);
        CHECK(bench.kinds() == std::vector{CommandKind::home, CommandKind::stop});
    }
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

TEST_CASE("an idle host gives a sign of life") {
    Bench bench;
    bench.link.connect();
    bench.device.received.clear();
    bench.run(1s);
    CHECK(bench.device.received.size() >= 40);
    CHECK(bench.device.received.front().type == FrameType::alive);
    CHECK(bench.device.received.front().session == kSession);
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
    CHECK_THAT(error_of([&] { bench.link.connect(); }),
               ContainsSubstring("Another session controls the table"));
}
