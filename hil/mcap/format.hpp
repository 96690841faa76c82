// The MCAP container (https://mcap.dev/spec) as far as a run log needs it: opcodes, magic, bytes in and out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::mcap {

/// Opens and closes every file; the sixth byte is the major version.
inline constexpr std::array<std::uint8_t, 8> kMagic{0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

/// First byte of every record, followed by the length of its content (u64, little endian).
enum class Opcode : std::uint8_t {
    header = 0x01,
    footer = 0x02,
    schema = 0x03,
    channel = 0x04,
    message = 0x05,
    chunk = 0x06,
    message_index = 0x07,
    chunk_index = 0x08,
    attachment = 0x09,
    attachment_index = 0x0A,
    statistics = 0x0B,
    metadata = 0x0C,
    metadata_index = 0x0D,
    summary_offset = 0x0E,
    data_end = 0x0F,
};

inline constexpr std::size_t kRecordHeadBytes = 9;    ///< opcode and length
inline constexpr std::size_t kFooterBytes = 20;       ///< content of the footer
inline constexpr std::size_t kMessageHeadBytes = 22;  ///< channel, sequence, log and publish time
inline constexpr std::size_t kChannelsMax = 8;        ///< of the logs of runs; they have five

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

struct Schema {
    std::uint16_t id = 0;  ///< from 1
    std::string name, encoding, data;
};

struct Channel {
    std::uint16_t id = 0;
    std::uint16_t schema_id = 0;
    std::string topic, message_encoding;
};

/// Where a chunk lies in the file; times are log times in ns.
struct ChunkIndex {
    struct Entry {
        std::uint16_t channel = 0;
        std::uint64_t offset = 0;  ///< of the channel's message index record, from the start of the file
    };
    std::uint64_t start_ns = 0, end_ns = 0;
    std::uint64_t chunk_offset = 0, chunk_length = 0;   ///< whole record
    std::vector<Entry> message_indexes;                 ///< none: the writer made none
    std::uint64_t message_index_length = 0;             ///< all message index records together
    std::string compression;                            ///< "", "zstd", "lz4"
    std::uint64_t stored_bytes = 0, records_bytes = 0;  ///< of its records: in the file, and uncompressed
};

/// CRC-32 of zlib (polynomial 0x04C11DB7 reflected).
std::uint32_t crc32(ByteView bytes) noexcept;

/// Appends little-endian fields to a buffer.
class ByteWriter {
  public:
    explicit ByteWriter(Bytes& out) : out_(out) {}
    void u8(std::uint8_t value) { out_.push_back(value); }
    void u16(std::uint16_t value) { integer(value, 2); }
    void u32(std::uint32_t value) { integer(value, 4); }
    void u64(std::uint64_t value) { integer(value, 8); }
    void raw(ByteView bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }
    void string(std::string_view text);
    void string_map(const std::map<std::string, std::string>& entries);
    /// Starts a record; hand the result to end_record, which fills in the length.
    std::size_t begin_record(Opcode opcode);
    void end_record(std::size_t start);

  private:
    void integer(std::uint64_t value, std::size_t bytes);
    Bytes& out_;
};

/// Overwrites a u32 or u64 at a place that exists already.
void patch_u32(Bytes& bytes, std::size_t at, std::uint32_t value) noexcept;
void patch_u64(Bytes& bytes, std::size_t at, std::uint64_t value) noexcept;

/// Reads little-endian fields; past the end it returns zeros and ok() turns false for good.
class ByteReader {
  public:
    explicit ByteReader(ByteView bytes) : rest_(bytes) {}
    std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(integer(1)); }
    std::uint16_t u16() noexcept { return static_cast<std::uint16_t>(integer(2)); }
    std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(integer(4)); }
    std::uint64_t u64() noexcept { return integer(8); }
    ByteView take(std::uint64_t count) noexcept;  ///< empty and not ok if there are fewer
    std::string_view string() noexcept;           ///< u32 length, bytes
    std::map<std::string, std::string> string_map();
    ByteView rest() const noexcept { return rest_; }
    bool ok() const noexcept { return ok_; }

  private:
    std::uint64_t integer(std::size_t count) noexcept;
    ByteView rest_;
    bool ok_ = true;
};

void write_schema(ByteWriter& out, const Schema& schema);
void write_channel(ByteWriter& out, const Channel& channel);

}  // namespace topple::hil::mcap
