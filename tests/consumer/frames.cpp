// A table's own program sees the frames of the wire: a hello is coded, framed, found again and decoded.
#include <array>
#include <cstdio>

#include "firmware_iface/table_link.hpp"
#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"

int main() {
    using namespace topple::firmware_iface;
    Codec codec;
    std::array<std::byte, kPayloadMax> payload{};
    std::array<std::byte, kEncodedFrameMax> line{};
    const auto size = codec.encode(HelloMessage{.client = "consumer"}, payload);
    if (!size) return 1;
    const std::size_t length =
        encode_frame({FrameType::hello, 7, 1}, std::span<const std::byte>(payload).first(*size), line);
    std::span<const std::byte> received(line.data(), length);
    FrameDecoder decoder;
    HelloMessage hello;
    const auto frame = decoder.next(received);
    if (!frame || !codec.decode_hello(frame->payload, hello)) return 1;
    std::printf("%s\n", hello.client.c_str());
    return hello.client == "consumer" ? 0 : 1;
}
