#include "firmware_iface/wire/codec.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/payload.hpp"
#include "tests/support/scripted_device.hpp"

using namespace topple::firmware_iface;
using topple::test::encoded;
using topple::test::raw;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("feedback at a time that no clock reaches does not travel") {
    Codec codec;
    Feedback late;
    late.device_time_us = kDeviceTimeMax_us + 1;
    CHECK_FALSE(encoded(codec, late));
}

TEST_CASE("the largest batch fits into one payload") {
    Setpoint largest;
    largest.device_time_us = std::numeric_limits<std::uint64_t>::max();
    largest.axis_count = kAxesMax;
    largest.axes.fill({-1.5, 2.5, -3.5});
    largest.final = true;
    const std::vector<Setpoint> batch(kSetpointBatchMax, largest);
    Codec codec;
    const auto payload = encoded(codec, std::span<const Setpoint>(batch));
    REQUIRE(payload);
    CHECK(payload->size == 1168);
    std::array<std::byte, 1167> small;
    CHECK_FALSE(codec.encode(std::span<const Setpoint>(batch), small));
}

TEST_CASE("commands, replies and hellos come out as they went in") {
    Codec codec;
    for (int kind = 1; kind <= 7; ++kind) {
        const CommandMessage sent{static_cast<CommandKind>(kind), 0xFEDCBA9876543210ULL, 1234567890123ULL, kind == 4,
                                  kind == 4};
        CommandMessage got;
        REQUIRE(codec.decode_command(encoded(codec, sent)->view(), got));
        CHECK(got.kind == sent.kind);
        CHECK(got.configuration_hash == sent.configuration_hash);
        CHECK(got.start_time_us == sent.start_time_us);
        CHECK(got.release_specimen == sent.release_specimen);
        CHECK(got.trigger == sent.trigger);
    }
    for (std::uint32_t refusal = 0; refusal <= 8; ++refusal) {
        const ReplyMessage sent{0xFFFFFFFFU, refusal == 0, static_cast<RefusalCode>(refusal), 99};
        ReplyMessage got;
        REQUIRE(codec.decode_reply(encoded(codec, sent)->view(), got));
        CHECK(got.request_sequence == sent.request_sequence);
        CHECK(got.accepted == sent.accepted);
        CHECK(got.refusal == sent.refusal);
        CHECK(got.device_time_us == 99);
        CHECK(got.holder.empty());
        CHECK(got.held_for_us == 0);
        CHECK(got.cause == FaultCode::none);
    }
    const ReplyMessage busy{7, false, RefusalCode::session_busy, 99, "topple run", 12'000'000, FaultCode::limit_switch};
    ReplyMessage told;
    REQUIRE(codec.decode_reply(encoded(codec, busy)->view(), told));
    CHECK(told.holder == "topple run");
    CHECK(told.held_for_us == 12'000'000);
    CHECK(told.cause == FaultCode::limit_switch);
    HelloMessage hello;
    REQUIRE(codec.decode_hello(encoded(codec, HelloMessage{3, "someone 1.0"})->view(), hello));
    CHECK(hello.protocol_version == 3);
    CHECK(hello.client == "someone 1.0");
}

TEST_CASE("a device description comes out as it went in, its texts bounded") {
    Codec codec;
    DeviceInfo sent = topple::test::scripted_info();
    sent.axes.push_back({"y", 0.05, 1.0, 10.0, 5.0, -2.5e5, -1, 1});
    sent.device = std::string(63, 'a') + "\xC3\xA4";  // the 65 bytes end within a two-byte character
    sent.has_trigger = true;
    sent.aux_channel_count = 8;
    DeviceInfo got;
    std::uint64_t time_us = 0;
    REQUIRE(codec.decode_description(encoded(codec, sent, std::uint64_t{42})->view(), got, time_us));
    CHECK(time_us == 42);
    CHECK(got.device == std::string(63, 'a'));
    CHECK(got.serial_number == "0042");
    CHECK(got.simulated);
    CHECK(got.configuration_hash == sent.configuration_hash);
    CHECK(got.has_trigger);
    CHECK(got.aux_channel_count == 8);
    REQUIRE(got.axes.size() == 2);
    CHECK(got.axes[1].name == "y");
    CHECK(got.axes[1].counts_per_m == -2.5e5);
    CHECK(got.axes[1].encoder_sign == -1);
}

TEST_CASE("numbers that are not finite are not sent") {
    Codec codec;
    for (const double bad : {kNaN, kInfinity, -kInfinity}) {
        Setpoint setpoint;
        setpoint.axes[0].acceleration_m_s2 = bad;
        CHECK_FALSE(encoded(codec, std::span<const Setpoint>(&setpoint, 1)));
        Feedback feedback;
        feedback.acceleration_y_m_s2 = bad;
        CHECK_FALSE(encoded(codec, feedback));
        feedback = Feedback{};
        feedback.rotation_count = 2;
        feedback.rotation_rad[1] = bad;
        CHECK_FALSE(encoded(codec, feedback));
        feedback = Feedback{};
        feedback.aux_count = 1;
        feedback.aux_v[0] = bad;
        CHECK_FALSE(encoded(codec, feedback));
        feedback = Feedback{};
        feedback.axes[0].setpoint_velocity_m_s = bad;
        CHECK_FALSE(encoded(codec, feedback));
        DeviceInfo info = topple::test::scripted_info();
        info.axes[0].stroke_m = bad;
        CHECK_FALSE(encoded(codec, info, std::uint64_t{0}));
    }
}

TEST_CASE("counts out of bounds are not sent") {
    Codec codec;
    const std::vector<Setpoint> many(kSetpointBatchMax + 1);
    CHECK_FALSE(encoded(codec, std::span<const Setpoint>(many)));
    CHECK_FALSE(encoded(codec, std::span<const Setpoint>()));
    Feedback feedback;
    feedback.axis_count = 0;
    CHECK_FALSE(encoded(codec, feedback));
    feedback.axis_count = kAxesMax + 1;
    CHECK_FALSE(encoded(codec, feedback));
    feedback.axis_count = 1;
    feedback.rotation_count = kRotationSensorsMax + 1;
    CHECK_FALSE(encoded(codec, feedback));
    feedback.rotation_count = 0;
    feedback.aux_count = kAuxChannelsMax + 1;
    CHECK_FALSE(encoded(codec, feedback));
    DeviceInfo info = topple::test::scripted_info();
    info.aux_channel_count = kAuxChannelsMax + 1;
    CHECK_FALSE(encoded(codec, info, std::uint64_t{0}));
    info = topple::test::scripted_info();
    info.axes.clear();
    CHECK_FALSE(encoded(codec, info, std::uint64_t{0}));
}

TEST_CASE("what no sound device says is refused, and the next sound message is taken") {
    using namespace std::string_view_literals;
    Codec codec;
    Feedback feedback;
    const auto refused = [&](std::string_view bytes) { return !codec.decode_feedback(raw(bytes).view(), feedback); };
    CHECK(refused(""sv));                                              // no axis
    CHECK(refused("\x12\x00\x12\x00\x12\x00"sv));                      // three axes
    CHECK(refused("\x12\x00\x30\x08"sv));                              // state 8
    CHECK(refused("\x12\x00\x19\x00\x00\x00\x00\x00\x00\xF8\x7F"sv));  // acceleration NaN
    CHECK(refused("\x12\x09\x11\x00\x00\x00\x00\x00\x00\xF0\x7F"sv));  // setpoint position infinite
    CHECK(refused("\x12\x00\x2A"sv));                                  // cut off
    const std::string seventeen = std::string("\x12\x00\x2A\x88\x01"sv) + std::string(17 * 8, '\0');
    CHECK(refused(seventeen));                                                     // 17 rotations
    CHECK(refused(std::string("\x12\x00\x62\x48"sv) + std::string(9 * 8, '\0')));  // 9 auxiliary inputs
    CHECK_FALSE(refused("\x12\x00"sv));
    CHECK_FALSE(feedback.acceleration_x_m_s2);
    CHECK_FALSE(feedback.trigger);
    CHECK(feedback.aux_count == 0);

    CommandMessage command;
    CHECK_FALSE(codec.decode_command(raw(""sv).view(), command));
    CHECK_FALSE(codec.decode_command(raw("\x08\x08"sv).view(), command));
    CHECK(codec.decode_command(raw("\x08\x05"sv).view(), command));
    ReplyMessage reply;
    CHECK_FALSE(codec.decode_reply(raw("\x18\x0A"sv).view(), reply));          // unknown refusal
    CHECK_FALSE(codec.decode_reply(raw("\x10\x01\x18\x01"sv).view(), reply));  // accepted and refused
    std::array<Setpoint, kSetpointBatchMax> setpoints;
    CHECK(codec.decode_setpoints(raw(""sv).view(), setpoints) == 0);
    CHECK(codec.decode_setpoints(raw("\x0A\x00"sv).view(), setpoints) == 0);  // no axis
    CHECK(codec.decode_setpoints(raw("\x0A\x02\x12\x00"sv).view(), setpoints) == 1);
    std::string seventeen_setpoints;
    for (int i = 0; i < 17; ++i) seventeen_setpoints += "\x0A\x02\x12\x00"sv;
    CHECK(codec.decode_setpoints(raw(seventeen_setpoints).view(), setpoints) == 0);
}

TEST_CASE("a description of another protocol version still gives its version") {
    using namespace std::string_view_literals;
    Codec codec;
    DeviceInfo info;
    std::uint64_t time_us = 0;
    REQUIRE(codec.decode_description(raw("\x08\x07"sv).view(), info, time_us));
    CHECK(info.protocol_version == 7);
    CHECK_FALSE(codec.decode_description(raw("\x08\x01"sv).view(), info, time_us));  // ours, without an axis
}
