// How fast the wire's two halves are on real frames: MB/s of the decoder, microseconds and allocations per
// message. usage: wire_bench [SECONDS_PER_LINE]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "tests/support/heap_counter.hpp"

using namespace topple::firmware_iface;

namespace {

double budget_s = 0.5;

/// Runs `work` (which returns how many bytes it went through) for the budget and prints one line.
template <class Work>
void measure(const char* what, std::size_t items, Work work) {
    using Steady = std::chrono::steady_clock;
    work();
    const auto allocations = topple::test::heap_allocations();
    const auto start = Steady::now();
    double bytes = 0.0, elapsed_s = 0.0, rounds = 0.0;
    while (elapsed_s < budget_s) {
        bytes += static_cast<double>(work());
        rounds += 1.0;
        elapsed_s = std::chrono::duration<double>(Steady::now() - start).count();
    }
    const double count = rounds * static_cast<double>(items);
    std::printf("%-34s %9.1f MB/s %9.3f us/item %10.6f allocations/item\n", what, bytes / elapsed_s / 1e6,
                elapsed_s / count * 1e6, static_cast<double>(topple::test::heap_allocations() - allocations) / count);
}

Feedback feedback_at(std::mt19937& random, std::uint64_t tick) {
    std::normal_distribution<double> noise(0.0, 1.0);
    Feedback feedback;
    feedback.device_time_us = 5'000'000 + 2000 * tick;
    feedback.axes[0] = {static_cast<std::int64_t>(1e4 * noise(random)), 0.01 * noise(random), 0.1 * noise(random),
                        noise(random)};
    feedback.acceleration_x_m_s2 = noise(random);
    feedback.acceleration_y_m_s2 = noise(random);
    feedback.rotation_count = 1;
    feedback.rotation_rad[0] = 0.05 * noise(random);
    feedback.state = DeviceState::running;
    feedback.queue_level = 20;
    return feedback;
}

constexpr std::size_t kFrames = 5000;

std::vector<std::byte> feedback_stream(Codec& codec) {
    std::mt19937 random(1);
    std::vector<std::byte> stream;
    std::array<std::byte, kPayloadMax> payload;
    std::array<std::byte, kEncodedFrameMax> frame;
    for (std::uint32_t i = 0; i < kFrames; ++i) {
        const auto size = codec.encode(feedback_at(random, i), payload);
        const std::size_t length = encode_frame({FrameType::feedback, 7, i}, std::span(payload).first(*size), frame);
        stream.insert(stream.end(), frame.begin(), frame.begin() + length);
    }
    return stream;
}

/// Decodes the stream in pieces of `piece` bytes; `each` gets every frame.
template <class Each>
std::size_t decode_all(std::span<const std::byte> stream, std::size_t piece, Each each) {
    FrameDecoder decoder;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
        auto input = stream.subspan(at, std::min(piece, stream.size() - at));
        while (const auto frame = decoder.next(input)) each(*frame);
    }
    if (decoder.counters().frames != kFrames && decoder.counters().bytes_damaged == 0) std::abort();
    return stream.size();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) budget_s = std::atof(argv[1]);
    Codec codec;
    const auto stream = feedback_stream(codec);
    std::printf("feedback of one axis, two accelerations, one rotation: %.1f bytes a frame, %.1f kB/s at 500 Hz\n",
                static_cast<double>(stream.size()) / kFrames, static_cast<double>(stream.size()) / kFrames * 0.5);
    const auto none = [](const Frame&) {};
    measure("frames, pieces of 4096 bytes", kFrames, [&] { return decode_all(stream, 4096, none); });
    measure("frames, pieces of 61 bytes", kFrames, [&] { return decode_all(stream, 61, none); });
    measure("frames, byte by byte", kFrames, [&] { return decode_all(stream, 1, none); });
    auto damaged = stream;
    std::mt19937 random(2);
    for (std::size_t i = 0; i < damaged.size() / 1000; ++i) damaged[random() % damaged.size()] ^= std::byte{0x10};
    measure("frames, one byte in 1000 damaged", kFrames, [&] { return decode_all(damaged, 4096, none); });

    Feedback feedback;
    measure("frames and feedback messages", kFrames, [&] {
        return decode_all(stream, 4096, [&](const Frame& frame) { codec.decode_feedback(frame.payload, feedback); });
    });
    std::array<Setpoint, kSetpointBatchMax> batch{};
    for (auto& setpoint : batch) setpoint.axes[0] = {0.01, 0.1, 1.0};
    std::array<std::byte, kPayloadMax> payload;
    std::array<std::byte, kEncodedFrameMax> frame;
    measure("16 setpoints to one frame", 1, [&] {
        const auto size = codec.encode(std::span<const Setpoint>(batch), payload);
        return encode_frame({FrameType::setpoints, 7, 1}, std::span(payload).first(*size), frame);
    });
}
