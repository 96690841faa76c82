#include "hil/mcap/reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/mcap/records.hpp"

namespace topple::hil::mcap {

namespace {

constexpr std::size_t kProblemsKept = 20;
constexpr std::uint64_t kUncompressedBytesMax = std::uint64_t{2} << 30;  // of a whole log, as of its file

/// One pass: state of the walk over records, the same inside and outside of chunks.
class Scanner {
  public:
    Scanner(ByteView file, Visitor& visitor) : file_(file), visitor_(visitor) {}

    ScanResult run() {
        if (!starts_with_magic(file_)) {
            problem(0, "this is not an MCAP file");
            return std::move(result_);
        }
        RecordWalk walk(file_, kMagic.size());
        while (const auto record = walk.next()) {
            if (!result_.mcap && record->opcode != Opcode::header) break;
            result_.mcap = true;
            if (record->opcode == Opcode::data_end) {
                end_of_data(*record);
                return std::move(result_);
            }
            visit(*record);
            result_.whole_bytes = record->end();
        }
        problem(walk.offset(), result_.mcap ? "the log ends abruptly: " + walk.reason() : "no MCAP header");
        return std::move(result_);
    }

  private:
    void problem(std::uint64_t offset, const std::string& what) {
        ++result_.problem_count;
        if (result_.problems.size() < kProblemsKept)
            result_.problems.push_back(fmt::format("at byte {}: {}", offset, what));
    }

    void end_of_data(const Record& record) {
        ByteReader in(record.content);
        const std::uint32_t checksum = in.u32();
        const auto data = file_.first(static_cast<std::size_t>(record.offset));
        if (result_.problem_count == 0 && checksum != 0 && checksum != crc32(data))
            problem(record.offset,
                    "the checksum of the whole data is wrong: a record outside of the chunks is damaged");
        if (result_.problem_count == 0) check_channels();
        const auto stated = stated_message_count(file_);
        if (result_.problem_count == 0 && !skipped_ && stated && *stated != result_.message_count)
            problem(record.offset,
                    fmt::format("the log lists {} messages but contains {}", *stated, result_.message_count));
        result_.data_whole = result_.problem_count == 0;
        result_.complete = ends_properly(file_);
        if (!result_.complete) return problem(record.end(), "the end of the file is damaged: no footer");
        const std::string summary = has_summary(file_) ? check_summary(file_) : std::string();
        if (!summary.empty()) problem(record.end(), summary);
    }

    // Outside of chunks nothing has a checksum, but the summary repeats what gives the messages their meaning.
    void check_channels() {
        if (!has_summary(file_) || !check_summary(file_).empty()) return;
        const auto place = summary_place(file_);
        RecordWalk walk(file_.first(static_cast<std::size_t>(place->end)), place->start);
        while (const auto record = walk.next()) {
            const bool is_schema = record->opcode == Opcode::schema;
            if (!is_schema && record->opcode != Opcode::channel) continue;
            ByteReader in(record->content);
            const std::uint16_t id = in.u16();
            const auto& known = is_schema ? schema_checksums_ : channel_checksums_;
            const auto found = known.find(id);
            if (found != known.end() && found->second != crc32(record->content))
                problem(record->offset, fmt::format("{} {} differs from its copy in the summary",
                                                    is_schema ? "schema" : "channel", id));
        }
    }

    void visit(const Record& record) {
        switch (record.opcode) {
            case Opcode::schema: return visit_schema(record);
            case Opcode::channel: return visit_channel(record);
            case Opcode::message: return visit_message(record);
            case Opcode::chunk: return visit_chunk(record);
            case Opcode::metadata: return visit_metadata(record);
            default: return;  // indexes are for others; unknown records are to be ignored
        }
    }

    void visit_metadata(const Record& record) {
        ByteReader in(record.content);
        const std::string name(in.string());
        const auto entries = in.string_map();
        if (!in.ok()) return problem(record.offset, "metadata record is damaged");
        visitor_.on_metadata(name, entries);
    }

    void visit_schema(const Record& record) {
        const auto schema = parse_schema(record.content);
        if (!schema) return problem(record.offset, "schema record is damaged");
        schema_checksums_.insert_or_assign(schema->id, crc32(record.content));
        visitor_.on_schema(*schema);
    }

    void visit_channel(const Record& record) {
        auto channel = parse_channel(record.content);
        if (!channel) return problem(record.offset, "channel record is damaged");
        channel_checksums_.insert_or_assign(channel->id, crc32(record.content));
        visitor_.on_channel(*channel);
        channels_.insert_or_assign(channel->id, std::move(*channel));
    }

    void visit_message(const Record& record) {
        const auto message = parse_message(record.content);
        if (!message) return problem(record.offset, "message record is damaged");
        const auto channel = channels_.find(message->channel_id);
        if (channel == channels_.end()) {
            return problem(record.offset, fmt::format("message of unknown channel {}", message->channel_id));
        }
        const std::string wrong = visitor_.on_message(channel->second, *message);
        if (!wrong.empty()) return problem(record.offset, fmt::format("{}: {}", channel->second.topic, wrong));
        ++result_.message_count;
    }

    void visit_chunk(const Record& record) {
        std::string wrong;
        if (result_.unknown_compression.empty()) result_.unknown_compression = unknown_compression(record);
        const auto chunk = parse_chunk(record, room_, wrong);
        if (!chunk) return problem(record.offset, wrong);
        if (!chunk->compression.empty()) uncompressed_bytes_ += chunk->records.size();
        if (uncompressed_bytes_ > kUncompressedBytesMax)
            return problem(record.offset, "chunk is skipped: the log has more than 2 GiB uncompressed");
        ++result_.chunk_count;
        if (!visitor_.on_chunk(*chunk)) {
            skipped_ = true;
            return;
        }
        // Places in a compressed chunk do not exist in the file: its own is given.
        const bool compressed = !chunk->compression.empty();
        const std::uint64_t base = record.end() - chunk->records.size();
        RecordWalk walk(chunk->records, 0);
        while (auto inner = walk.next()) {
            inner->offset = compressed ? record.offset : inner->offset + base;
            if (inner->opcode != Opcode::chunk) visit(*inner);
        }
        if (!walk.at_end()) problem(compressed ? record.offset : base + walk.offset(), "chunk: " + walk.reason());
    }

    Bytes room_;  // of the chunk being read
    std::uint64_t uncompressed_bytes_ = 0;
    bool skipped_ = false;  // a chunk, by the visitor's wish
    ByteView file_;
    Visitor& visitor_;
    ScanResult result_;
    std::map<std::uint16_t, Channel> channels_;
    std::map<std::uint16_t, std::uint32_t> schema_checksums_, channel_checksums_;  // of their records
};

}  // namespace

ScanResult scan(ByteView file, Visitor& visitor) { return Scanner(file, visitor).run(); }

std::string why_unreadable(const ScanResult& scan) {
    if (!scan.mcap) return scan.problems.front();
    if (scan.unknown_compression.empty() || scan.chunk_count > 0) return {};
    return fmt::format(
        "its chunks are compressed with \"{}\"; Topple reads zstd, lz4 and no compression (rewrite it: "
        "mcap compress --compression zstd)",
        scan.unknown_compression);
}

}  // namespace topple::hil::mcap
