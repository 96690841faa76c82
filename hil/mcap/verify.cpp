#include <fmt/format.h>

#include <map>
#include <set>

#include "hil/mcap/reader.hpp"
#include "hil/mcap/records.hpp"

namespace topple::hil::mcap {

namespace {

std::string at(std::uint64_t offset, std::string_view what) { return fmt::format("at byte {}: {}", offset, what); }

/// The record of this type at this place, if there is one.
std::optional<Record> record_at(ByteView file, std::uint64_t offset, Opcode opcode) {
    const auto record = RecordWalk(file, offset).next();
    if (!record || record->opcode != opcode) return std::nullopt;
    return record;
}

/// What the statistics and the index must agree with.
struct Totals {
    std::map<std::uint16_t, std::uint64_t> messages;  ///< per channel
    std::uint64_t message_count = 0;
    std::uint32_t chunks = 0, attachments = 0, metadata = 0;
    void count(const MessageView& message) {
        ++messages[message.channel_id];
        ++message_count;
    }
};

/// What a summary says.
struct Summary {
    std::map<std::uint64_t, ChunkIndex> chunks;  ///< by the chunk's place
    std::set<std::uint16_t> channels;
    std::optional<Record> statistics;
};

std::string verify_message_index(const Record& record, std::uint16_t channel, ByteView records) {
    ByteReader in(record.content);
    const bool same_channel = in.u16() == channel;
    ByteReader entries(in.take(in.u32()));
    if (!in.ok() || !same_channel) return at(record.offset, "message index is damaged");
    while (!entries.rest().empty()) {
        const std::uint64_t log_ns = entries.u64(), offset = entries.u64();
        const auto target = record_at(records, offset, Opcode::message);
        const auto message = target ? parse_message(target->content) : std::nullopt;
        if (!entries.ok() || !message || message->channel_id != channel || message->log_ns != log_ns) {
            return at(record.offset, "message index does not point to such a message");
        }
    }
    return {};
}

std::string verify_chunk_index(ByteView file, const Record& record, const ChunkView& chunk, const ChunkIndex& index) {
    if (record.end() - record.offset != index.chunk_length)
        return at(record.offset, "chunk index has a different length");
    if (chunk.start_ns != index.start_ns || chunk.end_ns != index.end_ns) {
        return at(record.offset, "chunk index and chunk disagree on times");
    }
    if (chunk.compression != index.compression || chunk.stored_bytes != index.stored_bytes ||
        chunk.records.size() != index.records_bytes) {
        return at(record.offset, "chunk index and chunk disagree on sizes");
    }
    std::uint64_t length = 0;
    for (const ChunkIndex::Entry& entry : index.message_indexes) {
        const auto message_index = record_at(file, entry.offset, Opcode::message_index);
        if (!message_index) return at(record.offset, "chunk index does not point to a message index");
        const std::string wrong = verify_message_index(*message_index, entry.channel, chunk.records);
        if (!wrong.empty()) return wrong;
        length += message_index->end() - message_index->offset;
    }
    if (length != index.message_index_length) return at(record.offset, "length of the message indexes is wrong");
    return {};
}

std::string verify_chunk(ByteView file, const Record& record, const Summary& summary, Bytes& room, Totals& totals) {
    std::string wrong;
    const auto chunk = parse_chunk(record, room, wrong);
    if (!chunk) return at(record.offset, wrong);
    RecordWalk walk(chunk->records, 0);
    while (const auto inner = walk.next()) {
        if (inner->opcode != Opcode::message) continue;
        if (const auto message = parse_message(inner->content)) totals.count(*message);
    }
    ++totals.chunks;
    if (summary.chunks.empty()) return {};
    const auto index = summary.chunks.find(record.offset);
    if (index == summary.chunks.end()) return at(record.offset, "the index lacks this chunk");
    return verify_chunk_index(file, record, *chunk, index->second);
}

/// Goes through the data section, chunk by chunk, against the index.
std::string verify_data(ByteView file, const Summary& summary, Totals& totals) {
    Bytes room;
    RecordWalk walk(file, kMagic.size());
    while (const auto record = walk.next()) {
        std::string wrong;
        if (record->opcode == Opcode::data_end) break;
        if (record->opcode == Opcode::chunk) wrong = verify_chunk(file, *record, summary, room, totals);
        if (record->opcode == Opcode::attachment) ++totals.attachments;
        if (record->opcode == Opcode::metadata) ++totals.metadata;
        if (record->opcode == Opcode::message) {
            if (const auto message = parse_message(record->content)) totals.count(*message);
        }
        if (!wrong.empty()) return wrong;
    }
    if (!summary.chunks.empty() && summary.chunks.size() != totals.chunks)
        return at(summary.chunks.rbegin()->first, "chunk index does not point to a chunk");
    return {};
}

/// Indexes of attachments and metadata: place and length come first in both.
std::string verify_place(ByteView file, const Record& record, Opcode target_opcode) {
    ByteReader in(record.content);
    const std::uint64_t offset = in.u64(), length = in.u64();
    const auto target = record_at(file, offset, target_opcode);
    if (!in.ok() || !target || target->end() - target->offset != length) {
        return at(record.offset, "index of metadata or attachments does not point to one");
    }
    return {};
}

std::string read_summary_record(ByteView file, const Record& record, Summary& summary) {
    if (record.opcode == Opcode::chunk_index) {
        auto index = parse_chunk_index(record.content);
        if (!index) return at(record.offset, "chunk index is damaged");
        const std::uint64_t place = index->chunk_offset;
        if (!summary.chunks.emplace(place, std::move(*index)).second)
            return at(record.offset, "a chunk is indexed twice");
    }
    if (record.opcode == Opcode::metadata_index) return verify_place(file, record, Opcode::metadata);
    if (record.opcode == Opcode::attachment_index) return verify_place(file, record, Opcode::attachment);
    if (record.opcode == Opcode::statistics) summary.statistics = record;
    if (record.opcode == Opcode::channel) {
        const auto channel = parse_channel(record.content);
        if (!channel) return at(record.offset, "channel record is damaged");
        summary.channels.insert(channel->id);
    }
    return {};
}

std::string verify_statistics(const Record& statistics, const Totals& totals) {
    ByteReader in(statistics.content);
    const std::uint64_t messages = in.u64();
    in.u16();
    in.u32();
    const std::uint32_t attachments = in.u32(), metadata = in.u32(), chunks = in.u32();
    in.take(16);
    ByteReader per_channel(in.take(in.u32()));
    bool same = messages == totals.message_count && chunks == totals.chunks && attachments == totals.attachments &&
                metadata == totals.metadata;
    while (same && !per_channel.rest().empty()) {
        const std::uint16_t channel = per_channel.u16();
        const std::uint64_t count = per_channel.u64();
        const auto found = totals.messages.find(channel);
        same = per_channel.ok() && count == (found == totals.messages.end() ? 0 : found->second);
    }
    return in.ok() && same ? std::string() : at(statistics.offset, "statistics disagree with the data");
}

}  // namespace

std::optional<SummaryPlace> summary_place(ByteView file) noexcept {
    if (!starts_with_magic(file) || !ends_properly(file)) return std::nullopt;
    SummaryPlace place;
    place.footer = file.size() - kMagic.size() - kFooterBytes - kRecordHeadBytes;
    ByteReader in(file.subspan(static_cast<std::size_t>(place.footer) + kRecordHeadBytes));
    place.start = in.u64();
    const std::uint64_t offsets = in.u64();
    place.checksum = in.u32();
    place.end = offsets == 0 ? place.footer : offsets;
    const bool inside = place.start >= kMagic.size() && place.start <= place.end && place.end <= place.footer;
    return inside ? std::optional(place) : std::nullopt;
}

bool has_summary(ByteView file) {
    if (!ends_properly(file)) return false;
    ByteReader in(file.last(kMagic.size() + kFooterBytes));
    return in.u64() != 0;
}

std::string check_summary(ByteView file) {
    const auto place = summary_place(file);
    if (!place) return at(file.size(), "there is no summary, or it is outside the file");
    const auto start = static_cast<std::size_t>(place->start);
    const std::size_t checked = static_cast<std::size_t>(place->footer) - start + kRecordHeadBytes + kFooterBytes - 4;
    if (place->checksum != 0 && place->checksum != crc32(file.subspan(start, checked))) {
        return at(place->start, "summary checksum is wrong");
    }
    return {};
}

std::optional<std::uint64_t> stated_message_count(ByteView file) {
    if (!check_summary(file).empty()) return std::nullopt;
    const auto place = summary_place(file);
    RecordWalk walk(file.first(static_cast<std::size_t>(place->end)), place->start);
    while (const auto record = walk.next()) {
        if (record->opcode != Opcode::statistics) continue;
        ByteReader in(record->content);
        const std::uint64_t count = in.u64();
        return in.ok() ? std::optional(count) : std::nullopt;
    }
    return std::nullopt;
}

std::string verify_index(ByteView file) {
    if (!starts_with_magic(file) || !ends_properly(file)) return at(file.size(), "no footer");
    std::string wrong = check_summary(file);
    if (!wrong.empty()) return wrong;
    const auto place = summary_place(file);
    Summary summary;
    RecordWalk walk(file.first(static_cast<std::size_t>(place->end)), place->start);
    while (const auto record = walk.next()) {
        wrong = read_summary_record(file, *record, summary);
        if (!wrong.empty()) return wrong;
    }
    if (!walk.at_end()) return at(walk.offset(), "summary: " + walk.reason());
    Totals totals;
    wrong = verify_data(file, summary, totals);
    if (!wrong.empty()) return wrong;
    for (const auto& [channel, count] : totals.messages) {
        if (!summary.channels.empty() && !summary.channels.contains(channel))
            return at(place->start, fmt::format("channel {} is missing", channel));
    }
    return summary.statistics ? verify_statistics(*summary.statistics, totals) : std::string{};
}

}  // namespace topple::hil::mcap
