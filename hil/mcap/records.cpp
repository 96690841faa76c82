#include "hil/mcap/records.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/mcap/chunk_codec.hpp"

namespace topple::hil::mcap {

std::optional<Record> RecordWalk::next() noexcept {
    if (at_end() || bytes_.size() - offset_ < kRecordHeadBytes) return std::nullopt;
    ByteReader in(bytes_.subspan(static_cast<std::size_t>(offset_)));
    const std::uint8_t opcode = in.u8();
    const std::uint64_t length = in.u64();
    if (opcode == 0 || length > in.rest().size()) return std::nullopt;
    const Record record{static_cast<Opcode>(opcode), offset_, in.take(length)};
    offset_ = record.end();
    return record;
}

std::string RecordWalk::reason() const {
    if (at_end()) return "it stops after a complete record";
    if (bytes_.size() - offset_ < kRecordHeadBytes) return "it stops inside the header of a record";
    if (bytes_[static_cast<std::size_t>(offset_)] == 0) return "zeros instead of a record";
    return fmt::format("it stops inside a record of type 0x{:02x}, or the record's length is damaged",
                       bytes_[static_cast<std::size_t>(offset_)]);
}

bool starts_with_magic(ByteView file) noexcept {
    return file.size() >= kMagic.size() && std::equal(kMagic.begin(), kMagic.end(), file.begin());
}

bool ends_properly(ByteView file) noexcept {
    constexpr std::size_t kTail = kRecordHeadBytes + kFooterBytes + kMagic.size();
    if (file.size() < kMagic.size() + kTail) return false;
    ByteReader in(file.last(kTail));
    if (in.u8() != static_cast<std::uint8_t>(Opcode::footer) || in.u64() != kFooterBytes) return false;
    in.take(kFooterBytes);
    return starts_with_magic(in.rest());
}

std::optional<Schema> parse_schema(ByteView content) {
    ByteReader in(content);
    Schema schema;
    schema.id = in.u16();
    schema.name = in.string();
    schema.encoding = in.string();
    schema.data = in.string();
    if (!in.ok()) return std::nullopt;
    return schema;
}

std::optional<Channel> parse_channel(ByteView content) {
    ByteReader in(content);
    Channel channel;
    channel.id = in.u16();
    channel.schema_id = in.u16();
    channel.topic = in.string();
    channel.message_encoding = in.string();
    in.take(in.u32());
    if (!in.ok()) return std::nullopt;
    return channel;
}

std::optional<MessageView> parse_message(ByteView content) noexcept {
    ByteReader in(content);
    MessageView message;
    message.channel_id = in.u16();
    message.sequence = in.u32();
    message.log_ns = in.u64();
    message.publish_ns = in.u64();
    message.data = in.rest();
    if (!in.ok()) return std::nullopt;
    return message;
}

std::optional<ChunkIndex> parse_chunk_index(ByteView content) {
    ByteReader in(content);
    ChunkIndex index;
    index.start_ns = in.u64();
    index.end_ns = in.u64();
    index.chunk_offset = in.u64();
    index.chunk_length = in.u64();
    ByteReader entries(in.take(in.u32()));
    while (!entries.rest().empty()) {
        const std::uint16_t channel = entries.u16();
        index.message_indexes.push_back({channel, entries.u64()});
    }
    index.message_index_length = in.u64();
    index.compression = in.string();
    index.stored_bytes = in.u64();
    index.records_bytes = in.u64();
    if (!in.ok() || !entries.ok()) return std::nullopt;
    return index;
}

namespace {

/// The fields of a chunk record as they stand there.
struct ChunkFields {
    std::uint64_t start_ns = 0, end_ns = 0, size = 0;
    std::uint32_t checksum = 0;
    std::string_view compression;
    ByteView stored;
    bool ok = false;
};

ChunkFields fields_of(const Record& record) noexcept {
    ByteReader in(record.content);
    ChunkFields fields;
    fields.start_ns = in.u64();
    fields.end_ns = in.u64();
    fields.size = in.u64();
    fields.checksum = in.u32();
    fields.compression = in.string();
    fields.stored = in.take(in.u64());
    fields.ok = in.ok();
    return fields;
}

}  // namespace

std::optional<ChunkView> parse_chunk(const Record& record, Bytes& room, std::string& wrong) {
    const ChunkFields fields = fields_of(record);
    ChunkView chunk{record.offset, fields.start_ns,    fields.end_ns,
                    fields.stored, fields.compression, fields.stored.size()};
    if (!fields.ok) {
        wrong = "chunk record is damaged";
    } else if (fields.compression.empty()) {
        if (fields.size != fields.stored.size()) wrong = "chunk sizes contradict each other";
    } else {
        wrong = decompress(fields.compression, fields.stored, fields.size, room);
        chunk.records = room;
    }
    if (!wrong.empty()) return std::nullopt;
    if (fields.checksum != 0 && fields.checksum != crc32(chunk.records)) {
        wrong = "chunk checksum is wrong";
        return std::nullopt;
    }
    return chunk;
}

std::string unknown_compression(const Record& chunk) {
    constexpr std::size_t kNameMax = 32;
    const ChunkFields fields = fields_of(chunk);
    const auto is_sign = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    };
    const std::string_view name = fields.compression;
    const bool is_name =
        fields.ok && !name.empty() && name.size() <= kNameMax && std::all_of(name.begin(), name.end(), is_sign);
    return is_name && !is_known_compression(name) ? std::string(name) : std::string();
}

}  // namespace topple::hil::mcap
