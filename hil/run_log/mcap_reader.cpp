#include "hil/run_log/mcap_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/run_log/mcap_records.hpp"

namespace topple::hil::mcap {

namespace {

constexpr std::size_t kProblemsKept = 20;

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
                result_.complete = ends_properly(file_);
                if (!result_.complete) problem(record->end(), "the end of the file is damaged: no footer");
                return std::move(result_);
            }
            visit(*record);
            result_.whole_bytes = record->end();
        }
        problem(walk.offset(), result_.mcap ? "the log is torn: " + walk.reason() : "no MCAP header");
        return std::move(result_);
    }

  private:
    void problem(std::uint64_t offset, const std::string& what) {
        ++result_.problem_count;
        if (result_.problems.size() < kProblemsKept) result_.problems.push_back(fmt::format("at byte {}: {}", offset, what));
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
        visitor_.on_schema(*schema);
    }

    void visit_channel(const Record& record) {
        auto channel = parse_channel(record.content);
        if (!channel) return problem(record.offset, "channel record is damaged");
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
        const auto chunk = parse_chunk(record, wrong);
        if (!chunk) return problem(record.offset, wrong);
        if (!visitor_.on_chunk(*chunk)) return;
        RecordWalk walk(chunk->records, 0);
        const std::uint64_t base = record.end() - chunk->records.size();
        while (auto inner = walk.next()) {
            inner->offset += base;
            if (inner->opcode != Opcode::chunk) visit(*inner);
        }
        if (!walk.at_end()) problem(base + walk.offset(), "chunk: " + walk.reason());
    }

    ByteView file_;
    Visitor& visitor_;
    ScanResult result_;
    std::map<std::uint16_t, Channel> channels_;
};

}  // namespace

ScanResult scan(ByteView file, Visitor& visitor) { return Scanner(file, visitor).run(); }

}  // namespace topple::hil::mcap
