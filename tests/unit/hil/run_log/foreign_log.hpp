// A log as other tools write it: compressed, without chunks, without index, with channels of other numbers.
#pragma once

#include <lz4frame.h>
#include <zstd.h>

#include <map>
#include <stdexcept>
#include <string>

#include "hil/mcap/reader.hpp"
#include "hil/mcap/summary.hpp"

namespace topple::hil::mcap {

struct ForeignStyle {
    std::string compression;  ///< "", "zstd", "lz4"; any other name leaves the bytes as they are
    bool chunks = true;
    bool channels_in_chunks = false;  ///< repeated in front of every chunk's messages, and nowhere else
    bool summary = true;
    std::uint16_t channel_shift = 0;  ///< added to every channel and schema id
    std::size_t chunk_messages = 300;
};

inline Bytes packed(const std::string& compression, ByteView plain) {
    Bytes out;
    if (compression == "zstd") {
        out.resize(ZSTD_compressBound(plain.size()));
        out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
    } else if (compression == "lz4") {
        out.resize(LZ4F_compressFrameBound(plain.size(), nullptr));
        out.resize(LZ4F_compressFrame(out.data(), out.size(), plain.data(), plain.size(), nullptr));
    } else {
        out.assign(plain.begin(), plain.end());
    }
    return out;
}

/// One chunk record; `size` and `checksum` as they shall stand there.
inline Bytes chunk_record(const std::string& compression, ByteView stored, std::uint64_t size, std::uint32_t checksum) {
    Bytes bytes;
    ByteWriter out(bytes);
    const std::size_t start = out.begin_record(Opcode::chunk);
    out.u64(0);
    out.u64(~std::uint64_t{0});
    out.u64(size);
    out.u32(checksum);
    out.string(compression);
    out.u64(stored.size());
    out.raw(stored);
    out.end_record(start);
    return bytes;
}

/// Takes a log apart and writes it in a style, with one attachment in front.
class ForeignWriter final : public Visitor {
  public:
    explicit ForeignWriter(const ForeignStyle& style) : style_(style), file_(kMagic.begin(), kMagic.end()) {
        ByteWriter out(file_);
        std::size_t start = out.begin_record(Opcode::header);
        out.string("");
        out.string("another tool");
        out.end_record(start);
        const std::size_t place = file_.size();
        start = out.begin_record(Opcode::attachment);
        out.u64(1);
        out.u64(2);
        out.string("photo.jpg");
        out.string("image/jpeg");
        out.u64(3);
        out.raw(Bytes{7, 8, 9});
        out.u32(0);
        out.end_record(start);
        summary_.attachments.push_back({place, file_.size() - place, 1, 2, 3, "photo.jpg", "image/jpeg"});
    }
    void on_metadata(const std::string& name, const std::map<std::string, std::string>& entries) override {
        ByteWriter out(file_);
        const std::size_t start = out.begin_record(Opcode::metadata);
        out.string(name);
        out.string_map(entries);
        out.end_record(start);
        summary_.metadata.push_back({start, file_.size() - start, name});
    }
    void on_schema(const Schema& schema) override {
        Schema shifted = schema;
        shifted.id = static_cast<std::uint16_t>(schema.id + style_.channel_shift);
        Bytes record;
        ByteWriter out(record);
        write_schema(out, shifted);
        define(record);
        summary_.schemas[shifted.id] = record;
    }
    void on_channel(const Channel& channel) override {
        Channel shifted = channel;
        shifted.id = static_cast<std::uint16_t>(channel.id + style_.channel_shift);
        shifted.schema_id = static_cast<std::uint16_t>(channel.schema_id + style_.channel_shift);
        Bytes record;
        ByteWriter out(record);
        write_channel(out, shifted);
        define(record);
        summary_.channels[shifted.id] = record;
    }
    std::string on_message(const Channel& channel, const MessageView& message) override {
        if (pending_.empty() && style_.channels_in_chunks) pending_ = definitions_;
        const auto id = static_cast<std::uint16_t>(channel.id + style_.channel_shift);
        ByteWriter out(style_.chunks ? pending_ : file_);
        const std::size_t start = out.begin_record(Opcode::message);
        out.u16(id);
        out.u32(message.sequence);
        out.u64(message.log_ns);
        out.u64(message.publish_ns);
        out.raw(message.data);
        out.end_record(start);
        ++summary_.message_counts[id];
        if (++in_chunk_ >= style_.chunk_messages) flush();
        return {};
    }
    Bytes finish() {
        flush();
        if (style_.summary) {
            append_end(file_, file_.size(), crc32(file_), summary_);
            return file_;
        }
        ByteWriter out(file_);
        std::size_t start = out.begin_record(Opcode::data_end);
        out.u32(0);
        out.end_record(start);
        start = out.begin_record(Opcode::footer);
        out.u64(0);
        out.u64(0);
        out.u32(0);
        out.end_record(start);
        out.raw(kMagic);
        return file_;
    }

  private:
    void define(const Bytes& record) {
        Bytes& place = style_.channels_in_chunks ? definitions_ : file_;
        place.insert(place.end(), record.begin(), record.end());
    }
    void flush() {
        in_chunk_ = 0;
        if (pending_.empty()) return;
        const Bytes stored = packed(style_.compression, pending_);
        ChunkIndex index;
        index.end_ns = ~std::uint64_t{0};
        index.chunk_offset = file_.size();
        index.compression = style_.compression;
        index.stored_bytes = stored.size();
        index.records_bytes = pending_.size();
        const Bytes record = chunk_record(style_.compression, stored, pending_.size(), crc32(pending_));
        index.chunk_length = record.size();
        file_.insert(file_.end(), record.begin(), record.end());
        summary_.chunks.push_back(index);
        pending_.clear();
    }

    ForeignStyle style_;
    Bytes file_, pending_, definitions_;
    std::size_t in_chunk_ = 0;
    Summary summary_;
};

inline Bytes rewritten(ByteView log, const ForeignStyle& style) {
    ForeignWriter writer(style);
    scan(log, writer);
    return writer.finish();
}

}  // namespace topple::hil::mcap
