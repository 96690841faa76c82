#include "hil/mcap/summary.hpp"

#include <algorithm>

namespace topple::hil::mcap {

namespace {

void write_chunk_index(ByteWriter& out, const ChunkIndex& index) {
    const std::size_t start = out.begin_record(Opcode::chunk_index);
    out.u64(index.start_ns);
    out.u64(index.end_ns);
    out.u64(index.chunk_offset);
    out.u64(index.chunk_length);
    out.u32(static_cast<std::uint32_t>(10 * index.message_indexes.size()));
    for (const ChunkIndex::Entry& entry : index.message_indexes) {
        out.u16(entry.channel);
        out.u64(entry.offset);
    }
    out.u64(index.message_index_length);
    out.string(index.compression);
    out.u64(index.stored_bytes);
    out.u64(index.records_bytes);
    out.end_record(start);
}

void write_attachment_index(ByteWriter& out, const AttachmentIndex& index) {
    const std::size_t start = out.begin_record(Opcode::attachment_index);
    out.u64(index.offset);
    out.u64(index.length);
    out.u64(index.log_ns);
    out.u64(index.created_ns);
    out.u64(index.data_bytes);
    out.string(index.name);
    out.string(index.media_type);
    out.end_record(start);
}

void write_metadata_index(ByteWriter& out, const MetadataIndex& index) {
    const std::size_t start = out.begin_record(Opcode::metadata_index);
    out.u64(index.offset);
    out.u64(index.length);
    out.string(index.name);
    out.end_record(start);
}

void write_statistics(ByteWriter& out, const Summary& summary) {
    const std::size_t start = out.begin_record(Opcode::statistics);
    out.u64(summary.message_count());
    out.u16(static_cast<std::uint16_t>(summary.schemas.size()));
    out.u32(static_cast<std::uint32_t>(summary.channels.size()));
    out.u32(static_cast<std::uint32_t>(summary.attachments.size()));
    out.u32(static_cast<std::uint32_t>(summary.metadata.size()));
    out.u32(static_cast<std::uint32_t>(summary.chunks.size()));
    out.u64(summary.start_ns.value_or(0));
    out.u64(summary.end_ns);
    out.u32(static_cast<std::uint32_t>(10 * summary.message_counts.size()));
    for (const auto& [channel, count] : summary.message_counts) {
        out.u16(channel);
        out.u64(count);
    }
    out.end_record(start);
}

}  // namespace

void Summary::span(std::uint64_t from_ns, std::uint64_t to_ns) noexcept {
    start_ns = start_ns ? std::min(*start_ns, from_ns) : from_ns;
    end_ns = std::max(end_ns, to_ns);
}

std::uint64_t Summary::message_count() const noexcept {
    std::uint64_t sum = 0;
    for (const auto& [channel, count] : message_counts) sum += count;
    return sum;
}

void append_end(Bytes& bytes, std::uint64_t base, std::uint32_t data_checksum, const Summary& summary) {
    ByteWriter out(bytes);
    const std::size_t before = bytes.size();
    const std::size_t data_end = out.begin_record(Opcode::data_end);
    out.u32(data_checksum);
    out.end_record(data_end);
    const auto place = [&] { return base + bytes.size() - before; };

    const std::size_t summary_at = bytes.size();
    const std::uint64_t summary_place = place();
    Bytes offsets;
    ByteWriter offsets_out(offsets);
    const auto group = [&](Opcode opcode, auto&& write) {
        const std::size_t start = bytes.size();
        const std::uint64_t start_place = place();
        write();
        if (bytes.size() == start) return;
        const std::size_t record = offsets_out.begin_record(Opcode::summary_offset);
        offsets_out.u8(static_cast<std::uint8_t>(opcode));
        offsets_out.u64(start_place);
        offsets_out.u64(bytes.size() - start);
        offsets_out.end_record(record);
    };
    group(Opcode::schema, [&] {
        for (const auto& [id, record] : summary.schemas) out.raw(record);
    });
    group(Opcode::channel, [&] {
        for (const auto& [id, record] : summary.channels) out.raw(record);
    });
    group(Opcode::statistics, [&] { write_statistics(out, summary); });
    group(Opcode::chunk_index, [&] {
        for (const auto& index : summary.chunks) write_chunk_index(out, index);
    });
    group(Opcode::attachment_index, [&] {
        for (const auto& index : summary.attachments) write_attachment_index(out, index);
    });
    group(Opcode::metadata_index, [&] {
        for (const auto& index : summary.metadata) write_metadata_index(out, index);
    });

    const std::uint64_t offsets_place = place();
    out.raw(offsets);
    const std::size_t footer = out.begin_record(Opcode::footer);
    out.u64(summary_place);
    out.u64(offsets_place);
    patch_u64(bytes, footer + 1, kFooterBytes);
    out.u32(crc32(ByteView(bytes).subspan(summary_at)));
    out.raw(kMagic);
}

}  // namespace topple::hil::mcap
