#include "hil/run_log/recover.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <random>

#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/files/log_file.hpp"
#include "hil/host/version.hpp"
#include "hil/mcap/copy.hpp"
#include "hil/mcap/format.hpp"
#include "hil/mcap/reader.hpp"
#include "hil/run_log/run_log_reader.hpp"

namespace topple::hil::run_log {

namespace {

using files::InputError;
using files::LogFile;
using files::OutputError;
using std::filesystem::path;

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

/// A new name beside the log, removed unless the file has been put in place.
class TemporaryName {
  public:
    explicit TemporaryName(const path& log) {
        std::random_device random;
        do {
            name_ = path(log) += fmt::format(".recovering.{:08x}", random());
        } while (std::filesystem::exists(std::filesystem::symlink_status(name_)));
    }
    ~TemporaryName() {
        std::error_code ignored;
        if (file_) std::filesystem::remove(name_, ignored);
    }
    TemporaryName(const TemporaryName&) = delete;
    TemporaryName& operator=(const TemporaryName&) = delete;
    LogFile& create() { return file_.emplace(name_); }  // throws, and then there is nothing of ours to remove
    void keep() noexcept { file_.reset(); }
    const path& name() const noexcept { return name_; }

  private:
    path name_;
    std::optional<LogFile> file_;
};

void refuse_if_being_written(const path& log) {
    const int descriptor = ::open(log.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const bool busy = descriptor >= 0 && ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (descriptor >= 0) ::close(descriptor);
    if (busy) throw InputError(fmt::format("{}: a run is still writing this log", log.string()));
}

/// What must not be rewritten: a log that is not understood, and one of which less would be left than it has.
void refuse_if_it_would_lose(const path& log, mcap::ByteView bytes, const mcap::ScanResult& scan) {
    std::string why = mcap::why_unreadable(scan);
    if (why.empty() && !scan.unknown_compression.empty())
        why = fmt::format("a chunk is compressed with \"{}\", which Topple does not read", scan.unknown_compression);
    if (!why.empty()) throw InputError(fmt::format("{}: {}; nothing has been changed", log.string(), why));
    const auto stated = mcap::stated_message_count(bytes);
    if (stated && *stated > scan.message_count)
        throw InputError(
            fmt::format("{}: its index is intact and lists {} messages, {} of them can be read: a new index would "
                        "not help, and nothing has been changed. Damage: {}",
                        log.string(), *stated, scan.message_count, fmt::join(scan.problems, "; ")));
}

void write_copy(mcap::ByteView torn, const path& copy, LogFile& file, const mcap::ScanResult& scan,
                const Recovery& recovery) {
    const mcap::AddedMetadata added{"topple.recovered",
                                    {{"by", fmt::format("topple {}", host::version())},
                                     {"bytes_dropped", fmt::format("{}", recovery.bytes_dropped)},
                                     {"data_whole", scan.data_whole ? "true" : "false"},
                                     {"damage", fmt::format("{}", fmt::join(recovery.damage, "; "))}}};
    if (!mcap::copy_sound_records(torn, file, added) || !file.finish()) {
        throw OutputError(fmt::format("{}: cannot be written: {}", copy.string(),
                                      std::generic_category().message(file.last_error())));
    }
}

void verify_copy(mcap::ByteView torn, const path& copy) {
    const auto bytes = files::read_file_bytes(copy);
    const std::string contradiction = mcap::verify_index(bytes);
    if (!contradiction.empty()) throw OutputError(fmt::format("{}: {}", copy.string(), contradiction));
    Fingerprint before, after;
    const auto old_scan = mcap::scan(torn, before), new_scan = mcap::scan(bytes, after);
    if (!new_scan.complete || new_scan.message_count != old_scan.message_count || before.state != after.state) {
        throw OutputError(fmt::format("{}: does not contain what the torn log contains", copy.string()));
    }
}

/// The torn file gets its second name before the first one changes: there is a log at every instant.
void put_in_place(const path& copy, const path& log, const path& original) {
    if (std::filesystem::exists(original) && !std::filesystem::equivalent(original, log)) {
        throw InputError(fmt::format("{} already exists; move it away first", original.string()));
    }
    std::error_code error;
    if (!std::filesystem::exists(original)) std::filesystem::create_hard_link(log, original, error);
    if (error) std::filesystem::copy_file(log, original, error);  // a file system without hard links
    if (!error) std::filesystem::rename(copy, log, error);
    if (error) throw OutputError(fmt::format("{}: {}", log.string(), error.message()));
    files::sync_directory(log.parent_path());
}

}  // namespace

Recovery recover(const path& run) {
    Recovery recovery;
    recovery.log = run_log_path(run);
    refuse_if_being_written(recovery.log);
    const auto bytes = files::read_file_bytes(recovery.log);
    mcap::Visitor nothing;
    const mcap::ScanResult scan = mcap::scan(bytes, nothing);
    recovery.message_count = scan.message_count;
    recovery.damage = scan.problems;
    const bool index_right = !mcap::has_summary(bytes) || mcap::verify_index(bytes).empty();
    recovery.was_whole = scan.complete && scan.problem_count == 0 && index_right;
    if (recovery.was_whole) return recovery;
    refuse_if_it_would_lose(recovery.log, bytes, scan);
    recovery.bytes_dropped = scan.complete || scan.data_whole ? 0 : bytes.size() - scan.whole_bytes;
    recovery.original = path(recovery.log) += ".torn";
    TemporaryName copy(recovery.log);
    write_copy(bytes, copy.name(), copy.create(), scan, recovery);
    verify_copy(bytes, copy.name());
    put_in_place(copy.name(), recovery.log, recovery.original);
    copy.keep();
    return recovery;
}

}  // namespace topple::hil::run_log
