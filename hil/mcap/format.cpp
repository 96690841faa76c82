#include "hil/mcap/format.hpp"

#include <boost/crc.hpp>

namespace topple::hil::mcap {

std::uint32_t crc32(ByteView bytes) noexcept {
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

void ByteWriter::integer(std::uint64_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) out_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

void ByteWriter::string(std::string_view text) {
    u32(static_cast<std::uint32_t>(text.size()));
    out_.insert(out_.end(), text.begin(), text.end());
}

void ByteWriter::string_map(const std::map<std::string, std::string>& entries) {
    const std::size_t start = out_.size();
    u32(0);
    for (const auto& [key, value] : entries) {
        string(key);
        string(value);
    }
    patch_u32(out_, start, static_cast<std::uint32_t>(out_.size() - start - 4));
}

std::size_t ByteWriter::begin_record(Opcode opcode) {
    const std::size_t start = out_.size();
    u8(static_cast<std::uint8_t>(opcode));
    u64(0);
    return start;
}

void ByteWriter::end_record(std::size_t start) { patch_u64(out_, start + 1, out_.size() - start - kRecordHeadBytes); }

void patch_u32(Bytes& bytes, std::size_t at, std::uint32_t value) noexcept {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

void patch_u64(Bytes& bytes, std::size_t at, std::uint64_t value) noexcept {
    for (std::size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

ByteView ByteReader::take(std::uint64_t count) noexcept {
    if (count > rest_.size()) {
        ok_ = false;
        rest_ = {};
        return {};
    }
    const ByteView taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(static_cast<std::size_t>(count));
    return taken;
}

std::uint64_t ByteReader::integer(std::size_t count) noexcept {
    const ByteView bytes = take(count);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
    return value;
}

std::string_view ByteReader::string() noexcept {
    const ByteView bytes = take(u32());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::map<std::string, std::string> ByteReader::string_map() {
    ByteReader entries(take(u32()));
    std::map<std::string, std::string> map;
    while (!entries.rest_.empty()) {
        const std::string_view key = entries.string();
        const std::string_view value = entries.string();
        if (!entries.ok_) break;
        map.emplace(key, value);
    }
    ok_ = ok_ && entries.ok_;
    return map;
}

void write_schema(ByteWriter& out, const Schema& schema) {
    const std::size_t start = out.begin_record(Opcode::schema);
    out.u16(schema.id);
    out.string(schema.name);
    out.string(schema.encoding);
    out.string(schema.data);
    out.end_record(start);
}

void write_channel(ByteWriter& out, const Channel& channel) {
    const std::size_t start = out.begin_record(Opcode::channel);
    out.u16(channel.id);
    out.u16(channel.schema_id);
    out.string(channel.topic);
    out.string(channel.message_encoding);
    out.string_map({});
    out.end_record(start);
}

}  // namespace topple::hil::mcap
