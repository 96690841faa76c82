// The end of an MCAP file: data end, summary, summary offsets, footer.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hil/mcap/format.hpp"

namespace topple::hil::mcap {

struct MetadataIndex {
    std::uint64_t offset = 0, length = 0;
    std::string name;
};

struct AttachmentIndex {
    std::uint64_t offset = 0, length = 0;  ///< of the whole record
    std::uint64_t log_ns = 0, created_ns = 0, data_bytes = 0;
    std::string name, media_type;
};

/// Everything that the summary of a file lists.
struct Summary {
    std::map<std::uint16_t, Bytes> schemas, channels;  ///< whole records, by id
    std::vector<ChunkIndex> chunks;
    std::vector<AttachmentIndex> attachments;
    std::vector<MetadataIndex> metadata;
    std::map<std::uint16_t, std::uint64_t> message_counts;  ///< by channel
    std::optional<std::uint64_t> start_ns;                  ///< first log time; empty: no messages
    std::uint64_t end_ns = 0;

    void span(std::uint64_t from_ns, std::uint64_t to_ns) noexcept;  ///< widens start and end
    std::uint64_t message_count() const noexcept;
};

/// Appends the end of a file whose data section has `base` bytes and the CRC-32 `data_checksum`
/// (0: not computed).
void append_end(Bytes& out, std::uint64_t base, std::uint32_t data_checksum, const Summary& summary);

}  // namespace topple::hil::mcap
