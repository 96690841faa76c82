// Who has the table: sessions that begin, take over, fall silent and are let go.
#include "firmware_iface/served/device_session.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/device_wire.hpp"

using namespace topple::firmware_iface;
using topple::test::DeviceWire;
using topple::test::rest;

TEST_CASE("A session that is silent for five seconds while nothing moves is ended, one that sends is not") {
    DeviceWire wire;
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
    DeviceWire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.reply();
    wire.session.receive(wire.now_us + 3'600'000'000);
    wire.session.receive(wire.now_us);
    wire.session.receive(wire.now_us - 900'000);
    CHECK(wire.session.id() == 5);
}

TEST_CASE("A silent session that is armed is stopped as a lost host, and ended after that") {
    DeviceWire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    for (int i = 0; i < 51000; ++i) wire.reply();  // 5.1 s
    CHECK(wire.core.fault() == FaultCode::host_lost);
    CHECK(wire.session.let_go());
}

TEST_CASE("A refused session learns who has the table and for how long") {
    DeviceWire wire;
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

TEST_CASE("A new hello takes over and disarms while the platen rests, and is refused while it moves") {
    DeviceWire wire;
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
    DeviceWire wire;
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

TEST_CASE("A late copy of the running session's hello is answered, is no sign of life and lets no old frame in again") {
    DeviceWire wire;
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
    DeviceWire wire;
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
