#include "hil/run_log/mcap_writer.hpp"

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

ChunkIndex ChunkBuilder::seal(std::uint64_t file_offset) {
    ChunkIndex index;
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

McapWriter::McapWriter(LogFile& file, std::string_view library) : file_(file) {
    chunks_.reserve(kChunksReserved);
    Bytes bytes(kMagic.begin(), kMagic.end());
    ByteWriter out(bytes);
    const std::size_t start = out.begin_record(Opcode::header);
    out.string("");  // no profile
    out.string(library);
    out.end_record(start);
    append(bytes);
}

bool McapWriter::append(const Bytes& bytes) {
    const bool written = file_.append(bytes);
    ok_ = ok_ && written;
    return written;
}

bool McapWriter::write_metadata(const std::string& name, const std::map<std::string, std::string>& entries) {
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

bool McapWriter::write_schema(const Schema& schema) {
    Bytes bytes;
    ByteWriter out(bytes);
    mcap::write_schema(out, schema);
    schemas_.push_back(schema);
    return append(bytes);
}

bool McapWriter::write_channel(const Channel& channel) {
    Bytes bytes;
    ByteWriter out(bytes);
    mcap::write_channel(out, channel);
    channels_.push_back(channel);
    return append(bytes);
}

bool McapWriter::write_chunk(ChunkBuilder& chunk) {
    if (chunk.empty()) return true;
    const ChunkIndex index = chunk.seal(file_.size_bytes());
    const bool written = append(chunk.bytes_);
    if (written) {
        chunks_.push_back(index);
        for (std::size_t i = 0; i < kChannelsMax; ++i) message_counts_[i] += chunk.entries_[i].size();
    }
    chunk.clear();
    return written;
}

std::uint64_t McapWriter::message_count() const noexcept {
    return std::accumulate(message_counts_.begin(), message_counts_.end(), std::uint64_t{0});
}

void McapWriter::write_chunk_index(ByteWriter& out, const ChunkIndex& index) const {
    const std::size_t start = out.begin_record(Opcode::chunk_index);
    out.u64(index.start_ns);
    out.u64(index.end_ns);
    out.u64(index.chunk_offset);
    out.u64(index.chunk_length);
    out.u32(static_cast<std::uint32_t>(10 * index.message_index_count));
    for (std::size_t i = 0; i < index.message_index_count; ++i) {
        out.u16(index.message_indexes[i].channel);
        out.u64(index.message_indexes[i].offset);
    }
    out.u64(index.message_index_length);
    out.string("");  // not compressed
    out.u64(index.records_bytes);
    out.u64(index.records_bytes);
    out.end_record(start);
}

void McapWriter::write_statistics(ByteWriter& out) const {
    std::uint64_t start_ns = 0, end_ns = 0;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
        start_ns = i == 0 ? chunks_[i].start_ns : std::min(start_ns, chunks_[i].start_ns);
        end_ns = std::max(end_ns, chunks_[i].end_ns);
    }
    const std::size_t start = out.begin_record(Opcode::statistics);
    out.u64(message_count());
    out.u16(static_cast<std::uint16_t>(schemas_.size()));
    out.u32(static_cast<std::uint32_t>(channels_.size()));
    out.u32(0);  // attachments
    out.u32(static_cast<std::uint32_t>(metadata_.size()));
    out.u32(static_cast<std::uint32_t>(chunks_.size()));
    out.u64(start_ns);
    out.u64(end_ns);
    out.u32(static_cast<std::uint32_t>(10 * channels_.size()));
    for (const Channel& channel : channels_) {
        out.u16(channel.id);
        out.u64(message_counts_.at(channel.id));
    }
    out.end_record(start);
}

void McapWriter::write_metadata_index(ByteWriter& out, const MetadataIndex& index) const {
    const std::size_t start = out.begin_record(Opcode::metadata_index);
    out.u64(index.offset);
    out.u64(index.length);
    out.string(index.name);
    out.end_record(start);
}

bool McapWriter::finish() {
    Bytes bytes;
    ByteWriter out(bytes);
    const std::uint64_t base = file_.size_bytes();
    const std::size_t data_end = out.begin_record(Opcode::data_end);
    out.u32(0);  // no checksum over the whole: every chunk has its own, and the clock record may differ
    out.end_record(data_end);

    const std::size_t summary = bytes.size();
    Bytes offsets;
    ByteWriter offsets_out(offsets);
    const auto group = [&](Opcode opcode, auto&& write) {
        const std::size_t start = bytes.size();
        write();
        if (bytes.size() == start) return;
        const std::size_t record = offsets_out.begin_record(Opcode::summary_offset);
        offsets_out.u8(static_cast<std::uint8_t>(opcode));
        offsets_out.u64(base + start);
        offsets_out.u64(bytes.size() - start);
        offsets_out.end_record(record);
    };
    group(Opcode::schema, [&] { for (const Schema& schema : schemas_) mcap::write_schema(out, schema); });
    group(Opcode::channel, [&] { for (const Channel& channel : channels_) mcap::write_channel(out, channel); });
    group(Opcode::statistics, [&] { write_statistics(out); });
    group(Opcode::chunk_index, [&] { for (const ChunkIndex& index : chunks_) write_chunk_index(out, index); });
    group(Opcode::metadata_index, [&] { for (const auto& index : metadata_) write_metadata_index(out, index); });

    const std::size_t summary_offset = bytes.size();
    out.raw(offsets);
    const std::size_t footer = out.begin_record(Opcode::footer);
    out.u64(base + summary);
    out.u64(base + summary_offset);
    patch_u64(bytes, footer + 1, kFooterBytes);
    out.u32(crc32(ByteView(bytes).subspan(summary)));
    out.raw(kMagic);
    return append(bytes);
}

}  // namespace topple::hil::mcap
