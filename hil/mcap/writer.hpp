// Writes an MCAP file: records at once, messages in uncompressed chunks with their indexes, summary at the end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hil/files/log_file.hpp"
#include "hil/mcap/format.hpp"
#include "hil/mcap/summary.hpp"

namespace topple::hil::mcap {

/// Messages that will be written together: one chunk record and its message indexes in a single buffer.
/// Buffers are kept between chunks: after warm-up nothing allocates.
class ChunkBuilder {
  public:
    /// Makes room for so many bytes of messages beforehand.
    explicit ChunkBuilder(std::size_t reserve_bytes = 0);
    void add(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_ns, std::uint64_t publish_ns,
             ByteView data);
    bool empty() const noexcept { return message_count_ == 0; }
    std::size_t message_count() const noexcept { return message_count_; }
    std::size_t records_bytes() const noexcept;
    /// Log times from first to last if a message of this time were added.
    std::uint64_t span_with_ns(std::uint64_t log_ns) const noexcept;
    void clear() noexcept;

  private:
    friend class Writer;
    struct Entry {
        std::uint64_t log_ns = 0, offset = 0;
    };
    /// What the summary will say of a chunk, without a heap.
    struct Sealed {
        std::uint64_t start_ns = 0, end_ns = 0, chunk_offset = 0, chunk_length = 0, message_index_length = 0,
                      records_bytes = 0;
        std::array<ChunkIndex::Entry, kChannelsMax> message_indexes{};
        std::size_t message_index_count = 0;
        ChunkIndex index() const;
    };
    /// Completes the buffer for a place in the file.
    Sealed seal(std::uint64_t file_offset);

    Bytes bytes_;
    std::array<std::vector<Entry>, kChannelsMax> entries_;  ///< by channel id
    std::size_t message_count_ = 0;
    std::uint64_t start_ns_ = std::numeric_limits<std::uint64_t>::max(), end_ns_ = 0;
};

/// Every call returns false if the file refuses; the file then ends with the last whole record.
class Writer {
  public:
    /// Writes magic and header. `library`: name and version of the writing program.
    Writer(files::LogFile& file, std::string_view library);

    bool write_metadata(const std::string& name, const std::map<std::string, std::string>& entries);
    /// Ids from 1. At most kChannelsMax - 1 channels, ids below kChannelsMax.
    bool write_schema(const Schema& schema);
    bool write_channel(const Channel& channel);
    /// Writes the chunk at once and clears the builder; on failure the messages are gone, the file is whole.
    bool write_chunk(ChunkBuilder& chunk);
    /// Data end, summary, summary offsets, footer. Nothing may be written afterwards.
    bool finish();

    bool ok() const noexcept { return ok_; }
    std::uint64_t message_count() const noexcept;

  private:
    bool append(const Bytes& bytes);
    Summary summary() const;

    files::LogFile& file_;
    bool ok_ = true;
    std::vector<Schema> schemas_;
    std::vector<Channel> channels_;
    std::vector<ChunkBuilder::Sealed> chunks_;
    std::vector<MetadataIndex> metadata_;
    std::array<std::uint64_t, kChannelsMax> message_counts_{};
};

}  // namespace topple::hil::mcap
