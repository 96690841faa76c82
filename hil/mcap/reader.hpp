// Reads MCAP bytes from front to back, or by their index; sound, torn or damaged, never beyond their end.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hil/mcap/format.hpp"

namespace topple::hil::mcap {

struct MessageView {
    std::uint16_t channel_id = 0;
    std::uint32_t sequence = 0;
    std::uint64_t log_ns = 0, publish_ns = 0;
    ByteView data;
};

/// A chunk whose checksum is correct.
struct ChunkView {
    std::uint64_t offset = 0;  ///< of the chunk record in the file
    std::uint64_t start_ns = 0, end_ns = 0;
    ByteView records;              ///< uncompressed
    std::string_view compression;  ///< as stored: "", "zstd", "lz4"
    std::uint64_t stored_bytes = 0;
};

/// What a pass over the file meets, in file order. Views are valid during the call.
class Visitor {
  public:
    virtual ~Visitor() = default;
    virtual void on_metadata(const std::string&, const std::map<std::string, std::string>&) {}
    virtual void on_schema(const Schema&) {}
    virtual void on_channel(const Channel&) {}
    /// Before its messages. False: skip them.
    virtual bool on_chunk(const ChunkView&) { return true; }
    /// Returns what is wrong with the message, empty if nothing.
    virtual std::string on_message(const Channel&, const MessageView&) { return {}; }
};

struct ScanResult {
    bool mcap = false;      ///< begins with the magic and a header
    bool complete = false;  ///< ends with data end, footer and magic
    bool data_whole =
        false;  ///< the data section has its end and nothing in it is damaged, whatever became of the index
    std::uint64_t whole_bytes = 0;  ///< up to the end of the last whole record of the data section
    std::uint64_t message_count = 0;
    std::uint64_t chunk_count = 0;  ///< that could be read
    std::uint64_t problem_count = 0;
    std::vector<std::string> problems;  ///< the first ones: offset and what
    std::string unknown_compression;    ///< name of one that is not read here; its chunks are skipped
};

/// One pass from front to back. Damaged chunks are skipped, a damaged record length or the end of the bytes ends it.
ScanResult scan(ByteView file, Visitor& visitor);

/// Why a scan cannot read the log, empty if it can: no MCAP, or compressed in a way that is not read here.
std::string why_unreadable(const ScanResult& scan);

/// The file has a footer that points to a summary. A log without one is whole, too; it only has no index.
bool has_summary(ByteView file);

/// Follows footer, summary, chunk indexes and message indexes and holds every entry against what it points to.
/// What a writer may leave out (message indexes, statistics, channels) is not missed.
/// Returns the first contradiction with its offset, empty if none.
std::string verify_index(ByteView file);

/// Messages that the statistics of a sound summary count; empty if there are none.
std::optional<std::uint64_t> stated_message_count(ByteView file);

}  // namespace topple::hil::mcap
