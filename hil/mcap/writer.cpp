#include "hil/mcap/writer.hpp"

#include <algorithm>
#include <numeric>

namespace topple::hil::mcap {

namespace {

// Layout of an uncompressed chunk record in front of its messages.
constexpr std::size_t kStartAt = kRecordHeadBytes, kEndAt = kStartAt + 8, kSizeAt = kEndAt + 8, kCrcAt = kSizeAt + 8,
                      kCompressionAt = kCrcAt + 4, kRecordsLengthAt = kCompressionAt + 4,
                      kRecordsAt = kRecordsLengthAt + 8;
// Chunks of a run that the summary can list without growing: ten minutes of three chunks per quarter second.
constexpr std::size_t kChunksReserved = 8192;

}  // namespace

ChunkBuilder::ChunkBuilder(std::size_t reserve_bytes) {
    bytes_.reserve(kRecordsAt + reserve_bytes + reserve_bytes / 2);  // the indexes follow in the same buffer
    if (reserve_bytes > 0) {
        for (auto& entries : entries_) entries.reserve(reserve_bytes / 256);
    }
    clear();
}

void ChunkBuilder::clear() noexcept {
    bytes_.assign(kRecordsAt, 0);
    for (auto& entries : entries_) entries.clear();
    message_count_ = 0;
    start_ns_ = std::numeric_limits<std::uint64_t>::max();
    end_ns_ = 0;
}

std::size_t ChunkBuilder::records_bytes() const noexcept { return bytes_.size() - kRecordsAt; }

std::uint64_t ChunkBuilder::span_with_ns(std::uint64_t log_ns) const noexcept {
    return empty() ? 0 : std::max(end_ns_, log_ns) - std::min(start_ns_, log_ns);
}

void ChunkBuilder::add(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_ns, std::uint64_t publish_ns,
                       ByteView data) {
    entries_.at(channel).push_back({log_ns, records_bytes()});
    ByteWriter out(bytes_);
    const std::size_t start = out.begin_record(Opcode::message);
    out.u16(channel);
    out.u32(sequence);
    out.u64(log_ns);
    out.u64(publish_ns);
    out.raw(data);
    out.end_record(start);
    ++message_count_;
    start_ns_ = std::min(start_ns_, log_ns);
    end_ns_ = std::max(end_ns_, log_ns);
}

ChunkBuilder::Sealed ChunkBuilder::seal(std::uint64_t file_offset) {
    Sealed index;
    index.start_ns = empty() ? 0 : start_ns_;
    index.end_ns = end_ns_;
    index.records_bytes = records_bytes();
    index.chunk_offset = file_offset;
    index.chunk_length = bytes_.size();
    bytes_[0] = static_cast<std::uint8_t>(Opcode::chunk);
    patch_u64(bytes_, 1, bytes_.size() - kRecordHeadBytes);
    patch_u64(bytes_, kStartAt, index.start_ns);
    patch_u64(bytes_, kEndAt, index.end_ns);
    patch_u64(bytes_, kSizeAt, index.records_bytes);
    patch_u32(bytes_, kCrcAt, crc32(ByteView(bytes_).subspan(kRecordsAt)));
    patch_u32(bytes_, kCompressionAt, 0);
    patch_u64(bytes_, kRecordsLengthAt, index.records_bytes);
    ByteWriter out(bytes_);
    for (std::size_t channel = 0; channel < kChannelsMax; ++channel) {
        if (entries_[channel].empty()) continue;
        const auto id = static_cast<std::uint16_t>(channel);
        index.message_indexes[index.message_index_count++] = {id, file_offset + bytes_.size()};
        const std::size_t start = out.begin_record(Opcode::message_index);
        out.u16(id);
        out.u32(static_cast<std::uint32_t>(16 * entries_[channel].size()));
        for (const Entry& entry : entries_[channel]) {
            out.u64(entry.log_ns);
            out.u64(entry.offset);
        }
        out.end_record(start);
    }
    index.message_index_length = bytes_.size() - index.chunk_length;
    return index;
}

ChunkIndex ChunkBuilder::Sealed::index() const {
    ChunkIndex index;
    index.start_ns = start_ns;
    index.end_ns = end_ns;
    index.chunk_offset = chunk_offset;
    index.chunk_length = chunk_length;
    index.message_indexes.assign(message_indexes.begin(),
                                 message_indexes.begin() + static_cast<std::ptrdiff_t>(message_index_count));
    index.message_index_length = message_index_length;
    index.stored_bytes = index.records_bytes = records_bytes;
    return index;
}

Writer::Writer(files::LogFile& file, std::string_view library) : file_(file) {
    chunks_.reserve(kChunksReserved);
    Bytes bytes(kMagic.begin(), kMagic.end());
    ByteWriter out(bytes);
    const std::size_t start = out.begin_record(Opcode::header);
    out.string("");  // no profile
    out.string(library);
    out.end_record(start);
    append(bytes);
}

bool Writer::append(const Bytes& bytes) {
    const bool written = file_.append(bytes);
    ok_ = ok_ && written;
    return written;
}

bool Writer::write_metadata(const std::string& name, const std::map<std::string, std::string>& entries) {
    const std::uint64_t offset = file_.size_bytes();
    Bytes bytes;
    ByteWriter out(bytes);
    const std::size_t start = out.begin_record(Opcode::metadata);
    out.string(name);
    out.string_map(entries);
    out.end_record(start);
    if (!append(bytes)) return false;
    metadata_.push_back({offset, bytes.size(), name});
    return true;
}

bool Writer::write_schema(const Schema& schema) {
    Bytes bytes;
    ByteWriter out(bytes);
    mcap::write_schema(out, schema);
    schemas_.push_back(schema);
    return append(bytes);
}

bool Writer::write_channel(const Channel& channel) {
    Bytes bytes;
    ByteWriter out(bytes);
    mcap::write_channel(out, channel);
    channels_.push_back(channel);
    return append(bytes);
}

bool Writer::write_chunk(ChunkBuilder& chunk) {
    if (chunk.empty()) return true;
    const ChunkBuilder::Sealed index = chunk.seal(file_.size_bytes());
    const bool written = append(chunk.bytes_);
    if (written) {
        chunks_.push_back(index);
        for (std::size_t i = 0; i < kChannelsMax; ++i) message_counts_[i] += chunk.entries_[i].size();
    }
    chunk.clear();
    return written;
}

std::uint64_t Writer::message_count() const noexcept {
    return std::accumulate(message_counts_.begin(), message_counts_.end(), std::uint64_t{0});
}

Summary Writer::summary() const {
    Summary summary;
    for (const Schema& schema : schemas_) {
        ByteWriter out(summary.schemas[schema.id]);
        mcap::write_schema(out, schema);
    }
    for (const Channel& channel : channels_) {
        ByteWriter out(summary.channels[channel.id]);
        mcap::write_channel(out, channel);
        summary.message_counts[channel.id] = message_counts_.at(channel.id);
    }
    for (const ChunkBuilder::Sealed& chunk : chunks_) {
        summary.span(chunk.start_ns, chunk.end_ns);
        summary.chunks.push_back(chunk.index());
    }
    summary.metadata = metadata_;
    return summary;
}

bool Writer::finish() {
    Bytes bytes;
    // No checksum over the whole: every chunk has its own, and the clock record may differ between two lockstep runs.
    constexpr std::uint32_t kNoChecksum = 0;
    append_end(bytes, file_.size_bytes(), kNoChecksum, summary());
    return append(bytes);
}

}  // namespace topple::hil::mcap
