#include "firmware_iface/wire/frame.hpp"

#include <cstring>
#include <string_view>
#include <vector>

#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;

namespace {

std::vector<std::byte> encoded(const FrameHeader& header, std::span<const std::byte> payload) {
    std::vector<std::byte> out(kEncodedFrameMax);
    out.resize(encode_frame(header, payload, out));
    return out;
}

}  // namespace

TEST_CASE("the checksum is CRC-32C") {
    const std::string_view digits = "123456789";  // check value of the CRC catalogue, RFC 3720 B.4 for the zeros
    CHECK(crc32c(std::as_bytes(std::span(digits))) == 0xE3069283U);
    const std::array<std::byte, 32> zeros{};
    CHECK(crc32c(zeros) == 0x8A9136AAU);
    CHECK(crc32c(std::span(zeros).subspan(7), crc32c(std::span(zeros).first(7))) == 0x8A9136AAU);
}

TEST_CASE("a frame of every payload length comes back as it was sent") {
    std::vector<std::byte> payload;
    FrameDecoder decoder;
    for (std::size_t size = 0; size <= kPayloadMax; ++size) {
        const auto bytes = encoded({FrameType::feedback, 0xDEADBEEFU, static_cast<std::uint32_t>(size)}, payload);
        REQUIRE(!bytes.empty());
        REQUIRE(bytes.size() <= kEncodedFrameMax);
        REQUIRE(std::count(bytes.begin(), bytes.end(), std::byte{0}) == 2);
        std::span<const std::byte> input = bytes;
        const auto frame = decoder.next(input);
        REQUIRE(frame);
        REQUIRE(frame->header.type == FrameType::feedback);
        REQUIRE(frame->header.session == 0xDEADBEEFU);
        REQUIRE(frame->header.sequence == size);
        REQUIRE(std::equal(payload.begin(), payload.end(), frame->payload.begin(), frame->payload.end()));
        payload.push_back(size % 7 == 3 ? std::byte{0} : static_cast<std::byte>(1 + size % 255));
    }
    CHECK(decoder.counters().frames == kPayloadMax + 1);
    CHECK(decoder.counters().bytes_damaged == 0);
    CHECK(decoder.counters().sequence_gaps == 0);
}

TEST_CASE("a payload without any zero byte fits the promised bound") {
    const std::vector<std::byte> payload(kPayloadMax, std::byte{0xAA});
    CHECK(encoded({FrameType::setpoints, 0xFFFFFFFFU, 0xFFFFFFFFU}, payload).size() <= kEncodedFrameMax);
}

TEST_CASE("a payload that is too long or a place that is too small writes nothing") {
    const std::vector<std::byte> long_payload(kPayloadMax + 1);
    CHECK(encoded({}, long_payload).empty());
    std::array<std::byte, 12> small;
    CHECK(encode_frame({}, {}, small) == 0);
}

TEST_CASE("missing frames are counted within a session and not across sessions") {
    FrameDecoder decoder;
    const auto feed = [&](std::uint32_t session, std::uint32_t sequence) {
        const auto bytes = encoded({FrameType::alive, session, sequence}, {});
        std::span<const std::byte> input = bytes;
        REQUIRE(decoder.next(input));
    };
    feed(1, 0xFFFFFFFEU);
    feed(1, 1);  // 0xFFFFFFFF and 0 are missing: the number wraps
    CHECK(decoder.counters().sequence_gaps == 2);
    feed(2, 900);
    feed(2, 901);
    feed(2, 901);  // twice
    CHECK(decoder.counters().sequence_gaps == 2);
}

TEST_CASE("endless bytes without a delimiter are counted, not stored, and the next frame is read") {
    FrameDecoder decoder;
    const std::vector<std::byte> noise(100000, std::byte{0x55});
    std::span<const std::byte> input = noise;
    CHECK_FALSE(decoder.next(input));
    const auto bytes = encoded({FrameType::hello, 1, 1}, {});
    input = bytes;
    CHECK(decoder.next(input));
    CHECK(decoder.counters().bytes_damaged == noise.size());
    CHECK(decoder.counters().malformed == 1);
}
