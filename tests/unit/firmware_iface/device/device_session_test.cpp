#include "firmware_iface/served/device_session.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/device_wire.hpp"
#include "tests/support/heap_counter.hpp"

using namespace topple::firmware_iface;
using topple::test::DeviceWire;
using topple::test::rest;

TEST_CASE("Nothing is heard before hello, and frames of other sessions are dropped") {
    DeviceWire wire;
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

TEST_CASE("A stop behind setpoints in the same bytes acts before any of them is executed") {
    DeviceWire wire;
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
    DeviceWire wire;
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
    DeviceWire wire;
    wire.send(FrameType::hello, 5, HelloMessage{});
    wire.command(5, {CommandKind::arm, 77});
    const std::array<std::byte, 3> rubbish{std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}};
    wire.send_raw(FrameType::setpoints, 5, rubbish);
    wire.tick();
    CHECK(wire.core.fault() == FaultCode::not_finite);
    CHECK_FALSE(wire.core.drive_enabled());
}

TEST_CASE("A frame that comes twice, or after a later one, is dropped") {
    DeviceWire wire;
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

TEST_CASE("A stop that a sign of life has overtaken stops, one from before the newest accepted command does not") {
    DeviceWire wire;
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

TEST_CASE("A clear that is refused names what is still pressed, whatever fault was latched first") {
    DeviceWire wire;
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
    DeviceWire wire;
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
