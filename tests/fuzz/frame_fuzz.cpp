// Bytes into the frame decoder, whole and in pieces: the pieces do not matter, and a sound frame always gets through.
#include <array>
#include <cstdint>
#include <vector>

#include "firmware_iface/wire/frame.hpp"
#include "tests/fuzz/input_reader.hpp"
#include "tests/fuzz/require.hpp"

using namespace topple::firmware_iface;
using topple::fuzz::InputReader;
using topple::fuzz::require;

namespace {

using Bytes = std::vector<std::byte>;

void append(Bytes& to, std::span<const std::byte> bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

void append_frame(Bytes& to, const FrameHeader& header, std::span<const std::byte> payload) {
    std::array<std::byte, kEncodedFrameMax> frame;
    const std::size_t size = encode_frame(header, payload, frame);
    require(size > 0 || payload.size() > kPayloadMax, "a payload within bounds makes a frame");
    append(to, std::span<const std::byte>(frame.data(), size));
}

/// Even first bytes: the rest as it is. Odd: pieces of it, some of them made sound frames.
Bytes stream_of(InputReader input) {
    Bytes stream;
    if ((input.byte() & 1U) == 0) {
        append(stream, input.rest());
        return stream;
    }
    while (!input.empty()) {
        const std::uint8_t what = input.byte();
        const auto piece = input.bytes((what & 0x40U) ? input.take<std::uint16_t>() % 1400 : what & 0x3FU);
        if (what & 0x80U)
            append(stream, piece);
        else
            append_frame(stream, {static_cast<FrameType>(what & 7U), what & 3U, input.byte()}, piece);
    }
    return stream;
}

/// One frame, or what the counters say after the last one, in bytes that can be compared.
void note(Bytes& seen, const Frame& frame) {
    std::array<std::byte, kEncodedFrameMax> again;
    const std::size_t size = encode_frame(frame.header, frame.payload, again);
    require(size > 0, "what was decoded can be encoded");
    append(seen, std::span<const std::byte>(again.data(), size));
}

Bytes decoded(std::span<const std::byte> stream, std::uint32_t split, FrameDecoder::Counters& counters) {
    FrameDecoder decoder;
    Bytes seen;
    std::uint32_t random = split;
    while (!stream.empty()) {
        random = random * 1664525U + 1013904223U;
        const std::size_t piece = split == 0 ? stream.size() : split == 1 ? 1 : random % 97 + (random >> 28) * 100;
        std::span<const std::byte> input = stream.first(std::min(piece, stream.size()));
        stream = stream.subspan(input.size());
        while (const auto frame = decoder.next(input)) note(seen, *frame);
        require(input.empty(), "next() takes everything");
    }
    counters = decoder.counters();
    return seen;
}

void check_counters(const FrameDecoder::Counters& a, const FrameDecoder::Counters& b) {
    require(a.frames == b.frames && a.bytes_damaged == b.bytes_damaged && a.crc_errors == b.crc_errors &&
                a.malformed == b.malformed && a.sequence_gaps == b.sequence_gaps,
            "counters do not depend on the pieces");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    Bytes stream = stream_of(InputReader(bytes, size));
    FrameDecoder::Counters whole{}, pieces{};
    const Bytes seen = decoded(stream, 0, whole);
    require(whole.bytes_damaged <= stream.size(), "no more is damaged than came");
    for (const std::uint32_t split : {1U, 2U + static_cast<std::uint32_t>(size)}) {
        require(decoded(stream, split, pieces) == seen, "frames do not depend on the pieces");
        check_counters(whole, pieces);
    }
    append_frame(stream, {FrameType::feedback, 77, 1},
                 std::span<const std::byte>(stream).first(std::min<std::size_t>(stream.size(), 200)));
    decoded(stream, 0, pieces);
    require(pieces.frames == whole.frames + 1, "a sound frame gets through after anything");
    return 0;
}
