#include "hil/run_log/recover.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <set>

#include "hil/errors.hpp"
#include "hil/run_log/file_bytes.hpp"
#include "hil/run_log/log_file.hpp"
#include "hil/run_log/mcap_reader.hpp"
#include "hil/run_log/mcap_writer.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "hil/version.hpp"

namespace topple::hil {

namespace {

using std::filesystem::path;

/// Copies what a scan meets; chunks come out byte for byte as they were.
class Rewriter final : public mcap::Visitor {
  public:
    explicit Rewriter(mcap::McapWriter& writer) : writer_(writer) {}

    void on_metadata(const std::string& name, const std::map<std::string, std::string>& entries) override {
        flush();
        writer_.write_metadata(name, entries);
    }
    void on_schema(const mcap::Schema& schema) override {
        if (schemas_.insert(schema.id).second) writer_.write_schema(schema);
    }
    void on_channel(const mcap::Channel& channel) override {
        if (channel.id >= mcap::kChannelsMax) throw InputError("this is not a log of Topple: too many channels");
        if (channels_.insert(channel.id).second) writer_.write_channel(channel);
    }
    bool on_chunk(const mcap::ChunkView&) override {
        flush();
        return true;
    }
    std::string on_message(const mcap::Channel& channel, const mcap::MessageView& message) override {
        chunk_.add(channel.id, message.sequence, message.log_ns, message.publish_ns, message.data);
        return {};
    }
    void flush() { writer_.write_chunk(chunk_); }

  private:
    mcap::McapWriter& writer_;
    mcap::ChunkBuilder chunk_;
    std::set<std::uint16_t> schemas_, channels_;
};

/// Digest of every message in order.
struct Fingerprint final : mcap::Visitor {
    std::string on_message(const mcap::Channel& channel, const mcap::MessageView& message) override {
        mcap::ByteWriter out(state);
        out.u16(channel.id);
        out.u32(message.sequence);
        out.u64(message.log_ns);
        out.u64(message.publish_ns);
        out.raw(message.data);
        const std::uint32_t digest = mcap::crc32(state);
        state.clear();
        out.u32(digest);
        return {};
    }
    mcap::Bytes state;
};

/// Removes the temporary file unless it has been put in place.
struct TemporaryName {
    path name;
    ~TemporaryName() {
        std::error_code ignored;
        if (!name.empty()) std::filesystem::remove(name, ignored);
    }
};

void refuse_if_being_written(const path& log) {
    const int descriptor = ::open(log.c_str(), O_RDONLY | O_CLOEXEC);
    const bool busy = descriptor >= 0 && ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (descriptor >= 0) ::close(descriptor);
    if (busy) throw InputError(fmt::format("{}: a run is still writing this log", log.string()));
}

void write_copy(mcap::ByteView torn, const path& copy, const Recovery& recovery) {
    LogFile file(copy);
    mcap::McapWriter writer(file, fmt::format("topple {} recover", version()));
    Rewriter rewriter(writer);
    mcap::scan(torn, rewriter);
    rewriter.flush();
    writer.write_metadata("topple.recovered", {{"bytes_dropped", fmt::format("{}", recovery.bytes_dropped)},
                                               {"damage", fmt::format("{}", fmt::join(recovery.damage, "; "))}});
    if (!writer.finish() || !writer.ok() || !file.finish()) {
        throw OutputError(fmt::format("{}: cannot be written: {}", copy.string(),
                                      std::generic_category().message(file.last_error())));
    }
}

void verify_copy(mcap::ByteView torn, const path& copy) {
    const auto bytes = read_file_bytes(copy);
    const std::string contradiction = mcap::verify_index(bytes);
    if (!contradiction.empty()) throw OutputError(fmt::format("{}: {}", copy.string(), contradiction));
    Fingerprint before, after;
    const auto old_scan = mcap::scan(torn, before), new_scan = mcap::scan(bytes, after);
    if (!new_scan.complete || new_scan.message_count != old_scan.message_count || before.state != after.state) {
        throw OutputError(fmt::format("{}: does not hold what the torn log holds", copy.string()));
    }
}

/// The torn file gets its second name before the first one changes: there is a log at every instant.
void put_in_place(const path& copy, const path& log, const path& original) {
    if (std::filesystem::exists(original) && !std::filesystem::equivalent(original, log)) {
        throw InputError(fmt::format("{} exists already; move it away first", original.string()));
    }
    std::error_code error;
    if (!std::filesystem::exists(original)) std::filesystem::create_hard_link(log, original, error);
    if (error) std::filesystem::copy_file(log, original, error);  // a file system without hard links
    if (!error) std::filesystem::rename(copy, log, error);
    if (error) throw OutputError(fmt::format("{}: {}", log.string(), error.message()));
    sync_directory(log.parent_path());
}

}  // namespace

Recovery recover(const path& run) {
    Recovery recovery;
    recovery.log = run_log_path(run);
    refuse_if_being_written(recovery.log);
    const auto bytes = read_file_bytes(recovery.log);
    mcap::Visitor nothing;
    const mcap::ScanResult scan = mcap::scan(bytes, nothing);
    if (!scan.mcap) throw InputError(fmt::format("{}: {}", recovery.log.string(), scan.problems.front()));
    recovery.message_count = scan.message_count;
    recovery.damage = scan.problems;
    recovery.was_whole = scan.complete && scan.problem_count == 0 && mcap::verify_index(bytes).empty();
    if (recovery.was_whole) return recovery;
    recovery.bytes_dropped = scan.complete ? 0 : bytes.size() - scan.whole_bytes;
    recovery.original = path(recovery.log) += ".torn";
    TemporaryName copy{path(recovery.log) += fmt::format(".recovering.{}", ::getpid())};
    write_copy(bytes, copy.name, recovery);
    verify_copy(bytes, copy.name);
    put_in_place(copy.name, recovery.log, recovery.original);
    copy.name.clear();
    return recovery;
}

}  // namespace topple::hil
