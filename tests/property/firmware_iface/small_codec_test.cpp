// The codec of a device without a heap says and understands the same bytes as the host's.
#include "firmware_iface/wire/small_codec.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/payload.hpp"
#include "tests/support/random_messages.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::firmware_iface;
using topple::test::encoded;
using topple::test::Payload;
using topple::test::random_feedback;
using topple::test::random_setpoint;
using topple::test::raw;
using topple::test::same;

namespace {

constexpr std::uint32_t kSeed = 78;

SmallInfo small(const DeviceInfo& info) {
    SmallInfo s;
    s.protocol_version = info.protocol_version;
    s.device = Text(info.device);
    s.serial_number = Text(info.serial_number);
    s.firmware_version = Text(info.firmware_version);
    s.simulated = info.simulated;
    s.configuration_hash = info.configuration_hash;
    s.setpoint_capacity = info.setpoint_capacity;
    s.feedback_period_us = info.feedback_period_us;
    s.rotation_sensor_count = info.rotation_sensor_count;
    s.has_trigger = info.has_trigger;
    s.aux_channel_count = info.aux_channel_count;
    s.axis_count = info.axes.size();
    for (std::size_t i = 0; i < std::min(kAxesMax, info.axes.size()); ++i) {
        const DeviceInfo::Axis& a = info.axes[i];
        s.axes[i] = {
            Text(a.name),   a.stroke_m,     a.velocity_max_m_s,  a.acceleration_max_m_s2, a.stop_deceleration_m_s2,
            a.counts_per_m, a.encoder_sign, a.accelerometer_sign};
    }
    return s;
}

SmallReply small(const ReplyMessage& r) {
    return {r.request_sequence, r.accepted, r.refusal, r.device_time_us, Text(r.holder), r.held_for_us, r.cause};
}

template <class Value>
std::vector<std::byte> said(const Value& value) {
    std::vector<std::byte> bytes(kPayloadMax);
    const auto size = SmallCodec().encode(value, bytes);
    REQUIRE(size);
    bytes.resize(*size);
    return bytes;
}

/// A number as a foreign sender may write it: of any length up to `bytes`, with anything in the bits beyond its value.
std::string long_varint(std::mt19937_64& random, std::uint32_t value, std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes; ++i) {
        const auto low = static_cast<unsigned>(i < 5 ? value >> (7 * i) & 0x7FU : 0U);
        text += static_cast<char>(low | (i + 1 < bytes ? 0x80U : 0U));
    }
    if (bytes == 5 && random() % 2 == 0) text[4] = static_cast<char>(text[4] | (random() % 8) << 4);
    return text;
}

std::vector<std::byte> bytes_of(std::span<const std::byte> payload) { return {payload.begin(), payload.end()}; }

/// Both codecs take it for the same command, or both refuse it.
void check_command(Codec& host, std::span<const std::byte> payload) {
    CommandMessage a, b;
    const bool known = host.decode_command(payload, a);
    REQUIRE(SmallCodec().decode_command(payload, b) == known);
    if (!known) return;
    REQUIRE((a.kind == b.kind && a.configuration_hash == b.configuration_hash && a.start_time_us == b.start_time_us &&
             a.release_specimen == b.release_specimen && a.trigger == b.trigger));
}

void check_setpoints(Codec& host, std::span<const std::byte> payload) {
    std::array<Setpoint, kSetpointBatchMax> a, b;
    const std::size_t count = host.decode_setpoints(payload, a);
    REQUIRE(SmallCodec().decode_setpoints(payload, b) == count);
    for (std::size_t i = 0; i < count; ++i) REQUIRE(same(a[i], b[i]));
}

void check_hello(Codec& host, std::span<const std::byte> payload) {
    HelloMessage a;
    SmallHello b;
    const bool known = host.decode_hello(payload, a);
    REQUIRE(SmallCodec().decode_hello(payload, b) == known);
    if (known) REQUIRE((a.protocol_version == b.protocol_version && a.client == b.client.view()));
}

/// What the device says is written anew from what the host has read.
void check_answer(Codec& host, FrameType type, std::span<const std::byte> payload) {
    if (type == FrameType::reply) {
        ReplyMessage reply;
        REQUIRE(host.decode_reply(payload, reply));
        CHECK(said(small(reply)) == bytes_of(payload));
    } else if (type == FrameType::feedback) {
        Feedback feedback;
        REQUIRE(host.decode_feedback(payload, feedback));
        CHECK(said(feedback) == bytes_of(payload));
    } else if (type == FrameType::description) {
        DeviceInfo info;
        std::uint64_t time_us = 0;
        REQUIRE(host.decode_description(payload, info, time_us));
        std::array<std::byte, kPayloadMax> out;
        const auto size = SmallCodec().encode(small(info), time_us, out);
        REQUIRE(size);
        CHECK(bytes_of(std::span<const std::byte>(out).first(*size)) == bytes_of(payload));
    }
}

}  // namespace

TEST_CASE("the golden frames are read and written bit by bit by the codec without a heap") {
    std::ifstream file(TOPPLE_TESTS_DIR "/data/wire/frames.json");
    const auto golden = nlohmann::json::parse(file);
    Codec host;
    for (const auto& entry : golden) {
        const std::string text = entry["frame"];
        INFO(entry["name"]);
        std::vector<std::byte> bytes;
        for (std::size_t i = 0; i < text.size(); i += 2)
            bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
        FrameDecoder decoder;
        std::span<const std::byte> input(bytes);
        const auto frame = decoder.next(input);
        REQUIRE(frame);
        if (frame->header.type == FrameType::hello) check_hello(host, frame->payload);
        if (frame->header.type == FrameType::command) check_command(host, frame->payload);
        if (frame->header.type == FrameType::setpoints) check_setpoints(host, frame->payload);
        check_answer(host, frame->header.type, frame->payload);
    }
}

TEST_CASE("any feedback is written in the same bytes with and without a heap") {
    const topple::tests::RandomRuns runs(kSeed, 3000);
    std::mt19937_64 random(runs.seed());
    Codec host;
    for (int run = 0; run < runs.count(); ++run) {
        Feedback feedback = random_feedback(random);
        if (run % 5 == 0) feedback.axes[0].setpoint_velocity_m_s = -0.0;
        if (run % 7 == 0) feedback.axes[0].encoder_count = 0;
        REQUIRE(said(feedback) == bytes_of(encoded(host, feedback)->view()));
    }
}

TEST_CASE("what one codec refuses to send the other refuses too") {
    std::array<std::byte, kPayloadMax> out;
    Codec host;
    const auto both = [&](const Feedback& feedback) {
        return std::pair(host.encode(feedback, out).has_value(), SmallCodec().encode(feedback, out).has_value());
    };
    const std::pair refused(false, false);
    Feedback f;
    CHECK(both(f) == std::pair(true, true));
    f.axes[0].setpoint_position_m = std::nan("");
    CHECK(both(f) == refused);
    f = {};
    f.axis_count = 3;
    CHECK(both(f) == refused);
    f = {};
    f.rotation_count = 17;
    CHECK(both(f) == refused);
    CHECK_FALSE(SmallCodec().encode(Feedback{}, std::span(out).first(1)));
    SmallInfo nothing;
    nothing.axis_count = 0;
    CHECK_FALSE(SmallCodec().encode(nothing, 1, out));
}

TEST_CASE("sound and damaged payloads of a host are the same to both codecs") {
    const topple::tests::RandomRuns runs(kSeed, 30000);
    std::mt19937_64 random(runs.seed());
    Codec host;
    for (int run = 0; run < runs.count(); ++run) {
        std::vector<Setpoint> batch(1 + random() % kSetpointBatchMax);
        for (auto& setpoint : batch) setpoint = random_setpoint(random);
        Payload payload = *encoded(host, std::span<const Setpoint>(batch));
        check_setpoints(host, payload.view());
        CommandMessage command{static_cast<CommandKind>(random() % 9), random(), random(), random() % 2 == 0,
                               random() % 2 == 0};
        check_command(host, encoded(host, command)->view());
        const std::size_t hits = run % 3;
        for (std::size_t i = 0; i < hits; ++i) {
            auto& byte = payload.bytes[random() % payload.size];
            byte = static_cast<std::byte>(random());
        }
        if (run % 4 == 0) payload.size = random() % (payload.size + 1);
        std::array<Setpoint, kSetpointBatchMax> a, b;
        const std::size_t strict = SmallCodec().decode_setpoints(payload.view(), b);
        const std::size_t count = host.decode_setpoints(payload.view(), a);
        if (strict == 0 && count > 0) continue;  // damage has made a group of something
        REQUIRE(strict == count);
        for (std::size_t i = 0; i < count; ++i) REQUIRE(same(a[i], b[i]));
    }
}

TEST_CASE("a hello of foreign making is the same to both codecs") {
    Codec host;
    using namespace std::string_view_literals;
    for (const auto text :
         {""sv, "\x08\x01"sv, "\x08\x01\x12\x02hi"sv, "\x12\x03\xe2\x82\xac"sv, "\x12\x02\xc0\x80"sv,
          "\x12\x03\xed\xa0\x80"sv, "\x12\x04\xf5\x80\x80\x80"sv, "\x12\x04\xf0\x8f\x80\x80"sv, "\x12\x01\xe2"sv,
          "\x12\x05hi"sv, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv, "\x08\x01\x08\x02"sv,
          "\x18\x05\x21\x01\x02\x03\x04\x05\x06\x07\x08\x2d\x01\x02\x03\x04"sv, "\x00\x01"sv, "\x08"sv})
        check_hello(host, raw(text).view());
    const std::string longest = "\x12\x40" + std::string(64, 'x'), longer = "\x12\x41" + std::string(65, 'x');
    check_hello(host, raw(longest).view());
    check_hello(host, raw(longer).view());
    check_hello(host, raw(longer + longest).view());
    check_hello(host, raw(longest + longer).view());
    check_hello(host, raw(longer + "\x12\x02hi").view());
    check_hello(host, raw(longer + "\x12\x01\xe2").view());
}

TEST_CASE("tags and lengths written longer than they need be are the same to both codecs") {
    const topple::tests::RandomRuns runs(kSeed, 20000);
    std::mt19937_64 random(runs.seed());
    Codec host;
    for (int run = 0; run < runs.count(); ++run) {
        std::string text;
        for (std::size_t field = 1 + random() % 3; field > 0; --field) {
            const std::size_t size = random() % 8 == 0 ? 65 : random() % 4;
            const bool varint = random() % 2 == 0;
            text += long_varint(random, varint ? 8 : 18, 1 + random() % 7);
            text +=
                long_varint(random, varint ? static_cast<std::uint32_t>(random()) : static_cast<std::uint32_t>(size),
                            varint ? 5 + random() % 7 : 1 + random() % 7);
            if (!varint) text += std::string(size, 'x');
        }
        INFO("run " << run);
        check_hello(host, raw(text).view());
        check_command(host, raw(text).view());
        check_setpoints(host, raw(text).view());
    }
}
