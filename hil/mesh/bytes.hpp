// Numbers in the bytes of a binary mesh file.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace topple::hil::mesh {

/// The number that begins at this byte, which must be within `bytes` with all of it.
template <class Number>
Number number_at(std::string_view bytes, std::size_t byte, std::endian order) noexcept {
    std::array<char, sizeof(Number)> raw;
    std::memcpy(raw.data(), bytes.data() + byte, raw.size());
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<Number>(raw);
}

}  // namespace topple::hil::mesh
