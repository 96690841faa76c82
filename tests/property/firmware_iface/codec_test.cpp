// Whatever is sent arrives as it was; whatever arrives is sound or refused.
#include "firmware_iface/wire/codec.hpp"

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/payload.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::firmware_iface;
using topple::test::encoded;
using topple::test::Payload;

namespace {

constexpr std::uint32_t kSeed = 77;

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
    if (random() % 3 != 0) feedback.trigger = random() % 2 == 0;
    feedback.aux_count = random() % (kAuxChannelsMax + 1);
    for (std::size_t i = 0; i < feedback.aux_count; ++i) feedback.aux_v[i] = number(random);
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
                 a.homed == b.homed && a.trigger == b.trigger && a.aux_count == b.aux_count && a.aux_v == b.aux_v;
    for (std::size_t i = 0; i < kAxesMax; ++i)
        equal = equal && a.axes[i].encoder_count == b.axes[i].encoder_count &&
                a.axes[i].setpoint_position_m == b.axes[i].setpoint_position_m &&
                a.axes[i].setpoint_velocity_m_s == b.axes[i].setpoint_velocity_m_s &&
                a.axes[i].setpoint_acceleration_m_s2 == b.axes[i].setpoint_acceleration_m_s2;
    return equal;
}

}  // namespace

TEST_CASE("setpoints come out of the codec as they went in") {
    const topple::tests::RandomRuns runs(kSeed, 3000);
    std::mt19937_64 random(runs.seed());
    Codec sender, receiver;
    for (int run = 0; run < runs.count(); ++run) {
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
    const topple::tests::RandomRuns runs(kSeed, 3000);
    std::mt19937_64 random(runs.seed());
    Codec sender, receiver;
    Feedback got;  // reused: nothing may stay from the one before
    for (int run = 0; run < runs.count(); ++run) {
        const Feedback sent = random_feedback(random);
        const auto payload = encoded(sender, sent);
        REQUIRE(payload);
        REQUIRE(receiver.decode_feedback(payload->view(), got));
        REQUIRE(same(sent, got));
    }
}

TEST_CASE("random and damaged payloads are decoded or refused, never more") {
    const topple::tests::RandomRuns runs(kSeed, 60000);
    std::mt19937_64 random(runs.seed());
    Codec codec;
    std::array<Setpoint, kSetpointBatchMax> setpoints;
    Feedback feedback;
    CommandMessage command;
    ReplyMessage reply;
    std::size_t accepted = 0;
    for (int run = 0; run < runs.count(); ++run) {
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
    CHECK(accepted > static_cast<std::size_t>(runs.scaled(1000)));
}
