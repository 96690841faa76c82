// The compressions that MCAP allows for a chunk: zstd, and lz4 in its frame format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hil/mcap/format.hpp"

namespace topple::hil::mcap {

/// Records of one chunk, uncompressed: more is refused. An hour of a run's log has about 0.6 GiB in thousands of
/// chunks.
inline constexpr std::uint64_t kChunkRecordsBytesMax = std::uint64_t{1} << 30;

bool is_known_compression(std::string_view name) noexcept;

/// Fills `out` with exactly `size` bytes. Returns what is wrong, empty if nothing. Never holds more than `size` bytes,
/// and no more than twice of what the stored bytes have yielded: a size that is a lie costs nothing.
std::string decompress(std::string_view compression, ByteView stored, std::uint64_t size, Bytes& out);

}  // namespace topple::hil::mcap
