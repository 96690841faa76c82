// Whatever is sent arrives as it was; whatever arrives is sound or refused.
#include "firmware_iface/wire/codec.hpp"

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/payload.hpp"
#include "tests/support/random_messages.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::firmware_iface;
using topple::test::encoded;
using topple::test::Payload;
using topple::test::random_feedback;
using topple::test::random_setpoint;
using topple::test::same;

namespace {

constexpr std::uint32_t kSeed = 77;

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
