// Single MCAP records out of bytes that may be damaged.
#pragma once

#include <optional>
#include <string>

#include "hil/mcap/format.hpp"
#include "hil/mcap/reader.hpp"

namespace topple::hil::mcap {

struct Record {
    Opcode opcode{};
    std::uint64_t offset = 0;  ///< of the opcode
    ByteView content;
    std::uint64_t end() const noexcept { return offset + kRecordHeadBytes + content.size(); }
};

/// Walks from record to record; stops for good at the end, at a zero opcode or at a length beyond the end.
class RecordWalk {
  public:
    RecordWalk(ByteView bytes, std::uint64_t start) noexcept : bytes_(bytes), offset_(start) {}
    std::optional<Record> next() noexcept;
    std::uint64_t offset() const noexcept { return offset_; }  ///< of the next record, or of the trouble
    bool at_end() const noexcept { return offset_ >= bytes_.size(); }
    std::string reason() const;  ///< why it stopped

  private:
    ByteView bytes_;
    std::uint64_t offset_;
};

bool starts_with_magic(ByteView file) noexcept;
/// Last bytes are a footer and the magic.
bool ends_properly(ByteView file) noexcept;

/// Where footer and summary lie. Empty if the file has no footer, no summary, or they lie outside of the file.
struct SummaryPlace {
    std::uint64_t start = 0, end = 0;  ///< of its records
    std::uint64_t footer = 0;
    std::uint32_t checksum = 0;  ///< 0: none
};
std::optional<SummaryPlace> summary_place(ByteView file) noexcept;
/// What is wrong with the summary as a whole: its place, its checksum. Empty if nothing.
std::string check_summary(ByteView file);

/// Empty if the content is too short for its fields.
std::optional<Schema> parse_schema(ByteView content);
std::optional<Channel> parse_channel(ByteView content);
std::optional<MessageView> parse_message(ByteView content) noexcept;
std::optional<ChunkIndex> parse_chunk_index(ByteView content);
/// Empty, and `wrong` says why, if damaged, not to be decompressed, or the checksum differs. A compressed chunk is
/// decompressed into `room`, which must live as long as the view.
std::optional<ChunkView> parse_chunk(const Record& record, Bytes& room, std::string& wrong);
/// The compression of a chunk if it is a name that is not read here; empty otherwise, and for what is no name.
std::string unknown_compression(const Record& chunk);

}  // namespace topple::hil::mcap
