#include "firmware_iface/wire/codec.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "firmware_iface/wire/frame.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scripted_device.hpp"

using namespace topple::firmware_iface;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::uint32_t kSeed = 77;

struct Payload {
    std::array<std::byte, kPayloadMax> bytes{};
    std::size_t size = 0;
    std::span<const std::byte> view() const { return std::span(bytes).first(size); }
};

/// Empty optional if the codec refuses to send it.
template <class... Value>
std::optional<Payload> encoded(Codec& codec, const Value&... value) {
    Payload payload;
    const auto size = codec.encode(value..., payload.bytes);
    if (!size) return std::nullopt;
    payload.size = *size;
    return payload;
}

/// Protobuf bytes written by hand: what a foreign or broken sender may say.
Payload raw(std::string_view text) {
    Payload payload;
    payload.size = text.size();
    std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), payload.bytes.begin());
    return payload;
}

Setpoint random_setpoint(std::mt19937_64& random) {
    std::uniform_real_distribution<double> number(-30.0, 30.0);
    Setpoint setpoint;
    setpoint.device_time_us = random();
    setpoint.axis_count = 1 + random() % kAxesMax;
    for (std::size_t i = 0; i < setpoint.axis_count; ++i)
        setpoint.axes[i] = {number(random), number(random), number(random)};
    setpoint.final = random() % 2;
    return setpoint;
}

Feedback random_feedback(std::mt19937_64& random) {
    std::uniform_real_distribution<double> number(-30.0, 30.0);
    Feedback feedback;
    feedback.device_time_us = random() % (kDeviceTimeMax_us + 1);
    feedback.axis_count = 1 + random() % kAxesMax;
    for (std::size_t i = 0; i < feedback.axis_count; ++i)
        feedback.axes[i] = {static_cast<std::int64_t>(random()), number(random), number(random), number(random)};
    if (random() % 2) feedback.acceleration_x_m_s2 = number(random);
    if (random() % 2) feedback.acceleration_y_m_s2 = number(random);
    feedback.rotation_count = random() % (kRotationSensorsMax + 1);
    for (std::size_t i = 0; i < feedback.rotation_count; ++i) feedback.rotation_rad[i] = number(random);
    feedback.state = static_cast<DeviceState>(random() % 8);
    feedback.fault_code = static_cast<std::uint32_t>(random());
    feedback.queue_level = static_cast<std::uint32_t>(random());
    feedback.motion_done = random() % 2;
    if (random() % 3 != 0) feedback.homed = random() % 2 == 0;
    return feedback;
}

bool same(const Setpoint& a, const Setpoint& b) {
    bool equal = a.device_time_us == b.device_time_us && a.axis_count == b.axis_count && a.final == b.final;
    for (std::size_t i = 0; i < kAxesMax; ++i)
        equal = equal && a.axes[i].position_m == b.axes[i].position_m &&
                a.axes[i].velocity_m_s == b.axes[i].velocity_m_s &&
                a.axes[i].acceleration_m_s2 == b.axes[i].acceleration_m_s2;
    return equal;
}

bool same(const Feedback& a, const Feedback& b) {
    bool equal = a.device_time_us == b.device_time_us && a.axis_count == b.axis_count && a.state == b.state &&
                 a.acceleration_x_m_s2 == b.acceleration_x_m_s2 && a.acceleration_y_m_s2 == b.acceleration_y_m_s2 &&
                 a.rotation_count == b.rotation_count && a.rotation_rad == b.rotation_rad &&
                 a.fault_code == b.fault_code && a.queue_level == b.queue_level && a.motion_done == b.motion_done &&
                 a.homed == b.homed;
    for (std::size_t i = 0; i < kAxesMax; ++i)
        equal = equal && a.axes[i].encoder_count == b.axes[i].encoder_count &&
                a.axes[i].setpoint_position_m == b.axes[i].setpoint_position_m &&
                a.axes[i].setpoint_velocity_m_s == b.axes[i].setpoint_velocity_m_s &&
                a.axes[i].setpoint_acceleration_m_s2 == b.axes[i].setpoint_acceleration_m_s2;
    return equal;
}

}  // namespace

TEST_CASE("setpoints come out of the codec as they went in") {
    std::mt19937_64 random(kSeed);
    Codec sender, receiver;
    for (int run = 0; run < 3000; ++run) {
        std::vector<Setpoint> sent(1 + random() % kSetpointBatchMax);
        for (auto& setpoint : sent) setpoint = random_setpoint(random);
        const auto payload = encoded(sender, std::span<const Setpoint>(sent));
        REQUIRE(payload);
        std::array<Setpoint, kSetpointBatchMax> got;
        REQUIRE(receiver.decode_setpoints(payload->view(), got) == sent.size());
        for (std::size_t i = 0; i < sent.size(); ++i) REQUIRE(same(sent[i], got[i]));
    }
}

TEST_CASE("feedback comes out of the codec as it went in, absent values absent") {
    std::mt19937_64 random(kSeed);
    Codec sender, receiver;
    Feedback got;  // reused: nothing may stay from the one before
    for (int run = 0; run < 3000; ++run) {
        const Feedback sent = random_feedback(random);
        const auto payload = encoded(sender, sent);
        REQUIRE(payload);
        REQUIRE(receiver.decode_feedback(payload->view(), got));
        REQUIRE(same(sent, got));
    }
}

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
        const CommandMessage sent{static_cast<CommandKind>(kind), 0xFEDCBA9876543210ULL, 1234567890123ULL, kind == 4};
        CommandMessage got;
        REQUIRE(codec.decode_command(encoded(codec, sent)->view(), got));
        CHECK(got.kind == sent.kind);
        CHECK(got.configuration_hash == sent.configuration_hash);
        CHECK(got.start_time_us == sent.start_time_us);
        CHECK(got.release_specimen == sent.release_specimen);
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
    DeviceInfo got;
    std::uint64_t time_us = 0;
    REQUIRE(codec.decode_description(encoded(codec, sent, std::uint64_t{42})->view(), got, time_us));
    CHECK(time_us == 42);
    CHECK(got.device == std::string(63, 'a'));
    CHECK(got.serial_number == "0042");
    CHECK(got.simulated);
    CHECK(got.configuration_hash == sent.configuration_hash);
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
    DeviceInfo info = topple::test::scripted_info();
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
    CHECK(refused(seventeen));  // 17 rotations
    CHECK_FALSE(refused("\x12\x00"sv));
    CHECK_FALSE(feedback.acceleration_x_m_s2);

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

TEST_CASE("random and damaged payloads are decoded or refused, never more") {
    std::mt19937_64 random(kSeed);
    Codec codec;
    std::array<Setpoint, kSetpointBatchMax> setpoints;
    Feedback feedback;
    CommandMessage command;
    ReplyMessage reply;
    std::size_t accepted = 0;
    for (int run = 0; run < 60000; ++run) {
        Payload payload = *encoded(codec, random_feedback(random));
        if (run % 2) payload.size = random() % 300;
        const std::size_t hits = run % 2 ? payload.size : 1 + random() % 4;
        for (std::size_t i = 0; i < hits && payload.size > 0; ++i)
            payload.bytes[run % 2 ? i : random() % payload.size] = static_cast<std::byte>(random());
        if (codec.decode_feedback(payload.view(), feedback)) {
            ++accepted;
            REQUIRE(encoded(codec, feedback));  // whatever is accepted is sound
        }
        for (std::size_t i = 0; i < codec.decode_setpoints(payload.view(), setpoints); ++i)
            REQUIRE(std::isfinite(setpoints[i].axes[0].position_m));
        codec.decode_command(payload.view(), command);
        codec.decode_reply(payload.view(), reply);
    }
    CHECK(accepted > 1000);
}
