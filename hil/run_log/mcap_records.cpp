#include "hil/run_log/mcap_records.hpp"

#include <fmt/format.h>

#include <algorithm>

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
    if (at_end()) return "it stops after a whole record";
    if (bytes_.size() - offset_ < kRecordHeadBytes) return "it stops inside the head of a record";
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

std::optional<ChunkIndex> parse_chunk_index(ByteView content) noexcept {
    ByteReader in(content);
    ChunkIndex index;
    index.start_ns = in.u64();
    index.end_ns = in.u64();
    index.chunk_offset = in.u64();
    index.chunk_length = in.u64();
    ByteReader entries(in.take(in.u32()));
    while (!entries.rest().empty() && index.message_index_count < kChannelsMax) {
        auto& entry = index.message_indexes[index.message_index_count++];
        entry.channel = entries.u16();
        entry.offset = entries.u64();
    }
    index.message_index_length = in.u64();
    in.string();
    in.u64();
    index.records_bytes = in.u64();
    if (!in.ok() || !entries.ok() || !entries.rest().empty()) return std::nullopt;
    return index;
}

std::optional<ChunkView> parse_chunk(const Record& record, std::string& wrong) {
    ByteReader in(record.content);
    ChunkView chunk;
    chunk.offset = record.offset;
    chunk.start_ns = in.u64();
    chunk.end_ns = in.u64();
    const std::uint64_t size = in.u64();
    const std::uint32_t checksum = in.u32();
    const std::string_view compression = in.string();
    chunk.records = in.take(in.u64());
    if (!in.ok()) {
        wrong = "chunk record is damaged";
    } else if (!compression.empty()) {
        wrong = fmt::format("chunk is compressed ({}), which is not read here", compression.substr(0, 16));
    } else if (size != chunk.records.size()) {
        wrong = "chunk sizes contradict each other";
    } else if (checksum != 0 && checksum != crc32(chunk.records)) {
        wrong = "chunk checksum is wrong";
    } else {
        return chunk;
    }
    return std::nullopt;
}

}  // namespace topple::hil::mcap
