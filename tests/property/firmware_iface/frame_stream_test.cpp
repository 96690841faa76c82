// Streams of frames under arbitrary splitting and damage.
#include <algorithm>
#include <random>
#include <vector>

#include "firmware_iface/wire/frame.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::firmware_iface;

namespace {

constexpr std::uint32_t kSeed = 20240611;
using Bytes = std::vector<std::byte>;

struct Received {
    std::vector<std::uint32_t> sequences;
    std::vector<Bytes> payloads;
    FrameDecoder::Counters counters;
    bool operator==(const Received& o) const {
        return sequences == o.sequences && payloads == o.payloads &&
               counters.bytes_damaged == o.counters.bytes_damaged && counters.crc_errors == o.counters.crc_errors &&
               counters.malformed == o.counters.malformed && counters.sequence_gaps == o.counters.sequence_gaps;
    }
};

struct Stream {
    Bytes bytes;
    std::vector<std::size_t> starts;  ///< of each frame, and the end
};

Stream make_stream(std::mt19937& random, std::uint32_t frames, std::size_t payload_max = 90) {
    Stream stream;
    for (std::uint32_t i = 0; i < frames; ++i) {
        Bytes payload(random() % payload_max);
        for (auto& byte : payload) byte = static_cast<std::byte>(random() % 3 ? random() : 0);
        Bytes out(kEncodedFrameMax);
        out.resize(encode_frame({FrameType::feedback, 7, i}, payload, out));
        stream.starts.push_back(stream.bytes.size());
        stream.bytes.insert(stream.bytes.end(), out.begin(), out.end());
    }
    stream.starts.push_back(stream.bytes.size());
    return stream;
}

/// `piece()` is the size of the next read.
template <class Piece>
Received decode(const Bytes& bytes, Piece piece) {
    Received result;
    FrameDecoder decoder;
    for (std::size_t at = 0; at < bytes.size();) {
        const std::size_t count = std::min<std::size_t>(piece(), bytes.size() - at);
        std::span<const std::byte> input(bytes.data() + at, count);
        while (const auto frame = decoder.next(input)) {
            result.sequences.push_back(frame->header.sequence);
            result.payloads.emplace_back(frame->payload.begin(), frame->payload.end());
        }
        at += count;
    }
    result.counters = decoder.counters();
    return result;
}

Received decode(const Bytes& bytes) {
    return decode(bytes, [&] { return bytes.size(); });
}

}  // namespace

TEST_CASE("every split of a stream of bytes gives the same frames and counters") {
    const topple::tests::RandomRuns runs(kSeed, 500);
    std::mt19937 random(runs.seed());
    Stream stream = make_stream(random, 12);
    for (int i = 0; i < 6; ++i) stream.bytes[random() % stream.bytes.size()] ^= std::byte{0x21};
    const Received whole = decode(stream.bytes);
    REQUIRE(whole.sequences.size() >= 5);
    for (std::size_t cut = 1; cut < stream.bytes.size(); ++cut) {
        bool first = true;
        REQUIRE(decode(stream.bytes, [&] { return std::exchange(first, false) ? cut : stream.bytes.size(); }) == whole);
        REQUIRE(decode(stream.bytes, [&] { return cut; }) == whole);
    }
    for (int run = 0; run < runs.count(); ++run)
        REQUIRE(decode(stream.bytes, [&] { return 1 + random() % 40; }) == whole);
}

TEST_CASE("damage within one frame costs at most that frame") {
    const topple::tests::RandomRuns runs(kSeed, 4000);
    std::mt19937 random(runs.seed());
    for (int run = 0; run < runs.count(); ++run) {
        const Stream stream = make_stream(random, 5, run % 10 ? 90 : 900);
        const std::size_t victim = 1 + random() % 3;
        const std::size_t begin = stream.starts[victim], size = stream.starts[victim + 1] - begin;
        Bytes bytes = stream.bytes;
        const std::size_t from = random() % size, count = 1 + random() % (size - from);
        const auto hit = bytes.begin() + begin + from;
        switch (random() % 4) {
            case 0: std::generate_n(hit, count, [&] { return static_cast<std::byte>(random()); }); break;
            case 1: bytes.erase(hit, hit + count); break;
            case 2: *hit ^= static_cast<std::byte>(1U << random() % 8); break;
            case 3: bytes.insert(hit, count, static_cast<std::byte>(random())); break;
        }
        const Received received = decode(bytes);
        std::vector<std::uint32_t> others{0, 1, 2, 3, 4};
        std::erase(others, static_cast<std::uint32_t>(victim));
        auto without = received.sequences;
        std::erase(without, static_cast<std::uint32_t>(victim));
        INFO("run " << run << " victim " << victim << " at " << from << " + " << count);
        REQUIRE(without == others);
        if (received.sequences.size() == 5)
            REQUIRE(received == [&] {
                auto clean = decode(stream.bytes);
                clean.counters = received.counters;  // foreign bytes around the frame may have been counted
                return clean;
            }());
    }
}

TEST_CASE("random bytes never make a frame and are all counted") {
    const topple::tests::RandomRuns runs(kSeed);
    std::mt19937 random(runs.seed());
    Bytes noise(400000);
    for (auto& byte : noise) byte = static_cast<std::byte>(random() % 50 ? random() : 0);
    noise.push_back(std::byte{0});
    const Received received = decode(noise);
    CHECK(received.sequences.empty());
    const auto zeros = std::count(noise.begin(), noise.end(), std::byte{0});
    CHECK(received.counters.bytes_damaged == noise.size() - static_cast<std::size_t>(zeros));
}
