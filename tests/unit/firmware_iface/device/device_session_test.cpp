#include "firmware_iface/device/device_session.hpp"

#include <optional>

#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"
#include "tests/support/heap_counter.hpp"

using namespace topple::firmware_iface;

namespace {

/// A device on one end of a pipe, bare frames on the other.
struct Wire {
    Wire() : core(topple::test::DeviceBench::parameters()), session(core, describe(quanser_st_iii(), {})) {
        core.assume_homed(0);
        auto [here, there] = make_pipe();
        host = std::move(here);
        session.attach(std::move(there));
        tick();
    }
    void tick() {
        now_us += 100;
        session.receive(now_us);
        measurement.encoder_count = static_cast<std::int64_t>(1e6 * core.setpoint().position_m);
        core.tick(now_us, measurement);
        if (now_us % 2000 == 0) session.send_feedback(core.feedback());
        session.flush();
    }
    template <class Message>
    void send(FrameType type, std::uint32_t id, const Message& message) {
        std::array<std::byte, kPayloadMax> payload;
        const auto size = codec.encode(message, payload);
        REQUIRE(size);
        send_raw(type, id, std::span<const std::byte>(payload.data(), *size));
    }
    void send_raw(FrameType type, std::uint32_t id, std::span<const std::byte> payload) {
        std::array<std::byte, kEncodedFrameMax> bytes;
        const std::size_t size = encode_frame({type, id, sequence++}, payload, bytes);
        host->write_some(std::span<const std::byte>(bytes.data(), size));
    }
    /// Ticks once; the last frame of `type` that came back, its payload copied.
    std::optional<ReplyMessage> reply() {
        tick();
        std::optional<ReplyMessage> found;
        std::array<std::byte, 4096> bytes;
        while (const std::size_t size = host->read_some(bytes)) {
            std::span<const std::byte> input(bytes.data(), size);
            while (auto frame = decoder.next(input)) {
                ReplyMessage message;
                if (frame->header.type == FrameType::reply && codec.decode_reply(frame->payload, message))
                    found = message;
                if (frame->header.type == FrameType::description) ++descriptions;
            }
        }
        return found;
    }
    std::optional<ReplyMessage> command(std::uint32_t id, const CommandMessage& message) {
        send(FrameType::command, id, message);
        return reply();
    }

    DeviceCore core;
    DeviceSession session;
    std::unique_ptr<ByteStream> host;
    Codec codec;
    FrameDecoder decoder;
    Measurement measurement;
    std::uint64_t now_us = 1000000;
    std::uint32_t sequence = 0;
    int descriptions = 0;
};

Setpoint rest(std::uint64_t time_us, bool final = false) {
    return topple::test::DeviceBench::setpoint(time_us, 0.0, 0.0, 0.0, final);
}

}  // namespace

TEST_CASE("Nothing is heard before hello, and frames of other sessions are dropped") {
    Wire wire;
    CHECK_FALSE(wire.command(5, {CommandKind::arm, 77}));
    wire.send(FrameType::hello, 5, HelloMessage{});
    CHECK_FALSE(wire.reply());
    CHECK(wire.descriptions == 1);
    CHECK_FALSE(wire.command(6, {CommandKind::arm, 77}));
    CHECK(wire.core.state() == DeviceState::ready);
    const auto armed = wire.command(5, {CommandKind::arm, 77});
    REQUIRE(armed);
    CHECK(armed->accepted);
    CHECK(armed->request_sequence == wire.sequence - 1);
}

TEST_CASE("A new hello takes over and disarms while the platen rests, and is refused while it moves") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.reply();
    wire.command(5, {CommandKind::arm, 77});
    wire.send(FrameType::hello, 6, HelloMessage{});
    wire.reply();
    CHECK(wire.core.state() == DeviceState::ready);
    CHECK_FALSE(wire.command(5, {CommandKind::arm, 77}));
    wire.command(6, {CommandKind::arm, 77});
    const auto start = wire.now_us + 2000;
    const std::array<Setpoint, 2> motion{rest(start), rest(start + 20000, true)};
    wire.send(FrameType::setpoints, 6, std::span<const Setpoint>(motion));
    CHECK(wire.command(6, {CommandKind::start, 0, start, false})->accepted);
    wire.send(FrameType::hello, 7, HelloMessage{});
    const auto refused = wire.reply();
    REQUIRE(refused);
    CHECK(refused->refusal == RefusalCode::session_busy);
    CHECK(wire.core.state() == DeviceState::running);
}

TEST_CASE("A belated hello of a session that another has superseded takes nothing over") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.send(FrameType::hello, 6, HelloMessage{});
    REQUIRE(wire.command(6, {CommandKind::arm, 77})->accepted);
    wire.send(FrameType::hello, 5, HelloMessage{});
    const auto refused = wire.reply();
    REQUIRE(refused);
    CHECK(refused->refusal == RefusalCode::session_busy);
    CHECK(wire.session.id() == 6);
    CHECK(wire.core.state() == DeviceState::armed);
    wire.session.restart();  // a board that has restarted knows of no session
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.reply();
    CHECK(wire.session.id() == 5);
}

TEST_CASE("A stop behind setpoints in the same bytes acts before any of them is executed") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    const std::array<Setpoint, 2> motion{rest(wire.now_us + 2000), rest(wire.now_us + 900000)};
    wire.send(FrameType::setpoints, 5, std::span<const Setpoint>(motion));
    wire.send(FrameType::command, 5, CommandMessage{CommandKind::stop});
    CHECK(wire.reply()->accepted);
    CHECK(wire.core.fault() == FaultCode::operator_stop);
    CHECK(wire.core.feedback().queue_level == 0);
}

TEST_CASE("The command of an air track is refused by name and changes nothing, one that nobody knows is unknown") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    for (const bool armed : {false, true}) {
        if (armed) wire.command(5, {CommandKind::arm, 77});
        const auto released = wire.command(5, {CommandKind::release});
        REQUIRE(released);
        CHECK_FALSE(released->accepted);
        CHECK(released->refusal == RefusalCode::not_supported);
        CHECK(wire.core.state() == (armed ? DeviceState::armed : DeviceState::ready));
        CHECK(wire.core.fault() == FaultCode::none);
    }
    CHECK(wire.command(5, {static_cast<CommandKind>(8)})->refusal == RefusalCode::unknown_command);
}

TEST_CASE("Setpoints whose checksum is right and content is not take the drive off") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    const std::array<std::byte, 3> rubbish{std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}};
    wire.send_raw(FrameType::setpoints, 5, rubbish);
    wire.tick();
    CHECK(wire.core.fault() == FaultCode::not_finite);
    CHECK_FALSE(wire.core.drive_enabled());
}

TEST_CASE("A frame that comes twice, or after a later one, is dropped") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    REQUIRE(wire.command(5, {CommandKind::arm, 77}));
    --wire.sequence;
    CHECK_FALSE(wire.command(5, {CommandKind::disarm}));  // the number of the arm command
    CHECK(wire.core.state() == DeviceState::armed);
    --wire.sequence;
    wire.sequence += 2;  // the one in between is late
    CHECK(wire.command(5, {CommandKind::arm, 77}));
    wire.sequence -= 2;
    CHECK_FALSE(wire.command(5, {CommandKind::disarm}));
    wire.sequence = UINT32_MAX - 1;
    wire.send(FrameType::hello, 6, HelloMessage{});  // another session counts anew, and may wrap
    for (int i = 0; i < 4; ++i) CHECK(wire.command(6, {CommandKind::arm, 77}));
}

TEST_CASE("A late copy of the running session's hello is answered, is no sign of life and lets no old frame in again") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    wire.command(5, {CommandKind::disarm});
    wire.command(5, {CommandKind::arm, 77});
    for (const std::uint32_t late : {0u, 3u}) {  // the hello itself, and a number that has been used since
        wire.sequence = late;
        const int before = wire.descriptions;
        wire.send(FrameType::hello, 5, HelloMessage{});
        wire.reply();
        CHECK(wire.descriptions == before + 1);
        wire.sequence = 2;
        CHECK_FALSE(wire.command(5, {CommandKind::disarm}));
        CHECK(wire.core.state() == DeviceState::armed);
    }
    for (int i = 0; i < 5100; ++i) {  // 0.51 s armed
        wire.sequence = 0;
        if (i % 100 == 0) wire.send(FrameType::hello, 5, HelloMessage{});
        wire.reply();
    }
    CHECK(wire.core.fault() == FaultCode::host_lost);
}

TEST_CASE("A line that brings the device's own frames back is no sign of life, and their numbers are not the host's") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    const std::uint32_t of_the_host = wire.sequence;
    const auto echo = [&](FrameType type) {
        wire.sequence += 1000;
        wire.send_raw(type, 5, {});
        wire.tick();
    };
    for (const FrameType type : {FrameType::feedback, FrameType::reply, FrameType::description}) echo(type);
    wire.sequence = of_the_host;
    CHECK(wire.command(5, {CommandKind::disarm}).has_value());
    wire.command(5, {CommandKind::arm, 77});
    for (int i = 0; i < 5100; ++i) echo(FrameType::feedback);  // 0.51 s armed
    CHECK(wire.core.fault() == FaultCode::host_lost);
}

TEST_CASE("A stop that a sign of life has overtaken stops; one from before the newest accepted command does not") {
    Wire wire;
    const auto late_stop = [&](std::uint32_t behind) {
        wire.sequence -= behind;
        const auto answer = wire.command(5, {CommandKind::stop});
        wire.sequence += behind - 1;
        return answer.has_value();
    };
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    ++wire.sequence;  // of the stop that is late
    wire.send_raw(FrameType::alive, 5, {});
    wire.tick();
    CHECK(late_stop(2));
    CHECK(wire.core.fault() == FaultCode::operator_stop);
    wire.tick();
    REQUIRE(wire.command(5, {CommandKind::clear})->accepted);
    CHECK_FALSE(late_stop(3));  // once more, after the clear
    wire.command(5, {CommandKind::arm, 77});
    const auto start = wire.now_us + 2000;
    const std::array<Setpoint, 2> motion{rest(start), rest(start + 20000, true)};
    wire.send(FrameType::setpoints, 5, std::span<const Setpoint>(motion));
    REQUIRE(wire.command(5, {CommandKind::start, 0, start, false})->accepted);
    CHECK_FALSE(late_stop(2));
    wire.sequence += UINT32_MAX / 2 + 10;  // far ahead is late as well, and later than nothing
    CHECK_FALSE(wire.command(5, {CommandKind::stop}));
    CHECK(wire.core.state() == DeviceState::running);
    CHECK(wire.core.fault() == FaultCode::none);
}

TEST_CASE("A session that is silent for five seconds while nothing moves is ended, one that sends is not") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.reply();
    const auto live = [&](double seconds, bool speaks) {
        for (int i = 0; i < static_cast<int>(1e4 * seconds); ++i) {
            if (speaks && i % 10000 == 0) wire.send_raw(FrameType::alive, 5, {});
            wire.reply();  // reads what the device sends, too
        }
    };
    live(11.0, true);
    CHECK(wire.session.id() == 5);
    live(3.9, false);
    CHECK(wire.session.id() == 5);
    CHECK_FALSE(wire.session.let_go());
    live(1.2, false);
    CHECK(wire.session.id() == 0);
    CHECK(wire.session.let_go());
    CHECK(wire.core.state() == DeviceState::ready);
    CHECK_FALSE(wire.command(5, {CommandKind::arm, 77}));  // its frames are nobody's now
    wire.send(FrameType::hello, 6, HelloMessage{});
    wire.reply();
    CHECK(wire.session.id() == 6);
    CHECK_FALSE(wire.session.let_go());
}

TEST_CASE("A device clock that jumps lets nobody go") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.reply();
    wire.session.receive(wire.now_us + 3'600'000'000);
    wire.session.receive(wire.now_us);
    wire.session.receive(wire.now_us - 900'000);
    CHECK(wire.session.id() == 5);
}

TEST_CASE("A silent session that is armed is stopped as a lost host, and ended after that") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    for (int i = 0; i < 51000; ++i) wire.reply();  // 5.1 s
    CHECK(wire.core.fault() == FaultCode::host_lost);
    CHECK(wire.session.let_go());
}

TEST_CASE("A refused session learns who has the table and for how long") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{kProtocolVersion, "topple run"});
    wire.command(5, {CommandKind::arm, 77});
    const auto start = wire.now_us + 2000;
    const std::array<Setpoint, 2> motion{rest(start), rest(start + 900000, true)};
    wire.send(FrameType::setpoints, 5, std::span<const Setpoint>(motion));
    REQUIRE(wire.command(5, {CommandKind::start, 0, start, false})->accepted);
    wire.send(FrameType::hello, 7, HelloMessage{});
    const auto refused = wire.reply();
    REQUIRE(refused);
    CHECK(refused->holder == "topple run");
    CHECK(refused->held_for_us >= 200);
    CHECK(refused->held_for_us <= 1000);
}

TEST_CASE("A clear that is refused names what is still pressed, whatever fault was latched first") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.reply();
    const auto refused_for = [&] {
        const auto answer = wire.command(5, {CommandKind::clear});
        REQUIRE(answer);
        CHECK(answer->refusal == RefusalCode::fault_latched);
        return answer->cause;
    };
    wire.measurement.drive_ok = false;
    wire.tick();
    CHECK(refused_for() == FaultCode::drive_fault);
    wire.measurement.drive_ok = true;
    wire.measurement.limit_pressed = true;
    wire.tick();
    CHECK(wire.core.fault() == FaultCode::drive_fault);
    CHECK(refused_for() == FaultCode::limit_switch);
    wire.measurement.estop_pressed = true;
    wire.tick();
    CHECK(refused_for() == FaultCode::emergency_stop);
    wire.measurement.estop_pressed = wire.measurement.limit_pressed = false;
    wire.tick();
    CHECK(wire.command(5, {CommandKind::arm, 77})->cause == wire.core.fault());
    CHECK(wire.command(5, {CommandKind::clear})->accepted);
}

TEST_CASE("The device's cycle with commands, setpoints and feedback never touches the heap") {
    Wire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    wire.measurement.has_acceleration = true;
    wire.measurement.rotation_count = kRotationSensorsMax;
    std::array<Setpoint, kSetpointBatchMax> batch;
    std::uint64_t next_us = wire.now_us + 50000;
    const std::uint64_t start = next_us;
    std::array<std::byte, 8192> drain;
    for (int round = 0; round < 40; ++round) {
        for (Setpoint& s : batch) s = rest(next_us), next_us += 2000;
        wire.send(FrameType::setpoints, 5, std::span<const Setpoint>(batch));
        if (round == 1) wire.send(FrameType::command, 5, CommandMessage{CommandKind::start, 0, start, false});
        if (round == 39) wire.send(FrameType::command, 5, CommandMessage{CommandKind::stop});
        const std::uint64_t before = topple::test::heap_allocations();
        for (int i = 0; i < 320; ++i) {
            wire.tick();
            if (i % 20 == 0)
                while (wire.host->read_some(drain) > 0) {
                }
        }
        if (round > 0)
            REQUIRE(topple::test::heap_allocations() == before);  // the first round grows protobuf's messages
    }
    CHECK(wire.core.fault() == FaultCode::operator_stop);
    CHECK(wire.session.feedback_dropped() == 0);
}
