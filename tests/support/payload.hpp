// Payloads of frames in tests: as our codec writes them, and as anybody may.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"

namespace topple::test {

using firmware_iface::Codec;

struct Payload {
    std::array<std::byte, firmware_iface::kPayloadMax> bytes{};
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
inline Payload raw(std::string_view text) {
    Payload payload;
    payload.size = text.size();
    std::copy_n(reinterpret_cast<const std::byte*>(text.data()), text.size(), payload.bytes.begin());
    return payload;
}

}  // namespace topple::test
