#include <fmt/format.h>

#include <set>

#include "hil/run_log/mcap_reader.hpp"
#include "hil/run_log/mcap_records.hpp"

namespace topple::hil::mcap {

namespace {

std::string at(std::uint64_t offset, std::string_view what) { return fmt::format("at byte {}: {}", offset, what); }

/// The record of this type at this place, if there is one.
std::optional<Record> record_at(ByteView file, std::uint64_t offset, Opcode opcode) {
    const auto record = RecordWalk(file, offset).next();
    if (!record || record->opcode != opcode) return std::nullopt;
    return record;
}

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
            return at(record.offset, "message index points to no such message");
        }
    }
    return {};
}

std::uint64_t messages_in(ByteView records) {
    std::uint64_t count = 0;
    RecordWalk walk(records, 0);
    while (const auto record = walk.next()) count += record->opcode == Opcode::message;
    return count;
}

struct Totals {
    std::uint64_t messages = 0, chunks = 0;
    std::set<std::uint16_t> channels_used, channels_known;
};

std::string verify_chunk_index(ByteView file, const Record& record, Totals& totals) {
    const auto index = parse_chunk_index(record.content);
    if (!index) return at(record.offset, "chunk index is damaged");
    const auto chunk_record = record_at(file, index->chunk_offset, Opcode::chunk);
    if (!chunk_record || chunk_record->end() - chunk_record->offset != index->chunk_length) {
        return at(record.offset, "chunk index points to no chunk");
    }
    std::string wrong;
    const auto chunk = parse_chunk(*chunk_record, wrong);
    if (!chunk) return at(chunk_record->offset, wrong);
    if (chunk->start_ns != index->start_ns || chunk->end_ns != index->end_ns) {
        return at(record.offset, "chunk index and chunk disagree on times");
    }
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < index->message_index_count; ++i) {
        const auto& entry = index->message_indexes[i];
        const auto message_index = record_at(file, entry.offset, Opcode::message_index);
        if (!message_index) return at(record.offset, "chunk index points to no message index");
        wrong = verify_message_index(*message_index, entry.channel, chunk->records);
        if (!wrong.empty()) return wrong;
        length += message_index->end() - message_index->offset;
        totals.channels_used.insert(entry.channel);
    }
    if (length != index->message_index_length) return at(record.offset, "length of the message indexes is wrong");
    totals.messages += messages_in(chunk->records);
    ++totals.chunks;
    return {};
}

std::string verify_metadata_index(ByteView file, const Record& record) {
    ByteReader in(record.content);
    const std::uint64_t offset = in.u64(), length = in.u64();
    const auto target = record_at(file, offset, Opcode::metadata);
    if (!in.ok() || !target || target->end() - target->offset != length) {
        return at(record.offset, "metadata index points to no metadata");
    }
    return {};
}

std::string verify_statistics(const Record& statistics, const Totals& totals) {
    ByteReader in(statistics.content);
    const std::uint64_t messages = in.u64();
    in.u16();
    const std::uint32_t channels = in.u32();
    in.take(8);
    const std::uint32_t chunks = in.u32();
    if (!in.ok() || messages != totals.messages || chunks != totals.chunks ||
        channels != totals.channels_known.size()) {
        return at(statistics.offset, "statistics disagree with the index");
    }
    return {};
}

std::string verify_summary(ByteView file, std::uint64_t start, std::uint64_t end) {
    Totals totals;
    std::optional<Record> statistics;
    RecordWalk walk(file.first(static_cast<std::size_t>(end)), start);
    while (const auto record = walk.next()) {
        std::string wrong;
        if (record->opcode == Opcode::chunk_index) wrong = verify_chunk_index(file, *record, totals);
        if (record->opcode == Opcode::metadata_index) wrong = verify_metadata_index(file, *record);
        if (record->opcode == Opcode::statistics) statistics = record;
        if (record->opcode == Opcode::channel) {
            const auto channel = parse_channel(record->content);
            if (!channel) return at(record->offset, "channel record is damaged");
            totals.channels_known.insert(channel->id);
        }
        if (!wrong.empty()) return wrong;
    }
    if (!walk.at_end()) return at(walk.offset(), "summary: " + walk.reason());
    for (const std::uint16_t channel : totals.channels_used) {
        if (!totals.channels_known.contains(channel)) return at(start, fmt::format("channel {} is missing", channel));
    }
    return statistics ? verify_statistics(*statistics, totals) : std::string{};
}

}  // namespace

std::string verify_index(ByteView file) {
    if (!starts_with_magic(file) || !ends_properly(file)) return at(file.size(), "no footer");
    const std::uint64_t footer = file.size() - kMagic.size() - kFooterBytes - kRecordHeadBytes;
    ByteReader in(file.subspan(static_cast<std::size_t>(footer) + kRecordHeadBytes));
    const std::uint64_t summary = in.u64(), offsets = in.u64();
    const std::uint32_t checksum = in.u32();
    if (summary < kMagic.size() || summary > footer) return at(footer, "there is no summary");
    const std::uint64_t end = offsets == 0 ? footer : offsets;
    if (end < summary || end > footer) return at(footer, "summary offsets lie outside of the file");
    const std::size_t checked = static_cast<std::size_t>(footer - summary) + kRecordHeadBytes + kFooterBytes - 4;
    if (checksum != 0 && checksum != crc32(file.subspan(static_cast<std::size_t>(summary), checked))) {
        return at(summary, "summary checksum is wrong");
    }
    return verify_summary(file, summary, end);
}

}  // namespace topple::hil::mcap
