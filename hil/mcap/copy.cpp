#include "hil/mcap/copy.hpp"

#include <boost/crc.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "hil/mcap/records.hpp"
#include "hil/mcap/summary.hpp"

namespace topple::hil::mcap {

namespace {

using files::LogFile;

/// Log time and place of each message of a chunk.
using MessagePlaces = std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, std::uint64_t>>>;

std::optional<AttachmentIndex> parse_attachment(ByteView content) {
    ByteReader in(content);
    AttachmentIndex index;
    index.log_ns = in.u64();
    index.created_ns = in.u64();
    index.name = in.string();
    index.media_type = in.string();
    index.data_bytes = in.u64();
    in.take(index.data_bytes);
    in.u32();
    if (!in.ok()) return std::nullopt;
    return index;
}

class Copier {
  public:
    Copier(ByteView file, LogFile& out) : file_(file), out_(out) {}

    bool copy(const AddedMetadata& added) {
        append(file_.first(kMagic.size()));
        RecordWalk walk(file_, kMagic.size());
        while (const auto record = walk.next()) {
            if (record->opcode == Opcode::data_end) break;
            visit(*record);
        }
        if (!added.name.empty()) add(added);
        Bytes end;
        append_end(end, out_.size_bytes(), checksum_.checksum(), summary_);
        append(end);
        return ok_;
    }

  private:
    void append(ByteView bytes) {
        ok_ = ok_ && out_.append(bytes);
        checksum_.process_bytes(bytes.data(), bytes.size());
    }
    ByteView whole(const Record& record) const {
        return file_.subspan(static_cast<std::size_t>(record.offset),
                             static_cast<std::size_t>(record.end() - record.offset));
    }

    void visit(const Record& record) {
        switch (record.opcode) {
            case Opcode::schema:
            case Opcode::channel:
                if (know(record, whole(record))) append(whole(record));
                return;
            case Opcode::message: return copy_message(record);
            case Opcode::chunk: return copy_chunk(record);
            case Opcode::attachment: return copy_attachment(record);
            case Opcode::metadata: return copy_metadata(record);
            case Opcode::message_index:
            case Opcode::chunk_index:
            case Opcode::attachment_index:
            case Opcode::statistics:
            case Opcode::metadata_index:
            case Opcode::summary_offset:
            case Opcode::footer:
            case Opcode::data_end: return;  // made anew
            case Opcode::header: break;
        }
        append(whole(record));
    }

    /// Remembers a schema or channel for the summary. False if it is damaged.
    bool know(const Record& record, ByteView bytes) {
        const Bytes copy(bytes.begin(), bytes.end());
        if (record.opcode == Opcode::schema) {
            const auto schema = parse_schema(record.content);
            if (schema) summary_.schemas.insert_or_assign(schema->id, copy);
            return schema.has_value();
        }
        const auto channel = parse_channel(record.content);
        if (channel) {
            summary_.channels.insert_or_assign(channel->id, copy);
            summary_.message_counts.try_emplace(channel->id, 0);
        }
        return channel.has_value();
    }

    void count(const MessageView& message) {
        ++summary_.message_counts[message.channel_id];
        summary_.span(message.log_ns, message.log_ns);
    }

    void copy_message(const Record& record) {
        const auto message = parse_message(record.content);
        if (!message || !summary_.channels.contains(message->channel_id)) return;
        count(*message);
        append(whole(record));
    }

    void copy_chunk(const Record& record) {
        std::string wrong;
        const auto chunk = parse_chunk(record, room_, wrong);
        if (!chunk) return;
        ChunkIndex index;
        index.start_ns = chunk->start_ns;
        index.end_ns = chunk->end_ns;
        index.chunk_offset = out_.size_bytes();
        index.chunk_length = record.end() - record.offset;
        index.compression = chunk->compression;
        index.stored_bytes = chunk->stored_bytes;
        index.records_bytes = chunk->records.size();
        append(whole(record));
        append_message_indexes(messages_of(*chunk), index);
        summary_.chunks.push_back(std::move(index));
    }

    MessagePlaces messages_of(const ChunkView& chunk) {
        MessagePlaces places;
        RecordWalk walk(chunk.records, 0);
        while (const auto inner = walk.next()) {
            const auto bytes = chunk.records.subspan(static_cast<std::size_t>(inner->offset),
                                                     static_cast<std::size_t>(inner->end() - inner->offset));
            if (inner->opcode == Opcode::schema || inner->opcode == Opcode::channel) know(*inner, bytes);
            const auto message = inner->opcode == Opcode::message ? parse_message(inner->content) : std::nullopt;
            if (!message) continue;
            count(*message);
            places[message->channel_id].emplace_back(message->log_ns, inner->offset);
        }
        return places;
    }

    void append_message_indexes(const MessagePlaces& places, ChunkIndex& index) {
        for (const auto& [channel, messages] : places) {
            Bytes bytes;
            ByteWriter out(bytes);
            const std::size_t start = out.begin_record(Opcode::message_index);
            out.u16(channel);
            out.u32(static_cast<std::uint32_t>(16 * messages.size()));
            for (const auto& [log_ns, offset] : messages) {
                out.u64(log_ns);
                out.u64(offset);
            }
            out.end_record(start);
            index.message_indexes.push_back({channel, out_.size_bytes()});
            index.message_index_length += bytes.size();
            append(bytes);
        }
    }

    void copy_attachment(const Record& record) {
        auto index = parse_attachment(record.content);
        if (!index) return;
        index->offset = out_.size_bytes();
        index->length = record.end() - record.offset;
        summary_.attachments.push_back(std::move(*index));
        append(whole(record));
    }

    void copy_metadata(const Record& record) {
        ByteReader in(record.content);
        const std::string name(in.string());
        in.string_map();
        if (!in.ok()) return;
        summary_.metadata.push_back({out_.size_bytes(), record.end() - record.offset, name});
        append(whole(record));
    }

    void add(const AddedMetadata& added) {
        Bytes bytes;
        ByteWriter out(bytes);
        const std::size_t start = out.begin_record(Opcode::metadata);
        out.string(added.name);
        out.string_map(added.entries);
        out.end_record(start);
        summary_.metadata.push_back({out_.size_bytes(), bytes.size(), added.name});
        append(bytes);
    }

    ByteView file_;
    LogFile& out_;
    Summary summary_;
    Bytes room_;
    boost::crc_32_type checksum_;
    bool ok_ = true;
};

}  // namespace

bool copy_sound_records(ByteView torn, LogFile& out, const AddedMetadata& added) {
    return Copier(torn, out).copy(added);
}

}  // namespace topple::hil::mcap
